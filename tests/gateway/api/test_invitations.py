"""Invitations: signed, for one seat, used once."""

import pytest

from services.common.refusals import Reason
from tests.gateway.api.test_lists import other
from tests.gateway.floor import ids, play_on, refusal, started_match
from tests.gateway.played import GAME
from tidelog.v1.lifecycle_pb2 import DELAY_UNIT_EVENTS, Delay, Terms

PRIVATE = Terms(private=True)


async def created(client, *, seats=3, terms=PRIVATE):
    answer = await client.call("CreateMatch", request_id=next(ids), game=GAME, seats=seats, own_seat=0, terms=terms)
    return answer.receipt.match_id


async def invite(host, match_id, **fields):
    return (await host.call("CreateInvitation", match_id=match_id, **fields)).invitation


async def join(client, match_id, invitation=None, request_id=None, **fields):
    return await client.call(
        "JoinMatch", request_id=request_id or next(ids), match_id=match_id, invitation=invitation, **fields
    )


async def look(client, match_id, invitation=None):
    return (await client.call("GetMatch", match_id=match_id, invitation=invitation)).match


@pytest.fixture
async def cara(floor, gateway):
    return await floor.client(gateway, "cara")


@pytest.mark.parametrize("terms", [PRIVATE, Terms()], ids=["private", "public"])
async def test_an_invitation_opens_one_seat_once(ann, bob, cara, terms):
    match_id = await created(ann, terms=terms)
    invitation = await invite(ann, match_id)
    request_id = next(ids)
    joined = await join(bob, match_id, invitation, request_id)
    assert joined.seat == 1
    again = await join(bob, match_id, invitation, request_id)
    assert (again.seat, again.receipt.cursor, again.receipt.duplicate) == (1, joined.receipt.cursor, True)
    for client in (bob, cara):
        assert (await refusal(join(client, match_id, invitation))).reason is Reason.EXPIRED
    await join(cara, match_id, await invite(bob, match_id))
    assert [seat.player for seat in (await look(ann, match_id)).seats] == [ann.player, bob.player, cara.player]


async def test_it_shows_the_match_to_its_holder_until_it_is_used_or_the_match_begins(ann, bob, cara):
    match_id = await created(ann)
    for_bob, for_cara, spare = [await invite(ann, match_id) for _ in range(3)]
    assert (await look(bob, match_id, for_bob)).match_id == match_id
    await join(bob, match_id, for_bob)
    assert (await refusal(look(cara, match_id, for_bob))).reason is Reason.EXPIRED
    assert (await look(bob, match_id, for_bob)).match_id == match_id
    await join(cara, match_id, for_cara)
    assert (await look(cara, match_id)).match_id == match_id
    for client, invitation in ((ann, for_bob), (bob, spare)):
        assert (await look(client, match_id, invitation)).match_id == match_id


async def test_who_is_invited_is_told_of_the_delay_as_any_spectator_is(ann, bob):
    late = Delay(unit=DELAY_UNIT_EVENTS, count=7)
    private, public = [await created(ann, terms=Terms(private=each, spectator_delay=late)) for each in (True, False)]
    for match_id, invitation in ((private, await invite(ann, private)), (public, None)):
        assert (await bob.call("GetMatch", match_id=match_id, invitation=invitation)).delay == late
    assert not (await ann.call("GetMatch", match_id=private)).HasField("delay")


async def test_a_match_that_began_is_shown_for_no_invitation(ann, bob, cara):
    match_id = await created(ann, seats=2)
    used, spare = await invite(ann, match_id), await invite(ann, match_id)
    await join(bob, match_id, used)
    assert (await refusal(look(cara, match_id, spare))).reason is Reason.EXPIRED
    assert (await refusal(join(cara, match_id, spare))).reason is Reason.ALREADY_STARTED


async def test_it_counts_at_every_gateway_of_the_store(floor, ann):
    match_id = await created(ann)
    bob = await floor.client(await floor.gateway(), "bob")
    assert (await join(bob, match_id, await invite(ann, match_id))).seat == 1


async def test_forged_ones_are_refused_whether_there_is_a_match_or_not(ann, bob):
    match_id = await created(ann)
    invitation = await invite(ann, match_id)
    forged = [invitation[:-1], invitation + "A", other(invitation[0]) + invitation[1:], "", "x", "A" * 5000]
    for text in forged:
        for place in (match_id, "A" * 24):
            for call in (join(bob, place, text), look(bob, place, text)):
                refused = await refusal(call)
                assert refused.reason is Reason.MALFORMED
                assert "$.invitation" in refused.message


async def test_one_to_another_match_opens_none(ann, bob):
    match_id, elsewhere = await created(ann), await created(ann)
    invitation = await invite(ann, elsewhere)
    for call in (join(bob, match_id, invitation), look(bob, match_id, invitation)):
        assert (await refusal(call)).reason is Reason.MALFORMED


async def test_one_for_a_player_is_that_players_alone(ann, bob, cara):
    match_id = await created(ann)
    invitation = await invite(ann, match_id, player=bob.player)
    for call in (join(cara, match_id, invitation), look(cara, match_id, invitation)):
        assert (await refusal(call)).reason is Reason.NOT_ALLOWED
    await join(bob, match_id, invitation)


async def test_one_for_a_seat_is_for_that_seat_alone(ann, bob):
    match_id = await created(ann)
    invitation = await invite(ann, match_id, seat=2)
    assert (await refusal(join(bob, match_id, invitation, seat=1))).reason is Reason.NOT_ALLOWED
    assert (await join(bob, match_id, invitation)).seat == 2


async def test_it_expires(ann, bob, gateway):
    match_id = await created(ann)
    answer = await ann.call("CreateInvitation", match_id=match_id, expires_after_ms=60_000)
    now = answer.expires_at_ms / 1000
    gateway.parts.invitations._now = lambda: now - 0.5
    assert (await look(bob, match_id, answer.invitation)).match_id == match_id
    gateway.parts.invitations._now = lambda: now
    for call in (join(bob, match_id, answer.invitation), look(bob, match_id, answer.invitation)):
        assert (await refusal(call)).reason is Reason.EXPIRED


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"expires_after_ms": -1}, Reason.MALFORMED),
        ({"expires_after_ms": 30 * 24 * 3600 * 1000 + 1}, Reason.TOO_LARGE),
        ({"player": "x" * 401}, Reason.TOO_LARGE),
        ({"seat": 3}, Reason.UNKNOWN_SEAT),
        ({"seat": -1}, Reason.UNKNOWN_SEAT),
        ({"seat": 0}, Reason.SEAT_TAKEN),
    ],
)
async def test_what_can_not_be_invited_to_is_refused(ann, fields, reason):
    match_id = await created(ann)
    assert (await refusal(ann.call("CreateInvitation", match_id=match_id, **fields))).reason is reason


async def test_a_stranger_invites_nobody_to_a_public_match(ann, bob, floor, gateway):
    match_id = await created(ann, terms=Terms())
    assert (await refusal(invite(bob, match_id))).reason is Reason.NOT_ALLOWED
    admin = await floor.client(gateway, "operator", admin=True)
    assert await invite(admin, match_id)


async def test_nobody_is_invited_once_it_has_begun(ann, bob):
    match_id = await started_match(ann, bob)
    assert (await refusal(invite(ann, match_id))).reason is Reason.ALREADY_STARTED
    await play_on([ann, bob], match_id)
    assert (await refusal(invite(ann, match_id))).reason is Reason.MATCH_OVER


@pytest.mark.parametrize("terms", [Terms(quick=True), Terms(rematch_of="M"), Terms(reserved=["x"])])
async def test_what_the_server_alone_gives_is_refused(ann, terms):
    refused = await refusal(created(ann, terms=terms))
    assert refused.reason is Reason.MALFORMED
    assert "$.terms." in refused.message
