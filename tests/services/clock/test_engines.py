"""A lone clock's way to engine services, over real gRPC."""

import pytest

from services.clock.engines import EngineCaller
from services.common.refusals import Reason, Refused
from services.eventlog.memory import MemoryLog
from services.eventlog.requests import CLOCK
from tests.gateway.engine import CLUSTER_KEY, EngineReplica
from tests.services.eventlog.given import GAME
from tidelog.v1.engine_pb2 import EngineCommand

NOBODY = "127.0.0.1:1"


@pytest.fixture
async def replicas():
    log = MemoryLog()
    found = [await EngineReplica(log, GAME).start() for _ in range(2)]
    yield found
    for replica in found:
        await replica.stop()


def beat() -> EngineCommand:
    command = EngineCommand(player=CLOCK)
    command.beat.SetInParent()
    return command


def expiry(match: str = "NOWHERE") -> EngineCommand:
    command = EngineCommand(match_id=match, player=CLOCK, request_id="expire")
    command.expire.SetInParent()
    return command


async def refusal(caller: EngineCaller, command: EngineCommand, game: str = GAME) -> Reason:
    with pytest.raises(Refused) as refused:
        await caller.ask(game, command, 10)
    await caller.close()
    return refused.value.reason


async def test_an_engine_answers(replicas):
    caller = EngineCaller([f"{GAME}={replicas[0].address}"], CLUSTER_KEY)
    assert caller.games == {GAME}
    assert (await caller.ask(GAME, beat(), 10)).HasField("beaten")
    await caller.close()


async def test_what_it_refuses_is_refused(replicas):
    caller = EngineCaller([f"{GAME}={replicas[0].address}"], CLUSTER_KEY)
    assert await refusal(caller, expiry()) is Reason.UNKNOWN_MATCH


async def test_the_next_replica_answers_for_one_that_is_gone_or_drains(replicas):
    gone = f"{GAME}={NOBODY},{replicas[0].address},{replicas[1].address}"
    caller = EngineCaller([gone], CLUSTER_KEY)
    assert (await caller.ask(GAME, beat(), 10)).HasField("beaten")
    replicas[0].servicer._draining = True
    assert (await caller.ask(GAME, beat(), 10)).HasField("beaten")
    await caller.close()


async def test_without_any_replica_the_engine_is_away():
    assert await refusal(EngineCaller([f"{GAME}={NOBODY}"], CLUSTER_KEY), beat()) is Reason.ENGINE_AWAY


async def test_all_that_drain_are_told_so(replicas):
    for replica in replicas:
        replica.servicer._draining = True
    places = f"{GAME}={','.join(replica.address for replica in replicas)}"
    assert await refusal(EngineCaller([places], CLUSTER_KEY), beat()) is Reason.DRAINING


async def test_another_key_and_another_game_are_refused(replicas):
    places = [f"{GAME}={replicas[0].address}"]
    assert await refusal(EngineCaller(places, "another"), beat()) is Reason.UNAUTHENTICATED
    assert await refusal(EngineCaller(places, CLUSTER_KEY), beat(), "chess") is Reason.UNKNOWN_GAME


async def test_a_name_stands_for_all_of_its_addresses(replicas):
    port = replicas[0].address.rpartition(":")[2]
    caller = EngineCaller([f"{GAME}=dns:localhost:{port}"], CLUSTER_KEY)
    assert (await caller.ask(GAME, beat(), 10)).HasField("beaten")
    await caller.close()
