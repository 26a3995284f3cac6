"""What one player may fill, as the read model counts it."""

import pytest

from gateway.callers.identity import bot_subject
from services.common.refusals import Reason
from tests.gateway.api.test_lists import made
from tests.gateway.api.test_private import created, invite, join
from tests.gateway.floor import ids, play_on, refusal, started_match
from tests.gateway.played import GAME
from tests.gateway.waiting import kept


@pytest.fixture
async def gateway(floor):
    return await floor.gateway(waiting_matches=2, seats=3)


async def unseated(client, request_id=None):
    answer = await client.call("CreateMatch", request_id=request_id or next(ids), game=GAME, seats=2)
    return answer.receipt


async def refused(gateway, call):
    """The log is as it was."""
    before = await gateway.parts.log.feed_numbers()
    found = await refusal(call)
    assert await gateway.parts.log.feed_numbers() == before
    assert found.retry_after_ms
    return found.reason


async def test_matches_that_have_not_started_are_counted(ann, bob, gateway):
    first = await unseated(ann, "first")
    await unseated(ann)
    await kept(gateway)
    assert await refused(gateway, unseated(ann)) is Reason.TOO_MUCH
    again = await unseated(ann, "first")
    assert (again.cursor, again.duplicate) == (first.cursor, True)
    await unseated(bob)
    for seat in range(2):
        await join(bob, first.match_id, seat=seat)
    await kept(gateway)
    await unseated(ann)


async def test_seats_are_counted_until_a_match_is_over(ann, bob, gateway):
    playing = await started_match(ann, bob)
    for _ in range(2):
        await made(ann)
    await kept(gateway)
    other = await made(bob)
    invitation = await invite(bob, other)
    asked = [
        lambda: made(ann),
        lambda: join(ann, other),
        lambda: join(ann, other, invitation),
        lambda: ann.call("QuickMatch", request_id=next(ids), game=GAME, seats=2),
    ]
    for call in asked:
        assert await refused(gateway, call()) is Reason.TOO_MUCH
    await play_on([ann, bob], playing)
    await kept(gateway)
    assert await join(ann, other, invitation)


async def test_a_rematch_takes_a_seat(ann, bob, gateway):
    over = await started_match(ann, bob)
    await play_on([ann, bob], over)
    await started_match(ann, bob)
    for _ in range(2):
        await made(ann)
    await kept(gateway)
    call = ann.call("Rematch", request_id=next(ids), match_id=over)
    assert await refused(gateway, call) is Reason.TOO_MUCH


async def test_what_stands_in_the_log_is_answered_at_any_count(ann, bob, gateway):
    match_id = await created(bob, seats=4)
    invitation = await invite(bob, match_id)
    joined = await ann.call("JoinMatch", request_id="mine", match_id=match_id, invitation=invitation)
    waiting = await ann.call("QuickMatch", request_id="quick", game=GAME, seats=2)
    await made(ann)
    await kept(gateway)
    assert await refused(gateway, made(ann)) is Reason.TOO_MUCH
    again = await ann.call("JoinMatch", request_id="mine", match_id=match_id, invitation=invitation)
    assert again.receipt.cursor == joined.receipt.cursor
    for request_id in ("quick", "another"):
        answer = await ann.call("QuickMatch", request_id=request_id, game=GAME, seats=2)
        assert answer.match.match_id == waiting.match.match_id


@pytest.mark.parametrize("who", ["admin", "bot"])
async def test_admins_and_the_servers_bots_are_free(floor, gateway, who):
    subject = bot_subject("random") if who == "bot" else "operator"
    client = await floor.client(gateway, subject, admin=who == "admin")
    for _ in range(5):
        await made(client)
        await kept(gateway)
