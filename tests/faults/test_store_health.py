"""What a gateway and its engine tell of their store, to whoever asks for their health and to those who play."""

import asyncio
import os
import signal

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from prometheus_client import REGISTRY
from redis.asyncio import Redis

from gateway.callers.identity import mint
from gateway.main import SERVICES
from services.common.refusals import Reason
from services.common.serving import STORE
from services.engine.main import SERVICE
from services.eventlog import keys, store_watch
from services.eventlog.embedded import EmbeddedStore
from services.eventlog.store_watch import StoreState
from tests.gateway.floor import Client, ids, play_on, refusal, started_match
from tests.gateway.played import GAME
from tests.integration.serving import serving

PATIENCE_S = 30
SERVING = health_pb2.HealthCheckResponse.SERVING
NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING


@pytest.fixture(autouse=True)
def _quick(monkeypatch):
    monkeypatch.setattr(store_watch, "EVERY_S", 0.05)
    monkeypatch.setattr(store_watch, "PATIENCE_S", 0.5)


class Table:
    """An engine, a gateway, and two who play a match there."""

    def __init__(self, host, gateway, channel):
        self.watches = host.watch, gateway.watch
        self._channel = channel
        self._services = (host.address, SERVICE), *((gateway.address, service) for service in SERVICES)
        self._addresses = host.address, gateway.address
        self._players = [Client(channel, mint(gateway.parts.guest_key, name, name=name)) for name in ("ann", "bob")]
        self.match = ""

    async def seat(self):
        self.match = await started_match(*self._players)
        await play_on(self._players, self.match, 5)

    async def move(self):
        """A move that is owed, with its request id, to be sent any number of times."""
        turn = (await self._players[0].call("GetMatch", match_id=self.match)).turns[0]
        player = self._players[turn.seat]
        legal = await player.call("ListLegalMoves", match_id=self.match, seat=turn.seat)
        fields = {"match_id": self.match, "seat": turn.seat, "decision": turn.decision, "request_id": next(ids)}
        return lambda: player.call("SubmitMove", move=legal.legal.moves[0], **fields)

    async def read(self):
        return await self._players[0].call("GetMatch", match_id=self.match)

    async def creates(self):
        return await self._players[0].call("CreateMatch", request_id=next(ids), game=GAME, seats=2)

    async def tell(self, services, store):
        """Returns once all servers tell these statuses; the process itself is always healthy, and the state counted."""
        for address, name in self._services:
            await told(address, name, services)
        for address in self._addresses:
            await told(address, STORE, store)
            await told(address, "", SERVING)
        assert counted("tidelog_store_up") == (store == SERVING)
        assert [state for state in StoreState if counted("tidelog_store_state", state=state.value)] == [
            self.watches[0].state
        ]


def counted(name, **labels):
    return REGISTRY.get_sample_value(name, labels)


async def told(address, name, status):
    async with asyncio.timeout(PATIENCE_S), grpc.aio.insecure_channel(address) as channel:
        watch = health_pb2_grpc.HealthStub(channel).Watch(health_pb2.HealthCheckRequest(service=name))
        while (await watch.read()).status != status:
            pass


async def accepted(move):
    """The move, sent with one request id until it is answered, as a client does."""
    async with asyncio.timeout(PATIENCE_S):
        while True:
            try:
                return await move()
            except Exception as refused:
                if refused.reason not in {Reason.STORE_AWAY, Reason.OUTCOME_UNKNOWN}:
                    raise


@pytest.fixture
async def table(own_store, tmp_path):
    async with (
        serving(GAME, own_store.url, tmp_path / "files") as (host, gateway),
        grpc.aio.insecure_channel(gateway.address) as channel,
    ):
        table = Table(host, gateway, channel)
        await table.seat()
        yield table


@pytest.fixture
async def client(own_store):
    async with Redis.from_url(own_store.url) as client:
        yield client


async def test_a_store_that_is_gone_is_told_and_moves_go_on_when_it_is_back(table, own_store, tmp_path):
    move = await table.move()
    await own_store.stop()
    await table.tell(NOT_SERVING, NOT_SERVING)
    for asked in (move(), table.creates(), table.read()):
        assert (await refusal(asked)).reason is Reason.STORE_AWAY
    again = await EmbeddedStore.start(tmp_path / "own")
    await table.tell(SERVING, SERVING)
    assert not (await move()).receipt.duplicate
    assert (await move()).receipt.duplicate
    await again.stop()


async def test_a_frozen_store_is_told_and_a_move_under_way_settles_when_it_goes_on(table, own_store):
    move = await table.move()
    os.kill(own_store.pid, signal.SIGSTOP)
    sent = asyncio.create_task(accepted(move))
    await table.tell(NOT_SERVING, NOT_SERVING)
    assert (await refusal(table.creates())).reason is Reason.STORE_AWAY
    os.kill(own_store.pid, signal.SIGCONT)
    await table.tell(SERVING, SERVING)
    done = (await sent).receipt
    assert (await move()).receipt.cursor == done.cursor
    assert (await table.read()).match.cursor == done.cursor


@pytest.mark.parametrize(
    ("trouble", "over", "reason"),
    [
        (("REPLICAOF", "127.0.0.1", "1"), ("REPLICAOF", "NO", "ONE"), Reason.STORE_READ_ONLY),
        (("CONFIG", "SET", "maxmemory", "1"), ("CONFIG", "SET", "maxmemory", "0"), Reason.STORE_FULL),
    ],
    ids=["read-only", "full"],
)
async def test_a_store_that_takes_no_appends_is_told_and_still_read(table, client, trouble, over, reason):
    move = await table.move()
    await client.execute_command(*trouble)
    await table.tell(SERVING, NOT_SERVING)
    for asked in (move(), table.creates()):
        assert (await refusal(asked)).reason is reason
    before = (await table.read()).match.version
    await client.execute_command(*over)
    await table.tell(SERVING, SERVING)
    assert (await move()).receipt.first_version == before + 1


@pytest.mark.parametrize("does", [("FLUSHALL",), ("SET", keys.FORMAT, "tidelog/2")], ids=["emptied", "newer"])
async def test_a_store_that_is_another_one_ends_the_services(table, client, does):
    await client.execute_command(*does)
    await table.tell(NOT_SERVING, NOT_SERVING)
    for watch in table.watches:
        assert watch.state is StoreState.WRONG
        assert watch.wrong.done()
    assert (await refusal(table.creates())).reason is Reason.STORE_AWAY
    assert await client.exists(keys.match(table.match)) == (does[0] == "SET")
