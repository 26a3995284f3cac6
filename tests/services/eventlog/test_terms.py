"""Which clocks, absences and waits a match can have."""

import pytest

from services.common.refusals import Reason, Refused
from services.eventlog.terms import DAY_MS, AbsencePolicy, Clock, Terms, check_terms, seated_policies
from tests.services.eventlog.given import GAME, Hosted, creating

BOT = AbsencePolicy.BOT
SOUND = [
    Terms(),
    Terms(clock=Clock(move_ms=1000)),
    Terms(clock=Clock(move_ms=30 * DAY_MS)),
    Terms(clock=Clock(bank_ms=1000)),
    Terms(clock=Clock(bank_ms=7 * DAY_MS, increment_ms=DAY_MS)),
    Terms(absence=AbsencePolicy.FORFEIT),
    Terms(absence=BOT, absence_policy="greedy"),
    Terms(absence=BOT, absence_policy="random"),
    Terms(open_ms=10_000),
    Terms(open_ms=30 * DAY_MS),
]
UNSOUND = [
    (Terms(clock=Clock()), "clock"),
    (Terms(clock=Clock(move_ms=1000, bank_ms=1000)), "clock"),
    (Terms(clock=Clock(increment_ms=1000)), "clock"),
    (Terms(clock=Clock(move_ms=999)), "clock.move_ms"),
    (Terms(clock=Clock(move_ms=-60_000)), "clock.move_ms"),
    (Terms(clock=Clock(move_ms=3650 * DAY_MS)), "clock.move_ms"),
    (Terms(clock=Clock(move_ms=30 * DAY_MS + 1)), "clock.move_ms"),
    (Terms(clock=Clock(move_ms=1000, increment_ms=1)), "clock.increment_ms"),
    (Terms(clock=Clock(bank_ms=999)), "clock.bank_ms"),
    (Terms(clock=Clock(bank_ms=-1)), "clock.bank_ms"),
    (Terms(clock=Clock(bank_ms=3650 * DAY_MS)), "clock.bank_ms"),
    (Terms(clock=Clock(bank_ms=1000, increment_ms=-1)), "clock.increment_ms"),
    (Terms(clock=Clock(bank_ms=1000, increment_ms=DAY_MS + 1)), "clock.increment_ms"),
    (Terms(absence=BOT), "absence_policy"),
    (Terms(absence=BOT, absence_policy="grandmaster"), "absence_policy"),
    (Terms(absence=BOT, absence_policy="random-open"), "absence_policy"),
    (Terms(absence_policy="greedy"), "absence_policy"),
    (Terms(absence=AbsencePolicy.FORFEIT, absence_policy="greedy"), "absence_policy"),
    (Terms(open_ms=9999), "open_ms"),
    (Terms(open_ms=0), "open_ms"),
    (Terms(open_ms=30 * DAY_MS + 1), "open_ms"),
]


@pytest.mark.parametrize("terms", SOUND)
def test_terms_within_their_limits_are_taken(terms):
    check_terms(terms, GAME)
    assert Hosted(creating(terms=terms)).facts.terms == terms


@pytest.mark.parametrize(("terms", "field"), UNSOUND)
def test_others_are_refused_by_the_name_of_their_field(terms, field):
    with pytest.raises(Refused, match=rf"at `\$\.terms\.{field}`") as refused:
        Hosted(creating(terms=terms))
    assert refused.value.reason is Reason.MALFORMED


def test_the_policies_for_seats_are_those_that_bots_play():
    from services.bots.players import seated

    assert seated_policies(GAME) == seated(GAME)
