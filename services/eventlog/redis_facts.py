"""What a store is, asked when it is opened: server and version, how it keeps its word, whose format it holds."""

import re
from typing import Any

from msgspec import Struct
from redis.exceptions import ResponseError

from services.eventlog import keys
from services.eventlog.port import WrongStore

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


async def claim_format(client: Client, where: str) -> None:
    """Makes an empty store ours; raises WrongStore where it holds another format, or Tidelog's keys and none."""
    held = await client.get(keys.FORMAT)
    if held is None:
        ours = await _any_of_ours(client)
        if ours is None:
            await client.set(keys.FORMAT, keys.FORMAT_VALUE, nx=True)
        # Others that open the same empty store may have come first, and appended already.
        held = await client.get(keys.FORMAT)
        if held is None:
            raise WrongStore(f"the store at {where} holds {ours} but no {keys.FORMAT}")
    if held != keys.FORMAT_VALUE:
        shown = held.decode(errors="replace")
        raise WrongStore(
            f"the store at {where} holds the format {shown!r}; this code reads {keys.FORMAT_VALUE.decode()!r}"
        )


async def _any_of_ours(client: Client) -> str | None:
    async for key in client.scan_iter("tidelog:*", count=1000):
        if key != keys.FORMAT.encode():
            return str(key.decode(errors="replace"))
    return None
