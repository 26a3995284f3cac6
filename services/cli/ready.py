"""How a role started by `up` tells that it serves, and learns that `up` is gone."""

import asyncio
import os
import sys
from typing import Any

import msgspec
from msgspec import Struct

from services.common.serving import stopped

CHILD = "TIDELOG_CHILD"
"""Set in the environment of roles that `up` starts: they end when their standard input does."""


class Ready(Struct, frozen=True):
    """One line on standard output: the role serves at the address, and its metrics on a port of the same host.

    `http` is where a gateway serves HTTP; else it is empty.
    """

    ready: str
    address: str
    metrics: int | None = None
    http: str = ""


def tell(role: str, address: str, metrics: int | None = None, http: str = "") -> None:
    sys.stdout.write(msgspec.json.encode(Ready(role, address, metrics, http)).decode() + "\n")
    sys.stdout.flush()


def parse(line: bytes) -> Ready | None:
    try:
        return msgspec.json.decode(line, type=Ready)
    except msgspec.DecodeError:
        return None


async def ended(*early: asyncio.Future[Any]) -> None:
    """Returns on SIGINT, SIGTERM or, for a child, when whoever started it is gone; or when one of `early` is done."""
    waits = [asyncio.create_task(stopped())]
    if os.environ.get(CHILD):
        waits.append(asyncio.create_task(_input_closed()))
    await asyncio.wait([*waits, *early], return_when=asyncio.FIRST_COMPLETED)
    for wait in waits:
        wait.cancel()


async def _input_closed() -> None:
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while await reader.read(1024):
        pass
