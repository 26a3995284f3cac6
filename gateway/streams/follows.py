"""What one Play stream follows."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Protocol

from gateway.callers.identity import Caller
from gateway.callers.rights import check_audience
from gateway.limits import MAX_FOLLOWED
from gateway.matches.onlooker import PLAIN, Onlooker, for_play
from gateway.matches.outbox import Outbox
from gateway.matches.pacing import Replay
from gateway.matches.reading import cursor_of
from gateway.matches.situation import Audience, audience
from gateway.parts import Parts
from gateway.streams.following import bring_up
from services.common.codec import GameCodec
from services.common.logs import logger
from services.common.refusals import Reason, Refused
from services.common.tasks import cancelled
from services.eventlog import store_refusals
from services.eventlog.entries import Cursor
from services.eventlog.port import StoreError
from tidelog.v1.matches_pb2 import PlayAnswer, PlayCommand, PlayResponse

log = logger()

Key = tuple[str, int | None]
Work = Callable[[], Awaitable[None]]


class Refuse(Protocol):
    def __call__(self, refused: Refused, match_id: str = "", seat: int | None = None) -> None: ...


class Follows:
    """A match is followed once for each audience."""

    def __init__(self, parts: Parts, caller: Caller, outbox: Outbox, refuse: Refuse) -> None:
        self._parts = parts
        self._caller = caller
        self._outbox = outbox
        self._refuse = refuse
        self._onlookers: dict[Key, Onlooker] = {}
        self._tasks: dict[Key, asyncio.Task[None]] = {}
        self._mine: PlayCommand.FollowMine | None = None
        self._finding: asyncio.Task[None] | None = None

    async def close(self) -> None:
        self._parts.matches.claims.ignore(self._caller.player, self._claimed)
        for onlooker in self._onlookers.values():
            onlooker.leave()
        await cancelled(*self._tasks.values(), *([self._finding] if self._finding else []))

    def checkpoint(self) -> None:
        for onlooker in tuple(self._onlookers.values()):
            onlooker.checkpoint()

    def follow(self, asked: PlayCommand.Follow) -> None:
        seat = asked.seat if asked.HasField("seat") else None
        try:
            after = cursor_of(asked.after)
            replay = Replay.of(asked.replay, after)
        except Refused as refused:
            self._refuse(refused, asked.match_id, seat)
            return
        self._drop((asked.match_id, seat))
        who = audience(seat, asked.accept, asked.include)
        self._begin(asked.match_id, who, lambda: self._followed(asked.match_id, who, after, replay))

    def unfollow(self, asked: PlayCommand.Unfollow) -> None:
        key = (asked.match_id, asked.seat if asked.HasField("seat") else None)
        task = self._tasks.pop(key, None)
        if task is not None:
            task.cancel()
        onlooker = self._onlookers.pop(key, None)
        if onlooker is not None:
            onlooker.end()

    def follow_mine(self, asked: PlayCommand.FollowMine) -> None:
        """Takes the place of the one before, unless its game is not served here."""
        try:
            self._parts.engines.check_filter(asked.game)
        except Refused as refused:
            self._refuse(refused)
            return
        if self._finding is not None:
            self._finding.cancel()
        self._mine = asked
        self._parts.matches.claims.listen(self._caller.player, self._claimed)
        self._finding = asyncio.create_task(self._find_mine())

    async def _find_mine(self) -> None:
        """Those claimed while the list is read are heard of; so none is missed."""
        try:
            await self._parts.follower.aligned()
            held = await self._parts.matches.seats_of(self._caller.player)
        except StoreError as error:
            self._refuse(store_refusals.refused(error))
            return
        except Exception:
            log.exception("the caller's matches could not be found")
            self._refuse(Refused(Reason.INTERNAL, "the server failed to find your matches"))
            return
        for found in held:
            self._claimed(found.match, found.seat)

    def _claimed(self, match_id: str, seat: int) -> None:
        assert self._mine is not None
        if (match_id, seat) in self._onlookers or (match_id, seat) in self._tasks:
            return
        who, game = audience(seat, self._mine.accept, self._mine.include), self._mine.game
        self._begin(match_id, who, lambda: self._seated(match_id, who, game))

    def _begin(self, match_id: str, who: Audience, work: Work) -> None:
        key = (match_id, who.seat)
        if self._is_full():
            self._refuse(Refused(Reason.TOO_MUCH, f"a stream follows at most {MAX_FOLLOWED}"), *key)
            return
        task = asyncio.create_task(self._guarded(key, work))
        self._tasks[key] = task
        task.add_done_callback(lambda done: self._tasks.get(key) is done and self._tasks.pop(key))

    def _is_full(self) -> bool:
        """Counts what is followed and what is about to be; most of the time their sum shows that there is room."""
        if len(self._onlookers) + len(self._tasks) < MAX_FOLLOWED:
            return False
        return len(self._onlookers.keys() | self._tasks.keys()) >= MAX_FOLLOWED

    async def _guarded(self, key: Key, work: Work) -> None:
        try:
            await work()
        except Refused as refused:
            self._give_up(key, refused)
        except StoreError as error:
            self._give_up(key, store_refusals.refused(error))
        except Exception:
            log.exception("following failed", match=key[0])
            self._give_up(key, Refused(Reason.INTERNAL, "the server failed on this match; go on from the last cursor"))

    def _give_up(self, key: Key, refused: Refused) -> None:
        """Ends what was begun; a command that began nothing is refused."""
        onlooker = self._onlookers.pop(key, None)
        if onlooker is not None and onlooker.started:
            onlooker.end(refused)
        else:
            self._refuse(refused, *key)

    async def _followed(self, match_id: str, who: Audience, after: Cursor, replay: Replay) -> None:
        GameCodec.of(await self._parts.games.of(match_id, self._caller)).require(who.form)
        await self._tell(match_id, who, after, replay)

    async def _seated(self, match_id: str, who: Audience, game: str) -> None:
        """Begins at the head, unless the match is not asked for, not in play, or the seat is the player's no more."""
        assert who.seat is not None
        if game and await self._parts.games.of(match_id, self._caller) != game:
            return
        live = await self._parts.live.current(match_id)
        facts = live.aggregate.facts
        if facts.over or facts.imported or not facts.holds(self._caller.player, who.seat):
            return
        check_audience(facts, self._caller, who.seat)
        GameCodec.of(facts.created.game).require(who.form)
        seated = PlayAnswer.Seated(match_id=match_id, game=facts.created.game, seat=who.seat, cursor=str(live.cursor))
        self._outbox.put(PlayResponse(answers=(PlayAnswer(seated=seated),)).SerializeToString())
        await self._tell(match_id, who, live.cursor)

    async def _tell(self, match_id: str, who: Audience, after: Cursor, replay: Replay = PLAIN) -> None:
        key = (match_id, who.seat)
        onlooker = Onlooker(match_id, who, self._caller, after, self._outbox, for_play, replay=replay)
        onlooker.on_end = lambda: self._onlookers.get(key) is onlooker and self._onlookers.pop(key)
        self._onlookers[key] = onlooker
        await bring_up(onlooker, self._parts.shown)

    def _drop(self, key: Key) -> None:
        """What is followed anew begins anew, without an end."""
        task = self._tasks.pop(key, None)
        if task is not None:
            task.cancel()
        onlooker = self._onlookers.pop(key, None)
        if onlooker is not None:
            onlooker.leave()
