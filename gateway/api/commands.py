"""The rpcs that change a match: each becomes one command to the match's engine."""

from gateway.api.calls import answering
from gateway.callers.call import Call
from gateway.callers.identity import is_bot
from gateway.callers.rights import is_kept_behind
from gateway.matches.situation import Audience, audience
from gateway.parts import Parts
from gateway.routing import commanding
from services.common.codec import GameCodec
from services.common.logs import logger
from services.common.refusals import Refused
from services.eventlog import hashes, requests
from services.eventlog.entries import START
from services.eventlog.port import StoreError
from tidelog.v1.engine_pb2 import EngineAnswer, EngineCommand
from tidelog.v1.matches_pb2 import (
    CreateMatchRequest,
    CreateMatchResponse,
    JoinMatchRequest,
    JoinMatchResponse,
    LeaveMatchRequest,
    LeaveMatchResponse,
    StartMatchRequest,
    StartMatchResponse,
    SubmitMoveRequest,
    SubmitMoveResponse,
    ValidateMoveRequest,
    ValidateMoveResponse,
)

log = logger()


class Commands:
    """Answers stand in the log once they are given."""

    parts: Parts

    @answering
    async def CreateMatch(self, request: CreateMatchRequest, call: Call) -> CreateMatchResponse:  # noqa: N802
        parts = self.parts
        parts.engines.check(request.game)
        commanding.check_terms(request.terms)
        match_id = hashes.match_id(parts.store_key, call.caller.player, request.request_id)
        command = commanding.create(match_id, call.caller, request)
        if await parts.log.head(match_id) == START:  # else this asks again for what stands in the log
            await parts.quotas.check_creation(call.caller)
            if request.HasField("own_seat"):
                await parts.quotas.check_seat(call.caller)
        answer = await parts.engines.ask(request.game, command, call.timeout_s)
        parts.games.remember(match_id, request.game, request.terms)
        return CreateMatchResponse(receipt=answer.receipt)

    @answering
    async def JoinMatch(self, request: JoinMatchRequest, call: Call) -> JoinMatchResponse:  # noqa: N802
        command = commanding.command(request.match_id, call.caller, request.request_id)
        command.claim.name = call.caller.name
        command.claim.bot = is_bot(call.caller.player)
        if request.HasField("seat"):
            command.claim.seat = request.seat
        game = await self._game_to_join(command, request, call)
        try:
            await self.parts.quotas.check_seat(call.caller)
        except Refused:
            if not await self._stands(command):
                raise
        answer = await self.parts.engines.ask(game, command, call.timeout_s)
        return JoinMatchResponse(receipt=answer.receipt, seat=answer.seat)

    async def _game_to_join(self, command: EngineCommand, request: JoinMatchRequest, call: Call) -> str:
        """Puts the invitation, if there is one, into the command. Raises Refused."""
        if not request.HasField("invitation"):
            return await self.parts.games.of(request.match_id, call.caller)
        seat = request.seat if request.HasField("seat") else None
        invitation = self.parts.invitations.read(request.invitation, request.match_id, call.caller.player, seat)
        command.claim.invitation = invitation.nonce
        if invitation.seat is not None:
            command.claim.seat = invitation.seat
        return await self.parts.games.for_invited(request.match_id)

    async def _stands(self, command: EngineCommand) -> bool:
        """Whether the request stands in the log already."""
        facts = (await self.parts.live.current(command.match_id)).aggregate.facts
        key = hashes.request_key(command.player, command.request_id)
        return requests.find(facts.requests, command.player, key) is not None

    @answering
    async def LeaveMatch(self, request: LeaveMatchRequest, call: Call) -> LeaveMatchResponse:  # noqa: N802
        command = commanding.command(request.match_id, call.caller, request.request_id)
        command.leave.seat = request.seat
        return LeaveMatchResponse(receipt=(await self._ask(command, call)).receipt)

    @answering
    async def StartMatch(self, request: StartMatchRequest, call: Call) -> StartMatchResponse:  # noqa: N802
        command = commanding.command(request.match_id, call.caller, request.request_id)
        command.start.SetInParent()
        return StartMatchResponse(receipt=(await self._ask(command, call)).receipt)

    @answering
    async def SubmitMove(self, request: SubmitMoveRequest, call: Call) -> SubmitMoveResponse:  # noqa: N802
        who = audience(request.seat, request.accept, request.include)
        command = commanding.submit(call.caller, request)
        if who.wants_situations:
            GameCodec.of(await self.parts.games.of(request.match_id, call.caller)).require(who.form)
        answer = await self._ask(command, call)
        response = SubmitMoveResponse(receipt=answer.receipt)
        if who.wants_situations:
            await self._add_situation(response, who, call)
        return response

    @answering
    async def ValidateMove(self, request: ValidateMoveRequest, call: Call) -> ValidateMoveResponse:  # noqa: N802
        commanding.check_payload(request.move, "move")
        command = EngineCommand(match_id=request.match_id, player=call.caller.player, admin=call.caller.admin)
        command.validate.seat = request.seat
        command.validate.move.CopyFrom(request.move)
        verdict = (await self._ask(command, call)).verdict
        if not verdict.HasField("refusal"):
            return ValidateMoveResponse(version=verdict.version)
        # Whoever holds no seat is refused, and may be kept behind: what the engine judged on is not theirs to know.
        shown = await self.parts.shown.current(request.match_id, call.caller)
        version = verdict.version if shown.delay is None else shown.version
        return ValidateMoveResponse(version=version, refusal=verdict.refusal)

    async def _ask(self, command: EngineCommand, call: Call) -> EngineAnswer:
        game = await self.parts.games.of(command.match_id, call.caller)
        try:
            return await self.parts.engines.ask(game, command, call.timeout_s)
        except Refused as refused:
            if (
                refused.version is not None
                and self.parts.games.may_keep_behind(command.match_id)
                and await self.parts.shown.hides(command.match_id, call.caller)
            ):
                refused.version = None
            raise

    async def _add_situation(self, response: SubmitMoveResponse, who: Audience, call: Call) -> None:
        """The move stands in the log; the situation comes with its answer if it can be had."""
        try:
            live = await self.parts.live.reach(response.receipt)
            if is_kept_behind(live.aggregate.facts, call.caller):
                return  # a move sent again by one who has left meanwhile
            response.situation.MergeFromString(live.situation(who))
        except (Refused, StoreError):
            pass
        except Exception:
            log.exception("situation not given", match=response.receipt.match_id)
