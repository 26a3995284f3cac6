"""`tidelog token`: a bearer token, made with the store's key."""

import asyncio
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from services.cli.errors import CheckFailed, UsageError
from services.cli.output import say
from services.cli.tokens import Minter
from services.common import config


def token(
    *,
    admin: bool = False,
    name: str = "",
    redis: Annotated[str, Parameter(env_var="TIDELOG_REDIS")] = "",
    data: Annotated[Path | None, Parameter(env_var="TIDELOG_DATA")] = None,
) -> None:
    """Print a token for a new guest or an admin.

    Parameters
    ----------
    admin
        with the admin scope
    name
        what other players are shown
    redis
        URL of the store; by default the one that is up on the data directory
    data
        data directory of `tidelog up`
    """
    from services.eventlog.data_directory import owner
    from services.eventlog.port import StoreError
    from services.eventlog.store_folder import socket_url

    directory = data or config.data_directory()
    if not redis and owner(directory) is None:
        raise UsageError(f"name a store with --redis: nothing is up on {directory}")
    try:
        minter = asyncio.run(Minter.of(config.store_url(redis) if redis else socket_url(directory)))
    except config.BadSetting as error:
        raise UsageError(str(error)) from error
    except StoreError as error:
        raise CheckFailed(str(error)) from error
    say(minter.admin() if admin else minter.guest(name))
