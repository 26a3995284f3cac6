"""A seat's turns: each decision once, whatever news it comes with, and each opportunity."""

from tidelog.client.answers import Accepted, CaughtUp, Checkpoint, LegalMoves, Receipt, Situation
from tidelog.client.turns import turns

WAIT, YES, NO = ({"kind": kind} for kind in ("wait", "yes", "no"))


def situation(version: int, decision: int | None, *moves: object, answers: int = 0) -> Situation:
    legal = None if decision is None else LegalMoves(moves or (WAIT,), ())
    return Situation(f"{version}-0123456789abcdef", {"answers": answers}, legal, decision)


async def told(*situations):
    for found in situations:
        yield CaughtUp(found.cursor, found)
    yield Checkpoint("1-0")


class Seat:
    """Plays each turn it is given; its moves become entries of the versions given."""

    def __init__(self, *versions: int) -> None:
        self.versions = list(versions)
        self.submitted = []

    async def submit(self, move, decision):
        self.submitted.append((move, decision))
        at = self.versions.pop(0)
        return Accepted(Receipt("m", f"{at}-x", at, at, False), None)

    async def play(self, *situations):
        async for turn in turns(told(*situations), self.submit):
            if self.versions:
                await turn.play(turn.moves[0])
            else:
                self.submitted.append((None, turn.decision))
        return self.submitted


async def test_a_decision_is_offered_once_and_in_order():
    news = [situation(7, decision) for decision in (None, 3, 3, 7, 5)]
    assert await Seat(4, 8).play(*news) == [(WAIT, 3), (WAIT, 7)]


async def test_an_opportunity_that_is_let_pass_is_offered_once():
    assert await Seat().play(situation(8, 5, YES), situation(9, 5, YES)) == [(None, 5)]


async def test_another_one_is_offered_though_the_decision_is_the_same():
    news = situation(8, 5, YES), situation(9, 5, NO), situation(10, None), situation(11, 5, NO)
    assert await Seat().play(*news) == [(None, 5)] * 3


async def test_a_decision_that_waits_is_told_of_each_answer():
    news = [situation(version, 5, answers=answers) for version, answers in ((8, 0), (9, 1), (10, 1), (11, 2))]
    assert await Seat().play(*news) == [(None, 5)] * 3


async def test_news_from_before_ones_own_move_are_out_of_date():
    news = situation(8, 5, YES), situation(9, 5, NO), situation(10, 10, YES)
    assert await Seat(10, 12).play(*news) == [(YES, 5), (YES, 10)]
