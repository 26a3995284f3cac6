"""Trade among players over the public API: answers of seats that owe nothing, and what is said no to."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

import grpc
import pytest

from tests.integration.serving import serving
from tests.integration.table import AUDIENCES, GAME, HOARD, MOST_STEPS, SEATS, Table, seated
from tidelog.client import LEGAL, VIEW, Refused
from tidelog.client.answers import Entry, Situation
from tidelog.client.payloads import to_payload
from tidelog.client.refused import from_error
from tidelog.games.catan_fishermen.v1.catan_fishermen_pb2 import (
    AcceptTrade,
    Cards,
    ConfirmTrade,
    CounterOffer,
    Move,
)
from tidelog.v1 import matches_pb2
from tidelog.v1.matches_pb2_grpc import MatchServiceStub

DECLINE, CANCEL = ({"kind": kind} for kind in ("decline_trade", "cancel_trade"))


class Market(NamedTuple):
    """Whose turn it is, who holds what the offer asks for, and who has another card to give for another."""

    table: Table
    active: int
    taker: int
    haggler: int
    give: str
    take: str
    other: str

    @property
    def offer(self) -> dict[str, Any]:
        return {"kind": "offer_trade", "give": {self.give: 1}, "take": {self.take: 1}}

    @property
    def accept(self) -> dict[str, Any]:
        return {"kind": "accept_trade", "give": cards(**{self.take: 1}), "take": cards(**{self.give: 1})}

    @property
    def counter(self) -> dict[str, Any]:
        return {"kind": "counter_offer", "give": cards(**{self.other: 1}), "take": cards(**{self.give: 1})}

    @property
    def confirm(self) -> dict[str, Any]:
        return {
            "kind": "confirm_trade",
            "partner": self.taker,
            "give": cards(**{self.give: 1}),
            "take": cards(**{self.take: 1}),
        }

    async def play(self, seat: int, move: object, decision: int | None = None) -> int:
        """The version of the move's last event."""
        accepted = await self.table.clients[seat].submit(self.table.match, seat, move, decision=decision)
        return accepted.receipt.last_version

    async def decision(self, seat: int) -> int | None:
        return (await self.table.situation(seat)).decision

    async def told(self, seat: int, version: int) -> Entry:
        """What the seat's stream says of the version."""
        await self.table.heard(version)
        return self.table.told[seat][version - 1]

    async def unchanged(self, version: int) -> bool:
        return (await self.table.onlooker.match(self.table.match)).match.version == version


async def found(table: Table) -> Market | None:
    """A market where the active seat may trade and all three have something to trade."""
    view = await table.view(None)
    if view["phase"] != "trading_and_building":
        return None
    active = view["active"]
    hands = [set(await table.hand(seat)) for seat in range(SEATS)]
    for taker in range(SEATS):
        haggler = SEATS - active - taker
        if taker == active:
            continue
        for give in hands[active]:
            for take in hands[taker] - {give}:
                for other in hands[haggler] - {give, take}:
                    return Market(table, active, taker, haggler, give, take, other)
    return None


@asynccontextmanager
async def market(address: str) -> AsyncIterator[Market]:
    async with seated(address) as table:
        for _ in range(MOST_STEPS):
            here = await found(table)
            if here is not None:
                break
            await table.step(HOARD)
        assert here is not None
        yield here


@pytest.fixture
async def here(clean_store, tmp_path):
    async with serving(GAME, clean_store, tmp_path) as (_, gateway), market(gateway.address) as opened:
        yield opened


def kinds(situation: Situation | None) -> set[str]:
    return {move["kind"] for move in situation.legal.moves}


async def test_an_offer_tells_the_others_what_they_may_answer(here):
    deciding = await here.decision(here.active)
    assert [await here.decision(seat) for seat in (here.taker, here.haggler)] == [None, None]
    offered = await here.play(here.active, here.offer, deciding)

    to_taker = (await here.told(here.taker, offered)).situation
    assert kinds(to_taker) == {"accept_trade", "decline_trade"}
    assert to_taker.legal.families == ("counter_offers",)
    assert to_taker.decision == await here.decision(here.taker)
    assert (await here.told(here.active, offered)).situation.legal.families == ("offers",)
    assert (await here.table.situation(here.taker)).legal == to_taker.legal
    turns = (await here.table.onlooker.match(here.table.match)).turns
    assert {turn.seat: turn.owed for turn in turns} == {seat: seat == here.active for seat in range(SEATS)}


async def test_a_seat_that_owes_nothing_accepts_and_the_active_one_confirms(here):
    hands = [await here.table.hand(seat) for seat in range(SEATS)]
    deciding = await here.decision(here.active)
    offered = await here.play(here.active, here.offer, deciding)
    accepted = await here.play(here.taker, here.accept, (await here.told(here.taker, offered)).situation.decision)

    standing = (await here.told(here.active, accepted)).situation
    assert standing.decision == offered
    confirm = next(move for move in standing.legal.moves if move["kind"] == "confirm_trade")
    assert confirm == here.confirm
    closed = await here.play(here.active, confirm, standing.decision)

    for audience in AUDIENCES:
        told = await here.told(audience, closed)
        assert told.event == {
            "kind": "trade_closed",
            "seat": here.active,
            "partner": here.taker,
            "give": cards(**{here.give: 1}),
            "take": cards(**{here.take: 1}),
        }
        assert told.situation.view["offer"] is None
    moved = [(here.active, here.give, here.taker), (here.taker, here.take, here.active)]
    for giver, kind, taker in moved:
        assert (await here.table.hand(giver)).get(kind, 0) == hands[giver][kind] - 1
        assert (await here.table.hand(taker)).get(kind, 0) == hands[taker].get(kind, 0) + 1
    assert await here.decision(here.taker) is None


async def test_a_counter_offer_is_confirmed_on_its_own_terms(here):
    offered = await here.play(here.active, here.offer)
    async with here.table.clients[here.haggler].play() as play:
        decision = (await here.told(here.haggler, offered)).situation.decision
        answer = await play.submit(
            here.table.match, here.haggler, here.counter, decision=decision, include=(VIEW, LEGAL)
        )
    assert answer.situation.decision == answer.receipt.last_version
    assert answer.situation.view["offer"]["replies"] == [
        {
            "seat": here.haggler,
            "answer": "countered",
            "give": cards(**{here.other: 1}),
            "take": cards(**{here.give: 1}),
        }
    ]

    accepted = await here.play(here.taker, here.accept)
    standing = (await here.told(here.active, accepted)).situation
    confirms = {move["partner"]: move for move in standing.legal.moves if move["kind"] == "confirm_trade"}
    assert set(confirms) == {here.taker, here.haggler}
    closed = await here.play(here.active, confirms[here.haggler])
    told = (await here.told(here.taker, closed)).event
    assert (told["partner"], told["give"], told["take"]) == (
        here.haggler,
        cards(**{here.give: 1}),
        cards(**{here.other: 1}),
    )


async def test_answers_at_once_are_all_taken_and_make_no_decision_of_others_stale(here):
    offered = await here.play(here.active, here.offer)
    answering = {seat: (await here.told(seat, offered)).situation.decision for seat in (here.taker, here.haggler)}
    terms = CounterOffer(give=Cards(**{here.other: 1}), take=Cards(**{here.give: 1}))
    versions = await asyncio.gather(
        here.play(here.taker, here.accept, answering[here.taker]),
        here.play(here.haggler, Move(counter_offer=terms), answering[here.haggler]),
    )
    assert sorted(versions) == [offered + 1, offered + 2]
    assert await here.decision(here.active) == offered
    assert await here.play(here.active, CANCEL, offered) == offered + 3


async def test_an_offer_replaced_on_the_way_is_not_accepted(here):
    """In JSON as in protobuf, and though the seat names no decision."""
    await here.play(here.active, here.offer)
    replaced = await here.play(
        here.active, {**here.offer, "give": {here.give: 1}, "take": {here.take: 1, here.other: 1}}
    )
    seen = AcceptTrade(give=Cards(**{here.take: 1}), take=Cards(**{here.give: 1}))
    for accept in (here.accept, Move(accept_trade=seen)):
        with pytest.raises(Refused, match="not the terms of the open offer") as refused:
            await here.play(here.taker, accept)
        assert (refused.value.reason, refused.value.rule) == ("illegal_move", "CA-17")
    assert await here.unchanged(replaced)
    await here.play(here.active, here.offer)
    assert await here.play(here.taker, Move(accept_trade=seen)) == replaced + 2


async def test_an_answer_replaced_on_the_way_is_not_confirmed(here):
    await here.play(here.active, here.offer)
    await here.play(here.haggler, here.counter)
    seen = ConfirmTrade(partner=here.haggler, give=Cards(**{here.give: 1}), take=Cards(**{here.other: 1}))
    replaced = await here.play(here.haggler, {**here.counter, "take": {here.give: 19}})
    for confirm in ({**here.confirm, "partner": here.haggler, "take": here.counter["give"]}, Move(confirm_trade=seen)):
        with pytest.raises(Refused, match="not the terms that the partner agreed to") as refused:
            await here.play(here.active, confirm)
        assert (refused.value.reason, refused.value.rule) == ("illegal_move", "CA-17")
    assert await here.unchanged(replaced)
    await here.play(here.haggler, here.counter)
    assert await here.play(here.active, Move(confirm_trade=seen)) == replaced + 2


async def test_a_seat_answers_an_offer_twenty_times(here):
    offered = await here.play(here.active, here.offer)
    for _ in range(20):
        await here.play(here.taker, DECLINE)
        version = await here.play(here.taker, CANCEL)
    assert version == offered + 40
    for answer in (here.accept, DECLINE, CANCEL):
        with pytest.raises(Refused) as refused:
            await here.play(here.taker, answer)
        assert (refused.value.reason, refused.value.rule) == ("not_your_turn", "CA-17")
    assert await here.unchanged(version)
    assert await here.decision(here.taker) is None
    assert await here.play(here.haggler, here.counter) == version + 1


async def test_a_second_answer_on_a_decision_that_is_used_is_stale(here):
    offered = await here.play(here.active, here.offer)
    decision = (await here.told(here.taker, offered)).situation.decision
    declined = await here.play(here.taker, DECLINE, decision)
    with pytest.raises(Refused) as refused:
        await here.play(here.taker, here.accept, decision)
    assert (refused.value.reason, refused.value.version) == ("stale", declined)
    assert await here.play(here.taker, here.accept, declined) == declined + 1


async def test_each_change_of_what_may_be_answered_is_a_turn_of_the_seat(here):
    table = here.table
    turns = table.clients[here.taker].turns(table.match, here.taker)
    await here.play(here.active, here.offer)
    turn = await anext(turns)
    assert turn.moves == (here.accept, DECLINE)
    await turn.play(here.accept)
    assert (await anext(turns)).moves == (DECLINE, CANCEL)
    await here.play(here.active, here.offer)
    assert (await anext(turns)).moves == (here.accept, DECLINE)


async def test_what_is_no_trade_is_refused_by_its_rule_and_changes_nothing(here):
    version = (await here.table.onlooker.match(here.table.match)).match.version
    bad = [
        (here.active, {**here.offer, "give": {here.give: 2, here.other: -1}}, "illegal_move", "CA-17"),
        (here.active, {**here.offer, "take": {here.take: -1}}, "illegal_move", "CA-17"),
        (here.active, {**here.offer, "give": {here.give: 20}}, "illegal_move", "CA-17"),
        (here.active, {**here.offer, "take": {}}, "illegal_move", "CA-17"),
        (here.active, here.confirm, "illegal_move", "CA-17"),
        (here.active, {**here.confirm, "partner": -1}, "illegal_move", "CA-17"),
        (here.taker, here.offer, "not_your_turn", "CA-17"),
        (here.taker, here.accept, "not_your_turn", "CA-17"),
        (here.taker, {"kind": "end_turn"}, "not_your_turn", "CA-8"),
    ]
    for seat, move, reason, rule in bad:
        for said in (here.play(seat, move), here.table.clients[seat].validate(here.table.match, seat, move)):
            try:
                refused = await said
            except Refused as raised:
                refused = raised
            assert (refused.reason, refused.rule) == (reason, rule), move
    with pytest.raises(Refused, match="malformed"):
        await here.play(here.active, {**here.offer, "give": {here.give: 2**40}})
    with pytest.raises(Refused, match="malformed"):
        await here.play(here.active, {**here.offer, "give": {"gold": 1}})
    with pytest.raises(Refused, match="malformed"):
        await here.play(here.taker, {"kind": "accept_trade"})
    with pytest.raises(Refused, match="malformed"):
        await here.play(here.taker, Move(accept_trade=AcceptTrade()))
    assert await here.unchanged(version)


async def test_over_grpc_a_refusal_has_its_status_and_its_rule(here):
    """A bare stub, in the name of the player whose turn it is."""
    request = matches_pb2.SubmitMoveRequest(
        request_id="negative",
        match_id=here.table.match,
        seat=here.active,
        move=to_payload({**here.offer, "give": {here.give: -1}}),
    )
    bearer = (("authorization", f"Bearer {here.table.tokens[here.active]}"),)
    async with grpc.aio.insecure_channel(here.table.address) as channel:
        with pytest.raises(grpc.aio.AioRpcError) as raised:
            await MatchServiceStub(channel).SubmitMove(request, metadata=bearer)
    assert raised.value.code() is grpc.StatusCode.FAILED_PRECONDITION
    refused = from_error(raised.value)
    assert (refused.reason, refused.rule) == ("illegal_move", "CA-17")


def cards(**counts: int) -> dict[str, int]:
    return dict.fromkeys(("brick", "lumber", "wool", "grain", "ore"), 0) | counts
