"""A server to whom nonsense is sent refuses each piece with a documented status, and serves the next caller as ever."""

import json
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

import grpc
import pytest
from grpc.aio import EOF

from engines.core import games
from gateway.callers.identity import mint
from gateway.main import Gateway
from gateway.settings import GatewaySettings
from services.common.codec import encode
from services.common.refusals import Reason
from services.common.wire import STATUS, from_proto, refused_from
from services.engine.main import EngineService, EngineSettings
from services.engine.server import CLUSTER_KEY
from services.eventlog.loading import Loader
from services.eventlog.redis_log import RedisLog
from tests.faults.fuzz import messages
from tests.faults.fuzz.mutations import some
from tidelog.client import Client, connect
from tidelog.v1.engine_pb2 import LinkResponse
from tidelog.v1.matches_pb2 import PlayResponse

KEY = "the tests' own"
PATIENCE_S = 60.0
CALLS = [pytest.param(80, id="short"), pytest.param(3_000, id="soak", marks=pytest.mark.soak)]
"""Of each rpc."""

MOVES = 12
OFTEN = 12
"""A match's id stands so much oftener in requests than any other text."""

TOGETHER = 4
"""Messages that make one on `Play` and on a link, which hold many commands."""

NO_MESSAGE = (b"\xff\xff", b"\x0a\xff\xff\xff\xff\x0f", b"\x07")
"""Bytes that no message has that the API knows."""

INTERNAL = tuple(messages.ENGINE.methods)


class Served(NamedTuple):
    """A gateway, an engine service of one game, and the raw channels to both."""

    gateway: Gateway
    public: grpc.aio.Channel
    engine: grpc.aio.Channel
    metadata: tuple[tuple[str, str], ...]

    def call(self, rpc: Any, data: bytes) -> Any:
        """The rpc in bytes; to a stream of requests nothing is written yet."""
        channel = self.engine if rpc in INTERNAL else self.public
        kind = f"{'stream' if rpc.client_streaming else 'unary'}_{'stream' if rpc.server_streaming else 'unary'}"
        method = getattr(channel, kind)(f"/{rpc.containing_service.full_name}/{rpc.name}")
        return method(*([] if rpc.client_streaming else [data]), metadata=self.metadata, timeout=PATIENCE_S)


@asynccontextmanager
async def serving(store: str, folder: Path) -> AsyncIterator[Served]:
    async with AsyncExitStack() as open_:
        hosts = {}
        for game in games.names():
            host = EngineService(EngineSettings(game=game, redis_url=store, cluster_key=KEY))
            await host.start()
            open_.push_async_callback(host.stop)
            hosts[game] = host.address
        places = tuple(f"{game}={address}" for game, address in hosts.items())
        gateway = Gateway(GatewaySettings(redis_url=store, engines=places, cluster_key=KEY, data_dir=folder))
        await gateway.start()
        open_.push_async_callback(gateway.stop)
        public = await open_.enter_async_context(grpc.aio.insecure_channel(gateway.address))
        engine = await open_.enter_async_context(grpc.aio.insecure_channel(next(iter(hosts.values()))))
        token = mint(gateway.parts.guest_key, "fool", name="Fool")
        yield Served(gateway, public, engine, (("authorization", f"Bearer {token}"), (CLUSTER_KEY, KEY)))


@pytest.mark.parametrize("calls", CALLS)
async def test_whatever_is_sent_is_answered_or_refused_and_the_next_is_served(calls, clean_store, tmp_path):
    async with serving(clean_store, tmp_path) as served, connect(served.gateway.address, guest="Wise") as wise:
        matches = [await begun(wise, game) for game in games.names()]
        texts = [*messages.TEXTS, *matches * OFTEN, *[(await wise.match(match)).match.cursor for match in matches]]
        seen = Counter()
        for rpc in (*messages.RPCS, *INTERNAL):
            corpus = messages.corpus(rpc.input_type, texts=texts)
            inputs = list(some([*NO_MESSAGE, *corpus], calls, rpc.index))
            together = TOGETHER if rpc.client_streaming and rpc.server_streaming else 1
            for start in range(0, len(inputs), together):
                seen += await said(served, rpc, b"".join(inputs[start : start + together]))
        assert seen.keys() >= {"OK", Reason.MALFORMED, Reason.UNKNOWN_MATCH}
        for game in games.names():
            await require_a_match_is_played(wise, game, clean_store)


@pytest.mark.parametrize("data", NO_MESSAGE)
async def test_bytes_that_are_no_message_are_malformed(data, clean_store, tmp_path):
    async with serving(clean_store, tmp_path) as served:
        for rpc in (*messages.RPCS, *INTERNAL):
            assert await said(served, rpc, data) == {Reason.MALFORMED: 1}, rpc.name


async def said(served: Served, rpc: Any, data: bytes) -> Counter[str]:
    """How a call with this message ended: OK, or the reason; and the reasons of refusals on its way."""
    seen: Counter[str] = Counter()
    call = served.call(rpc, data)
    try:
        if rpc.client_streaming:
            await call.write(data)
            await call.done_writing()
        if rpc.server_streaming:
            await _read_all(rpc, call, seen)
        else:
            await call
        seen["OK"] += 1
    except grpc.aio.AioRpcError as error:
        seen[documented(error)] += 1
    assert Reason.INTERNAL not in seen, (rpc.name, data)
    return seen


def documented(error: grpc.aio.AioRpcError) -> Reason:
    """The reason of a refusal that came with the status it goes with; any other error is raised."""
    refused = refused_from(error)
    if refused is None or error.code() is not STATUS[refused.reason]:
        raise error
    return refused.reason


async def _read_all(rpc: Any, call: Any, seen: Counter[str]) -> None:
    """To the end; one who watches has enough when the past was told."""
    while (data := await call.read()) is not EOF:
        seen.update(from_proto(refusal).reason for refusal in _refusals(rpc, data))
        if rpc.name == "WatchMatch":
            call.cancel()
            return


def _refusals(rpc: Any, data: bytes) -> list[Any]:
    if rpc.name == "Link":
        return [answer.refusal for answer in LinkResponse.FromString(data).answers if answer.HasField("refusal")]
    if rpc.name == "Play":
        answers = PlayResponse.FromString(data).answers
        ends = [answer.followed.update.end for answer in answers if answer.followed.update.HasField("end")]
        refused = [answer.refused.refusal for answer in answers if answer.HasField("refused")]
        return [*refused, *(end.refusal for end in ends if end.HasField("refusal"))]
    return []


async def begun(client: Client, game: str) -> str:
    """A match whose every seat the client holds."""
    seats = games.engine(game).seats[0]
    match = (await client.create(game, seats, own_seat=0)).match_id
    for seat in range(1, seats):
        await client.join(match, seat)
    return match


async def require_a_match_is_played(client: Client, game: str, store: str) -> None:
    """The views after it are those of the log, folded here."""
    match = await begun(client, game)
    for _ in range(MOVES):
        seat = next(turn.seat for turn in (await client.match(match)).turns if turn.owed)
        found = await client.legal_moves(match, seat)
        await client.submit(match, seat, found.legal.moves[0], decision=found.decision)
    log = await RedisLog.open(store)
    entries = await log.read(match)
    fold = (await Loader(log).fresh(match, entries[0])).apply_all(entries)
    await log.close()
    for seat in (None, *range(len(fold.facts.seats))):
        view = (await client.view(match, seat=seat)).view
        assert view == json.loads(encode(fold.engine.view(fold.state, seat)))
