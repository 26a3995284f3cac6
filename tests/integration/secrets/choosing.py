"""Which moves go on: where it can be, others in the twin than in the true match that are told alike."""

import random
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from engines.core.chance import MatchChance
from engines.core.draft import Draft, refusal
from services.common.codec import encode
from services.eventlog import hashes
from services.eventlog.aggregate import Aggregate
from services.eventlog.lifecycle import Lifecycle
from tests.integration.secrets.sides import Sides

TRIED = 4
"""Of each kind of moves."""


class Choice(NamedTuple):
    """A move for each side; `hidden`: they are two, or have two outcomes, that are told alike."""

    seat: int
    true: Any
    twin: Any
    hidden: bool


def told(engine: Any, events: list[Any], audience: int | None) -> list[Any]:
    return [event if isinstance(event, Lifecycle) else engine.redact(event, audience) for event in events]


def choice(sides: Sides, rng: random.Random) -> Choice | None:
    """None where nobody has a move that is legal on both sides, and whose luck is the same or hidden."""
    found = list(_choices(sides, rng))
    hidden = [one for one in found if one.hidden]
    return rng.choice(hidden or found) if found else None


def _choices(sides: Sides, rng: random.Random) -> Iterator[Choice]:
    true, twin = (side.written.aggregate for side in sides[1:])
    engine = true.engine
    for seat in dict.fromkeys((*engine.to_act(true.state), *engine.may_act(true.state))):
        listed = _of_each_kind(engine.legal_moves(true.state, seat), rng)
        for move in listed:
            if refusal(engine.decide, twin.state, seat, move) is None:
                hidden = seat != sides.pair.audience and _hidden(sides, seat, move, move)
                if hidden or sides.pair.same_luck:
                    yield Choice(seat, move, move, hidden=hidden)
        if seat == sides.pair.audience:
            continue
        others = _of_each_kind(engine.legal_moves(twin.state, seat), rng)
        for move, other in ((move, other) for move in listed for other in others if type(move) is type(other)):
            if _hidden(sides, seat, move, other):
                yield Choice(seat, move, other, hidden=True)


def _of_each_kind(moves: Iterable[Any], rng: random.Random) -> list[Any]:
    kinds: dict[type, list[Any]] = {}
    for move in moves:
        kinds.setdefault(type(move), []).append(move)
    return [move for alike in kinds.values() for move in rng.sample(alike, min(TRIED, len(alike)))]


def _hidden(sides: Sides, seat: int, move: Any, other: Any) -> bool:
    """Whether the two moves, one on each side, have different outcomes that audience and spectators are told alike."""
    engine = sides.true.written.aggregate.engine
    here, there = _outcome(sides, 1, seat, move), _outcome(sides, 2, seat, other)
    alike = all(told(engine, here, one) == told(engine, there, one) for one in (sides.pair.audience, None))
    return alike and encode(here) != encode(there)


def _outcome(sides: Sides, side: int, seat: int, move: Any) -> list[Any]:
    aggregate: Aggregate = sides[side].written.aggregate
    chance = MatchChance(hashes.draw_key(sides[side].written.secret), aggregate.facts.version)
    draft = Draft(aggregate.engine.evolve, aggregate.state.copy(), chance)
    draft.play(aggregate.engine.decide, seat, move)
    return [emitted.event for emitted in draft.emitted]
