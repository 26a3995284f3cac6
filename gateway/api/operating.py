"""The rpcs by which operators look at a match, end it, and take it out of service."""

from gateway import facts, quarantines, rewinds
from gateway.api.auditing import operating
from gateway.api.pages import page_size
from gateway.callers.call import Call
from gateway.callers.rights import absent
from gateway.matches.match import LiveMatch
from gateway.parts import Parts
from gateway.rewinds import Rewind
from gateway.routing import commanding
from services.common.refusals import Reason, Refused
from services.eventlog import hashes, requests, snapshots
from services.eventlog.checking import check_why
from services.eventlog.entries import START
from services.eventlog.lifecycle import Quarantined
from tidelog.v1 import admin_pb2
from tidelog.v1.admin_pb2 import (
    AbortMatchRequest,
    AbortMatchResponse,
    InspectMatchRequest,
    InspectMatchResponse,
    ListQuarantinedRequest,
    ListQuarantinedResponse,
    ListRewoundRequest,
    ListRewoundResponse,
    QuarantineMatchRequest,
    QuarantineMatchResponse,
    ReleaseMatchRequest,
    ReleaseMatchResponse,
)
from tidelog.v1.engine_pb2 import EngineCommand
from tidelog.v1.matches_pb2 import Receipt

Ordered = AbortMatchRequest | QuarantineMatchRequest | ReleaseMatchRequest


class Operating:
    """What changes a match is one command to its engine, judged there against the whole log as any other."""

    parts: Parts

    @operating
    async def InspectMatch(self, request: InspectMatchRequest, _call: Call) -> InspectMatchResponse:  # noqa: N802
        parts, match_id = self.parts, request.match_id
        head = await parts.log.head(match_id) if match_id else START
        if head == START:
            raise absent()
        shard = hashes.shard(match_id)
        found = InspectMatchResponse(
            head=str(head),
            shard=shard,
            feed_number=(await parts.log.feed_numbers())[shard],
            kept_number=(await parts.matches.places())[shard].number,
            snapshot=await self._snapshot(match_id),
            secret_held=await parts.log.secret(match_id) is not None,
        )
        for rewind, at in await parts.database.run(lambda connection: rewinds.latest(connection, 1, match_id)):
            found.rewind.CopyFrom(_rewind(rewind, at))
        try:
            live = await parts.live.current(match_id)
        except Refused as refused:  # nothing of it can be folded
            if refused.reason is not Reason.QUARANTINED:
                raise
            found.broken = refused.message
        else:
            _fill(found, live)
        return found

    async def _snapshot(self, match_id: str) -> InspectMatchResponse.Snapshot | None:
        data = await self.parts.log.snapshot(match_id)
        if data is None:
            return None
        try:
            cursor = snapshots.parse(data).facts.cursor
        except snapshots.BadSnapshot as bad:
            return InspectMatchResponse.Snapshot(bytes=len(data), unusable=str(bad))
        held = await self.parts.loader.holds(match_id, cursor)
        unusable = "" if held else "it is not of this log"
        return InspectMatchResponse.Snapshot(cursor=str(cursor), bytes=len(data), unusable=unusable)

    @operating
    async def AbortMatch(self, request: AbortMatchRequest, call: Call) -> AbortMatchResponse:  # noqa: N802
        command = _ordered(request, call)
        command.abort.why = request.reason
        return AbortMatchResponse(receipt=await self._carried_out(command, call))

    @operating
    async def QuarantineMatch(  # noqa: N802
        self, request: QuarantineMatchRequest, call: Call
    ) -> QuarantineMatchResponse:
        command = _ordered(request, call)
        command.quarantine.why = request.reason
        return QuarantineMatchResponse(receipt=await self._carried_out(command, call))

    @operating
    async def ReleaseMatch(self, request: ReleaseMatchRequest, call: Call) -> ReleaseMatchResponse:  # noqa: N802
        command = _ordered(request, call)
        command.release.why = request.reason
        return ReleaseMatchResponse(receipt=await self._carried_out(command, call))

    async def _carried_out(self, command: EngineCommand, call: Call) -> Receipt:
        try:
            game = await self.parts.games.of(command.match_id, call.caller)
            return (await self.parts.engines.ask(game, command, call.timeout_s)).receipt
        except Refused as refused:
            if refused.reason is Reason.QUARANTINED:
                raise _unfoldable(refused) from refused
            raise

    @operating
    async def ListQuarantined(  # noqa: N802
        self, request: ListQuarantinedRequest, _call: Call
    ) -> ListQuarantinedResponse:
        size = page_size(request.page_size)
        await self.parts.matches.settled()
        noted = await self.parts.database.run(quarantines.noted)
        broken = await self.parts.live.broken()
        left = sorted(match_id for match_id in noted.keys() | broken.keys() if match_id > request.page_token)
        page = [_item(match_id, noted.get(match_id), broken.get(match_id, "")) for match_id in left[:size]]
        return ListQuarantinedResponse(matches=page, next_page_token=left[size - 1] if len(left) > size else "")

    @operating
    async def ListRewound(self, request: ListRewoundRequest, _call: Call) -> ListRewoundResponse:  # noqa: N802
        size = page_size(request.page_size)
        found = await self.parts.database.run(lambda connection: rewinds.latest(connection, size))
        return ListRewoundResponse(rewinds=[_rewind(rewind, at) for rewind, at in found])


def _ordered(request: Ordered, call: Call) -> EngineCommand:
    """Raises Refused."""
    check_why(request.reason)
    return commanding.command(request.match_id, call.caller, request.request_id)


def _unfoldable(refused: Refused) -> Refused:
    """Whoever appends has folded the whole log, operators too: else an end might be put behind another end."""
    message = (
        f"{refused.message}, so that nothing can stand behind it and no command is taken, this one neither; "
        "ask again once gateway and engine are of a release that folds it, or the store is back to a sound copy"
    )
    return Refused(refused.reason, message, version=refused.version)


def _fill(found: InspectMatchResponse, live: LiveMatch) -> None:
    aggregate, known = live.aggregate, live.aggregate.facts
    found.match.CopyFrom(facts.match_message(known, known.born))
    found.turns.extend(facts.turns(aggregate))
    found.remembered.extend(
        InspectMatchResponse.Remembered(player=player, requests=requests.count(packed))
        for player, packed in sorted(known.requests.items())
    )
    if known.quarantine is not None:
        found.quarantine.CopyFrom(_quarantine(known.quarantine))
    if live.broken is not None:
        found.broken = live.broken.message


def _item(match_id: str, quarantined: Quarantined | None, broken: str) -> ListQuarantinedResponse.Item:
    word = None if quarantined is None else _quarantine(quarantined)
    return ListQuarantinedResponse.Item(match_id=match_id, quarantine=word, broken=broken)


def _quarantine(event: Quarantined) -> admin_pb2.Quarantine:
    return admin_pb2.Quarantine(by=event.by, why=event.why)


def _rewind(found: Rewind, at_ms: int) -> admin_pb2.Rewind:
    return admin_pb2.Rewind(match_id=found.match, known=str(found.known), head=str(found.head), at_ms=at_ms)
