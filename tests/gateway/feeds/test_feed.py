import asyncio
import sqlite3

import pytest

from gateway.callers.identity import Caller
from gateway.feeds import feed
from gateway.feeds.feed import Follower
from gateway.matches.live import LiveMatches
from gateway.projections.places import NOWHERE, Place
from gateway.routing.games import GameFinder
from services.eventlog import hashes
from services.eventlog.entries import header_of
from services.eventlog.loading import Loader
from services.eventlog.memory import MemoryLog
from services.eventlog.port import StoreAway
from tests.gateway.played import GAME, PlayedMatch
from tests.gateway.waiting import until
from tests.metered import now
from tidelog.v1.lifecycle_pb2 import Terms

SHARD = hashes.shard("MATCH")


class Models:
    """Remembers what the follower gives it; `done` tells of every step."""

    def __init__(self, positions=None):
        self.start = positions or [NOWHERE] * hashes.SHARDS
        self.numbers = []
        self.compared = []
        self.news = asyncio.Condition()

    async def places(self):
        return list(self.start)

    async def feed(self, shard, entries):
        async with self.news:
            self.numbers += [entry.number for entry in entries if shard == SHARD]
            self.news.notify_all()

    async def compare(self, shard, place):
        async with self.news:
            self.compared.append((shard, place.number))
            self.news.notify_all()

    async def settled(self):
        pass

    async def until(self, holds):
        async with asyncio.timeout(20), self.news:
            await self.news.wait_for(holds)


class FlakyLog(MemoryLog):
    """Its feed can't be read while it is `away`, and gives at most a `page` at once."""

    away = False
    refused = 0
    page = None

    async def follow(self, after, wait_ms):
        if self.away:
            self.refused += 1
            raise StoreAway("away")
        found = await super().follow(after, min(wait_ms, 10))
        await asyncio.sleep(0)
        return found[: self.page]


def at(place):
    """Where the read models stand, in the shard of the match."""
    return [place if shard == SHARD else NOWHERE for shard in range(hashes.SHARDS)]


@pytest.fixture
def log():
    return FlakyLog()


@pytest.fixture
async def played(log):
    return await PlayedMatch(log, "MATCH").started()


ANYONE = Caller("tidelog|anyone", "", admin=False, expires_at=0)


async def following(log, models, games=None):
    live = LiveMatches(log, Loader(log))
    follower = Follower(log, live, models, games or GameFinder(log, live))
    follower.start()
    await asyncio.wait_for(follower.aligned(), 20)
    return follower


async def test_the_feed_is_read_from_where_the_read_models_stand(log, played):
    models = Models(at(Place(5, played.entries[4].hash)))
    follower = await following(log, models)
    assert (models.numbers, models.compared) == ([6, 7], [])
    await played.move()
    await models.until(lambda: models.numbers == [6, 7, 8])
    await follower.close()


async def test_behind_the_trim_point_logs_are_compared_and_the_feed_read_on(log, played):
    log._feeds[SHARD].trim(1 << 60)
    models = Models()
    follower = await following(log, models)
    assert models.compared == [(SHARD, 7)]
    await played.move()
    await models.until(lambda: models.numbers == [8])
    await follower.close()


async def test_a_hole_that_appears_while_reading_has_logs_compared(log, played):
    models = Models()
    follower = await following(log, models)
    log.away = True
    await until(lambda: log.refused)
    await played.move()
    log._feeds[SHARD].trim(1 << 60)
    await played.move()
    log.away = False
    number = len(played.entries)
    await models.until(lambda: models.compared == [(SHARD, number)])
    moved = await played.move()
    await models.until(lambda: models.numbers[-1] == number + len(moved))
    await follower.close()


async def test_a_feed_that_went_back_has_logs_compared(log, played):
    models = Models(at(Place(50, bytes(32))))
    follower = await following(log, models)
    assert models.compared == [(SHARD, 7)]
    await played.move()
    await models.until(lambda: models.numbers == [8])
    await follower.close()


async def test_a_match_of_a_feed_that_went_back_may_be_of_another_game_now(log, played):
    elsewhere = next(name for n in range(99) if hashes.shard(name := f"OTHER{n}") != SHARD)
    games = GameFinder(log, LiveMatches(log, Loader(log)))
    for match in (played.id, elsewhere):
        games.remember(match, "the game that was lost", Terms())
    follower = await following(log, Models(at(Place(50, bytes(32)))), games)
    assert await games.of("MATCH", ANYONE) == GAME
    assert games.known(elsewhere, ANYONE) == "the game that was lost"
    await follower.close()


async def test_how_far_the_reading_is_behind_is_told(log, played, monkeypatch):
    class Stuck(Models):
        async def feed(self, shard, entries):
            await super().feed(shard, entries)
            log.page = 0

    monkeypatch.setattr(feed, "LOOK_S", 0)
    follower = await following(log, Stuck())
    await until(lambda: now("tidelog_gateway_feed_behind_entries") == 0)
    more = [*await played.move(), *await played.move()]
    await until(lambda: now("tidelog_gateway_feed_behind_entries") == len(more))
    age = await log.time_ms() / 1000 - header_of(more[0]).at / 1000
    assert age - 60 < now("tidelog_gateway_feed_behind_seconds") <= age
    log.page = None
    await until(lambda: now("tidelog_gateway_feed_behind_entries") == 0)
    assert now("tidelog_gateway_feed_behind_seconds") == 0
    await follower.close()


@pytest.mark.usefixtures("played")
async def test_it_is_aligned_once_what_it_has_read_is_kept(log):
    class Slow(Models):
        asked, kept = 0, asyncio.Event()

        async def settled(self):
            self.asked += 1
            await self.kept.wait()

    models, live = Slow(), LiveMatches(log, Loader(log))
    follower = Follower(log, live, models, GameFinder(log, live))
    follower.start()
    aligned = asyncio.ensure_future(follower.aligned())
    await until(lambda: models.asked)
    assert not aligned.done()
    models.kept.set()
    await asyncio.wait_for(aligned, 20)
    await follower.aligned()
    assert models.asked == 1
    await follower.close()


async def test_a_store_that_is_away_is_asked_again(log, played):
    models = Models()
    follower = await following(log, models)
    log.away = True
    await until(lambda: log.refused >= 2)
    await played.move()
    log.away = False
    await models.until(lambda: models.numbers == list(range(1, 9)))
    await follower.close()


async def test_places_that_can_not_be_read_are_asked_for_again(log, played):
    class Locked(Models):
        refused = 0

        async def places(self):
            if not self.refused:
                self.refused = 1
                raise sqlite3.OperationalError("database is locked")
            return await super().places()

    models = Locked()
    follower = await following(log, models)
    await models.until(lambda: models.numbers == list(range(1, len(played.entries) + 1)))
    assert models.refused
    await follower.close()
