"""Match secrets at rest: sealed by the service's key where one is configured, else as they are."""

import os

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from services.eventlog.hashes import SECRET_BYTES

_NONCE_BYTES = 12


class WrongKey(Exception):  # noqa: N818 - says what is wrong
    """A stored secret that this service's key does not open."""


class SecretKeeper:
    """Seals with AES-256-GCM, bound to the match. A plain secret has 32 bytes, a sealed one 60: both can be opened."""

    def __init__(self, key: bytes | None = None) -> None:
        self._cipher = AESGCM(key) if key else None

    def seal(self, match: str, secret: bytes) -> bytes:
        if self._cipher is None:
            return secret
        nonce = os.urandom(_NONCE_BYTES)
        return nonce + self._cipher.encrypt(nonce, secret, match.encode())

    def open(self, match: str, stored: bytes) -> bytes:
        """Raises WrongKey."""
        if len(stored) == SECRET_BYTES:
            return stored
        if self._cipher is None:
            raise WrongKey("the store's secrets are sealed; this service was given no key (TIDELOG_SECRET_KEY)")
        try:
            return self._cipher.decrypt(stored[:_NONCE_BYTES], stored[_NONCE_BYTES:], match.encode())
        except InvalidTag:
            raise WrongKey("this service's key does not open the match's secret") from None
