"""The engine services that this gateway passes commands on to."""

import asyncio
from collections.abc import Callable, Iterable
from itertools import count
from time import monotonic

from engines.core import games
from gateway.routing.commands import Pending, Settle, away
from gateway.routing.links import Learn, Link, LinkCounts
from gateway.routing.replicas import Replicas
from services.common import concerning, wire
from services.common.config import BadSetting
from services.common.refusals import Reason, Refused
from tidelog.v1.engine_pb2 import EngineAnswer, EngineCommand

SWEEP_S = 0.1


class BadEngines(BadSetting):
    """A list of engine services that can't be read; the message says why."""


def read_places(texts: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Game -> its places, from texts `GAME=PLACE[,PLACE...]`. Raises BadEngines."""
    found: dict[str, tuple[str, ...]] = {}
    for text in texts:
        game, _, places = text.partition("=")
        listed = tuple(place.strip() for place in places.split(",") if place.strip())
        if not listed or not all(place.rpartition(":")[2].isdigit() for place in listed):
            raise BadEngines(f"{text!r} is no engine service; one looks like GAME=HOST:PORT,HOST:PORT")
        if game not in games.names():
            raise BadEngines(f"no game is called {game!r}; there are: {', '.join(games.names())}")
        found[game] = found.get(game, ()) + listed
    return found


class Engines:
    """The links of all games. Every command is settled once: by an answer, or by a refusal when its time is up.

    `store_there` tells whether this gateway reaches the store: engines that don't serve for want of it are named so.
    """

    def __init__(
        self,
        places: dict[str, tuple[str, ...]],
        cluster_key: str,
        learn: Learn,
        store_there: Callable[[], bool] = lambda: True,
    ) -> None:
        self._store_there = store_there
        self.counts = LinkCounts()
        self._games = {game: Replicas(game, listed, cluster_key, self.counts, learn) for game, listed in places.items()}
        self._ids = count(1)
        self._sweep: asyncio.TimerHandle | None = None

    @property
    def games(self) -> tuple[str, ...]:
        return tuple(sorted(self._games))

    def check(self, game: str) -> None:
        """Raises Refused(UNKNOWN_GAME) where no engine of the game is configured."""
        if game not in self._games:
            raise Refused(Reason.UNKNOWN_GAME, f"{game[:40]!r} is not served here")

    def check_filter(self, game: str) -> None:
        """As `check` does; an empty name stands for every game."""
        if game:
            self.check(game)

    @property
    def unanswered(self) -> int:
        """Commands whose answers have not come."""
        return sum(replicas.unanswered for replicas in self._games.values())

    def start(self) -> None:
        for replicas in self._games.values():
            replicas.start()
        self._sweep_later()

    async def close(self) -> None:
        if self._sweep is not None:
            self._sweep.cancel()
        await asyncio.gather(*(replicas.close() for replicas in self._games.values()))

    def send(self, game: str, command: EngineCommand, timeout_s: float, settle: Settle) -> None:
        """`settle` is called once, with an answer that may be a refusal. Raises Refused(UNKNOWN_GAME)."""
        command.id = next(self._ids)
        command.timeout_ms = max(int(timeout_s * 1000), 1)
        self._replicas(game).send(Pending(command, timeout_s, settle))

    async def ask(self, game: str, command: EngineCommand, timeout_s: float) -> EngineAnswer:
        """Raises Refused."""
        concern = concerning.current()
        if concern is not None:
            concern.about = command
            command.traceparent = concern.traceparent
        future: asyncio.Future[EngineAnswer] = asyncio.get_running_loop().create_future()

        def settle(answer: EngineAnswer) -> None:
            if not future.done():
                future.set_result(answer)

        self.send(game, command, timeout_s, settle)
        answer = await future
        if answer.HasField("refusal"):
            raise wire.from_proto(answer.refusal) or Refused(Reason.ENGINE_AWAY, answer.refusal.message)
        return answer

    async def link(self, game: str, match_id: str) -> Link:
        """A replica for a call of its own. Raises Refused(UNKNOWN_GAME, ENGINE_AWAY)."""
        try:
            return await self._replicas(game).found(match_id)
        except TimeoutError:
            raise away(store_there=self._store_there()) from None

    def _replicas(self, game: str) -> Replicas:
        self.check(game)
        return self._games[game]

    def _sweep_later(self) -> None:
        self._sweep = asyncio.get_running_loop().call_later(SWEEP_S, self._sweep_now)

    def _sweep_now(self) -> None:
        now = monotonic()
        for replicas in self._games.values():
            replicas.sweep(now, store_there=self._store_there())
        self._sweep_later()
