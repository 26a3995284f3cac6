"""The live lobby: the present list, then what changes in it."""

import asyncio
import math
import threading

import grpc
import pytest

from gateway.callers.identity import Caller
from gateway.lobby import watching
from gateway.lobby.watching import LobbyWatch
from gateway.main import Gateway
from gateway.matches.outbox import Outbox
from gateway.projections.filters import Filters
from services.common.refusals import Reason
from services.eventlog.commands import Claim, Leave
from tests.gateway.api.test_lists import made
from tests.gateway.api.test_private import created, invite, join
from tests.gateway.floor import ids, play_on, refusal, started_match, told
from tests.gateway.played import BOB, GAME, PlayedMatch
from tests.gateway.projections.test_frozen import CAT, DELAYED
from tests.gateway.waiting import kept, until
from tidelog.v1.matches_pb2 import MATCH_ORDER_OLDEST, MATCH_STATUS_OPEN, MATCH_STATUS_RUNNING


class Watcher:
    """Reads one lobby stream piece by piece."""

    def __init__(self, client, **filters):
        self.call = client.stream("WatchMatches", **filters)
        self._news = self._read()

    async def _read(self):
        try:
            async for response in self.call:
                for news in response.news:
                    yield news
        except grpc.aio.AioRpcError as error:
            raise told(error) from error

    async def next(self):
        """(kind, match id) of the next piece."""
        async with asyncio.timeout(30):
            news = await anext(self._news)
        kind = news.WhichOneof("news")
        return (kind, news.present.more) if kind == "present" else (kind, getattr(news, kind).match_id)

    async def present(self):
        """The ids of the present list, and whether there were more."""
        found = []
        while (piece := await self.next())[0] == "listed":
            found.append(piece[1])
        assert piece[0] == "present"
        return found, piece[1]


async def leave(client, match_id, seat=0):
    await client.call("LeaveMatch", request_id=next(ids), match_id=match_id, seat=seat)


async def test_first_the_present_then_what_changes(ann, bob, gateway):
    there = await made(ann, seats=3)
    await started_match(ann, bob)
    await kept(gateway)
    watcher = Watcher(bob, status=MATCH_STATUS_OPEN)
    assert await watcher.present() == ([there], False)
    second = await made(ann)
    assert await watcher.next() == ("appeared", second)
    await join(bob, there)
    assert await watcher.next() == ("changed", there)
    await join(bob, second)
    assert await watcher.next() == ("left", second)
    third = await made(ann)
    assert await watcher.next() == ("appeared", third)


async def test_moves_are_no_news(ann, bob):
    watcher = Watcher(bob, status=MATCH_STATUS_RUNNING)
    assert await watcher.present() == ([], False)
    match_id = await started_match(ann, bob)
    assert await watcher.next() == ("appeared", match_id)
    await play_on([ann, bob], match_id, 6)
    await leave(bob, match_id, 1)
    assert await watcher.next() == ("left", match_id)


async def test_by_free_seats_a_match_comes_and_goes(ann, bob):
    watcher = Watcher(bob, open_seats=2)
    await watcher.present()
    match_id = await made(ann, seats=3)
    assert await watcher.next() == ("appeared", match_id)
    await join(bob, match_id)
    assert await watcher.next() == ("left", match_id)
    await leave(bob, match_id, 1)
    assert await watcher.next() == ("appeared", match_id)


async def test_a_list_longer_than_asked_for_says_so(ann, gateway):
    found = [await made(ann) for _ in range(4)]
    await kept(gateway)
    for limit, more in ((3, True), (4, False), (0, False)):
        watcher = Watcher(ann, limit=limit, order=MATCH_ORDER_OLDEST)
        assert await watcher.present() == (found[: limit or 4], more)
    short = Watcher(ann, limit=1, order=MATCH_ORDER_OLDEST)
    await short.present()
    await leave(ann, found[3])
    assert await short.next() == ("changed", found[3])


class Held:
    """The read models' thread does nothing until it is let go; `waiting` tells how many wait for it.

    Read models have nothing left to catch up with meanwhile: a slice of it would wait in the place of what is fed.
    """

    def __init__(self, gateway):
        self._matches = gateway.parts.matches
        self._database = gateway.parts.database
        self._begun = threading.Event()
        self._gate = threading.Event()

    async def __aenter__(self):
        self._matches._slice = lambda _connection: False
        await self._database.run(lambda _connection: None)  # behind a slice under way
        self._matches._catch_up = self._nothing_left
        await self._database.run(lambda _connection: None)
        self._work = asyncio.ensure_future(self._database.run(self._hold))
        await until(self._begun.is_set)
        return self

    async def _nothing_left(self):
        pass

    def _hold(self, _connection):
        self._begun.set()
        return self._gate.wait(30)

    async def __aexit__(self, *_):
        self._gate.set()
        del self._matches._slice, self._matches._catch_up
        assert await self._work

    @property
    def waiting(self):
        return self._database._executor._work_queue.qsize()


async def test_what_the_list_shows_already_is_not_told_again(floor, gateway, bob):
    admin = await floor.client(gateway, "operator", admin=True)
    async with Held(gateway) as held:
        first = await made(admin)
        await until(lambda: held.waiting == 1)  # to be kept
        watcher = Watcher(bob)
        asking = asyncio.ensure_future(watcher.present())
        await until(lambda: held.waiting == 2 and gateway.parts.matches.hub._listeners)
    assert await asking == ([first], False)
    second = await made(admin)
    assert await watcher.next() == ("appeared", second)


async def test_what_changes_behind_the_page_that_shows_it_is_told(gateway, ann, bob, monkeypatch):
    monkeypatch.setattr("gateway.lobby.watching.PAGE", 1)
    first, second = await made(ann), await made(ann)
    await kept(gateway)
    async with Held(gateway) as held:
        watcher = Watcher(bob, order=MATCH_ORDER_OLDEST)
        asking = asyncio.ensure_future(watcher.present())
        await until(lambda: held.waiting == 1)  # the first page
        await leave(ann, first)
        await until(lambda: held.waiting == 2)
    assert await asking == ([first, second], False)
    assert await watcher.next() == ("changed", first)


async def test_a_private_match_never_shows_to_strangers(ann, bob, floor, gateway):
    stranger = await floor.client(gateway, "stranger")
    watchers = {client: Watcher(client) for client in (ann, bob, stranger)}
    for watcher in watchers.values():
        await watcher.present()
    match_id = await created(ann)
    assert await watchers[ann].next() == ("appeared", match_id)
    await join(bob, match_id, await invite(ann, match_id))
    assert await watchers[ann].next() == ("changed", match_id)
    assert await watchers[bob].next() == ("appeared", match_id)
    await leave(bob, match_id, 1)
    assert await watchers[bob].next() == ("changed", match_id)
    public = await made(ann)
    assert await watchers[stranger].next() == ("appeared", public)


async def test_of_a_match_that_keeps_spectators_behind_nothing_is_told_between_start_and_end(log, ann):
    watcher = Watcher(ann, status=MATCH_STATUS_RUNNING)
    await watcher.present()
    played = await PlayedMatch(log, "DELAYED", seats=3).create(terms=DELAYED)
    await played.carry_out(BOB, Claim(1, "Bob"))
    await played.carry_out(CAT, Claim(2, "Cat"))
    assert await watcher.next() == ("appeared", "DELAYED")
    await played.carry_out(CAT, Leave(2))
    await played.move()
    other = await PlayedMatch(log, "OTHER").started()
    assert await watcher.next() == ("appeared", "OTHER")
    await played.finish()
    assert await watcher.next() == ("left", "DELAYED")
    await other.finish()
    assert await watcher.next() == ("left", "OTHER")


async def test_a_rematch_reaches_the_other_player(ann, bob):
    over = await started_match(ann, bob)
    await leave(ann, over)
    watcher = Watcher(bob, invited=True)
    assert await watcher.present() == ([], False)
    new = (await ann.call("Rematch", request_id=next(ids), match_id=over)).match.match_id
    assert await watcher.next() == ("appeared", new)
    await bob.call("Rematch", request_id=next(ids), match_id=over)
    while (piece := await watcher.next()) == ("changed", new):
        """Ann's claim, where it was not kept together with the match."""
    assert piece == ("left", new)


async def test_a_slow_client_is_told_that_it_was_too_slow(floor):
    gateway: Gateway = await floor.gateway(outbox_bytes=4000, waiting_matches=10_000)
    ann = await floor.client(gateway, "ann")
    slow = await floor.narrow_client(gateway, "slow")
    watcher = Watcher(slow)
    await watcher.present()
    open_streams = gateway._servicer._open

    async def fill():
        while open_streams:
            await made(ann)

    async with asyncio.timeout(60):
        await fill()
    refused = await refusal(read_all(watcher))
    assert refused.reason is Reason.SLOW_CONSUMER
    assert not gateway.parts.matches.hub._listeners


async def test_what_waits_for_one_who_does_not_read_the_present_list_is_bounded(ann, gateway, monkeypatch):
    monkeypatch.setattr(watching, "MOST_WAITING", 5)
    outbox = Outbox(1000)
    outbox.put(b"x" * 600)  # there is no room for the present list until it is read
    caller = Caller(player="tidelog|slow", name="", admin=False, expires_at=math.inf)
    watch = LobbyWatch(gateway.parts, caller, Filters(), 10, outbox)
    telling = asyncio.ensure_future(watch.run())
    await until(lambda: gateway.parts.matches.hub._listeners)
    async with asyncio.timeout(60):
        while not outbox.ended:
            await made(ann)
            await kept(gateway)
    assert not gateway.parts.matches.hub._listeners
    await telling
    refused = await outbox.pump(nowhere)
    assert refused is not None
    assert refused.reason is Reason.SLOW_CONSUMER


async def nowhere(_data):
    """As a client that reads at last."""


async def read_all(watcher):
    while True:
        await watcher.next()


async def test_a_draining_gateway_ends_it_and_another_tells_the_present(floor, ann):
    gateway = await floor.gateway()
    watcher = Watcher(await floor.client(gateway, "bob"))
    await watcher.present()
    stopping = asyncio.ensure_future(gateway._servicer.drain())
    assert (await refusal(read_all(watcher))).reason is Reason.DRAINING
    await stopping
    match_id = await made(ann)
    other = await floor.gateway()
    assert await Watcher(await floor.client(other, "bob")).present() == ([match_id], False)


async def test_it_ends_when_the_token_expires(floor, gateway):
    brief = await floor.client(gateway, "brief", lifetime_s=2)
    watcher = Watcher(brief)
    await watcher.present()
    assert (await refusal(read_all(watcher))).reason is Reason.UNAUTHENTICATED


async def test_nobody_is_listened_for_once_they_are_gone(ann, gateway):
    watcher = Watcher(ann)
    await watcher.present()
    assert len(gateway.parts.matches.hub._listeners) == 1
    watcher.call.cancel()
    await until(lambda: not gateway.parts.matches.hub._listeners)


@pytest.mark.parametrize(("limit", "reason"), [(-1, Reason.MALFORMED), (1001, Reason.TOO_LARGE)])
async def test_a_list_of_no_length_is_refused(ann, limit, reason):
    assert (await refusal(ann.drained("WatchMatches", limit=limit, game=GAME))).reason is reason
