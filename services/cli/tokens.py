"""Tokens made with the store's own key, for those who may read the store."""

from typing import Self

from gateway.callers.identity import KEY_NAME, bot_subject, mint, new_guest
from services.eventlog.redis_log import RedisLog

DAY_S = 24 * 3600.0
BOT_DAYS = 365
OPERATOR = "operator"


class Minter:
    """Mints tokens that every gateway on the store accepts."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    @classmethod
    async def of(cls, store: str) -> Self:
        """Raises the port's errors."""
        log = await RedisLog.open(store)
        try:
            return await cls.on(log)
        finally:
            await log.close()

    @classmethod
    async def on(cls, log: RedisLog) -> Self:
        """Raises the port's errors."""
        return cls(await log.key(KEY_NAME))

    def guest(self, name: str) -> str:
        return mint(self._key, new_guest(), name=name)

    def admin(self) -> str:
        """The operator's, for a day: one player, so that a command sent again is known again."""
        return mint(self._key, OPERATOR, name=OPERATOR, admin=True, lifetime_s=DAY_S)

    def bot(self, policy: str) -> str:
        return mint(self._key, bot_subject(policy), name=policy, lifetime_s=BOT_DAYS * DAY_S)
