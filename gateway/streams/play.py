"""One Play stream: a client's moves to the engines, answers and news of what it follows to the client."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from time import monotonic
from typing import Any

from gateway import metrics
from gateway.callers.identity import Caller
from gateway.callers.rights import is_kept_behind
from gateway.enums import check_enums
from gateway.framing import field
from gateway.limits import MAX_IN_FLIGHT, MAX_MESSAGE
from gateway.matches.match import LiveMatch
from gateway.matches.outbox import Outbox
from gateway.matches.situation import Audience, audience
from gateway.parts import Parts
from gateway.routing import commanding
from gateway.streams.follows import Follows
from services.common import concerning, logs, tracing, wire
from services.common.codec import GameCodec
from services.common.concerning import Concern
from services.common.logs import logger
from services.common.refusals import Reason, Refused
from services.common.tasks import cancelled
from services.common.unreadable import Unreadable
from services.eventlog import store_refusals
from services.eventlog.port import StoreError
from tidelog.v1.engine_pb2 import EngineAnswer
from tidelog.v1.matches_pb2 import PlayAnswer, PlayCommand, PlayRequest, PlayResponse

TAKEN_TOGETHER = 16
"""Commands taken before they go on their way: a long message holds nobody up."""

log = logger()

_latency = metrics.CALL_SECONDS.of("Play")
_ACCEPTED = PlayAnswer.ACCEPTED_FIELD_NUMBER
_REFUSED = PlayAnswer.REFUSED_FIELD_NUMBER
_SITUATION = PlayAnswer.Accepted.SITUATION_FIELD_NUMBER
_ANSWERS = PlayResponse.ANSWERS_FIELD_NUMBER


class PlaySession:
    """Commands of one match go out in the order they came. `outbox` takes the answers."""

    def __init__(self, parts: Parts, caller: Caller, outbox: Outbox, requests: AsyncIterator[PlayRequest]) -> None:
        self._parts = parts
        self._caller = caller
        self._outbox = outbox
        self._requests = requests
        concern = concerning.current()
        self._traceparent = "" if concern is None else concern.traceparent
        self._stopping = False
        self._in_flight = 0
        self._room = asyncio.Event()
        self._room.set()
        self._finding: dict[str, deque[PlayCommand.Submit]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._follows = Follows(parts, caller, outbox, self._refuse)

    async def run(self) -> None:
        """Takes commands until the client has no more, as fast as it takes the answers; ends with the last answer.

        A request that can't be read is the last one too.
        """
        unreadable = None
        async for request in self._requests:
            if isinstance(request, Unreadable):
                unreadable = request.refused
                break
            too_large = request.ByteSize() > MAX_MESSAGE
            for place, command in enumerate(request.commands, start=1):
                if too_large:
                    self._refuse_command(
                        command, Refused(Reason.TOO_LARGE, f"a message has at most {MAX_MESSAGE} bytes")
                    )
                else:
                    self._take(command)
                if place % TAKEN_TOGETHER == 0:
                    await asyncio.sleep(0)
            await self._outbox.room()
            await self._room.wait()
        await self.finished()
        self._outbox.end(unreadable)

    def checkpoint(self) -> None:
        self._follows.checkpoint()

    async def finished(self) -> None:
        """Takes no more moves; returns once all taken were answered."""
        self._stopping = True
        while self._in_flight:
            self._room.clear()
            await self._room.wait()

    async def close(self) -> None:
        await self._follows.close()
        await cancelled(*self._tasks)

    def _take(self, command: PlayCommand) -> None:
        kind = command.WhichOneof("command")
        try:
            check_enums(getattr(command, kind) if kind else command)
        except Refused as refused:
            self._refuse_command(command, refused)
            return
        if kind == "submit":
            self._submit(command.submit)
        elif kind == "follow":
            self._follows.follow(command.follow)
        elif kind == "unfollow":
            self._follows.unfollow(command.unfollow)
        elif kind == "follow_mine":
            self._follows.follow_mine(command.follow_mine)
        else:
            self._refuse(Refused(Reason.MALFORMED, "the command is empty, or newer than this server"))

    def _refuse_command(self, command: PlayCommand, refused: Refused) -> None:
        if command.HasField("submit"):
            self._in_flight += 1
            self._refuse_submit(command.submit, refused)
        elif command.HasField("follow"):
            asked = command.follow
            self._refuse(refused, asked.match_id, asked.seat if asked.HasField("seat") else None)
        else:
            self._refuse(refused)

    def _submit(self, asked: PlayCommand.Submit) -> None:
        self._in_flight += 1
        if self._stopping:
            self._refuse_submit(asked, Refused(Reason.DRAINING, "the server is stopping", retry_after_ms=500))
            return
        if self._in_flight >= MAX_IN_FLIGHT:
            self._room.clear()
        waiting = self._finding.get(asked.match_id)
        game = self._parts.games.known(asked.match_id, self._caller)
        if waiting is not None:
            waiting.append(asked)
        elif game is None:
            self._finding[asked.match_id] = deque([asked])
            self._run(self._find(asked.match_id))
        else:
            self._send(game, asked)

    def _run(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _find(self, match_id: str) -> None:
        """Moves of a match not seen before wait until its game is known."""
        refused, game = None, ""
        try:
            game = await self._parts.games.of(match_id, self._caller)
        except Refused as error:
            refused = error
        except StoreError as error:
            refused = store_refusals.refused(error)
        except Exception:
            log.exception("a match's game could not be found", match=match_id)
            refused = _failed()
        for asked in self._finding.pop(match_id):
            if refused is None:
                self._send(game, asked)
            else:
                self._refuse_submit(asked, refused)

    def _send(self, game: str, asked: PlayCommand.Submit) -> None:
        traceparent = self._traceparent_of(asked)
        followed = Concern(asked, traceparent) if tracing.followed() else None
        span = tracing.begin("Play", followed, "SERVER")
        wanted = audience(asked.seat, asked.accept, asked.include)
        who = wanted if wanted.wants_situations else None

        began = monotonic()

        def settle(answer: EngineAnswer) -> None:
            self._settle(asked, who, answer)
            _latency.note(monotonic() - began)
            if followed is not None:
                refused = wire.from_proto(answer.refusal) if answer.HasField("refusal") else None
                _ended(followed, span, refused)

        try:
            if who is not None:
                GameCodec.of(game).require(who.form)
            command = commanding.submit(self._caller, asked)
            if followed is not None:
                traceparent = followed.traceparent
            if traceparent:
                command.traceparent = traceparent
            self._parts.engines.send(game, command, self._parts.settings.command_timeout_s, settle)
        except Refused as refused:
            self._refuse_submit(asked, refused)
            tracing.end(span, refused.reason.value)
        except Exception:
            log.exception("a move could not be sent", **Concern(asked, traceparent).names())
            self._refuse_submit(asked, _failed())
            tracing.end(span, Reason.INTERNAL.value)

    def _traceparent_of(self, asked: PlayCommand.Submit) -> str:
        """The move's own, or the stream's."""
        return concerning.given(asked.traceparent) or self._traceparent

    def _settle(self, asked: PlayCommand.Submit, who: Audience | None, answer: EngineAnswer) -> None:
        if answer.HasField("refusal"):
            refused = PlayAnswer.Refused(
                request_id=asked.request_id, match_id=asked.match_id, seat=asked.seat, refusal=answer.refusal
            )
            if answer.refusal.HasField("version") and self._parts.games.may_keep_behind(asked.match_id):
                self._run(self._refuse_without_news(refused))
            else:
                self._answer(field(_REFUSED, refused.SerializeToString()))
            return
        accepted = PlayAnswer.Accepted(request_id=asked.request_id, receipt=answer.receipt)
        if who is None or not who.wants_situations:
            self._accept(accepted)
            return
        live = self._parts.live.at(answer.receipt)
        if live is not None:
            self._accept(accepted, self._situation(live, who))
        else:
            self._run(self._accept_later(accepted, who))

    async def _refuse_without_news(self, refused: PlayAnswer.Refused) -> None:
        """The engine says where the match stands, also to those who are kept behind it."""
        if await self._parts.shown.hides(refused.match_id, self._caller):
            refused.refusal.ClearField("version")
        self._answer(field(_REFUSED, refused.SerializeToString()))

    async def _accept_later(self, accepted: PlayAnswer.Accepted, who: Audience) -> None:
        """The move stands in the log; the situation comes with its answer if it can be had."""
        try:
            live = await self._parts.live.reach(accepted.receipt)
        except (Refused, StoreError):
            self._accept(accepted)
        except Exception:
            log.exception("no situation for an answer", match=accepted.receipt.match_id, request=accepted.request_id)
            self._accept(accepted)
        else:
            self._accept(accepted, self._situation(live, who))

    def _situation(self, live: LiveMatch, who: Audience) -> bytes:
        """Empty where it can't be made, or be seen by now: the move has to be answered all the same."""
        if is_kept_behind(live.aggregate.facts, self._caller):
            return b""
        try:
            return live.situation(who)
        except Exception:
            log.exception("no situation for an answer", match=live.id)
            return b""

    def _accept(self, accepted: PlayAnswer.Accepted, situation: bytes = b"") -> None:
        data = accepted.SerializeToString()
        self._answer(field(_ACCEPTED, data + field(_SITUATION, situation) if situation else data))

    def _refuse_submit(self, asked: PlayCommand.Submit, refused: Refused) -> None:
        message = PlayAnswer.Refused(
            request_id=asked.request_id, match_id=asked.match_id, seat=asked.seat, refusal=wire.to_proto(refused)
        )
        self._answer(field(_REFUSED, message.SerializeToString()))
        if tracing.followed():
            _ended(Concern(asked, self._traceparent_of(asked)), None, refused)

    def _answer(self, answer: bytes) -> None:
        """The one answer to one submit: a serialised PlayAnswer."""
        self._in_flight -= 1
        if self._in_flight < MAX_IN_FLIGHT:
            self._room.set()
        self._outbox.put(field(_ANSWERS, answer))

    def _refuse(self, refused: Refused, match_id: str = "", seat: int | None = None) -> None:
        """Of any other command."""
        message = PlayAnswer.Refused(match_id=match_id, seat=seat, refusal=wire.to_proto(refused))
        self._outbox.put(PlayResponse(answers=(PlayAnswer(refused=message),)).SerializeToString())


def _ended(concern: Concern, span: Any, refused: Refused | None) -> None:
    outcome = "ok" if refused is None else refused.reason.value
    logs.outcome_of(concern, "call", rpc="Play", outcome=outcome)
    tracing.end(span, outcome)


def _failed() -> Refused:
    return Refused(Reason.INTERNAL, "the server failed on this match; nothing was changed")
