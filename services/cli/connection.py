"""How commands reach a running platform: the one that is up on the data directory, unless told otherwise."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from msgspec import Struct

from services.cli.errors import UsageError
from services.common import config
from tidelog.client import Client, connect

Gateway = Annotated[str, Parameter(env_var="TIDELOG_GATEWAY")]
"""HOST:PORT; by default the gateway that is up on the data directory."""

Token = Annotated[str, Parameter(env_var="TIDELOG_TOKEN")]
"""A bearer token; by default an admin's, made with the key of the store on the data directory."""

Data = Annotated[Path | None, Parameter(env_var="TIDELOG_DATA")]
"""The data directory of `tidelog up`."""


class Target(Struct, frozen=True):
    """Where to connect, and as whom."""

    gateway: str = ""
    token: str = ""
    data: Path | None = None


@asynccontextmanager
async def connected(target: Target) -> AsyncIterator[Client]:
    """A client; raises UsageError where nothing is up and no address was given."""
    data = target.data or config.data_directory()
    address = target.gateway or _address(data)
    token = target.token or await _admin_token(data)
    guest = None if token else ""
    async with connect(address, token=token, guest=guest) as client:
        yield client


def _address(data: Path) -> str:
    from services.eventlog.data_directory import owner

    living = owner(data)
    if living is None or not living.addresses:
        raise UsageError(f"nothing is up on {data}: name a gateway with --gateway HOST:PORT")
    return living.addresses[0]


async def _admin_token(data: Path) -> str:
    """Made with the key of the embedded store; empty where it is not ours to read."""
    from services.cli.tokens import Minter
    from services.eventlog.data_directory import owner
    from services.eventlog.port import StoreError
    from services.eventlog.store_folder import socket_url

    if owner(data) is None:
        return ""
    try:
        minter = await Minter.of(socket_url(data))
        return minter.admin()
    except StoreError:
        return ""
