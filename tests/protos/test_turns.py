"""A seat's turns: each decision once, whatever news it comes with."""

from tidelog.client.answers import CaughtUp, Checkpoint, LegalMoves, Situation
from tidelog.client.turns import turns


def situation(decision: int | None) -> Situation:
    legal = None if decision is None else LegalMoves(({"kind": "wait"},), ())
    return Situation("1-0123456789abcdef", {"round": 1}, legal, decision)


async def told(*updates):
    for update in updates:
        yield update


async def test_a_decision_is_offered_once_and_in_order():
    submitted = []

    async def submit(move, decision):
        submitted.append((move, decision))

    news = [CaughtUp("1-0", situation(decision)) for decision in (None, 3, 3, 7, 5)]
    seen = []
    async for turn in turns(told(*news, Checkpoint("1-0")), submit):
        seen.append(turn.decision)
        await turn.play(turn.moves[0])
    assert seen == [3, 7]
    assert submitted == [({"kind": "wait"}, 3), ({"kind": "wait"}, 7)]
