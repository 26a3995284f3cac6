"""How commands reach a running platform: the one that is up on the data directory, unless told otherwise."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from services.cli.errors import UsageError
from services.common import config

if TYPE_CHECKING:
    from tidelog.client import Client


@Parameter(name="*")
@dataclass(frozen=True)
class Target:
    """Where to connect, and as whom: the options that all commands on a running platform share."""

    gateway: Annotated[str, Parameter(env_var="TIDELOG_GATEWAY")] = ""
    """HOST:PORT; by default the gateway that is up on the data directory"""

    token: Annotated[str, Parameter(env_var="TIDELOG_TOKEN")] = ""
    """bearer token; by default an admin's, where the store is ours to read"""

    data: Annotated[Path | None, Parameter(env_var="TIDELOG_DATA")] = None
    """data directory of `tidelog up`"""


HERE = Target()


@asynccontextmanager
async def connected(target: Target) -> AsyncIterator["Client"]:
    """A client; raises UsageError where nothing is up and no address was given."""
    from tidelog.client import connect

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
