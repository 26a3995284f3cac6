"""What operators ask and order, with a token of the admin scope."""

from collections.abc import AsyncIterator
from typing import Any

from grpc.aio import AioRpcError
from msgspec import Struct

from tidelog.client import reading
from tidelog.client.answers import Match, Receipt, Turn
from tidelog.client.calling import Caller, new_request_id
from tidelog.client.refused import from_error
from tidelog.v1 import admin_pb2
from tidelog.v1.admin_pb2_grpc import AdminServiceStub


class Held(Struct, frozen=True):
    """A match that takes no commands: by the word of an operator (`by`, `why`), or because its log is `broken`."""

    match_id: str
    by: str
    why: str
    broken: str


class Rewound(Struct, frozen=True):
    """A log that was known up to `known` when it ended at `head`."""

    match_id: str
    known: str
    head: str
    at_ms: int


class Snapshot(Struct, frozen=True):
    """`unusable` says why it is not used; empty for one that is."""

    cursor: str
    bytes: int
    unusable: str


class Inspection(Struct, frozen=True):
    """What the platform holds of a match; `match` is None where nothing of its log can be folded.

    `remembered` counts requests by player; `feed_number` ends the feed of the match's shard, of which the gateway's
    read models hold up to `kept_number`.
    """

    match: Match | None
    turns: tuple[Turn, ...]
    head: str
    remembered: dict[str, int]
    snapshot: Snapshot | None
    shard: int
    feed_number: int
    kept_number: int
    quarantine: Held | None
    broken: str
    rewind: Rewound | None
    secret_held: bool


class Rebuilt(Struct, frozen=True):
    """`differing_rows` were others than they should be, or missing; they have been put right."""

    matches: int
    rows: int
    differing_rows: int


class Admin:
    """Every call raises Refused; `reason` is told to the players of the match."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller
        self._service = AdminServiceStub(caller.channel)

    async def inspect(self, match_id: str) -> Inspection:
        request = admin_pb2.InspectMatchRequest(match_id=match_id)
        return _inspection(match_id, await self._caller.ask(self._service.InspectMatch, request))

    async def abort(self, match_id: str, reason: str, *, request_id: str = "") -> Receipt:
        request = admin_pb2.AbortMatchRequest(
            request_id=request_id or new_request_id(), match_id=match_id, reason=reason
        )
        return await self._change(self._service.AbortMatch, request)

    async def quarantine(self, match_id: str, reason: str, *, request_id: str = "") -> Receipt:
        request = admin_pb2.QuarantineMatchRequest(
            request_id=request_id or new_request_id(), match_id=match_id, reason=reason
        )
        return await self._change(self._service.QuarantineMatch, request)

    async def release(self, match_id: str, reason: str, *, request_id: str = "") -> Receipt:
        request = admin_pb2.ReleaseMatchRequest(
            request_id=request_id or new_request_id(), match_id=match_id, reason=reason
        )
        return await self._change(self._service.ReleaseMatch, request)

    async def quarantined(self, *, page_size: int = 0) -> AsyncIterator[Held]:
        """By match id, fetched page by page."""
        token = ""
        while True:
            request = admin_pb2.ListQuarantinedRequest(page_size=page_size, page_token=token)
            page = await self._caller.ask(self._service.ListQuarantined, request)
            for item in page.matches:
                yield Held(item.match_id, item.quarantine.by, item.quarantine.why, item.broken)
            token = page.next_page_token
            if not token:
                return

    async def rewound(self, *, page_size: int = 0) -> list[Rewound]:
        """The latest first."""
        request = admin_pb2.ListRewoundRequest(page_size=page_size)
        return [_rewound(found) for found in (await self._caller.ask(self._service.ListRewound, request)).rewinds]

    async def rebuild(self, name: str) -> Rebuilt:
        """Builds a read model of the gateway that answers anew, however long that takes."""
        request = admin_pb2.RebuildReadModelRequest(name=name)
        try:
            answer = await self._service.RebuildReadModel(request, metadata=self._caller.metadata)
        except AioRpcError as error:
            raise from_error(error) from None
        return Rebuilt(answer.matches, answer.rows, answer.differing_rows)

    async def _change(self, method: Any, request: Any) -> Receipt:
        return reading.receipt((await self._caller.ask(method, request)).receipt)


def _inspection(match_id: str, found: admin_pb2.InspectMatchResponse) -> Inspection:
    word, cached = found.quarantine, found.snapshot
    return Inspection(
        match=reading.match(found.match) if found.HasField("match") else None,
        turns=tuple(Turn(turn.seat, turn.decision, turn.owed) for turn in found.turns),
        head=found.head,
        remembered={each.player: each.requests for each in found.remembered},
        snapshot=Snapshot(cached.cursor, cached.bytes, cached.unusable) if found.HasField("snapshot") else None,
        shard=found.shard,
        feed_number=found.feed_number,
        kept_number=found.kept_number,
        quarantine=Held(match_id, word.by, word.why, found.broken) if found.HasField("quarantine") else None,
        broken=found.broken,
        rewind=_rewound(found.rewind) if found.HasField("rewind") else None,
        secret_held=found.secret_held,
    )


def _rewound(found: admin_pb2.Rewind) -> Rewound:
    return Rewound(found.match_id, found.known, found.head, found.at_ms)
