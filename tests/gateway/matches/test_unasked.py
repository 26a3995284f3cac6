"""A seat that may move though it owes nothing, from what the gateway tells it to what stands in the log."""

import pytest

from engines.core import games
from gateway import facts
from gateway.matches.situation import Audience, situation
from services.cli.selfplay import LoggedTable, Setting
from services.common.refusals import Reason, Refused
from services.eventlog import deciding
from services.eventlog.commands import Order, Submit
from tests.haggling import Answer, Offer, Options
from tidelog.v1.payload_pb2 import PAYLOAD_FORM_JSON
from tidelog.v1.updates_pb2 import Situation

SECRET = bytes(32)
ANSWERS = ['{"accepted":true,"kind":"answer"}', '{"accepted":false,"kind":"answer"}']


@pytest.fixture
def table(haggling_engine):  # noqa: ARG001 - the game is known
    """Seat 0 has made an offer."""
    setting = Setting("haggling", Options(), 3, games.edition("haggling"), ("random",) * 3, 7, 1000)
    found = LoggedTable(setting, SECRET, 1)
    found.play(0, Offer())
    return found


def told(table, seat):
    return Situation.FromString(situation(table.aggregate, Audience(seat, PAYLOAD_FORM_JSON, legal=True)))


def submit(table, seat, decision):
    facts = table.aggregate.facts
    order = Order(facts.seats[seat].player, f"r{facts.version}", Submit(seat, Answer(accepted=True), decision=decision))
    return deciding.decide(table.aggregate, order, SECRET, 0)


def test_it_is_told_its_moves_and_its_decision(table):
    found = told(table, 1)
    assert [move.json for move in found.legal.moves] == ANSWERS
    assert found.decision == table.aggregate.facts.decisions[1]


def test_its_turn_is_one_that_the_match_does_not_wait_for(table):
    turns = facts.turns(table.aggregate)
    assert [(turn.seat, turn.owed) for turn in turns] == [(0, True), (1, False), (2, False)]


@pytest.mark.parametrize("named", [True, False])
def test_its_answer_stands_with_and_without_its_decision(table, named):
    submit(table, 1, told(table, 1).decision if named else None)
    assert table.state.answers[1:] == ["yes", ""]
    assert told(table, 1).decision == table.aggregate.facts.version


def test_an_answer_makes_nobody_elses_decision_stale(table):
    decisions = [told(table, seat).decision for seat in range(3)]
    submit(table, 1, decisions[1])
    assert [told(table, seat).decision for seat in (0, 2)] == [decisions[0], decisions[2]]


def test_a_second_answer_to_the_same_decision_is_stale(table):
    decision = told(table, 1).decision
    submit(table, 1, decision)
    table.play(0, Offer())
    with pytest.raises(Refused) as refused:
        submit(table, 1, decision)
    assert refused.value.reason is Reason.STALE
