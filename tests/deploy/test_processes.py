"""The commands of docker-compose.yml serve: each is started here as it stands there, but for its addresses."""

import asyncio
import secrets
from urllib.request import Request, urlopen

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from redis.asyncio import Redis

from engines.core import games
from tests.deploy import compose
from tests.deploy.local import STORE, deploying
from tidelog.v1 import games_pb2, games_pb2_grpc, identity_pb2, identity_pb2_grpc, matches_pb2, matches_pb2_grpc

CALL_S = 10


@pytest.fixture
async def deployment(tmp_path):
    async with deploying(tmp_path) as running:
        yield running


@pytest.fixture
def services():
    keys = {name: secrets.token_hex(32) for name in ("TIDELOG_CLUSTER_KEY", "TIDELOG_SECRET_KEY")}
    return compose.services({**keys, "TIDELOG_HTTP_HOST": "games.test"})


def scraped(port: int) -> bytes:
    return fetched(f"http://127.0.0.1:{port}/metrics")


def fetched(address: str, **headers: str) -> bytes:
    with urlopen(Request(address, headers=headers)) as answer:
        return answer.read()


async def healthy(address: str) -> bool:
    async with grpc.aio.insecure_channel(address) as channel:
        answer = await health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest(), timeout=CALL_S)
    return answer.status == health_pb2.HealthCheckResponse.SERVING


async def signed_in(channel: grpc.aio.Channel) -> tuple[tuple[str, str], ...]:
    """The metadata of a new guest."""
    request = identity_pb2.SignInAsGuestRequest(name="Ada")
    guest = await identity_pb2_grpc.IdentityServiceStub(channel).SignInAsGuest(request, timeout=CALL_S)
    return (("authorization", f"Bearer {guest.token}"),)


async def test_the_services_serve_and_drain(deployment, services):
    for service in services.values():
        await deployment.start(service)
    serving = {name: address for name, address in deployment.addresses.items() if not name.endswith(STORE)}
    pages = serving.pop("gateway:8080")
    assert [name for name, address in serving.items() if not await healthy(address)] == []
    assert b"<title>" in await asyncio.to_thread(fetched, f"http://{pages}/")
    assert b"<title>" in await asyncio.to_thread(fetched, f"http://{pages}/", host="games.test")

    async with grpc.aio.insecure_channel(serving["gateway:50051"]) as channel:
        caller = {"metadata": await signed_in(channel), "timeout": CALL_S}
        listed = await games_pb2_grpc.GameServiceStub(channel).ListGames(games_pb2.ListGamesRequest(), **caller)
        assert [game.name for game in listed.games] == list(games.names())
        for game in listed.games:
            # Only the game's engine service, found under the address that the file gives, can answer this.
            asked = matches_pb2.CreateMatchRequest(
                request_id=secrets.token_hex(8), game=game.name, seats=game.least_seats
            )
            made = await matches_pb2_grpc.MatchServiceStub(channel).CreateMatch(asked, **caller)
            assert made.receipt.first_version == 1

    for name, port in deployment.metrics.items():
        assert b"tidelog_" in await asyncio.to_thread(scraped, port), name
    assert len(set(deployment.metrics.values())) == len(deployment.processes) - 1, "all but the store"

    statuses = await deployment.drain()
    assert statuses == dict.fromkeys(statuses, 0), {name: deployment.written(name) for name in statuses}


async def test_the_store_writes_each_append_to_the_disk_and_forgets_nothing(deployment, services):
    await deployment.start(services["store"])
    async with Redis.from_url(deployment.addresses[f"redis://{STORE}"]) as client:
        told = {name: await client.config_get(name) for name in ("appendonly", "appendfsync", "maxmemory-policy")}
    assert {name: row[name] for name, row in told.items()} == {
        "appendonly": "yes",
        "appendfsync": "always",
        "maxmemory-policy": "noeviction",
    }
