"""How much of a store one player may fill, as the read model counts it. Admins and the server's bots are free."""

from gateway.callers.identity import Caller, is_bot
from gateway.projections import lists
from gateway.projections.database import Database
from gateway.settings import GatewaySettings
from services.common.refusals import Reason, Refused

RETRY_AFTER_MS = 60_000


class Quotas:
    """A player who asks for much at once may get a little more: what is appended is counted a moment later."""

    def __init__(self, settings: GatewaySettings, database: Database) -> None:
        self._waiting = settings.waiting_matches
        self._seats = settings.seats
        self._database = database

    async def check_creation(self, caller: Caller) -> None:
        """Whether the player may make another match. Raises Refused(TOO_MUCH)."""
        if _is_free(caller):
            return
        found = await self._database.read(lambda file: lists.count_waiting(file, caller.player, self._waiting))
        if found >= self._waiting:
            message = f"{self._waiting} matches that you made have not started: more are too many"
            raise Refused(Reason.TOO_MUCH, message, retry_after_ms=RETRY_AFTER_MS)

    async def check_seat(self, caller: Caller) -> None:
        """Whether the player may take another seat. Raises Refused(TOO_MUCH)."""
        if _is_free(caller):
            return
        found = await self._database.read(lambda file: lists.count_seats(file, caller.player, self._seats))
        if found >= self._seats:
            message = f"you hold {self._seats} seats in matches that are not over: more are too many"
            raise Refused(Reason.TOO_MUCH, message, retry_after_ms=RETRY_AFTER_MS)


def _is_free(caller: Caller) -> bool:
    return caller.admin or is_bot(caller.player)
