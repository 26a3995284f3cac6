"""One client and the seats it plays: over one Play session, or with a watch and unary calls a seat."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from services.common.tasks import cancelled
from services.eventlog import hashes
from tidelog.client import Client, Play, Refused, Told, connect
from tidelog.client.answers import Accepted, End, Update

AnswerT = TypeVar("AnswerT")

PASSING = frozenset({"too_much", "internal"})
"""Refusals that changed nothing, but after which another request may succeed."""

News = asyncio.Queue[Update]


class Player:
    """`player` is who the server takes it for. News of each (match, seat) go to a queue of their own."""

    def __init__(self, client: Client, play: Play, player: str) -> None:
        self.client = client
        self.player = player
        self._play = play
        self._queues: dict[tuple[str, int | None], News] = {}
        self._watches: set[asyncio.Task[None]] = set()

    def key(self, request: str) -> bytes:
        return hashes.request_key(self.player, request)

    def follow(self, match: str, seat: int | None, include: Collection[Any]) -> News:
        """From the beginning, over the session."""
        queue = self._queues[match, seat] = News()
        self._play.follow(match, seat=seat, include=include)
        return queue

    def watch(self, match: str, seat: int | None, include: Collection[Any]) -> News:
        """From the beginning, over a stream of its own."""
        queue = News()
        task = asyncio.create_task(self._watch(queue, match, seat, include))
        self._watches.add(task)
        task.add_done_callback(self._watches.discard)
        return queue

    async def move(
        self, match: str, seat: int, move: Any, decision: int | None, request: str, *, unary: bool
    ) -> Accepted:
        submit = self.client.submit if unary else self._play.submit
        return await persisted(lambda: submit(match, seat, move, decision=decision, request_id=request))

    async def listen(self) -> None:
        """Until the session is closed."""
        try:
            async for news in self._play:
                if isinstance(news, Told):
                    self._hear(news)
        except Refused as refused:
            for queue in self._queues.values():
                queue.put_nowait(End("", refused))

    def _hear(self, news: Told) -> None:
        place = news.match_id, news.seat
        queue = self._queues.get(place)
        if queue is not None:
            queue.put_nowait(news.update)
            if isinstance(news.update, End):
                del self._queues[place]

    async def close(self) -> None:
        await cancelled(*self._watches)

    async def _watch(self, queue: News, match: str, seat: int | None, include: Collection[Any]) -> None:
        ended = End("", None)
        try:
            async for update in self.client.watch(match, seat=seat, include=include):
                queue.put_nowait(update)
        except Refused as refused:
            ended = End("", refused)
        queue.put_nowait(ended)


async def persisted(ask: Callable[[], Awaitable[AnswerT]]) -> AnswerT:
    """The answer, asked again and again until there is one. Raises Refused where that is the answer."""
    while True:
        try:
            return await ask()
        except Refused as refused:
            if not refused.transient:
                raise
            await rested(refused)


async def rested(refused: Refused) -> None:
    """Returns when it is time to ask again."""
    await asyncio.sleep((refused.retry_after_ms or 0) / 1000)


@asynccontextmanager
async def playing(target: str, name: str) -> AsyncIterator[Player]:
    async with connect(target) as client:
        guest = await client.sign_in_as_guest(name)
        async with client.play() as play:
            player = Player(client, play, guest.player)
            listening = asyncio.create_task(player.listen())
            try:
                yield player
            finally:
                listening.cancel()
                await player.close()
                await asyncio.gather(listening, return_exceptions=True)
