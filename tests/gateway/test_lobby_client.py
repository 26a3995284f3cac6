"""The Python client's lobby, against real gateways."""

import asyncio
from contextlib import aclosing

import pytest

from gateway.callers.identity import mint
from tests.gateway.floor import play_on, started_match
from tests.gateway.played import GAME
from tidelog.client import Filter, Refused, connect
from tidelog.client.lobby import Anew, Appeared, Changed, Left, Listed, Present
from tidelog.client.terms import Clock, Delay, Terms


@pytest.fixture
async def clients(gateway):
    """Ann's and Bob's."""
    tokens = [mint(gateway.parts.guest_key, subject) for subject in ("ann", "bob")]
    async with connect(gateway.address, token=tokens[0]) as one, connect(gateway.address, token=tokens[1]) as other:
        yield one, other


async def until_listed(client, wanted, count):
    async with asyncio.timeout(30):
        while True:
            found = [match async for match in client.matches(wanted, page_size=1)]
            if len(found) == count:
                return [match.match_id for match in found]


async def test_lists_are_filtered_and_ordered(clients):
    ann, _bob = clients
    first = (await ann.create(GAME, 3, options='{"young_explorers": true}')).match_id
    second = (await ann.create(GAME, 2, own_seat=0)).match_id
    assert await until_listed(ann, Filter(order="oldest"), 2) == [first, second]
    for wanted, expected in (
        (Filter(order="newest"), [second, first]),
        (Filter(game=GAME, options={"young_explorers": True}), [first]),
        (Filter(open_seats=2), [first]),
        (Filter(seats=2, creator="tidelog|ann"), [second]),
        (Filter(player="tidelog|ann", status="open"), [second]),
        (Filter(invited=True), []),
    ):
        assert [match.match_id async for match in ann.matches(wanted)] == expected


async def test_an_invitation_lets_in(clients):
    ann, bob = clients
    match_id = (await ann.create(GAME, 2, own_seat=0, terms=Terms(private=True))).match_id
    with pytest.raises(Refused, match="unknown_match"):
        await bob.match(match_id)
    invitation = await ann.lobby().invite(match_id, player="tidelog|bob", seat=1, expires_after_ms=60_000)
    assert invitation.expires_at_ms > 0
    assert (await bob.match(match_id, invitation=invitation.text)).match.match_id == match_id
    assert await bob.join(match_id, invitation=invitation.text) == 1


async def test_quick_match_and_cancel(clients):
    ann, bob = clients
    terms = Terms(clock=Clock(move_ms=60_000), absence="bot", absence_policy="random", spectator_delay=Delay("turn"))
    waiting = await ann.lobby().quick_match(GAME, 2, terms=terms, expires_after_ms=60_000, request_id="mine")
    assert (waiting.match.status, waiting.seat) == ("open", 0)
    assert waiting.match.terms.clock == terms.clock
    receipt = await ann.lobby().cancel(waiting.match.match_id)
    assert receipt.match_id == waiting.match.match_id
    await ann.lobby().quick_match(GAME, 2, terms=terms)
    paired = await bob.lobby().quick_match(GAME, 2, terms=terms, options="{}", edition="house", log_after_end="open")
    assert (paired.match.status, paired.seat) == ("running", 1)
    with pytest.raises(Refused, match="already_started"):
        await ann.lobby().cancel(paired.match.match_id)


async def test_a_rematch_of_both(clients, ann, bob):
    over = await started_match(ann, bob)
    await play_on([ann, bob], over)
    asked = await clients[0].lobby().rematch(over)
    joined = await clients[1].lobby().rematch(over)
    assert (asked.seat, joined.seat) == (1, 0)
    assert joined.match.match_id == asked.match.match_id
    assert joined.match.terms.reserved == ("tidelog|bob", "tidelog|ann")


async def test_a_live_list_goes_on_at_a_server_that_comes_back(floor, clients, ann):
    gateway = await floor.gateway()
    token = mint(gateway.parts.guest_key, "cara")
    async with connect(gateway.address, token=token) as cara, asyncio.timeout(60):
        first = (await clients[0].create(GAME, 2, own_seat=0)).match_id
        async with aclosing(cara.lobby().watch(Filter(status="open"), limit=10)) as lobby:
            assert await anext(lobby) == Anew()
            news = await told(lobby, first)
            assert Present(more=False) in news
            await clients[0].leave(first, 0)
            assert (await anext(lobby)).match.seats[0].player == ""
            await clients[1].join(first, 0)
            assert isinstance(await anext(lobby), Changed)
            await clients[1].join(first, 1)
            assert await anext(lobby) == Left(first)
            await gateway.stop()
            second = (await ann.call("CreateMatch", request_id="second", game=GAME, seats=2)).receipt.match_id
            await floor.gateway(listen=gateway.address)
            async for piece in lobby:
                if isinstance(piece, Listed | Appeared) and piece.match.match_id == second:
                    break
                assert piece == Anew() or piece == Present(more=False)


async def told(lobby, match_id):
    """All up to the match, wherever it came, and the end of the present list."""
    news = []
    while not (any(isinstance(piece, Present) for piece in news) and shows(news, match_id)):
        news.append(await anext(lobby))
    return news


def shows(news, match_id):
    return any(isinstance(piece, Listed | Appeared) and piece.match.match_id == match_id for piece in news)
