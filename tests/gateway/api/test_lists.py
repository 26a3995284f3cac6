"""ListMatches as a client asks for it."""

import pytest

from gateway.projections.tokens import LIFETIME_S
from services.common.refusals import Reason
from tests.gateway.api.test_private import created, invite, join
from tests.gateway.floor import ids, play_on, refusal, started_match
from tests.gateway.played import GAME
from tests.gateway.waiting import kept
from tidelog.v1.matches_pb2 import (
    MATCH_ORDER_NEWEST,
    MATCH_ORDER_OLDEST,
    MATCH_STATUS_FINISHED,
    MATCH_STATUS_OPEN,
    MATCH_STATUS_RUNNING,
    OptionFilter,
)
from tidelog.v1.payload_pb2 import Payload

YOUNG = Payload(json='{"young_explorers": true}')


async def made(client, *, seats=2, **fields):
    answer = await client.call("CreateMatch", request_id=next(ids), game=GAME, seats=seats, own_seat=0, **fields)
    return answer.receipt.match_id


async def listed(client, **fields):
    found = await client.call("ListMatches", **fields)
    assert not found.next_page_token
    return [match.match_id for match in found.matches]


async def test_matches_are_found_by_what_they_are(ann, bob, gateway):
    running = await started_match(ann, bob)
    over = await started_match(ann, bob, options=YOUNG)
    await play_on([ann, bob], over)
    opened = await made(bob, seats=4, options=YOUNG)
    await kept(gateway)
    young = [OptionFilter(option="young_explorers", value="true")]
    for fields, expected in (
        ({}, {running, over, opened}),
        ({"game": GAME}, {running, over, opened}),
        ({"status": MATCH_STATUS_FINISHED}, {over}),
        ({"status": MATCH_STATUS_RUNNING, "player": bob.player}, {running}),
        ({"player": ann.player}, {running, over}),
        ({"creator": bob.player}, {opened}),
        ({"open_seats": 1}, {opened}),
        ({"open_seats": 3}, {opened}),
        ({"open_seats": 4}, set()),
        ({"seats": 4}, {opened}),
        ({"seats": 2, "creator": ann.player}, {running, over}),
        ({"game": GAME, "options": young}, {over, opened}),
        ({"game": GAME, "options": young, "status": MATCH_STATUS_OPEN}, {opened}),
        ({"game": GAME, "options": [OptionFilter(option="young_explorers", value=" false")]}, {running}),
        ({"game": GAME, "options": [OptionFilter(option="first_player", value='"seat_0"')]}, {running, over, opened}),
        ({"game": GAME, "options": [OptionFilter(option="first_player", value='"drawn"')]}, set()),
        ({"invited": True}, set()),
    ):
        assert set(await listed(ann, **fields)) == expected, fields


async def test_they_come_in_the_order_asked_for(ann, bob, gateway):
    first, second = await started_match(ann, bob), await started_match(ann, bob)
    third = await made(ann)
    await play_on([ann, bob], first, 1)
    await kept(gateway)
    assert await listed(ann) == [first, third, second]
    assert await listed(ann, order=MATCH_ORDER_NEWEST) == [third, second, first]
    assert await listed(ann, order=MATCH_ORDER_OLDEST) == [first, second, third]


async def test_a_private_match_is_listed_to_those_inside(ann, bob, floor, gateway):
    match_id = await created(ann, seats=3)
    stranger = await floor.client(gateway, "stranger")
    admin = await floor.client(gateway, "operator", admin=True)
    asked = ({}, {"player": ann.player}, {"creator": ann.player}, {"open_seats": 1}, {"game": GAME})

    async def sees(client):
        await kept(gateway)
        found = {bool(await listed(client, **fields)) for fields in asked}
        assert len(found) == 1
        return found.pop()

    assert [await sees(client) for client in (ann, bob, stranger, admin)] == [True, False, False, True]
    await join(bob, match_id, await invite(ann, match_id))
    assert [await sees(client) for client in (ann, bob, stranger)] == [True, True, False]
    await bob.call("LeaveMatch", request_id=next(ids), match_id=match_id, seat=1)
    assert [await sees(client) for client in (ann, bob, stranger)] == [True, True, False]


@pytest.fixture
async def many(ann, gateway):
    found = [await made(ann) for _ in range(5)]
    await kept(gateway)
    return found


async def token(client, **fields):
    return (await client.call("ListMatches", page_size=2, **fields)).next_page_token


async def test_pages_go_on_at_every_gateway(ann, many, floor):
    other_gateway = await floor.gateway()
    other, found, page_token = await floor.client(other_gateway, "ann"), [], ""
    await kept(other_gateway)
    for client in (ann, other, ann):
        page = await client.call("ListMatches", page_size=2, order=MATCH_ORDER_OLDEST, page_token=page_token)
        found += [match.match_id for match in page.matches]
        page_token = page.next_page_token
    assert found == many
    assert page_token == ""


@pytest.mark.usefixtures("many")
async def test_a_page_token_is_its_players_alone(ann, bob):
    refused = await refusal(bob.call("ListMatches", page_token=await token(ann)))
    assert refused.reason is Reason.NOT_ALLOWED


@pytest.mark.usefixtures("many")
@pytest.mark.parametrize(
    "other",
    [
        {"order": MATCH_ORDER_OLDEST},
        {"game": GAME},
        {"status": MATCH_STATUS_OPEN},
        {"open_seats": 1},
        {"seats": 2},
        {"creator": "x"},
        {"player": "x"},
        {"invited": True},
        {"game": GAME, "options": [OptionFilter(option="young_explorers", value="true")]},
    ],
    ids=str,
)
async def test_a_page_token_counts_under_its_own_filters_and_order(ann, other):
    refused = await refusal(ann.call("ListMatches", page_token=await token(ann), **other))
    assert refused.reason is Reason.MALFORMED
    assert "$.page_token" in refused.message


@pytest.mark.usefixtures("many")
async def test_a_page_token_expires(ann, gateway):
    late = await token(ann)
    now = gateway.parts.pages._now()
    gateway.parts.pages._now = lambda: now + LIFETIME_S + 1
    refused = await refusal(ann.call("ListMatches", page_token=late))
    assert refused.reason is Reason.EXPIRED


def other(letter):
    return "B" if letter == "A" else "A"


@pytest.mark.usefixtures("many")
async def test_a_forged_page_token_is_none(ann):
    true = await token(ann)
    for forged in (true[:-1], true + "AA", other(true[0]) + true[1:], "bm9uc2Vuc2U="):
        refused = await refusal(ann.call("ListMatches", page_token=forged))
        assert refused.reason is Reason.MALFORMED


@pytest.mark.parametrize(
    ("fields", "reason", "place"),
    [
        ({"options": [OptionFilter(option="young_explorers", value="true")]}, Reason.MALFORMED, "$.game"),
        (
            {"game": GAME, "options": [OptionFilter(option="dragons", value="1")]},
            Reason.MALFORMED,
            "$.options[0].option",
        ),
        ({"game": GAME, "options": [OptionFilter(value="1")]}, Reason.MALFORMED, "$.options[0].option"),
        (
            {"game": GAME, "options": [OptionFilter(option="young_explorers", value="maybe")]},
            Reason.MALFORMED,
            "$.options[0].value",
        ),
        (
            {"game": GAME, "options": [OptionFilter(option="first_player", value='"nobody"')]},
            Reason.MALFORMED,
            "$.options[0].value",
        ),
        ({"game": "chess"}, Reason.UNKNOWN_GAME, "'chess'"),
        ({"game": "chess", "options": [OptionFilter(option="x", value="1")]}, Reason.UNKNOWN_GAME, "'chess'"),
        (
            {"game": GAME, "options": [OptionFilter(option="young_explorers", value="true")] * 21},
            Reason.TOO_LARGE,
            "$.options",
        ),
        ({"open_seats": -1}, Reason.MALFORMED, "$.open_seats"),
        ({"seats": 101}, Reason.MALFORMED, "$.seats"),
        ({"order": 9}, Reason.MALFORMED, "$.order"),
        ({"page_size": -1}, Reason.MALFORMED, "$.page_size"),
    ],
)
@pytest.mark.parametrize("rpc", ["ListMatches", "WatchMatches"])
async def test_a_filter_that_names_nothing_is_refused(ann, rpc, fields, reason, place):
    if rpc == "WatchMatches" and "page_size" in fields:
        fields = {"limit": fields["page_size"]}
        place = "$.limit"
    call = ann.drained if rpc == "WatchMatches" else ann.call
    refused = await refusal(call(rpc, **fields))
    assert refused.reason is reason
    assert place in refused.message
