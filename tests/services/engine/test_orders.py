"""Commands of the link as orders: both forms of a payload are one command."""

import pytest

from services.common.codec import GameCodec, Root
from services.common.refusals import Reason, Refused
from services.engine import orders
from services.eventlog.commands import Abort, Claim, Create, Leave, Order, Quarantine, Release, Start, Submit, Withdraw
from services.eventlog.lifecycle import LogAfterEnd
from services.eventlog.loading import Loader
from services.eventlog.memory import MemoryLog
from services.eventlog.port import StoreAway
from services.eventlog.terms import AbsencePolicy, Clock, Terms
from tests.services.engine.linked import command_of, validating
from tests.services.eventlog.given import ANN, EASY, EDITION, GAME, YOUNG, creating
from tidelog.v1 import lifecycle_pb2
from tidelog.v1.engine_pb2 import EngineCommand
from tidelog.v1.payload_pb2 import PAYLOAD_FORM_TYPED, Payload


@pytest.mark.parametrize(
    "command",
    [
        Claim(),
        Claim(0, "Ann", bot=True),
        Claim(3),
        Leave(0),
        Withdraw(1),
        Start(),
        Submit(0, EASY),
        Submit(2, EASY, 0),
        Submit(2, EASY, 7, 0),
        Abort("cheats"),
        Quarantine("looked into"),
        Release("all is well"),
    ],
)
@pytest.mark.parametrize("admin", [False, True])
def test_a_command_means_what_the_gateway_was_asked(command, admin):
    asked = Order(ANN, "request", command, admin)
    assert orders.order(GAME, command_of(asked)) == asked


async def test_a_creation_brings_the_bytes_of_its_edition():
    asked = Order(ANN, "request", creating(3, YOUNG, own_seat=0, name="Ann", auto_start=False))
    found = await orders.creation(GAME, command_of(asked), Loader(MemoryLog()))
    assert (found.order, found.edition) == (asked, EDITION)


@pytest.mark.parametrize(
    ("told", "means"),
    [
        ("LOG_AFTER_END_UNSPECIFIED", LogAfterEnd.OPEN),
        ("LOG_AFTER_END_OPEN", LogAfterEnd.OPEN),
        ("LOG_AFTER_END_CLOSED", LogAfterEnd.CLOSED),
    ],
)
async def test_a_log_is_open_after_the_end_unless_told_otherwise(told, means):
    create = EngineCommand.Create(seats=2, log_after_end=told)
    found = await orders.creation(GAME, EngineCommand(player=ANN, create=create), Loader(MemoryLog()))
    assert isinstance(found.order.command, Create)
    assert found.order.command.log_after_end is means


async def test_terms_are_those_asked_for():
    terms = lifecycle_pb2.Terms(
        private=True, clock=lifecycle_pb2.Clock(bank_ms=60_000, increment_ms=1000), absence="ABSENCE_POLICY_FORFEIT"
    )
    create = EngineCommand.Create(seats=2, terms=terms)
    found = await orders.creation(GAME, EngineCommand(player=ANN, create=create), Loader(MemoryLog()))
    assert isinstance(found.order.command, Create)
    assert found.order.command.terms == Terms(
        private=True, clock=Clock(bank_ms=60_000, increment_ms=1000), absence=AbsencePolicy.FORFEIT
    )


async def test_terms_with_a_number_of_no_policy_are_malformed():
    create = EngineCommand.Create(seats=2, terms=lifecycle_pb2.Terms(absence=9))
    with pytest.raises(Refused, match="absence") as refused:
        await orders.creation(GAME, EngineCommand(player=ANN, create=create), Loader(MemoryLog()))
    assert refused.value.reason is Reason.MALFORMED


async def test_a_log_is_not_open_because_the_number_is_unknown():
    create = EngineCommand.Create(seats=2, log_after_end=7)
    with pytest.raises(Refused, match="log_after_end") as refused:
        await orders.creation(GAME, EngineCommand(player=ANN, create=create), Loader(MemoryLog()))
    assert refused.value.reason is Reason.MALFORMED


def test_typed_and_json_moves_are_one_request():
    asked = Order(ANN, "request", Submit(1, EASY, 4))
    typed = command_of(asked)
    typed.submit.move.CopyFrom(GameCodec.of(GAME).payload_of(Root.MOVE, EASY, PAYLOAD_FORM_TYPED))
    spaced = command_of(asked)
    spaced.submit.move.CopyFrom(
        Payload(json='{ "sides" : ["easy","easy","easy","easy"],\n "kind":"choose_sides", "order":[] }')
    )
    assert {orders.order(GAME, form).digest for form in (command_of(asked), typed, spaced)} == {asked.digest}


def test_what_is_validated_is_the_submit_of_it():
    found = orders.order(GAME, validating(Order(ANN, "request", Submit(1, EASY))))
    assert (found.player, found.command) == (ANN, Submit(1, EASY))


async def test_an_edition_that_cannot_be_looked_up_is_no_fault_of_the_caller():
    log = MemoryLog()
    log.edition = away
    create = EngineCommand.Create(seats=2, edition="0" * 64)
    with pytest.raises(Refused) as refused:
        await orders.creation(GAME, EngineCommand(player=ANN, create=create), Loader(log))
    assert refused.value.reason is Reason.STORE_AWAY


async def away(_hash):
    raise StoreAway("no answer in time")
