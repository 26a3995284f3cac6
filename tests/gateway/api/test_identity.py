import grpc
import pytest

from services.common.refusals import Reason
from services.common.wire import refused_from
from tests.gateway.floor import Client, refusal
from tidelog.v1.identity_pb2 import SignInAsGuestRequest
from tidelog.v1.identity_pb2_grpc import IdentityServiceStub


async def sign_in(floor, gateway, name=""):
    channel = await floor.channel(gateway)
    return await IdentityServiceStub(channel).SignInAsGuest(SignInAsGuestRequest(name=name))


async def test_a_guest_is_a_new_player_whose_token_is_good_on_every_gateway(floor, gateway):
    first, second = [await floor.guest(gateway, name) for name in ("Ann", "Ann")]
    assert first.player != second.player
    other = await floor.gateway()
    away = Client(await floor.channel(other), first.token)
    assert not (await away.call("ListMatches")).matches


async def test_a_guest_is_told_when_the_token_ends(floor):
    gateway = await floor.gateway(guest_lifetime_s=3600)
    answer = await sign_in(floor, gateway, "Ann")
    caller = await gateway.parts.identity.verify(answer.token)
    assert abs(caller.expires_at * 1000 - answer.expires_at_ms) <= 1000
    assert (caller.player, caller.name, caller.admin) == (answer.player, "Ann", False)


async def test_guests_of_one_address_are_limited_with_a_time_to_come_back(floor):
    gateway = await floor.gateway(guest_burst=2, guests_per_second=0.01)
    for _ in range(2):
        await sign_in(floor, gateway)
    with pytest.raises(grpc.aio.AioRpcError) as raised:
        await sign_in(floor, gateway)
    assert raised.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert refused_from(raised.value).reason is Reason.TOO_MUCH
    assert refused_from(raised.value).retry_after_ms > 90_000


async def test_a_name_too_long_is_refused(floor, gateway):
    with pytest.raises(grpc.aio.AioRpcError) as raised:
        await sign_in(floor, gateway, "x" * 41)
    assert refused_from(raised.value).reason is Reason.TOO_LARGE


@pytest.mark.parametrize(
    ("rpc", "fields"),
    [
        ("CreateMatch", {"request_id": "1", "game": "lost_seas", "seats": 2}),
        ("ListMatches", {}),
        ("GetMatch", {"match_id": "M"}),
        ("JoinMatch", {"request_id": "1", "match_id": "M"}),
        ("LeaveMatch", {"request_id": "1", "match_id": "M"}),
        ("StartMatch", {"request_id": "1", "match_id": "M"}),
        ("SubmitMove", {"request_id": "1", "match_id": "M"}),
        ("ValidateMove", {"match_id": "M"}),
        ("ListLegalMoves", {"match_id": "M"}),
        ("GetView", {"match_id": "M"}),
    ],
)
async def test_no_call_is_answered_without_a_good_token(floor, gateway, rpc, fields):
    nobody = Client(await floor.channel(gateway), "forged")
    assert (await refusal(nobody.call(rpc, **fields))).reason is Reason.UNAUTHENTICATED


@pytest.mark.parametrize("rpc", ["WatchMatch", "ReadLog", "ExportMatch"])
async def test_no_stream_is_begun_without_a_good_token(floor, gateway, rpc):
    nobody = Client(await floor.channel(gateway), "forged")
    with pytest.raises(grpc.aio.AioRpcError) as raised:
        await nobody.stream(rpc, match_id="M").read()
    assert raised.value.code() is grpc.StatusCode.UNAUTHENTICATED
