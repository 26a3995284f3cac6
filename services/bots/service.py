"""The platform's own players: each plays every seat that it is given, over the public API like anybody else."""

import asyncio
import os
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import msgspec

from engines.core import games
from engines.core.chance import SeededChance
from services.bots import demo, players
from services.bots.deciding import Deciding
from services.bots.occasions import Occasions
from services.common import concerning
from services.common.logs import logger
from services.common.tasks import cancelled
from tidelog.client import LEGAL, VIEW, Client, Play, Refused, Seated, Told, connect
from tidelog.client.answers import Accepted, End, Situation

DEMO_PAUSE_S = 0.3
"""Between a bot's moves where people look on."""

NEW_SESSION_S = 2.0

RETRIES = 64
"""Seats of one game that send a move again at the same time: an engine that comes back is not run over."""

log = logger()


class BotService:
    """One session for each policy; `token_of` gives the token of a bot by its name, which is the policy's.

    With `demo` matches among bots of other names are kept going, at a pace that can be watched.
    """

    def __init__(self, gateway: str, token_of: Callable[[str], str], *, demo: bool = False) -> None:
        self._gateway = gateway
        self._token_of = token_of
        self._demo = demo
        self._running: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Every policy plays from here on."""
        policies = dict.fromkeys(policy for game in games.names() for policy in players.seated(game))
        pause = DEMO_PAUSE_S if self._demo else 0.0
        bots = [Bot(policy, pause) for policy in policies]
        if self._demo:
            bots += [Bot(member.policy, pause, name=member.name) for member in demo.CAST]
            self._running.append(asyncio.create_task(demo.play(self._gateway, self._token_of), name="demo"))
        self._running += [asyncio.create_task(self._play(bot), name=f"bot {bot.name}") for bot in bots]

    async def stop(self) -> None:
        await cancelled(*self._running)

    async def _play(self, bot: "Bot") -> None:
        """Session after session: one ends when its token does."""
        while True:
            try:
                async with connect(self._gateway, token=self._token_of(bot.name)) as client:
                    await bot.play(client)
            except Refused as refused:
                log.warning("bot session ended", bot=bot.name, reason=refused.reason)
            await asyncio.sleep(NEW_SESSION_S)


class Moving(NamedTuple):
    """A move of a bot, as the lines of the log name it: as those of gateway and engine do."""

    match_id: str
    request_id: str


class Bot:
    """One policy at all its tables, by its own name or another. `seed` makes its luck repeatable."""

    def __init__(self, policy: str, pause_s: float = 0.0, *, name: str = "", seed: bytes | None = None) -> None:
        self.policy = policy
        self.name = name or policy
        self._pause_s = pause_s
        self._chance = SeededChance(os.urandom(16) if seed is None else seed)
        self._retries = {game: asyncio.Semaphore(RETRIES) for game in games.names()}
        self._seats: dict[tuple[str, int | None], Deciding] = {}

    async def play(self, client: Client) -> None:
        """Moves whenever one of its seats has a decision, until cancelled. Raises Refused when the session ends."""
        async with client.play() as play:
            play.follow_mine(include=(VIEW, LEGAL))
            try:
                async for news in play:
                    if isinstance(news, Seated):
                        self._sit(client, play, news)
                    else:
                        self._hear(news)
            finally:
                for place in list(self._seats):
                    self._leave(place)

    def _sit(self, client: Client, play: Play, seated: Seated) -> None:
        self._leave((seated.match_id, seated.seat))
        if seated.game not in games.names() or self.policy not in players.seated(seated.game):
            return

        occasions = Occasions(seated.seat, partial(client.match, seated.match_id))

        async def submit(move: Any, decision: int | None, request_id: str) -> Accepted:
            match, seat = seated.match_id, seated.seat
            concerning.begin(Moving(match, request_id))
            accepted = await play.submit(match, seat, move, decision=decision, request_id=request_id)
            occasions.moved(accepted)
            return accepted

        self._seats[seated.match_id, seated.seat] = Deciding(
            lambda situation: self._chosen(seated.game, situation),
            submit,
            self._retries[seated.game],
            log.bind(bot=self.name, policy=self.policy, match=seated.match_id, seat=seated.seat),
            moment=occasions.moment,
            pause_s=self._pause_s,
        )

    def _hear(self, news: Told) -> None:
        place = news.match_id, news.seat
        if isinstance(news.update, End):
            self._leave(place)
            return
        situation = getattr(news.update, "situation", None)
        if situation is not None and place in self._seats:
            self._seats[place].hear(situation)

    def _leave(self, place: tuple[str, int | None]) -> None:
        deciding = self._seats.pop(place, None)
        if deciding is not None:
            deciding.leave()

    def _chosen(self, game: str, situation: Situation) -> Any:
        engine = games.engine(game)
        assert situation.legal is not None
        legal = [msgspec.convert(move, engine.Move) for move in situation.legal.moves]
        player = players.player(game, self.policy)
        return player(lambda: msgspec.convert(situation.view, engine.View), legal, tuple, self._chance)
