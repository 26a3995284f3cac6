"""Players at a host whose store comes and goes."""

import asyncio

from services.common.refusals import Reason, Refused
from services.eventlog.port import StoreAway
from tests.services.engine.given import by_then, effects

AWAY = {Reason.STORE_AWAY, Reason.OUTCOME_UNKNOWN}


class Persistent:
    """Players who ask again with the same request id until they are answered, as a client does.

    `until_up` waits for the store; `answered` holds what was acknowledged.
    """

    def __init__(self, party, host, until_up):
        self.party, self.host, self.until_up = party, host, until_up
        self.answered = []

    async def plays(self, moves):
        for _ in range(moves):
            order = await self.persists(self.party.move)
            done = await self.persists(lambda order=order: self.host.carry_out(self.party.match, order, by_then()))
            self.answered.append((order, done))

    async def persists(self, ask):
        while True:
            try:
                return await ask()
            except (Refused, StoreAway) as away:
                if getattr(away, "reason", Reason.STORE_AWAY) not in AWAY:
                    raise
                await self.until_up()
                await asyncio.sleep(0)

    async def finds_every_answer_in_the_log(self):
        log, match = self.party.log, self.party.match
        entries = await log.read(match)
        for order, done in self.answered:
            assert entries[done.cursor.version - 1].cursor == done.cursor
            assert await effects(log, order, match) == 1
        await self.party.agrees(self.host)
