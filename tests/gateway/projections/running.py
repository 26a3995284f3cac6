"""The read models as a gateway runs them, and matches for them to tell of."""

import asyncio

from gateway.callers.identity import Caller
from gateway.feeds.feed import Follower
from gateway.matches.live import LiveMatches
from gateway.projections import keeping
from gateway.projections.database import Database
from gateway.projections.filters import Filters
from gateway.projections.matches import MatchProjection
from gateway.projections.models import MODELS
from gateway.routing.games import GameFinder
from services.eventlog.loading import Loader
from tests.gateway.played import PlayedMatch

OPERATOR = Caller("tidelog|operator", "", admin=True, expires_at=0)
NAMES = ("A", "B", "C", "D", "E")


class Running:
    """The read models and their follower, over one file."""

    def __init__(self, log, file, models=MODELS):
        self._log = log
        self._file = file
        self._models = models

    async def __aenter__(self):
        self.database = await Database.open(self._file, self._models)
        self.projection = MatchProjection(self.database, self._log, 0.0)
        self.projection.start()
        live = LiveMatches(self._log, Loader(self._log))
        self._follower = Follower(self._log, live, self.projection, GameFinder(self._log, live))
        self._follower.start()
        await asyncio.wait_for(self._follower.aligned(), 30)
        await self.projection.settled()
        return self

    async def __aexit__(self, *_):
        await self._follower.close()
        await self.projection.close()

    async def page(self, size=200, after=None, **filters):
        return await self.projection.page(Filters(**filters), OPERATOR, size, after)

    async def listed(self, **filters):
        return {found.facts.id: found for found in (await self.page(**filters)).matches}

    async def folded(self):
        """Returns once the read models have nothing left to do."""
        async with asyncio.timeout(30):
            while await self.database.run(lambda connection: keeping.catch_up(connection, self._models)):
                pass

    async def until(self, holds):
        async with asyncio.timeout(30):
            while not holds(await self.listed()):
                pass  # each look waits for the file


async def told(log):
    """Matches in every state of life."""
    found = {name: await PlayedMatch(log, name, seed=number).create() for number, name in enumerate(NAMES)}
    for name in NAMES[1:]:
        await found[name].join()
    await found["C"].move()
    for name in ("D", "E"):
        await found[name].finish()
    return found
