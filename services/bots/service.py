"""The platform's own players: each plays every seat that it is given, over the public API like anybody else."""

import asyncio
from collections.abc import Callable
from typing import Any

import msgspec

from engines.core import games
from engines.core.chance import SeededChance
from services.bots import demo, players
from services.common.logs import logger
from tidelog.client import LEGAL, VIEW, Client, Play, Refused, Seated, Told, connect
from tidelog.client.answers import Situation

DEMO_PAUSE_S = 0.3
"""Between a bot's moves where people look on."""

log = logger()


class BotService:
    """One session for each policy; `token_of` gives the policy's token.

    With `demo_token` matches among bots are kept going, at a pace that can be watched.
    """

    def __init__(self, gateway: str, token_of: Callable[[str], str], *, demo_token: str | None = None) -> None:
        self._gateway = gateway
        self._token_of = token_of
        self._demo_token = demo_token
        self._running: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Raises UnknownPlayer where a game names a policy that it does not have."""
        policies = dict.fromkeys(policy for game in games.names() for policy in players.names(game))
        pause = DEMO_PAUSE_S if self._demo_token else 0.0
        for policy in policies:
            bot = Bot(policy, pause)
            self._running.append(asyncio.create_task(self._play(bot), name=f"bot {policy}"))
        if self._demo_token is not None:
            self._running.append(asyncio.create_task(demo.play(self._gateway, self._demo_token), name="demo"))

    async def stop(self) -> None:
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)

    async def _play(self, bot: "Bot") -> None:
        async with connect(self._gateway, token=self._token_of(bot.policy)) as client:
            await bot.play(client)


class Bot:
    """One policy at all its tables."""

    def __init__(self, policy: str, pause_s: float = 0.0) -> None:
        self.policy = policy
        self._pause_s = pause_s
        self._games: dict[tuple[str, int | None], str] = {}
        self._chance = SeededChance(f"bot/{policy}".encode())
        self._moving: set[asyncio.Task[None]] = set()

    async def play(self, client: Client) -> None:
        """Moves whenever one of its seats has a decision, until cancelled."""
        async with client.play() as play:
            play.follow_mine(include=(VIEW, LEGAL))
            async for news in play:
                if isinstance(news, Seated):
                    self._games[news.match_id, news.seat] = news.game
                else:
                    self._hear(play, news)

    def _hear(self, play: Play, news: Told) -> None:
        situation = getattr(news.update, "situation", None)
        if situation is None or situation.legal is None or news.seat is None:
            return
        game = self._games.get((news.match_id, news.seat))
        if game is None or self.policy not in players.names(game):
            return
        task = asyncio.create_task(self._move(play, game, news, situation))
        self._moving.add(task)
        task.add_done_callback(self._moving.discard)

    async def _move(self, play: Play, game: str, news: Told, situation: Situation) -> None:
        if self._pause_s:
            await asyncio.sleep(self._pause_s)
        assert news.seat is not None
        move = self._chosen(game, situation)
        try:
            await play.submit(news.match_id, news.seat, move, decision=situation.decision)
        except Refused as refused:
            # A stale decision has been overtaken by news that are on their way; nothing else is expected.
            if refused.reason not in {"stale", "match_over", "not_your_turn"}:
                log.warning("bot refused", policy=self.policy, match=news.match_id, reason=refused.reason)

    def _chosen(self, game: str, situation: Situation) -> Any:
        engine = games.engine(game)
        assert situation.legal is not None
        legal = [msgspec.convert(move, engine.Move) for move in situation.legal.moves]
        player = players.player(game, self.policy)
        return player(lambda: msgspec.convert(situation.view, engine.View), legal, (), self._chance)
