"""One who does not read among many who do: a typed end with a cursor for the one, nothing missing for the others."""

import asyncio

import grpc
import pytest

from engines.core import games
from gateway.api.streams import _Watching
from tests.faults.course import SEATS, course
from tests.faults.ledger import Ledger
from tests.faults.told import Audience, as_told, expected
from tests.gateway.floor import NARROW
from tests.gateway.waiting import until
from tidelog.client.refused import Refused, from_error, from_refusal
from tidelog.v1.lifecycle_pb2 import LOG_AFTER_END_CLOSED
from tidelog.v1.matches_pb2 import WatchMatchRequest
from tidelog.v1.matches_pb2_grpc import MatchServiceStub
from tidelog.v1.updates_pb2 import INCLUDE_VIEW

GAMES = games.names()
OUTBOX_BYTES = 24 * 1024


async def read(call):
    """What is left of a stream: the entries, the cursor of the last piece, and the refusal it ended with."""
    told, cursor, refused = [], "", None
    try:
        while (response := await call.read()) is not grpc.aio.EOF:
            for update in response.updates:
                piece = getattr(update, update.WhichOneof("update"))
                cursor = piece.cursor
                if update.HasField("entry"):
                    told.append(as_told(piece))
                if update.HasField("end") and piece.HasField("refusal"):
                    refused = from_refusal(piece.refusal)
    except grpc.aio.AioRpcError as error:
        refused = from_error(error)
    return told, cursor, refused


async def stall_one(world, watchers, moves, *, soon):
    """`soon`: it reads again before its stream is given up; else only when nothing of the stream is left there."""
    await world.replica()
    for _ in range(2):
        await world.door(outbox_bytes=OUTBOX_BYTES)
    people, ledger, onlooker = await world.people(SEATS), Ledger(world), await world.person("onlooker")
    watched = world.doors[1].gateway
    async with grpc.aio.insecure_channel(watched.address, options=NARROW) as channel:
        requests = course(ledger, people, moves, log_after_end=LOG_AFTER_END_CLOSED)
        match = (await ledger.ask(await anext(requests))).match
        others = [Audience(world, onlooker, match, None, seed) for seed in range(watchers)]
        listening = [asyncio.create_task(other.listens(1)) for other in others]
        call = MatchServiceStub(channel).WatchMatch(
            WatchMatchRequest(match_id=match, include=[INCLUDE_VIEW]), metadata=onlooker.metadata
        )
        first = await call.read()
        await until(lambda: all(other.told for other in others))
        async for asked in requests:  # nobody reads the one stream
            await ledger.ask(asked)
        await asyncio.gather(*listening)
        assert not watched.parts.live.held(match).watched
        if not soon:
            await until(lambda: not any(isinstance(source, _Watching) for source in watched._servicer._open.values()))
        told, cursor, refused = await read(call)
    assert isinstance(refused, Refused)
    assert refused.reason == "slow_consumer"
    (log,) = (await ledger.check()).values()
    whole = expected(log, None)
    for other in others:
        assert (other.told, other.streams) == (whole, 1)
    told = [as_told(update.entry) for update in first.updates if update.HasField("entry")] + told
    assert told == whole[: len(told)]
    assert len(told) < len(whole)
    rest = Audience(world, onlooker, match, None, 0, after=refused.cursor or cursor)
    await rest.listens()
    assert told + rest.told == whole


@pytest.mark.parametrize("soon", [True, False])
@pytest.mark.parametrize("game", GAMES)
async def test_a_stalled_reader_among_a_hundred_has_a_typed_end_and_the_others_miss_nothing(world_of, game, soon):
    await stall_one(await world_of(game, seed=16), watchers=100, moves=10, soon=soon)


@pytest.mark.soak
@pytest.mark.parametrize("game", GAMES)
async def test_a_stalled_reader_among_a_thousand_has_a_typed_end_and_the_others_miss_nothing(world_of, game):
    await stall_one(await world_of(game, seed=17), watchers=1000, moves=40, soon=True)
