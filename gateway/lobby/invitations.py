"""Invitations: signed texts that open one seat of one match. Until one is used it is stored nowhere."""

import secrets
import time
from collections.abc import Callable

from msgspec import Struct

from gateway.projections.tokens import Signing, Unsigned
from services.common.refusals import Reason, Refused

USUAL_MS = 24 * 3600 * 1000
LONGEST_MS = 30 * USUAL_MS


class Invitation(Struct, frozen=True, array_like=True):
    """`nonce` tells it from all others, and stands in the log once it was used. No player: it is the holder's."""

    match: str
    nonce: str
    expires_at_ms: int
    seat: int | None = None
    player: str = ""


class Invitations:
    """Every gateway of a store reads what another one wrote."""

    def __init__(self, key: bytes, now: Callable[[], float] = time.time) -> None:
        self._signing = Signing(key, "invitation")
        self._now = now

    def write(self, match: str, *, seat: int | None, player: str, expires_after_ms: int) -> tuple[str, Invitation]:
        """Raises Refused."""
        if expires_after_ms < 0:
            raise Refused(Reason.MALFORMED, "an invitation counts for some time - at `$.expires_after_ms`")
        if expires_after_ms > LONGEST_MS:
            raise Refused(Reason.TOO_LARGE, f"an invitation counts for {LONGEST_MS} ms - at `$.expires_after_ms`")
        expires_at_ms = int(self._now() * 1000) + (expires_after_ms or USUAL_MS)
        found = Invitation(match, secrets.token_hex(16), expires_at_ms, seat, player)
        return self._signing.write(found), found

    def read(self, text: str, match: str, player: str, seat: int | None = None) -> Invitation:
        """What the caller holds, for the match and seat (None: any). Raises Refused whether the match exists or not."""
        try:
            found = self._signing.read(text, Invitation)
        except Unsigned as error:
            raise _refused(Reason.MALFORMED, "is none of ours") from error
        if found.match != match:
            raise _refused(Reason.MALFORMED, "is to another match")
        if found.player not in ("", player):
            raise _refused(Reason.NOT_ALLOWED, "is another player's")
        if None not in (seat, found.seat) and seat != found.seat:
            raise _refused(Reason.NOT_ALLOWED, "is for another seat")
        if found.expires_at_ms <= self._now() * 1000:
            raise _refused(Reason.EXPIRED, "has expired")
        return found


def _refused(reason: Reason, what: str) -> Refused:
    return Refused(reason, f"the invitation {what} - at `$.invitation`")
