"""A private match is one that does not exist, to whoever is no part of it, by every rpc there is."""

import grpc
import pytest
from google.protobuf import descriptor_pool
from google.protobuf.descriptor import FieldDescriptor, MethodDescriptor
from google.protobuf.message_factory import GetMessageClass

from gateway.main import SERVICES
from services.common.refusals import Reason, Refused
from services.common.wire import refused_from
from tests.gateway.floor import Client, ids, play_on, refusal
from tests.gateway.played import GAME
from tests.gateway.waiting import kept
from tidelog.v1.lifecycle_pb2 import Terms
from tidelog.v1.matches_pb2 import PlayCommand, PlayRequest

PRIVATE = Terms(private=True)
ABSENT = "A" * 24

SERVED = [descriptor_pool.Default().FindServiceByName(name) for name in SERVICES]
RPCS = {rpc.name: rpc for service in SERVED for rpc in service.methods}

OF_PLAYERS = {"GetPlayerStatistics", "GetHeadToHead", "ListPlayerRatings", "ListPlayerMatches", "ListLeaderboard"}
LISTING = {"ListMatches", "WatchMatches", "WatchLog", "Play", *OF_PLAYERS}
"""Tested on their own: in test_lists.py, test_watch_matches.py, test_watch_log.py and below."""

OF_NO_MATCH = {
    *LISTING,
    *("CreateMatch", "ImportMatch", "QuickMatch"),
    *("ListGames", "DescribeGame", "GetMessages", "GetRules", "SignInAsGuest", "RenewToken"),
    *("ListQuarantined", "ListRewound", "RebuildReadModel"),
}
"""They name no match; whatever tells of matches all the same is held to their privacy by a test of its own."""

OPERATORS = {rpc.name for rpc in SERVED[SERVICES.index("tidelog.v1.AdminService")].methods}
"""They say no to a stranger before they look."""

FULL = {"ReadLog": {"full": True}, "ExportMatch": {"full": True}}
"""Each as a spectator, as a seat, and in the form that fewest may ask for."""


def test_every_rpc_either_names_a_match_or_is_known_not_to():
    naming = {name for name, rpc in RPCS.items() if "match_id" in rpc.input_type.fields_by_name}
    assert naming == RPCS.keys() - OF_NO_MATCH
    assert len(naming) >= 12


def requests(rpc: MethodDescriptor, match_id: str) -> list[object]:
    """What can be asked of the match by the rpc."""
    kind = GetMessageClass(rpc.input_type)
    names = rpc.input_type.fields_by_name
    base = {"match_id": match_id} | ({"request_id": next(ids)} if "request_id" in names else {})
    found = [base, base | FULL.get(rpc.name, {})]
    found += [base | {"seat": seat} for seat in (0, 1, 77) if "seat" in names]
    found += [base | {field.name: True} for field in names.values() if field.type == FieldDescriptor.TYPE_BOOL]
    found += [base | {"from_version": 1}] if "from_version" in names else []
    return [kind(**fields) for fields in found]


async def outcome(client: Client, rpc: MethodDescriptor, request: object) -> str:
    """All that the caller can tell of it."""
    call = getattr(client.stub(rpc.name), rpc.name)(request, metadata=client.metadata)
    try:
        return str([piece async for piece in call] if rpc.server_streaming else await call)
    except grpc.aio.AioRpcError as error:
        return told(refused_from(error) or Refused(Reason.INTERNAL, str(error)))


def told(refused: Refused) -> str:
    return str((refused.reason, refused.message, refused.rule, refused.version, refused.cursor, refused.retry_after_ms))


@pytest.fixture
async def stranger(floor, gateway):
    return await floor.client(gateway, "stranger")


@pytest.fixture
async def admin(floor, gateway):
    return await floor.client(gateway, "operator", admin=True)


async def created(client: Client, *, seats: int = 2, **fields: object) -> str:
    """A private match with its creator at seat 0."""
    answer = await client.call(
        "CreateMatch", request_id=next(ids), game=GAME, seats=seats, own_seat=0, terms=PRIVATE, **fields
    )
    return answer.receipt.match_id


async def invite(host: Client, match_id: str, **fields: object) -> str:
    return (await host.call("CreateInvitation", match_id=match_id, **fields)).invitation


async def join(client: Client, match_id: str, invitation: str | None = None, **fields: object) -> object:
    return await client.call("JoinMatch", request_id=next(ids), match_id=match_id, invitation=invitation, **fields)


async def played(ann: Client, bob: Client, moves: int) -> str:
    match_id = await created(ann)
    await join(bob, match_id, await invite(ann, match_id))
    await play_on([ann, bob], match_id, moves)
    return match_id


@pytest.mark.parametrize("state", ["open", "running", "over"])
async def test_a_stranger_is_told_what_is_told_of_no_match(ann, bob, stranger, state):
    match_id = await created(ann) if state == "open" else await played(ann, bob, 2 if state == "running" else 10_000)
    for name in RPCS.keys() - OF_NO_MATCH:
        rpc = RPCS[name]
        pairs = zip(requests(rpc, match_id), requests(rpc, ABSENT), strict=True)
        for there, nowhere in pairs:
            expected = await outcome(stranger, rpc, nowhere)
            assert name in OPERATORS or "unknown_match" in expected or "malformed" in expected, (name, expected)
            assert await outcome(stranger, rpc, there) == expected, (name, there)


async def test_those_inside_are_told_more_by_every_rpc(ann, bob, admin):
    match_id = await played(ann, bob, 2)
    for name in RPCS.keys() - OF_NO_MATCH - {"WatchMatch"}:
        for client in (admin,) if name in OPERATORS else (ann, bob, admin):
            found = await outcome(client, RPCS[name], requests(RPCS[name], match_id)[0])
            assert "unknown_match" not in found, (name, client.player)
    async for _ in bob.updates(match_id):
        break
    assert Reason.UNKNOWN_MATCH is (await refusal(ann.call("GetMatch", match_id=ABSENT))).reason


async def played_commands(client: Client, match_id: str) -> list[str]:
    """What Play says of each of its commands that names a match."""
    submit = PlayCommand(submit=PlayCommand.Submit(request_id="1", match_id=match_id, seat=0))
    follow = PlayCommand(follow=PlayCommand.Follow(match_id=match_id))
    seated = PlayCommand(follow=PlayCommand.Follow(match_id=match_id, seat=0))
    call = client.matches.Play(metadata=client.metadata)
    found = []
    for command in (submit, follow, seated):
        await call.write(PlayRequest(commands=[command]))
        answer = (await call.read()).answers[0]
        found.append(str(answer).replace(match_id, "MATCH"))
    await call.done_writing()
    return found


async def test_a_stranger_plays_and_follows_nothing(ann, bob, stranger):
    match_id = await played(ann, bob, 2)
    there, nowhere = await played_commands(stranger, match_id), await played_commands(stranger, ABSENT)
    assert there == nowhere
    assert all("UNKNOWN_MATCH" in answer for answer in there)
    assert not any("UNKNOWN_MATCH" in answer for answer in await played_commands(bob, match_id))


async def told_of_players(client: Client, *players: str) -> list[str]:
    one, other = players
    asked = {name: {"player": one} for name in OF_PLAYERS} | {
        "GetHeadToHead": {"player": one, "other": other},
        "ListLeaderboard": {"game": GAME},
    }
    return [str(await client.call(name, **asked[name])) for name in sorted(OF_PLAYERS)]


async def test_of_its_players_a_stranger_learns_nothing(ann, bob, stranger, admin, gateway):
    match_id = await played(ann, bob, 10_000)
    await kept(gateway)
    nothing = await told_of_players(stranger, "tidelog|nobody", "tidelog|else")
    assert await told_of_players(stranger, ann.player, bob.player) == nothing
    for client in (bob, admin):
        assert match_id in str(await client.call("ListPlayerMatches", player=ann.player))


def test_every_command_of_play_that_names_a_match_is_tried():
    kinds = {field.name: field.message_type for field in PlayCommand.DESCRIPTOR.fields if field.message_type}
    naming = {name for name, kind in kinds.items() if "match_id" in kind.fields_by_name}
    assert naming == {"submit", "follow", "unfollow"}, "unfollow answers nothing; any other is to be tried above"


async def test_who_gave_the_seat_up_before_the_start_sees_it_still(ann, bob):
    match_id = await created(ann, seats=3)
    await join(bob, match_id, await invite(ann, match_id))
    await bob.call("LeaveMatch", request_id=next(ids), match_id=match_id, seat=1)
    assert (await bob.call("GetMatch", match_id=match_id)).match.seats[1].player == ""
    assert (await refusal(join(bob, match_id))).reason is Reason.NOT_ALLOWED
