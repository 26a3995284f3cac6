"""A gRPC server's life: found healthy, described, drained, gone."""

import asyncio
import os
import signal

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from services.common.serving import MAX_MESSAGE, STORE, AddressTaken, GrpcServer, stopped
from tidelog.v1.engine_pb2 import DESCRIPTOR

SERVICE = DESCRIPTOR.services_by_name["EngineService"].full_name
SERVING = health_pb2.HealthCheckResponse.SERVING
NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING


@pytest.fixture
async def server():
    server = GrpcServer([SERVICE])
    await server.start("127.0.0.1:0")
    yield server
    await server.drain()


@pytest.fixture
async def channel(server):
    async with grpc.aio.insecure_channel(server.address) as channel:
        yield channel


async def health(channel, service=SERVICE):
    check = health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest(service=service))
    return (await check).status


async def test_it_listens_where_it_says_and_is_healthy(server, channel):
    assert server.address.startswith("127.0.0.1:")
    assert not server.address.endswith(":0")
    assert [await health(channel, name) for name in ("", SERVICE)] == [SERVING] * 2
    with pytest.raises(grpc.aio.AioRpcError) as unknown:
        await health(channel, "tidelog.v1.NoService")
    assert unknown.value.code() is grpc.StatusCode.NOT_FOUND


async def test_it_tells_its_schema(channel):
    stub = reflection_pb2_grpc.ServerReflectionStub(channel)
    call = stub.ServerReflectionInfo(iter([reflection_pb2.ServerReflectionRequest(list_services="")]))
    (answer,) = [answer async for answer in call]
    names = {service.name for service in answer.list_services_response.service}
    assert names == {SERVICE, "grpc.health.v1.Health", "grpc.reflection.v1alpha.ServerReflection"}


async def test_a_message_over_the_published_limit_is_refused(channel):
    with pytest.raises(grpc.aio.AioRpcError) as large:
        await health(channel, "x" * MAX_MESSAGE)
    assert large.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED


async def test_a_second_server_on_the_address_is_an_error(server):
    with pytest.raises(AddressTaken, match=server.address):
        await GrpcServer([SERVICE]).start(server.address)


async def test_draining_it_is_unhealthy_before_work_is_finished_and_gone_after(server, channel):
    found = []

    async def finish():
        found.append(await health(channel))

    await server.drain(finish)
    assert found == [NOT_SERVING]
    with pytest.raises(grpc.aio.AioRpcError) as gone:
        await health(channel)
    assert gone.value.code() is grpc.StatusCode.UNAVAILABLE


async def test_a_store_that_is_not_there_makes_the_services_unhealthy_but_not_the_process(server, channel):
    names = SERVICE, STORE, ""
    assert [await health(channel, name) for name in names] == [SERVING] * 3
    await server.tell_store(there=True, takes_appends=False)
    assert [await health(channel, name) for name in names] == [SERVING, NOT_SERVING, SERVING]
    await server.tell_store(there=False, takes_appends=False)
    assert [await health(channel, name) for name in names] == [NOT_SERVING, NOT_SERVING, SERVING]
    await server.tell_store(there=True, takes_appends=True)
    assert [await health(channel, name) for name in names] == [SERVING] * 3


async def test_a_store_that_comes_back_makes_nobody_healthy_who_drains(server, channel):
    async def finish():
        await server.tell_store(there=True, takes_appends=True)
        assert [await health(channel, name) for name in (SERVICE, STORE)] == [NOT_SERVING] * 2

    await server.drain(finish)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_a_signal_ends_the_wait(number):
    waiting = asyncio.create_task(stopped())
    await asyncio.sleep(0)
    os.kill(os.getpid(), number)
    await asyncio.wait_for(waiting, 60)
    for handled in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().remove_signal_handler(handled)
