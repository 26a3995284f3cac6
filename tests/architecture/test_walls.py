"""Who may import whom, outside the engines: the table of rooms, kept by reading every import."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from engines.core import games

ROOT = Path(__file__).parents[2]
GENERATED = ("_pb2.py", "_pb2_grpc.py")
PROTOS = ("tidelog.v1", "tidelog.games")

ROOMS: dict[str, tuple[str, ...]] = {
    "services/common": ("services.common", "engines.core", *PROTOS),
    "services/eventlog": (
        "services.eventlog", "services.common.bounded", "services.common.faults", "services.common.hidden",
        "services.common.refusals", "services.common.logs", "services.common.tasks", "engines.core",
    ),
    "services/engine": ("services.engine", "services.common", "services.eventlog", "engines.core", *PROTOS),
    "services/clock": ("services.clock", "services.common", "services.eventlog", "engines.core", *PROTOS),
    "services/bots": ("services.bots", "services.common", "engines.core", "tidelog.client"),
    "services/cli": (
        "services.cli", "services.common", "services.eventlog", "engines.core", "tidelog.client", *PROTOS,
        "services.bots.players", "services.bots.service", "services.clock.main", "services.engine.main",
        "gateway.main", "gateway.settings", "gateway.callers.identity", "gateway.rewinds",
    ),
    "protos/tidelog/client": ("tidelog.client", *PROTOS),
    "gateway": ("gateway", "services.clock.main", "services.common", "services.eventlog", "engines.core", *PROTOS),
}  # fmt: skip
"""What of ours each room may import. In the CLI `gateway.callers.identity` mints tokens, and nothing else;
`gateway.rewinds` is for `doctor`."""

STOREYS = (
    ("callers",), ("projections",), ("matches",), ("routing",), ("feeds",), ("streams", "lobby"), ("api",), ("web",),
)  # fmt: skip
"""The rooms of the gateway from the ground up: each imports only its own and those below it."""

OURS = ("engines", "services", "gateway", "tidelog")
FORBIDDEN = {
    "services/bots": ("redis", "grpc"),
    "services/eventlog": ("grpc", "google"),
    "protos/tidelog/client": ("redis", "structlog"),
    "gateway": ("redis",),
}
HTTP = ("starlette", "uvicorn")
"""What serves HTTP: gateway/web alone imports it, and a gateway that serves none loads it not at all."""

HEAVY = (
    "opentelemetry",
    "rich",
    "babel",
    "hypothesis",
    "jsonschema",
    "prometheus_client.twisted",
    "pytest",
    "mypy",
    "asyncio.windows_events",
)
"""What no service loads: it costs start-up time and memory, and serves nobody there."""


def files(room: str) -> list[Path]:
    found = (ROOT / room).rglob("*.py")
    return sorted(path for path in found if not path.name.endswith(GENERATED))


def imports(path: Path) -> list[str]:
    names: list[str] = []
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively"
            names += [f"{node.module}.{alias.name}" for alias in node.names]
    return names


def within(name: str, places: tuple[str, ...]) -> bool:
    return any(name == place or name.startswith(f"{place}.") for place in places)


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_imports_only_what_its_row_allows(room):
    for path in files(room):
        for name in imports(path):
            if name.split(".")[0] in OURS:
                assert within(name, ROOMS[room]) or name in {"engines.core", "services.eventlog"}, (
                    f"{path} imports {name}"
                )
            assert not within(name, FORBIDDEN.get(room, ())), f"{path} imports {name}"


@pytest.mark.parametrize("room", ROOMS)
def test_no_room_knows_a_game_by_name(room):
    for path in files(room):
        text = path.read_text()
        for game in games.names():
            assert game not in text, f"{path} names {game}"


@pytest.mark.parametrize("room", ROOMS)
def test_files_are_short_and_named_for_what_they_hold(room):
    for path in files(room):
        assert path.stem not in {"utils", "util", "helpers", "helper", "base", "manager", "misc"}, path
        assert len(path.read_text().splitlines()) <= 400, path


def test_the_gateways_rooms_are_those_of_the_table():
    rooms = {path.parent.name for path in (ROOT / "gateway").glob("*/__init__.py")}
    assert rooms == {room for storey in STOREYS for room in storey}


@pytest.mark.parametrize("height", range(len(STOREYS)), ids=["+".join(storey) for storey in STOREYS])
def test_a_room_of_the_gateway_imports_none_above_it(height):
    above = [room for storey in STOREYS[height:] for room in storey]
    for room in STOREYS[height]:
        barred = tuple(f"gateway.{other}" for other in above if other != room)
        for path in files(f"gateway/{room}"):
            assert not [name for name in imports(path) if within(name, barred)], path


@pytest.mark.parametrize("module", ["services.engine.main", "gateway.main", "services.bots.service"])
def test_a_service_loads_nothing_heavy(module):
    script = f"import sys, {module}; print('\\n'.join(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT).stdout
    heavy = [name for name in loaded.split() if within(name, HEAVY)]
    assert not heavy, f"{module} loads {heavy}"


def test_only_the_gateway_speaks_http():
    for room in ROOMS:
        for path in files(room):
            served = [name for name in imports(path) if within(name, HTTP)]
            assert not served or path.is_relative_to(ROOT / "gateway" / "web"), f"{path} imports {served}"


@pytest.mark.parametrize("module", ["services.engine.main", "gateway.main", "services.bots.service"])
def test_no_service_loads_a_web_server_before_it_serves_one(module):
    script = f"import sys, {module}; print('\\n'.join(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT).stdout
    assert not [name for name in loaded.split() if within(name, HTTP)]


def ours() -> list[Path]:
    """Every file that is the project's own, also where it lies without its history."""
    tops = [path for path in ROOT.iterdir() if not path.name.startswith(".") or path.name == ".ci"]
    files = [file for top in tops for file in ([top] if top.is_file() else top.rglob("*"))]
    return [file for file in files if file.is_file() and not {"node_modules", "__pycache__"} & set(file.parts)]


def test_nothing_names_a_path_of_one_machine():
    for path in ours():
        if path.suffix in {".py", ".md", ".toml", ".yml", ".yaml", ".json", ".proto", ".sh", ".mjs", ""}:
            text = path.read_text(errors="ignore")
            for part in ("/ro" + "ot/", "/wo" + "rk/", "/ho" + "me/"):
                assert part not in text, f"{path} names {part}"
