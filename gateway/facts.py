"""The platform's facts of a match as messages."""

from engines.core.outcome import Outcome
from services.common.codec import RootCodec
from services.eventlog.aggregate import Aggregate
from services.eventlog.lifecycle import LogAfterEnd
from services.eventlog.match import Match, Status
from services.eventlog.terms import Delay, Terms
from tidelog.v1 import lifecycle_pb2, matches_pb2, outcome_pb2, updates_pb2

STATUS = {status: matches_pb2.MatchStatus.Value(f"MATCH_STATUS_{status.upper()}") for status in Status}
STATUS_OF = {number: status for status, number in STATUS.items()}
LOG_AFTER_END = {value: lifecycle_pb2.LogAfterEnd.Value(f"LOG_AFTER_END_{value.upper()}") for value in LogAfterEnd}
LOG_AFTER_END_OF = {number: value for value, number in LOG_AFTER_END.items()}

_terms: RootCodec[Terms] = RootCodec("terms", Terms, lifecycle_pb2.Terms)
_delay: RootCodec[Delay] = RootCodec("delay", Delay, lifecycle_pb2.Delay)


def terms_message(terms: Terms) -> lifecycle_pb2.Terms:
    found: lifecycle_pb2.Terms = _terms.to_message(terms)
    return found


def terms_of(message: lifecycle_pb2.Terms) -> Terms:
    """Raises Refused(MALFORMED)."""
    return _terms.from_bytes(message.SerializeToString())


def match_message(facts: Match, created_at_ms: int) -> matches_pb2.Match:
    created = facts.created
    return matches_pb2.Match(
        match_id=facts.id,
        game=created.game,
        status=STATUS[facts.status],
        seats=[
            matches_pb2.Seat(
                seat=number,
                player=seat.player or "",
                name=seat.name,
                bot=seat.bot,
                vacant=seat.vacant,
                stand_in=seat.stand_in or "",
            )
            for number, seat in enumerate(facts.seats)
        ],
        cursor=str(facts.cursor),
        version=facts.version,
        rules=created.rules,
        edition=created.edition,
        creator=created.creator,
        auto_start=created.auto_start,
        log_after_end=LOG_AFTER_END[created.log_after_end],
        imported=facts.imported,
        quarantined=facts.quarantine is not None,
        created_at_ms=created_at_ms,
        changed_at_ms=facts.at,
        outcome=None if facts.outcome is None else outcome_message(facts.outcome),
        terms=_terms.to_message(facts.terms),
    )


def clocks(facts: Match) -> list[updates_pb2.SeatClock]:
    """Those of all seats; none of an import, in which no time counts."""
    if facts.imported:
        return []
    return [
        updates_pb2.SeatClock(seat=seat, left_ms=clock.left_at(facts.at), deadline_ms=clock.deadline)
        for seat, clock in enumerate(facts.clocks)
    ]


def delay_message(delay: Delay | None) -> lifecycle_pb2.Delay | None:
    return None if delay is None else _delay.to_message(delay)


def outcome_message(outcome: Outcome) -> outcome_pb2.Outcome:
    return outcome_pb2.Outcome(
        ranking=[
            outcome_pb2.Standing(
                seat=standing.seat,
                place=standing.place,
                points=standing.points,
                scores=[outcome_pb2.Score(category=score.category, points=score.points) for score in standing.scores],
            )
            for standing in outcome.ranking
        ],
        tie_breaks=outcome.tie_breaks,
    )


def turns(aggregate: Aggregate) -> list[matches_pb2.Turn]:
    """The seats that have something to decide, ascending; none of a match that can only be watched."""
    owing = _owing(aggregate)
    return [
        matches_pb2.Turn(seat=seat, decision=aggregate.facts.decisions[seat], owed=seat in owing)
        for seat in sorted({*owing, *_may_act(aggregate)})
    ]


def has_decision(aggregate: Aggregate, seat: int) -> bool:
    return seat in _owing(aggregate) or seat in _may_act(aggregate)


def _owing(aggregate: Aggregate) -> tuple[int, ...]:
    return aggregate.facts.owing if _takes_moves(aggregate) else ()


def _may_act(aggregate: Aggregate) -> tuple[int, ...]:
    """The seats that may move though they owe nothing."""
    in_play = aggregate.facts.status is Status.RUNNING and _takes_moves(aggregate)
    return aggregate.engine.may_act(aggregate.state) if in_play else ()


def _takes_moves(aggregate: Aggregate) -> bool:
    return not aggregate.facts.imported and aggregate.facts.quarantine is None
