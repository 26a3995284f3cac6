"""The match goes on in both worlds with the same moves, before the eyes of a seat and of a spectator."""

import asyncio
import random
from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple

from services.cli.laws.profiles import module_of as profile
from services.common import codec
from services.eventlog.entries import body_of, header_of
from tests.integration.secrets.choosing import Choice, choice, told
from tests.integration.secrets.questions import SITUATION, STRANGER, forms, watched, watched_by_others
from tests.integration.secrets.sides import Side, Sides, difference
from tests.integration.secrets.worlds import Answer, Watching
from tidelog.v1.payload_pb2 import Payload

MOVES = 4


class Onlooker(NamedTuple):
    """The same stream in both worlds."""

    subject: str
    true: Watching
    twin: Watching

    async def require_same(self, reached: Callable[[Any], bool]) -> None:
        here, there = await asyncio.gather(self.true.until(reached), self.twin.until(reached))
        assert here == there, difference(here, there)
        assert here.code == "OK"


class Moved(NamedTuple):
    """What one side says of a move: the answer to it, and its events as each audience is told them."""

    answer: Answer
    told: dict[int | None, list[Any]]


async def require_what_follows_is_told_alike(sides: Sides) -> Counter[str]:
    """How many moves were, until one told a secret, and how many of them hid something.

    The other seats, who know what differs, are told first.
    """
    rng, seen = random.Random(sides.pair.match), Counter()
    knowing = [side.world.watch(who, **fields) for side in sides[1:] for who, fields in watched_by_others(sides.pair)]
    for watching in knowing:
        await watching.until(is_caught_up)
    onlookers = [
        Onlooker(who, sides.true.world.watch(who, **fields), sides.twin.world.watch(who, **others))
        for (who, fields), (_, others) in zip(*(watched(sides.pair, side.written) for side in sides[1:]), strict=True)
    ]
    for onlooker in onlookers:
        await onlooker.require_same(is_caught_up)
    for _ in range(MOVES):
        chosen = choice(sides, rng)
        if chosen is None or not await _moved_alike(sides, chosen, onlookers):
            break
        seen.update(("told alike", *["hidden"] * chosen.hidden))
    for watching in (*knowing, *(one for onlooker in onlookers for one in onlooker[1:])):
        watching.close()
    return seen


def is_caught_up(update: Any) -> bool:
    return update.HasField("caught_up")


async def _moved_alike(sides: Sides, chosen: Choice, onlookers: list[Onlooker]) -> bool:
    """Whether all were told alike of the move; each who was is answered alike after it."""
    seat = chosen.seat
    here, there = [await _moved(sides, side, seat, move) for side, move in zip(sides[1:], chosen[1:3], strict=True)]
    if any(side.written.aggregate.facts.over for side in sides[1:]):
        return False
    telling, everyone = profile(sides.pair.game).TELLING, True
    for audience in dict.fromkeys((sides.pair.audience, None)):
        one, other = here.told[audience], there.told[audience]
        assert [event for event in one if not isinstance(event, telling)] == [
            event for event in other if not isinstance(event, telling)
        ]
        if one != other:
            everyone = False
            continue
        assert audience is None or audience != seat or here.answer == there.answer
        who = STRANGER if audience is None else sides.pair.subject(audience)
        await _require_same_sight(sides, who, audience, [one for one in onlookers if one.subject == who])
    return everyone


async def _moved(sides: Sides, side: Side, seat: int, move: Any) -> Moved:
    aggregate, match = side.written.aggregate, sides.pair.match
    version = aggregate.facts.version
    submission = {"match_id": match, "request_id": f"on from {version}", "seat": seat, "include": SITUATION}
    payload = Payload(json=codec.encode(move).decode())
    answer = await side.world.ask(sides.pair.subject(seat), "SubmitMove", move=payload, **submission)
    assert answer.code == "OK", answer
    entries = await side.world.learn(match, version)
    events = [body_of(aggregate.engine, header_of(entry), entry.body).payload for entry in entries]
    aggregate.apply_all(entries)
    audiences = {audience: told(aggregate.engine, events, audience) for audience in (*range(sides.pair.seats), None)}
    return Moved(side.world.known(answer), audiences)


async def _require_same_sight(sides: Sides, who: str, seat: int | None, onlookers: list[Onlooker]) -> None:
    version = sides.true.written.aggregate.facts.version
    for onlooker in onlookers:
        await onlooker.require_same(lambda update: update.entry.version == version)
    await sides.ask(who, "GetMatch")
    for form in forms(sides.pair.game):
        await sides.ask(who, "GetView", seat=seat, accept=form)
        if seat is not None:
            await sides.ask(who, "ListLegalMoves", seat=seat, accept=form)
