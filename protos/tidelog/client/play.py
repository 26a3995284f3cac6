"""A Play session: moves of many matches in, answers and news of followed matches out, over one stream at a time."""

import asyncio
import secrets
from collections.abc import Collection
from types import TracebackType
from typing import Any, Self

import grpc
from msgspec import Struct

from tidelog.client import reading
from tidelog.client.answers import Accepted, End, Entry, Update
from tidelog.client.calling import Caller
from tidelog.client.following import MINE, RESUMED, Audience, Following
from tidelog.client.pauses import Pauses
from tidelog.client.payloads import to_payload
from tidelog.client.refused import Refused, from_error, from_refusal
from tidelog.client.returning import Returning
from tidelog.client.sending import Sending
from tidelog.client.trail import Trail
from tidelog.client.trying import Trying
from tidelog.v1.matches_pb2 import PlayAnswer, PlayCommand, PlayRequest

FINAL = frozenset(
    {"unauthenticated", "permission_denied", "not_allowed", "malformed", "invalid_argument", "unimplemented"}
)
"""Ends of a stream after which a new one would end the same way."""


class Told(Struct, frozen=True):
    """News of a followed match; `seat` None for a spectator."""

    match_id: str
    seat: int | None
    update: Update


class Seated(Struct, frozen=True):
    """A match in which the player holds a seat is followed from `cursor` on."""

    match_id: str
    game: str
    seat: int
    cursor: str


class Play:
    """Iterate over it for news of what is followed; news wait until they are read.

    After a broken stream a new one is opened: each followed match goes on from the last entry told, and moves without
    an answer are sent again with the same request id. Only an end that would come again (a token that has expired)
    ends the session: then every call and the iteration raise Refused.
    """

    def __init__(self, caller: Caller, method: Any, *, accept: Any, trail: Trail) -> None:
        self._caller = caller
        self._method = method
        self._accept = accept
        self._trail = trail
        self._sending = Sending()
        self._following = Following()
        self._returning = Returning(self._sending.put)
        self._news: asyncio.Queue[Told | Seated | Refused] = asyncio.Queue()
        self._ended: Refused | None = None
        self._running: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._running = asyncio.create_task(self._run())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._running is not None
        self._running.cancel()
        await asyncio.gather(self._running, return_exceptions=True)
        self._end(Refused("closed", "the session is closed"))

    async def submit(  # noqa: PLR0913 - the request's own fields
        self,
        match_id: str,
        seat: int,
        move: object,
        *,
        decision: int | None = None,
        expected_version: int | None = None,
        include: Collection[Any] = (),
        request_id: str = "",
    ) -> Accepted:
        """As Client.submit; waits through broken streams and passing failures until the client's deadline."""
        submit = PlayCommand.Submit(
            request_id=request_id or secrets.token_hex(16),
            match_id=match_id,
            seat=seat,
            move=to_payload(move),
            decision=decision,
            expected_version=expected_version,
            accept=self._accept,
            include=include,
        )
        return await self._ask(PlayCommand(submit=submit))

    async def _ask(self, command: PlayCommand) -> Accepted:
        trying = Trying(self._caller.deadline_s, changes=True)
        while self._ended is None:
            try:
                return await self._sending.ask(command, trying.left)
            except TimeoutError:
                raise trying.timed_out() from None
            except Refused as refusal:
                refused = refusal
            if self._ended is None:
                await trying.failed(refused)
        raise self._ended

    def follow(self, match_id: str, *, seat: int | None = None, after: str = "", include: Collection[Any] = ()) -> None:
        """Be told a match from `after` on; where it is followed as this seat already, anew from there."""
        follow = PlayCommand.Follow(match_id=match_id, seat=seat, after=after, accept=self._accept, include=include)
        self._returning.settle((match_id, seat))
        self._sending.put(self._following.begin(follow))

    def follow_mine(self, *, game: str = "", include: Collection[Any] = ()) -> None:
        """Be told every match in which the player holds a seat, as that seat, and those claimed later too."""
        mine = PlayCommand.FollowMine(game=game, accept=self._accept, include=include)
        self._sending.put(self._following.begin_mine(mine))

    def unfollow(self, match_id: str, *, seat: int | None = None) -> None:
        self._returning.settle((match_id, seat))
        self._following.end((match_id, seat))
        self._sending.put(PlayCommand(unfollow=PlayCommand.Unfollow(match_id=match_id, seat=seat)))

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Told | Seated:
        news = await self._news.get()
        if isinstance(news, Refused):
            self._news.put_nowait(news)
            raise news
        return news

    async def _run(self) -> None:
        backoff = Pauses()
        while True:
            refused: Refused | None = None
            try:
                await self._stream(backoff)
            except grpc.aio.AioRpcError as error:
                refused = from_error(error)
                if refused.reason in FINAL:
                    self._end(refused)
                    return
            await backoff.wait(refused)

    async def _stream(self, backoff: Pauses) -> None:
        self._returning.clear()
        self._sending.begin_anew(self._following.again())
        call = self._method(metadata=self._caller.metadata)
        writing = asyncio.create_task(self._write(call))
        try:
            async for response in call:
                backoff.reset()
                for answer in response.answers:
                    self._receive(answer)
        finally:
            writing.cancel()
            call.cancel()
            await asyncio.gather(writing, return_exceptions=True)

    async def _write(self, call: Any) -> None:
        while True:
            await call.write(PlayRequest(commands=await self._sending.batch()))
            await self._sending.gathered()

    def _end(self, refused: Refused) -> None:
        self._ended = self._ended or refused
        self._returning.clear()
        self._sending.fail(refused)
        self._news.put_nowait(refused)

    def _receive(self, answer: PlayAnswer) -> None:
        match answer.WhichOneof("answer"):
            case "accepted":
                self._sending.settle(answer.accepted.request_id, reading.accepted(answer.accepted))
            case "refused":
                self._receive_refused(answer.refused)
            case "followed":
                self._receive_news(answer.followed)
            case "seated":
                self._receive_seated(answer.seated)
            case _:
                pass  # of a later release

    def _receive_seated(self, seated: PlayAnswer.Seated) -> None:
        """A match that was found again while it waited to be followed again goes on from the last entry told."""
        audience = seated.match_id, seated.seat
        self._returning.settle(audience)
        followed = self._following.find(audience)
        if followed is not None:
            self._sending.put(PlayCommand(follow=followed.command))
            return
        self._following.seated(*audience, seated.cursor)
        self._news.put_nowait(Seated(seated.match_id, seated.game, seated.seat, seated.cursor))

    def _receive_refused(self, message: PlayAnswer.Refused) -> None:
        refused = from_refusal(message.refusal)
        if message.request_id:
            self._sending.settle(message.request_id, refused)
            return
        audience = message.match_id, message.seat if message.HasField("seat") else None
        self._receive_end(audience, End("", refused))

    def _receive_news(self, message: PlayAnswer.Followed) -> None:
        audience = message.match_id, message.seat if message.HasField("seat") else None
        followed = self._following.find(audience)
        update = reading.update(message.update)
        if followed is None or update is None:
            return
        if isinstance(update, End):
            self._receive_end(audience, update)
        elif followed.takes(update):
            if isinstance(update, Entry):
                self._returning.settle(audience)
            self._trail.note(message.match_id, update.cursor)
            self._news.put_nowait(Told(*audience, update))
        elif isinstance(update, Entry) and update.version > followed.told:
            self._sending.put(PlayCommand(follow=followed.command))

    def _receive_end(self, audience: Audience, end: End) -> None:
        followed, refused = self._following.find(audience), end.refused
        if followed is not None and refused is not None and refused.reason in RESUMED:
            self._returning.later(audience, PlayCommand(follow=followed.command), refused)
            return
        mine = self._following.mine_again(audience, refused)
        if mine is not None and refused is not None:
            self._returning.later(MINE, mine, refused)
        if followed is not None:
            self._returning.settle(audience)
            self._following.end(audience)
        if followed is not None or mine is None:
            self._news.put_nowait(Told(*audience, end))
