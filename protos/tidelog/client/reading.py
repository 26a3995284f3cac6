"""From messages to answers."""

from collections.abc import Iterable
from typing import Any

import msgspec

from tidelog.client import terms
from tidelog.client.answers import (
    Accepted,
    CaughtUp,
    Checkpoint,
    End,
    Entry,
    Game,
    GameDetails,
    LegalMoves,
    Match,
    MatchDetails,
    Messages,
    Receipt,
    Scored,
    Seat,
    SeatClock,
    Situation,
    Standing,
    StoredEntry,
    Turn,
    Update,
    View,
)
from tidelog.client.payloads import from_payload, from_payloads
from tidelog.client.refused import from_refusal
from tidelog.v1 import games_pb2, matches_pb2, outcome_pb2, updates_pb2


def receipt(message: matches_pb2.Receipt) -> Receipt:
    return Receipt(message.match_id, message.cursor, message.first_version, message.last_version, message.duplicate)


def match(message: matches_pb2.Match) -> Match:
    return Match(
        match_id=message.match_id,
        game=message.game,
        status=matches_pb2.MatchStatus.Name(message.status).removeprefix("MATCH_STATUS_").lower(),
        seats=tuple(seat(each) for each in message.seats),
        cursor=message.cursor,
        version=message.version,
        rules=message.rules,
        edition=message.edition,
        creator=message.creator,
        auto_start=message.auto_start,
        imported=message.imported,
        created_at_ms=message.created_at_ms,
        changed_at_ms=message.changed_at_ms,
        ranking=tuple(standing(place) for place in message.outcome.ranking),
        tie_breaks=tuple(message.outcome.tie_breaks),
        terms=terms.read(message.terms),
    )


def standing(message: outcome_pb2.Standing) -> Standing:
    scores = {score.category: score.points for score in message.scores}
    return Standing(message.seat, message.place, message.points, scores)


def match_details(message: matches_pb2.GetMatchResponse) -> MatchDetails:
    turns = tuple(Turn(turn.seat, turn.decision, turn.owed) for turn in message.turns)
    return MatchDetails(
        match(message.match),
        from_payload(message.options),
        turns,
        clocks=clocks(message.clocks),
        delay=terms.delay_of(message),
    )


def seat(message: matches_pb2.Seat) -> Seat:
    return Seat(message.seat, message.player, message.name, message.bot, message.vacant, message.stand_in)


def clocks(messages: Iterable[updates_pb2.SeatClock]) -> tuple[SeatClock, ...]:
    return tuple(
        SeatClock(each.seat, each.left_ms, each.deadline_ms if each.HasField("deadline_ms") else None)
        for each in messages
    )


def legal_moves(message: updates_pb2.LegalMoves) -> LegalMoves:
    return LegalMoves(from_payloads(message.moves), tuple(message.families))


def situation(message: updates_pb2.Situation) -> Situation:
    return Situation(
        message.cursor,
        from_payload(message.view),
        legal_moves(message.legal) if message.HasField("legal") else None,
        message.decision if message.HasField("decision") else None,
        clocks(message.clocks),
    )


def situation_of(message: Any) -> Situation | None:
    """The situation of an answer or an update, if it has one."""
    return situation(message.situation) if message.HasField("situation") else None


def accepted(message: Any) -> Accepted:
    return Accepted(receipt(message.receipt), situation_of(message))


def update(message: updates_pb2.Update) -> Update | None:
    """None for a kind that this release does not know."""
    match message.WhichOneof("update"):
        case "entry":
            return entry(message.entry)
        case "caught_up":
            told = message.caught_up
            return CaughtUp(told.cursor, situation_of(told), terms.delay_of(told))
        case "checkpoint":
            return Checkpoint(message.checkpoint.cursor)
        case "end":
            refused = from_refusal(message.end.refusal) if message.end.HasField("refusal") else None
            return End(message.end.cursor, refused)
        case _:
            return None


def view(message: matches_pb2.GetViewResponse) -> View:
    return View(message.cursor, message.version, from_payload(message.view), terms.delay_of(message))


def scored(message: matches_pb2.Scored) -> Scored:
    return Scored(message.version, message.turn, tuple(message.scores), message.goes_on)


def legal_situation(message: matches_pb2.ListLegalMovesResponse) -> Situation:
    if not message.HasField("decision"):
        return Situation(message.cursor)
    return Situation(message.cursor, None, legal_moves(message.legal), message.decision)


def stored_entry(message: matches_pb2.StoredEntry) -> StoredEntry:
    contents = message.WhichOneof("contents")
    return StoredEntry(
        message.cursor,
        message.header,
        message.leaf,
        message.body if contents == "body" else None,
        message.payload if contents == "payload" else None,
    )


def entry(message: updates_pb2.ToldEntry) -> Entry:
    return Entry(
        message.cursor,
        message.version,
        message.at_ms,
        message.seat if message.HasField("seat") else None,
        message.type,
        from_payload(message.event),
        situation_of(message),
        sentence(message.sentence) if message.HasField("sentence") else None,
    )


def sentence(message: updates_pb2.Sentence) -> dict[str, Any]:
    """As sentences within others are."""
    return {"key": message.key, "args": msgspec.json.decode(message.args), "text": message.text}


def messages(message: games_pb2.GetMessagesResponse) -> Messages:
    return Messages(message.language, tuple(message.languages), dict(message.messages))


def game(message: games_pb2.Game) -> Game:
    return Game(message.name, message.title, message.least_seats, message.most_seats, tuple(message.unofficial_seats))


def game_details(message: games_pb2.DescribeGameResponse) -> GameDetails:
    schemas = {
        "options": message.options_schema,
        "move": message.move_schema,
        "event": message.event_schema,
        "view": message.view_schema,
    }
    return GameDetails(
        game(message.game),
        tuple(message.rules),
        {edition.name: edition.hash for edition in message.editions},
        message.default_edition,
        tuple(message.policies),
        {name: msgspec.json.decode(text) for name, text in schemas.items()},
        message.proto_package,
    )
