"""The compose file as Compose reads it: YAML 1.2 with merges, then the variables of the environment."""

import re
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct
from ruamel.yaml import YAML

ROOT = Path(__file__).parents[2]
FILE = ROOT / "docker-compose.yml"

_VARIABLE = re.compile(r"\$\{(?P<name>\w+):(?P<kind>[?-])(?P<text>[^}]*)\}")


class Unset(LookupError):  # noqa: N818 - says what is so
    """A variable that the file requires is not set; the message is the file's own."""


class Service(Struct, frozen=True, kw_only=True):
    name: str
    command: tuple[str, ...]
    environment: dict[str, str]
    mounts: dict[str, str]
    """What is mounted, a path of this folder or the name of a volume, by its path in the container."""
    needs: tuple[str, ...]


def raw() -> dict[str, Any]:
    document: dict[str, Any] = YAML(typ="safe", pure=True).load(FILE)
    return document


def services(environment: Mapping[str, str], *profiles: str) -> dict[str, Service]:
    """Those that start with the profiles, by name, each after those it needs. Raises Unset."""
    rows = {name: row for name, row in raw()["services"].items() if set(row.get("profiles", ())) <= set(profiles)}
    told = {name: _service(name, row, environment) for name, row in rows.items()}
    ordered: dict[str, Service] = {}

    def place(service: Service) -> None:
        for needed in service.needs:
            place(told[needed])
        ordered[service.name] = service

    for service in told.values():
        place(service)
    return ordered


def interpolated(text: str, environment: Mapping[str, str]) -> str:
    def value(found: re.Match[str]) -> str:
        given = environment.get(found["name"])
        if not given and found["kind"] == "?":
            raise Unset(found["text"])
        return given or found["text"]

    return _VARIABLE.sub(value, text)


def _service(name: str, row: dict[str, Any], environment: Mapping[str, str]) -> Service:
    mounts = [volume.split(":") for volume in row.get("volumes", ())]
    return Service(
        name=name,
        command=tuple(shlex.split(interpolated(row.get("command", ""), environment))),
        environment={key: interpolated(text, environment) for key, text in row.get("environment", {}).items()},
        mounts={inside: source for source, inside, *_ in mounts},
        needs=tuple(row.get("depends_on", ())),
    )
