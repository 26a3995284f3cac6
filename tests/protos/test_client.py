"""The client's calls, against a small real server."""

import grpc
import pytest

from services.common import refusals
from services.common.refusals import Reason
from tidelog.client import LEGAL, VIEW, Refused, connect, terms
from tidelog.client.answers import Seat, SeatClock, Standing, Turn
from tidelog.client.terms import Clock, Delay, Terms
from tidelog.games.lost_seas.v1 import lost_seas_pb2
from tidelog.v1.payload_pb2 import PAYLOAD_FORM_JSON, PAYLOAD_FORM_TYPED

LOST = grpc.StatusCode.UNAVAILABLE
CANCELLED = grpc.StatusCode.CANCELLED
LATE = grpc.StatusCode.DEADLINE_EXCEEDED


async def test_a_guest_acts_under_the_token_it_was_given(place):
    server, address = place
    async with connect(address, guest="Ann") as client:
        await client.games()
    assert server.tokens == ["", "Bearer token-of-Ann", "Bearer token-of-Ann"]


async def test_games_come_from_every_page(client):
    assert [(game.name, game.unofficial_seats) for game in await client.games()] == [("one", (2,)), ("two", (2,))]


async def test_a_description_holds_decoded_schemas(client):
    details = await client.describe("one")
    assert details.schemas["move"] == {"type": "object"}
    assert details.editions == {"house": "ff"}


async def test_a_creation_says_everything_it_was_told(client, server):
    receipt = await client.create("g", 3, options={"a": True}, own_seat=0, bots={1: "greedy"}, log_after_end="closed")
    request = server.requests[0]
    assert receipt.match_id == "m"
    assert (request.own_seat, request.bots[0].seat, request.bots[0].policy) == (0, 1, "greedy")
    assert request.options.json == '{"a":true}'
    assert (request.auto_start, request.log_after_end) == (True, 2)
    assert len(request.request_id) == 32


async def test_a_creation_tells_its_terms_as_they_are_read(client, server):
    told = Terms(
        private=True,
        clock=Clock(move_ms=86_400_000),
        absence="bot",
        spectator_delay=Delay("events", 3),
        reserved=("", "a|b"),
    )
    await client.create("g", 2, terms=told)
    assert terms.read(server.requests[0].terms) == told


async def test_a_creation_without_own_seat_names_none(client, server):
    await client.create("g", 2)
    assert not server.requests[0].HasField("own_seat")
    assert not server.requests[0].HasField("options")


async def test_matches_come_from_every_page_under_the_same_filters(client, server):
    assert [match.match_id async for match in client.matches(game="g", status="running")] == ["m", "n"]
    assert {(request.game, request.status) for request in server.requests} == {("g", 2)}


async def test_a_match_comes_with_seats_turns_and_ranking(client):
    details = await client.match("m")
    assert details.options == {"a": 1}
    assert details.turns == (Turn(1, 0, owed=True),)
    assert details.clocks == (SeatClock(0, 7, None), SeatClock(1, 5, 9))
    assert details.match.seats == (Seat(0, "", "", bot=False, vacant=False),)
    assert (details.match.status, details.match.ranking) == ("finished", (Standing(1, 1, 3, {"c": 3}),))


async def test_joining_answers_the_seat(client):
    assert await client.join("m") == 1
    assert await client.join("m", 0) == 0


async def test_leaving_and_starting_answer_receipts(client):
    assert (await client.leave("m", 0)).match_id == "m"
    assert (await client.start("m")).match_id == "m"


async def test_a_move_may_be_anything_that_is_json(client, server):
    for move in ({"kind": "pass"}, '{"kind":"pass"}', b'{"kind":"pass"}'):
        accepted = await client.submit("m", 0, move, include=[VIEW, LEGAL])
        assert accepted.situation.view == {"kind": "pass"}
    assert {request.move.json for request in server.requests} == {'{"kind":"pass"}'}
    assert server.requests[0].accept == PAYLOAD_FORM_JSON
    assert list(server.requests[0].include) == [VIEW, LEGAL]


async def test_a_message_travels_typed(place):
    server, address = place
    move = lost_seas_pb2.Move(take_tile={"tile": "LS01", "cell": 3})
    async with connect(address, token="t", typed=True) as client:
        accepted = await client.submit("m", 0, move, decision=4)
    assert accepted.situation.view == move
    assert server.requests[0].accept == PAYLOAD_FORM_TYPED
    assert (server.requests[0].decision, server.requests[0].HasField("expected_version")) == (4, False)


@pytest.mark.parametrize("after_effect", [False, True])
@pytest.mark.parametrize("fault", [LOST, LATE, CANCELLED, refusals.Refused(Reason.OUTCOME_UNKNOWN, "who knows")])
async def test_a_move_is_sent_again_under_the_same_request_id(client, server, fault, after_effect):
    server.after_effect, server.faults = after_effect, [fault, fault]
    accepted = await client.submit("m", 0, 1)
    assert len(server.log().moves) == 1
    assert len({request.request_id for request in server.requests}) == 1
    assert len(server.requests) == 3
    assert accepted.receipt.duplicate is after_effect


async def test_the_callers_own_request_id_is_used(client, server):
    await client.submit("m", 0, 1, request_id="mine")
    assert (await client.submit("m", 0, 1, request_id="mine")).receipt.duplicate
    assert set(server.applied) == {"mine"}


def soon(reason: Reason) -> refusals.Refused:
    return refusals.Refused(reason, "so it is", retry_after_ms=200)


LAST_WORDS = [
    ([soon(Reason.ENGINE_AWAY)] * 1000, "engine_away: so it is", "engine_away: so it is"),
    ([soon(Reason.ENGINE_AWAY), None], "outcome_unknown: .*same request id.*engine_away: so it is", "engine_away: so"),
    ([LOST, *[soon(Reason.ENGINE_AWAY)] * 1000], "outcome_unknown: .*engine_away: so it is", "engine_away: so it is"),
    ([soon(Reason.OUTCOME_UNKNOWN)] * 1000, "outcome_unknown: so it is", "outcome_unknown: so it is"),
    ([LOST] * 1000, "outcome_unknown: .*same request id.*lost", "unavailable: lost"),
    ([CANCELLED] * 1000, "outcome_unknown: .*same request id.*lost", "cancelled: lost"),
    ([None], "outcome_unknown: .*same request id", "deadline_exceeded: no answer came in time"),
]
"""Faults; the refusal of a mutation, which may be sent and unanswered; the refusal of a read."""


def time_for(faults):
    """Seconds: an attempt that is never answered takes them all, the others some thousandths."""
    return 2 if None in faults else 30


@pytest.mark.usefixtures("without_pauses")
@pytest.mark.parametrize(("faults", "words"), [(faults, words) for faults, words, _ in LAST_WORDS])
async def test_at_the_deadline_a_mutation_says_what_is_certain(place, faults, words):
    server, address = place
    server.faults = list(faults)
    async with connect(address, token="t", deadline_s=time_for(faults)) as client:
        with pytest.raises(Refused, match=words) as caught:
            await client.submit("m", 0, 1)
    assert caught.value.transient


@pytest.mark.usefixtures("without_pauses")
@pytest.mark.parametrize(("faults", "words"), [(faults, words) for faults, _, words in LAST_WORDS])
async def test_at_the_deadline_a_read_says_what_the_server_said_last(place, faults, words):
    server, address = place
    server.faults = list(faults)
    async with connect(address, token="t", deadline_s=time_for(faults)) as client:
        with pytest.raises(Refused, match=words):
            await client.games()


async def test_a_refusal_says_all_that_the_server_said(client, server):
    await client.submit("m", 0, 1)
    with pytest.raises(Refused) as caught:
        await client.submit("m", 0, '"illegal"')
    refused = caught.value
    assert (refused.reason, refused.rule, refused.message) == ("illegal_move", "XX-1", "no")
    assert (refused.version, refused.cursor, refused.retry_after_ms) == (1, server.log().head, None)
    assert str(refused) == "illegal_move: XX-1: no"


async def test_a_validation_answers_the_refusal_or_none(client):
    assert await client.validate("m", 0, 1) is None
    assert (await client.validate("m", 0, '"illegal"')).reason == "illegal_move"


async def test_legal_moves_come_with_their_decision(client):
    situation = await client.legal_moves("m", 0)
    assert (situation.legal.moves, situation.legal.families, situation.decision) == (("a",), ("f",), 0)
    assert (await client.legal_moves("m", 1)).decision is None


async def test_a_view_names_its_version(client, server):
    await client.submit("m", 0, {"a": 1})
    view = await client.view("m", seat=0, version=1)
    assert (view.view, view.version, view.cursor) == ({"a": 1}, 1, server.log().head)
    await client.view("m")
    assert not server.requests[-1].HasField("seat")
