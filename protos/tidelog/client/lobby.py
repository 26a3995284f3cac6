"""The lobby: finding others to play with."""

from collections.abc import AsyncIterator
from typing import Any

import msgspec
from msgspec import Struct

from tidelog.client import reading
from tidelog.client.answers import Match, Receipt
from tidelog.client.calling import Caller, new_request_id
from tidelog.client.pauses import Pauses
from tidelog.client.payloads import to_payload
from tidelog.client.refused import Refused
from tidelog.client.terms import Terms
from tidelog.client.watching import RESUMED
from tidelog.v1 import lobby_pb2, matches_pb2
from tidelog.v1.lifecycle_pb2 import LogAfterEnd
from tidelog.v1.lobby_pb2_grpc import LobbyServiceStub


class Filter(Struct, frozen=True, kw_only=True):
    """What is set must all hold.

    `status` is open, running, finished, aborted or expired, `order` changed, newest or oldest; `open_seats` and more
    can be claimed; `options` need `game`; `invited`: a free seat is reserved for the caller.
    """

    game: str = ""
    status: str = "unspecified"
    player: str = ""
    open_seats: int = 0
    seats: int = 0
    creator: str = ""
    options: dict[str, Any] = {}
    invited: bool = False
    order: str = "changed"

    def fields(self) -> dict[str, Any]:
        """Those of ListMatchesRequest and WatchMatchesRequest."""
        return {
            "game": self.game,
            "status": matches_pb2.MatchStatus.Value(f"MATCH_STATUS_{self.status.upper()}"),
            "player": self.player,
            "open_seats": self.open_seats,
            "seats": self.seats,
            "creator": self.creator,
            "options": [
                matches_pb2.OptionFilter(option=name, value=msgspec.json.encode(value).decode())
                for name, value in self.options.items()
            ],
            "invited": self.invited,
            "order": matches_pb2.MatchOrder.Value(f"MATCH_ORDER_{self.order.upper()}"),
        }


class Anew(Struct, frozen=True):
    """The present list begins: what was told before counts no more."""


class Listed(Struct, frozen=True):
    match: Match


class Present(Struct, frozen=True):
    """The present list has been told; `more` matches pass the filter."""

    more: bool


class Appeared(Struct, frozen=True):
    match: Match


class Changed(Struct, frozen=True):
    match: Match


class Left(Struct, frozen=True):
    """The match passes the filter no more."""

    match_id: str


News = Anew | Listed | Present | Appeared | Changed | Left


class Paired(Struct, frozen=True):
    """The caller's seat in a match as it stands."""

    match: Match
    seat: int


class Invitation(Struct, frozen=True):
    """For `client.join(match_id, invitation=text)`."""

    text: str
    expires_at_ms: int


class Lobby:
    """Every call raises Refused."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller
        self._stub = LobbyServiceStub(caller.channel)

    async def watch(self, wanted: Filter | None = None, *, limit: int = 0) -> AsyncIterator[News]:
        """The matches that pass, then what changes; a broken stream begins anew with the present list."""
        request = lobby_pb2.WatchMatchesRequest(limit=limit, **(wanted or Filter()).fields())
        backoff = Pauses()
        while True:
            yield Anew()
            try:
                async for response in self._caller.stream(self._stub.WatchMatches, request):
                    backoff.reset()
                    for message in response.news:
                        news = _news(message)
                        if news is not None:
                            yield news
                lost = None
            except Refused as refused:
                if not refused.transient and refused.reason not in RESUMED:
                    raise
                lost = refused
            await backoff.wait(lost)

    async def invite(
        self, match_id: str, *, seat: int | None = None, player: str = "", expires_after_ms: int = 0
    ) -> Invitation:
        """A text that opens one seat, once."""
        request = lobby_pb2.CreateInvitationRequest(
            match_id=match_id, seat=seat, player=player, expires_after_ms=expires_after_ms
        )
        answer = await self._caller.ask(self._stub.CreateInvitation, request)
        return Invitation(answer.invitation, answer.expires_at_ms)

    async def rematch(self, match_id: str, *, request_id: str = "") -> Paired:
        """A seat in the repetition of a match that is over; its other players find it with `Filter(invited=True)`."""
        request = lobby_pb2.RematchRequest(request_id=request_id or new_request_id(), match_id=match_id)
        return _paired(await self._caller.ask(self._stub.Rematch, request))

    async def quick_match(  # noqa: PLR0913 - the request's own fields
        self,
        game: str,
        seats: int,
        *,
        options: object | None = None,
        edition: str = "",
        terms: Terms | None = None,
        log_after_end: str = "open",
        expires_after_ms: int = 0,
        request_id: str = "",
    ) -> Paired:
        """A seat with whoever asks for the same: in an open match while the caller waits.

        Of the terms clock, absence and spectators' delay count.
        """
        asked = (terms or Terms()).message()
        request = lobby_pb2.QuickMatchRequest(
            request_id=request_id or new_request_id(),
            game=game,
            options=None if options is None else to_payload(options),
            seats=seats,
            edition=edition,
            expires_after_ms=expires_after_ms,
            clock=asked.clock if asked.HasField("clock") else None,
            absence=asked.absence,
            absence_policy=asked.absence_policy,
            spectator_delay=asked.spectator_delay if asked.HasField("spectator_delay") else None,
            log_after_end=LogAfterEnd.Value(f"LOG_AFTER_END_{log_after_end.upper()}"),
        )
        return _paired(await self._caller.ask(self._stub.QuickMatch, request))

    async def cancel(self, match_id: str, *, request_id: str = "") -> Receipt:
        """Asks for nobody any more; refused with `already_started` where the match has begun."""
        request = lobby_pb2.CancelQuickMatchRequest(request_id=request_id or new_request_id(), match_id=match_id)
        return reading.receipt((await self._caller.ask(self._stub.CancelQuickMatch, request)).receipt)


def _paired(message: Any) -> Paired:
    return Paired(reading.match(message.match), message.seat)


def _news(message: lobby_pb2.LobbyNews) -> News | None:
    """None for a kind that this release does not know."""
    match message.WhichOneof("news"):
        case "listed":
            return Listed(reading.match(message.listed))
        case "present":
            return Present(message.present.more)
        case "appeared":
            return Appeared(reading.match(message.appeared))
        case "changed":
            return Changed(reading.match(message.changed))
        case "left":
            return Left(message.left.match_id)
        case _:
            return None
