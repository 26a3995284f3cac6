"""What tells a duty from an opportunity, over the public API."""

import pytest

from services.bots import occasions
from services.bots.occasions import Occasions
from tidelog.client import Refused
from tidelog.client.answers import Accepted, Match, MatchDetails, Receipt, Situation, Turn
from tidelog.client.terms import Terms

SEAT = 1


def read(version: int, *turns: Turn) -> MatchDetails:
    match = Match("m", "g", "running", (), f"{version}-x", version, 1, "", "", True, False, 0, 0, (), (), Terms())
    return MatchDetails(match, {}, turns)


def told(version: int, decision: int) -> Situation:
    return Situation(f"{version}-x", decision=decision)


def moved(*answers: MatchDetails | Refused, at: int = 5) -> Occasions:
    """A seat whose last move ended at version 5; the match is read as the answers say."""
    left = list(answers)

    async def details() -> MatchDetails:
        answer = left.pop(0)
        if isinstance(answer, Refused):
            raise answer
        return answer

    found = Occasions(SEAT, details)
    found.moved(Accepted(Receipt("m", f"{at}-x", at, at, False), None))
    return found


async def test_a_decision_newer_than_the_own_last_move_is_a_duty():
    assert await moved().moment(told(9, 9)) is None


async def test_a_seat_that_goes_on_after_its_own_move_owes_one():
    assert await moved(read(5, Turn(SEAT, 5, owed=True))).moment(told(5, 5)) is None


async def test_the_moment_is_who_owes_what():
    turns = (Turn(0, 8, owed=True), Turn(SEAT, 5, owed=False), Turn(2, 7, owed=True))
    assert await moved(read(9, *turns)).moment(told(8, 5)) == ((0, 8), (2, 7))


async def test_a_match_read_at_an_older_version_is_read_again(monkeypatch):
    monkeypatch.setattr(occasions, "AGAIN_S", 0)
    late = moved(read(7, Turn(0, 3, owed=True)), read(8, Turn(0, 8, owed=True)))
    assert await late.moment(told(8, 5)) == ((0, 8),)


@pytest.mark.parametrize("reason", ["not_found", "unavailable"])
async def test_what_can_not_be_read_is_taken_for_a_duty(reason):
    assert await moved(Refused(reason, "so it is")).moment(told(8, 5)) is None
