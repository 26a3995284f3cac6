"""What a store is, asked when it is opened: server and version, how it keeps its word, whose format it holds."""

import os
import re
from typing import Any

from msgspec import Struct
from redis.exceptions import ReadOnlyError, ResponseError

from services.eventlog import hashes, keys
from services.eventlog.port import SHARED_KEY_BYTES, WrongStore

Client = Any
"""A redis.asyncio.Redis; its types join both protocols and both kinds of client in one, and say nothing."""

LEAST_VERSION = (7, 0)


class StoreFacts(Struct, frozen=True):
    """`fsync` is the appendfsync mode, `off` where the store writes no append-only file, or `unknown`.

    `compatible` is the version of Redis that the server keeps to, for Valkey not its own.
    """

    server: str
    version: str
    compatible: tuple[int, int]
    fsync: str

    def __str__(self) -> str:
        return f"{self.server} {self.version}, appendfsync {self.fsync}"


async def ask(client: Client, where: str) -> StoreFacts:
    """Raises WrongStore for a server older than the log needs."""
    info: dict[str, Any] = await client.info("server")
    name = str(info.get("server_name", "redis"))
    redis_version = str(info["redis_version"])
    version = str(info.get(f"{name}_version", redis_version))
    found = re.match(r"(\d+)\.(\d+)", redis_version)
    compatible = (int(found[1]), int(found[2])) if found else (0, 0)
    if compatible < LEAST_VERSION:
        raise WrongStore(f"the store at {where} is {name} {version}; Tidelog needs Redis 7.0 or later, or Valkey")
    return StoreFacts(name.capitalize(), version, compatible, await _fsync(client))


async def _fsync(client: Client) -> str:
    try:
        found: dict[str, str] = await client.config_get("append*")
    except ResponseError:  # managed stores forbid CONFIG
        return "unknown"
    settings = {_text(name): _text(value) for name, value in found.items()}
    if settings.get("appendonly") == "no":
        return "off"
    return settings.get("appendfsync", "unknown")


def _text(value: str | bytes) -> str:
    return value.decode() if isinstance(value, bytes) else value


PROBE = "#!lua\nreturn 1"
"""A script that writes nothing, but is refused like one that does: by a store that is full, read-only, or loading."""

LOGS = re.compile(r"tidelog:\{s\d\d\}:(match:|secret:|heads$|feed$)")
"""What an emptied store must not hold; the rest is made anew, or is cache that nobody reads."""


async def claim(client: Client, where: str) -> bytes | None:
    """Makes an empty store ours. Its identity; None where it is a replica that was never told one.

    Raises WrongStore where it holds another format, or logs and none.
    """
    await _claim_format(client, where)
    identity = await _identity(client)
    if identity is None:
        try:
            for shard in range(hashes.SHARDS):
                await client.hsetnx(keys.meta(shard), "feed", 0)
            await client.set(keys.key(keys.IDENTITY), os.urandom(SHARED_KEY_BYTES), nx=True)
        except ReadOnlyError:
            return None
        identity = await _identity(client)
    return identity


async def _identity(client: Client) -> bytes | None:
    """It is made after the feeds' counters, so where it is they are."""
    held: bytes | None = await client.get(keys.key(keys.IDENTITY))
    return held


async def check(client: Client, where: str, identity: bytes | None) -> None:
    """Raises WrongStore where it is another store than was claimed, and what a refused append would raise."""
    async with client.pipeline(transaction=False) as pipeline:
        pipeline.mget(keys.FORMAT, keys.key(keys.IDENTITY))
        pipeline.eval(PROBE, 0)
        held, probed = await pipeline.execute(raise_on_error=False)
    if isinstance(held, Exception):
        raise held
    if held[0] is None:
        raise WrongStore(f"the store at {where} was emptied: it holds no {keys.FORMAT} any more")
    _check_format(held[0], where)
    if identity is not None and held[1] != identity:
        raise WrongStore(f"the store at {where} is another one than before, or was emptied")
    if isinstance(probed, Exception):
        raise probed


async def _claim_format(client: Client, where: str) -> None:
    held = await client.get(keys.FORMAT)
    if held is None:
        ours = await _any_of_ours(client)
        if ours is None:
            await client.set(keys.FORMAT, keys.FORMAT_VALUE, nx=True)
        # Others that open the same empty store may have come first, and appended already.
        held = await client.get(keys.FORMAT)
        if held is None:
            raise WrongStore(f"the store at {where} holds {ours} but no {keys.FORMAT}")
    _check_format(held, where)


def _check_format(held: bytes, where: str) -> None:
    if held != keys.FORMAT_VALUE:
        shown = held.decode(errors="replace")
        raise WrongStore(
            f"the store at {where} holds the format {shown!r}; this code reads {keys.FORMAT_VALUE.decode()!r}"
        )


async def _any_of_ours(client: Client) -> str | None:
    """A key that belongs to a log."""
    async for key in client.scan_iter("tidelog:*", count=1000):
        name = str(key.decode(errors="replace"))
        if LOGS.match(name):
            return name
    return None
