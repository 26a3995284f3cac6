"""Who a caller is: bearer tokens, each key tied to one algorithm, issuer and audience."""

import secrets
import time
from base64 import b32encode
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import jwt
from msgspec import Struct

from gateway.callers.issuers import Issuer, PublishedKeys
from gateway.limits import MAX_NAME
from services.common.refusals import Reason, Refused

ISSUER = "tidelog"
AUDIENCE = "tidelog"
ALGORITHM = "HS256"
ADMIN = "admin"
KEY_NAME = "guests"
"""The store's key that signs the tokens of guests, bots and operators."""

MAX_SUBJECT = 128
LATEST = 253_402_300_800
"""The year 10000: no later expiry is waited for."""

_REQUIRED = ["exp", "iss", "aud", "sub"]
_REMEMBERED = 10_000


class Caller(Struct, frozen=True):
    """A player whose token has been checked; `expires_at` is in seconds since 1970."""

    player: str
    name: str
    admin: bool
    expires_at: float


def player_of(subject: str) -> str:
    """The player of a token of ours."""
    return f"{ISSUER}|{subject}"


def bot_subject(policy: str) -> str:
    """The subject of the server's player of that policy."""
    return f"bot:{policy}"


def is_bot(player: str) -> bool:
    """Whether the player is one of the server's own; no guest and no other issuer has such a name."""
    return player.startswith(player_of(bot_subject("")))


def new_guest() -> str:
    """A subject of 128 random bits."""
    return b32encode(secrets.token_bytes(16)).decode().rstrip("=").lower()


def mint(key: bytes, subject: str, *, name: str = "", admin: bool = False, lifetime_s: float = 7 * 24 * 3600) -> str:
    """A token of ours, signed with the store's key for guests."""
    claims: dict[str, Any] = {
        "iss": ISSUER,
        "aud": AUDIENCE,
        "sub": subject,
        "name": name,
        "exp": int(time.time() + lifetime_s),
    }
    if admin:
        claims["scope"] = ADMIN
    return jwt.encode(claims, key, ALGORITHM)


class Identity:
    """Checks tokens. Those found good are remembered until they expire."""

    def __init__(self, guest_key: bytes, issuers: Sequence[Issuer] = (), now: Callable[[], float] = time.time) -> None:
        self._now = now
        self._guest_key = guest_key
        self._guests = Issuer(ISSUER, AUDIENCE, "", ALGORITHM, ADMIN)
        self._published = {issuer.issuer: PublishedKeys(issuer) for issuer in issuers if issuer.issuer != ISSUER}
        self._known: dict[str, Caller] = {}

    async def caller(self, metadata: Iterable[tuple[str, str | bytes]] | None) -> Caller:
        """The caller of a gRPC call. Raises Refused(UNAUTHENTICATED)."""
        return await self.verify(_bearer(metadata))

    async def guest(self, metadata: Iterable[tuple[str, str | bytes]] | None, grace_s: float) -> Caller:
        """The guest of a token that is good, or was no longer than `grace_s` ago.

        Raises Refused(UNAUTHENTICATED), and Refused(NOT_ALLOWED) for anyone who is no guest of ours.
        """
        token = _bearer(metadata)
        try:
            caller = _read(token, self._guest_key, self._guests, grace_s)
        except jwt.PyJWTError:
            caller = await self.verify(token)
        if caller.admin or is_bot(caller.player) or not caller.player.startswith(player_of("")):
            raise Refused(Reason.NOT_ALLOWED, "only tokens of guests are renewed here")
        return caller

    async def verify(self, token: str) -> Caller:
        """Raises Refused(UNAUTHENTICATED)."""
        caller = self._known.get(token) or await self._checked(token)
        if caller.expires_at <= self._now():
            self._known.pop(token, None)
            raise _unauthenticated("the token has expired")
        return caller

    async def _checked(self, token: str) -> Caller:
        try:
            caller = await self._verified(token)
        except jwt.ExpiredSignatureError as error:
            raise _unauthenticated("the token has expired") from error
        except jwt.PyJWTError as error:
            raise _unauthenticated("the token does not check") from error
        if len(self._known) >= _REMEMBERED:
            self._known.clear()
        self._known[token] = caller
        return caller

    async def _verified(self, token: str) -> Caller:
        claimed = jwt.decode(token, options={"verify_signature": False}).get("iss")
        if claimed == ISSUER:
            return _read(token, self._guest_key, self._guests)
        keys = self._published.get(claimed) if isinstance(claimed, str) else None
        if keys is None:
            raise jwt.InvalidIssuerError
        return _read(token, await keys.key_of(token), keys.issuer)


def _bearer(metadata: Iterable[tuple[str, str | bytes]] | None) -> str:
    given = next((str(value) for key, value in metadata or () if key == "authorization"), "")
    scheme, _, token = given.partition(" ")
    if scheme.lower() != "bearer" or not token:
        raise _unauthenticated("the call carries no bearer token in `authorization`")
    return token.strip()


def _read(token: str, key: Any, issuer: Issuer, leeway_s: float = 0) -> Caller:
    claims = jwt.decode(
        token,
        key,
        algorithms=[issuer.algorithm],
        audience=issuer.audience,
        issuer=issuer.issuer,
        leeway=leeway_s,
        options={"require": _REQUIRED, "strict_aud": False},
    )
    subject, name, scope = claims["sub"], claims.get("name", ""), claims.get("scope", "")
    if not 0 < len(subject) <= MAX_SUBJECT or _without_surrogates(subject) != subject:
        raise jwt.exceptions.InvalidSubjectError
    scopes = scope.split() if isinstance(scope, str) else ()
    return Caller(
        player=f"{issuer.issuer}|{subject}",
        name=_without_surrogates(name[:MAX_NAME]) if isinstance(name, str) else "",
        admin=bool(issuer.admin_scope) and issuer.admin_scope in scopes,
        expires_at=float(min(int(claims["exp"]), LATEST)),
    )


def _without_surrogates(text: str) -> str:
    """JSON can spell halves of characters, which no message and no log can hold."""
    return text.encode(errors="replace").decode()


def _unauthenticated(message: str) -> Refused:
    return Refused(Reason.UNAUTHENTICATED, message)
