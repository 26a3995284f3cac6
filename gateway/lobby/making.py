"""What the lobby does on a match in its own name and in a caller's: making it, and claiming its seats."""

import math

from gateway.callers.call import Call
from gateway.callers.identity import Caller, is_bot
from gateway.matches.match import LiveMatch
from gateway.parts import Parts
from gateway.routing import commanding
from services.common.refusals import Reason, Refused
from services.eventlog import hashes
from tidelog.v1.engine_pb2 import EngineAnswer, EngineCommand
from tidelog.v1.matches_pb2 import CreateMatchRequest

LOBBY = Caller(player="service:lobby", name="", admin=False, expires_at=math.inf)
"""Creates the matches to which no player is more than another; no token names it."""

_EXISTS = frozenset({Reason.MATCH_EXISTS, Reason.REQUEST_ID_REUSED})


def match_id_of(parts: Parts, request_id: str) -> str:
    """Of the match that the lobby makes under that request id, whichever gateway asks."""
    return hashes.match_id(parts.store_key, LOBBY.player, request_id)


async def make(parts: Parts, creation: CreateMatchRequest, call: Call) -> None:
    """The match exists then, made here or elsewhere. Raises Refused."""
    command = commanding.create(match_id_of(parts, creation.request_id), LOBBY, creation)
    try:
        await parts.engines.ask(creation.game, command, call.timeout_s)
    except Refused as refused:
        if refused.reason not in _EXISTS:
            raise
    parts.games.remember(command.match_id, creation.game, creation.terms)


def claiming(match_id: str, caller: Caller, request_id: str) -> EngineCommand:
    """A claim of any seat that the caller may have. Raises Refused."""
    command = commanding.command(match_id, caller, request_id)
    command.claim.name = caller.name
    command.claim.bot = is_bot(caller.player)
    return command


async def claimed(parts: Parts, game: str, command: EngineCommand, call: Call) -> EngineAnswer:
    """Raises Refused."""
    return await parts.engines.ask(game, command, call.timeout_s)


def seat_of(live: LiveMatch, player: str) -> int | None:
    """The player's first seat."""
    held = (number for number, seat in enumerate(live.aggregate.facts.seats) if seat.player == player)
    return next(held, None)
