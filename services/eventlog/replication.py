"""`replicated(n)`: an append counts once n replicas have it in their append-only files, asked for with WAITAOF."""

from collections.abc import Awaitable, Callable
from time import monotonic
from typing import Any

from msgspec import Struct
from redis.exceptions import ReadOnlyError, ResponseError

from services.eventlog.port import WrongStore
from services.eventlog.redis_facts import Client, StoreFacts

LEAST_VERSION = (7, 2)
FIRST_WAIT_MS = 1
NEVER_SYNCED = {"off": "appendonly is off", "no": "appendfsync is `no`"}
"""Settings of a store that never says that a write is on its disk."""

Ask = Callable[..., Awaitable[Any]]
"""Sends a command on the connection that wrote; gives the answer, a refusal too, or raises."""


class Replication(Struct, frozen=True):
    """`replicas` must have a write on their disks, and the store on its own, within the time; 0 asks for nothing.

    WAITAOF waits for what its own connection has written: on one that wrote nothing it answers at once.
    """

    replicas: int
    timeout_ms: int

    def __bool__(self) -> bool:
        return self.replicas > 0

    def __str__(self) -> str:
        return f"replicated({self.replicas})"

    async def wait(self, ask: Ask) -> str:
        """What is not safe, in words, once the time is up; empty as soon as all is.

        A replica tells how far its disk is when it is asked, else once a second. One that is asked while it still
        writes tells of what was before: so it is asked again, ever more patiently.
        """
        deadline, patience = monotonic() + self.timeout_ms / 1000, FIRST_WAIT_MS
        while True:
            left = round((deadline - monotonic()) * 1000)
            answer = await ask("WAITAOF", 1, self.replicas, max(1, min(patience, left)))
            missing = self._missing(answer)
            if not missing or monotonic() >= deadline or not isinstance(answer, list):
                return missing
            patience *= 2

    def _missing(self, answer: object) -> str:
        if not isinstance(answer, list):
            return f"the store answers WAITAOF: {answer}"
        own, replicas = answer
        if own < 1:
            return f"the store had it not on its own disk in {self.timeout_ms} ms"
        if replicas < self.replicas:
            return f"{replicas} of {self.replicas} replicas had it on disk in {self.timeout_ms} ms"
        return ""

    async def check(self, client: Client, facts: StoreFacts, where: str) -> None:
        """Raises WrongStore where the store can't promise it; that replicas are missing is no matter of the store's."""
        if not self:
            return
        if facts.compatible < LEAST_VERSION:
            raise self._impossible(where, f"{facts.server} {facts.version} has no WAITAOF: Redis 7.2 or Valkey has")
        if facts.fsync in NEVER_SYNCED:
            raise self._impossible(where, NEVER_SYNCED[facts.fsync])
        try:
            await client.execute_command("WAITAOF", 1, 0, 1)
        except ResponseError as error:
            if "replica instances" in str(error):
                raise ReadOnlyError(str(error)) from error
            raise self._impossible(where, str(error)) from error

    def _impossible(self, where: str, reason: Any) -> WrongStore:
        return WrongStore(f"the store at {where} can't keep durability {self}: {reason}")
