import time

import grpc
import pytest

from gateway.callers.identity import mint, player_of
from gateway.settings import GUEST_LIFETIME_S, GUEST_RENEWAL_S
from services.common.refusals import Reason
from services.common.wire import refused_from
from tests.gateway.floor import Client, refusal
from tidelog.v1.identity_pb2 import RenewTokenRequest, SignInAsGuestRequest
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


async def renewed(floor, gateway, token, **fields):
    channel = await floor.channel(gateway)
    metadata = (("authorization", f"Bearer {token}"),)
    return await IdentityServiceStub(channel).RenewToken(RenewTokenRequest(**fields), metadata=metadata)


async def not_renewed(floor, gateway, token, **fields):
    with pytest.raises(grpc.aio.AioRpcError) as raised:
        await renewed(floor, gateway, token, **fields)
    return refused_from(raised.value).reason


async def test_a_token_is_renewed_for_the_same_player_under_the_name_asked_for(floor, gateway):
    first = await sign_in(floor, gateway, "Ann")
    kept = await renewed(floor, gateway, first.token)
    other = await renewed(floor, gateway, first.token, name="Anna")
    nameless = await renewed(floor, gateway, other.token, name="")
    callers = [await gateway.parts.identity.verify(each.token) for each in (kept, other, nameless)]
    assert [caller.player for caller in callers] == [first.player] * 3 == [kept.player, other.player, nameless.player]
    assert [caller.name for caller in callers] == ["Ann", "Anna", ""]
    assert abs(callers[0].expires_at * 1000 - kept.expires_at_ms) <= 1000


async def test_a_renewed_token_has_its_whole_time_before_it_also_once_the_old_one_has_ended(floor, gateway):
    ended = mint(gateway.parts.guest_key, "ann", name="Ann", lifetime_s=60 - GUEST_RENEWAL_S)
    answer = await renewed(floor, gateway, ended)
    left_s = (await gateway.parts.identity.verify(answer.token)).expires_at - time.time()
    assert GUEST_LIFETIME_S - 60 < left_s <= GUEST_LIFETIME_S
    assert answer.player == player_of("ann")
    assert await not_renewed(floor, gateway, ended + "x") is Reason.UNAUTHENTICATED


async def test_a_token_that_ended_long_ago_is_not_renewed(floor, gateway):
    lost = mint(gateway.parts.guest_key, "ann", lifetime_s=-60 - GUEST_RENEWAL_S)
    assert await not_renewed(floor, gateway, lost) is Reason.UNAUTHENTICATED


@pytest.mark.parametrize(("subject", "admin"), [("bot:greedy", False), ("ann", True)])
async def test_bots_and_operators_are_not_renewed(floor, gateway, subject, admin):
    token = mint(gateway.parts.guest_key, subject, admin=admin)
    assert await not_renewed(floor, gateway, token) is Reason.NOT_ALLOWED


async def test_a_token_is_not_renewed_under_a_name_too_long(floor, gateway):
    first = await sign_in(floor, gateway)
    assert await not_renewed(floor, gateway, first.token, name="x" * 41) is Reason.TOO_LARGE


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
        ("ListScores", {"match_id": "M"}),
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
