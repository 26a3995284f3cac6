"""How long matches are left alone after refusals."""

import pytest

from services.clock import pauses
from services.clock.pauses import FIRST_S, LONGEST_S, Pauses
from services.common.refusals import Reason, Refused

AWAY = Refused(Reason.ENGINE_AWAY, "gone")


@pytest.fixture
def now(monkeypatch) -> list[float]:
    time = [100.0]
    monkeypatch.setattr(pauses, "monotonic", lambda: time[0])
    return time


def length(found: Pauses, now: list[float], match: str = "a") -> float:
    return found._until[match][0] - now[0]


def test_a_match_that_was_not_refused_is_not_left_alone():
    assert Pauses().over("a")


def test_each_pause_is_twice_as_long_up_to_the_longest(now):
    found, lengths = Pauses(), []
    for _ in range(12):
        found.refused("a", AWAY)
        lengths.append(length(found, now))
    assert lengths[:4] == [FIRST_S, 2 * FIRST_S, 4 * FIRST_S, 8 * FIRST_S]
    assert lengths[-1] == LONGEST_S


def test_it_is_over_when_it_has_passed(now):
    found = Pauses()
    found.refused("a", AWAY)
    assert not found.over("a")
    now[0] += FIRST_S
    assert found.over("a")


def test_a_refusal_may_say_when_to_try_again(now):
    found = Pauses()
    found.refused("a", Refused(Reason.NOT_DUE, "not served", retry_after_ms=2000))
    assert length(found, now) == 2.0


@pytest.mark.parametrize("reason", [Reason.STALE, Reason.MATCH_OVER])
def test_what_the_log_says_needs_no_pause(reason):
    found = Pauses()
    found.refused("a", AWAY)
    found.refused("a", Refused(reason, "so it is"))
    assert (found.over("a"), len(found)) == (True, 0)


def test_matches_that_are_not_due_any_more_are_forgotten():
    found = Pauses()
    for match in "abc":
        found.refused(match, AWAY)
    found.keep(["b", "d"])
    assert (len(found), found.over("a"), found.over("b")) == (1, True, False)
    found.forget("b")
    assert found.over("b")
