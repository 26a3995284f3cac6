"""Where tokens of players with accounts elsewhere come from: OIDC issuers and their published keys."""

import asyncio

import jwt
from jwt import PyJWKClient
from msgspec import Struct

FETCH_TIMEOUT_S = 5.0


class Issuer(Struct, frozen=True):
    """One issuer: its keys count with this algorithm, for this issuer and audience, and with no other.

    `admin_scope` is the scope that makes its holder an admin here; empty: none does.
    """

    issuer: str
    audience: str
    jwks_url: str
    algorithm: str = "RS256"
    admin_scope: str = ""


class PublishedKeys:
    """The keys that one issuer publishes, fetched in a thread and kept; an unknown key id fetches again, seldom."""

    def __init__(self, issuer: Issuer) -> None:
        self.issuer = issuer
        self._client = PyJWKClient(issuer.jwks_url, timeout=FETCH_TIMEOUT_S)

    async def key_of(self, token: str) -> jwt.PyJWK:
        """Raises jwt.PyJWTError where the issuer has no such key, or does not answer."""
        return await asyncio.to_thread(self._client.get_signing_key_from_jwt, token)
