"""One script, many callers: whatever waits when a pipeline comes back goes out together in the next.

Where replicas are to be waited for, that is done once behind each pipeline, before its answers are told.
"""

import asyncio
from collections import deque
from collections.abc import Sequence
from hashlib import sha1
from typing import Any

import hiredis
from redis.asyncio import Connection, ConnectionPool
from redis.exceptions import NoScriptError, RedisError, ResponseError

from services.eventlog import redis_errors
from services.eventlog.port import OutcomeUnknown, StoreAway
from services.eventlog.replication import Replication

MAX_COMMANDS = 128
MAX_BYTES = 256 * 1024

Argument = str | bytes | int


class _Call:
    """A packed EVALSHA and the caller's future; a caller who left does not disturb the pipeline."""

    __slots__ = ("answer", "packed")

    def __init__(self, packed: bytes, answer: asyncio.Future[Any]) -> None:
        self.packed = packed
        self.answer = answer

    def settle(self, value: object) -> None:
        if not self.answer.done():
            self.answer.set_result(value)

    def fail(self, error: Exception) -> None:
        if not self.answer.done():
            self.answer.set_exception(error)


class ScriptPipe:
    """`run` raises StoreError kinds where the script was refused or never sent, else OutcomeUnknown.

    Each lane has one pipeline in flight. `pipelines` counts round trips, `commands` the calls answered.
    """

    def __init__(
        self, pool: ConnectionPool, script: bytes, replication: Replication, *, where: str, lanes: int, timeout_s: float
    ) -> None:
        self.pipelines = 0
        self.commands = 0
        self._pool = pool
        self._replication = replication
        self._load = _packed("SCRIPT", "LOAD", script)
        self._sha = sha1(script, usedforsecurity=False).hexdigest()
        self._where = where
        self._timeout_s = timeout_s
        self._waiting: deque[_Call] = deque()
        self._wake = asyncio.Event()
        self._closed = False
        self._lanes = [asyncio.create_task(self._lane(), name=f"append lane {n}") for n in range(lanes)]

    async def run(self, keys: Sequence[str], arguments: Sequence[Argument]) -> Any:
        """The script's answer."""
        if self._closed:
            raise StoreAway("this log is closed")
        packed = _packed("EVALSHA", self._sha, len(keys), *keys, *arguments)
        call = _Call(packed, asyncio.get_running_loop().create_future())
        self._waiting.append(call)
        self._wake.set()
        return await call.answer

    async def close(self) -> None:
        """Waits for what is in flight and in the queue."""
        self._closed = True
        self._wake.set()
        await asyncio.gather(*self._lanes)

    async def _lane(self) -> None:
        while True:
            batch = self._take()
            if batch:
                await self._serve(batch)
            elif self._closed:
                return
            else:
                self._wake.clear()
                await self._wake.wait()

    def _take(self) -> list[_Call]:
        """What goes out next, within the limits of a pipeline but at least one; callers who left are passed over."""
        batch: list[_Call] = []
        size = 0
        while self._waiting and len(batch) < MAX_COMMANDS:
            call = self._waiting[0]
            if batch and size + len(call.packed) > MAX_BYTES:
                break
            self._waiting.popleft()
            if not call.answer.done():
                batch.append(call)
                size += len(call.packed)
        return batch

    async def _serve(self, batch: list[_Call]) -> None:
        try:
            forgotten = await self._exchange(batch, load=False)
            if forgotten:
                forgotten = await self._exchange(forgotten, load=True)
            for call in forgotten:
                call.fail(StoreAway(f"the store at {self._where} does not keep the append script"))
        except Exception as error:  # noqa: BLE001 - whatever it is, callers are told, and the lane goes on
            for call in batch:
                call.fail(error)

    async def _exchange(self, batch: list[_Call], *, load: bool) -> list[_Call]:
        """Settles the calls, except those returned: refused because the store has forgotten the script."""
        try:
            async with asyncio.timeout(self._timeout_s):
                connection: Connection = await self._pool.get_connection()  # type: ignore[no-untyped-call]  # redis-py
        except (*redis_errors.LOST, RedisError) as error:
            away = redis_errors.unreachable(error, self._where)
            for call in batch:
                call.fail(away)
            return []
        try:
            async with asyncio.timeout(self._timeout_s):
                return await self._talk(connection, batch, load=load)
        except (*redis_errors.LOST, RedisError) as error:
            await connection.disconnect(nowait=True)
            reason = str(error) or f"no answer in {self._timeout_s} s"
            for call in batch:
                call.fail(OutcomeUnknown(f"the store at {self._where} did not answer an append: {reason}"))
            return []
        except BaseException:
            await connection.disconnect(nowait=True)
            raise
        finally:
            await self._pool.release(connection)

    async def _talk(self, connection: Connection, batch: list[_Call], *, load: bool) -> list[_Call]:
        self.pipelines += 1
        packed = b"".join([call.packed for call in batch])
        await connection.send_packed_command(self._load + packed if load else packed)
        if load:
            await _answer(connection)
        forgotten, answered = [], []
        for call in batch:
            answer = await _answer(connection)
            if isinstance(answer, NoScriptError):
                forgotten.append(call)
                continue
            self.commands += 1
            if isinstance(answer, RedisError):
                call.fail(redis_errors.refusal(answer, self._where))
            elif self._replication:
                answered.append((call, answer))
            else:
                call.settle(answer)
        if answered:
            await self._settle_safe(connection, answered)
        return forgotten

    async def _settle_safe(self, connection: Connection, answered: list[tuple[_Call, Any]]) -> None:
        """Tells the answers once what they tell of is replicated; else each is unknown."""

        async def ask(*words: Argument) -> Any:
            await connection.send_packed_command(_packed(*words))
            return await _answer(connection)

        missing = await self._replication.wait(ask)
        for call, answer in answered:
            if missing:
                call.fail(OutcomeUnknown(f"the store at {self._where} has not replicated an append: {missing}"))
            else:
                call.settle(answer)


def _packed(*words: Argument) -> bytes:
    packed: bytes = hiredis.pack_command(words)  # type: ignore[arg-type]  # its stub takes tuples of one only
    return packed


async def _answer(connection: Connection) -> Any:
    """The next answer, a refusal too; raises where the connection is lost.

    A refusal must not close the connection: the answers behind it are still to come.
    """
    try:
        return await connection.read_response(disconnect_on_error=False)
    except (ResponseError, *redis_errors.ANSWERS) as error:
        return error
