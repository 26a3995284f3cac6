"""Where data lies and which keys services share, before anything is connected."""

import os
import re
import secrets
from collections.abc import Iterator
from contextlib import suppress
from ipaddress import ip_network
from pathlib import Path

CLUSTER_KEY = "TIDELOG_CLUSTER_KEY"
SECRET_KEY = "TIDELOG_SECRET_KEY"  # noqa: S105 - the variable's name
STORE_SCHEMES = ("redis://", "rediss://", "unix://")
_CLUSTER_KEY_FILE = "cluster.key"


class BadSetting(ValueError):  # noqa: N818 - says what is wrong
    """An option or variable that can't be used; the message names it."""


def data_directory() -> Path:
    """$XDG_DATA_HOME/tidelog, by default ~/.local/share/tidelog."""
    home = os.environ.get("XDG_DATA_HOME")
    return (Path(home) if home else Path.home() / ".local" / "share") / "tidelog"


def cluster_key(data: Path, *, make: bool = False) -> str:
    """The key that gateways show to engine services: TIDELOG_CLUSTER_KEY, else the data directory's. Raises BadSetting.

    `make` makes one where there is none yet.
    """
    given = os.environ.get(CLUSTER_KEY)
    if given:
        return given
    file = data / _CLUSTER_KEY_FILE
    if make and not file.exists():
        data.mkdir(mode=0o700, parents=True, exist_ok=True)
        _make_key(file)
    try:
        key = file.read_text().strip()
    except OSError as error:
        raise BadSetting(f"set {CLUSTER_KEY}, or name a data directory that holds {_CLUSTER_KEY_FILE}") from error
    if not key:
        raise BadSetting(f"{file} is empty: delete it, and `tidelog up` makes a new one")
    return key


def _make_key(file: Path) -> None:
    """The file appears whole; one that another process made first stays."""
    draft = file.with_name(f"{file.name}.{secrets.token_hex(8)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as opened:
        opened.write(secrets.token_hex(32))
    with suppress(FileExistsError):
        os.link(draft, file)
    draft.unlink()


def secret_key() -> bytes | None:
    """32 bytes from the hex of TIDELOG_SECRET_KEY, which seal match secrets at rest. Raises BadSetting."""
    text = os.environ.get(SECRET_KEY)
    if not text:
        return None
    try:
        key = bytes.fromhex(text)
    except ValueError:
        key = b""
    if len(key) != 32:
        raise BadSetting(f"{SECRET_KEY} is 64 hex digits")
    return key


def store_url(text: str) -> str:
    """The URL of a store, if it is one. Raises BadSetting."""
    if not text.startswith(STORE_SCHEMES):
        shown = re.sub(r"(?<=//).*@", "", text)  # what stands there is a password
        raise BadSetting(f"{shown!r} is no store's URL: it begins with {', '.join(STORE_SCHEMES)}")
    return text


def replicas(durability: str) -> int:
    """How many replicas must have a move on their disks before it is acknowledged: `local`, or `replicated(N)`.

    Raises BadSetting.
    """
    found = re.fullmatch(r"local|replicated\(([1-9]\d?)\)", durability)
    if found is None:
        raise BadSetting(f"{durability!r} is no durability: it is `local`, or `replicated(N)` with N from 1 to 99")
    return int(found[1] or 0)


def _listed(text: str) -> Iterator[str]:
    """What stands between commas."""
    return filter(None, (part.strip() for part in text.split(",")))


def host_names(text: str) -> tuple[str, ...]:
    """Names of hosts without ports, separated by commas; `*` is any. Raises BadSetting."""
    found = tuple(filter(None, (part.lower().removesuffix(".") for part in _listed(text))))
    for name in found:
        if name != "*" and not re.fullmatch(r"[a-z0-9._-]+", name, re.ASCII):
            raise BadSetting(f"{name!r} is no host's name: no scheme, no port, and no part of it is a `*`")
    return found


def proxy_addresses(text: str) -> tuple[str, ...]:
    """Addresses, or networks such as 10.0.0.0/8, separated by commas. Raises BadSetting."""
    found = tuple(_listed(text))
    for place in found:
        try:
            ip_network(place)
        except ValueError as error:
            raise BadSetting(f"{place!r} is no address of a proxy, nor a network such as 10.0.0.0/8") from error
    return found


def engine_places(text: str) -> tuple[str, ...]:
    """GAME=HOST:PORT,... as one text a game, GAME=PLACE,PLACE...; a game named twice has two replicas.

    Raises BadSetting.
    """
    found: dict[str, list[str]] = {}
    for item in _listed(text):
        game, equals, place = item.partition("=")
        if not equals or not game or ":" not in place:
            raise BadSetting(f"{item!r} is not GAME=HOST:PORT")
        found.setdefault(game, []).append(place)
    return tuple(f"{game}={','.join(places)}" for game, places in found.items())
