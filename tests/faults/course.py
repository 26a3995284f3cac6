"""A match from its creation to its end, as requests of every kind."""

from collections.abc import AsyncIterator, Sequence
from typing import Any

import msgspec

from tests.faults.ledger import Asked, Ledger
from tests.faults.world import Person

SEATS = 3


async def course(ledger: Ledger, people: Sequence[Person], moves: int, **options: Any) -> AsyncIterator[Asked]:
    """Each request is to be answered before the next is asked for; `options` are the creation's."""
    ann, ben, cat = people
    create = ledger.asked(
        ann, "CreateMatch", game=ledger.world.game, seats=SEATS, own_seat=0, auto_start=False, **options
    )
    yield create
    match = ledger.answers[create].match
    yield ledger.asked(ben, "JoinMatch", match_id=match, seat=1)
    yield ledger.asked(ben, "LeaveMatch", match_id=match, seat=1)
    yield ledger.asked(ben, "JoinMatch", match_id=match)
    yield ledger.asked(cat, "JoinMatch", match_id=match, seat=2)
    yield ledger.asked(ann, "StartMatch", match_id=match)
    for _ in range(moves):
        if (move := await next_move(ledger, match, people)) is None:
            return
        yield move
    yield ledger.asked(cat, "LeaveMatch", match_id=match, seat=2)
    for _ in range(moves):
        if (move := await next_move(ledger, match, people)) is None:
            return
        yield move
    yield ledger.asked(ann, "LeaveMatch", match_id=match, seat=0)
    yield ledger.asked(ben, "LeaveMatch", match_id=match, seat=1)


async def next_move(ledger: Ledger, match: str, people: Sequence[Person], door: int = 0) -> Asked | None:
    """A legal move of a seat that owes one, unless the match is over; half of them name their decision."""
    chance = ledger.world.random
    found = await people[0].clients[door].match(match)
    if found.match.status != "running":
        assert found.match.status == "finished"
        return None
    turn = chance.choice([turn for turn in found.turns if turn.owed])
    person = people[turn.seat]
    found = await person.clients[door].legal_moves(match, turn.seat)
    move = msgspec.json.encode(chance.choice(found.legal.moves)).decode()
    decision = {"decision": turn.decision} if chance.random() < 0.5 else {}
    return ledger.asked(person, "SubmitMove", move=move, match_id=match, seat=turn.seat, **decision)
