"""A client in another language, which has the protos and nothing else of ours, plays whole matches."""

import json
import subprocess
from pathlib import Path

import pytest

from tests import requirements
from tests.integration.platform import tidelog

CLIENT = Path(__file__).parent / "node_client"
MATCH_S = 120


@pytest.fixture(scope="module")
def node() -> str:
    """The path of Node.js; the client's packages are installed."""
    requirements.needs_packages(CLIENT)
    return requirements.needs_node()


@pytest.mark.parametrize("form", ["json", "typed"])
def test_its_final_ranking_is_that_of_the_replay(node, platform, form):
    played = subprocess.run(
        [node, CLIENT / "play.mjs", platform.address, form],
        capture_output=True,
        text=True,
        check=False,
        timeout=MATCH_S,
    )
    assert played.returncode == 0, played.stderr
    told = json.loads(played.stdout)

    export = platform.data / f"{form}.export"
    tidelog("export", told["match_id"], "--data", platform.data, "--out", export)
    tidelog("verify", export)
    replayed = json.loads(tidelog("replay", export, "--json").stdout)
    assert replayed["match"] == told["match_id"]
    assert told["ranking"] == replayed["outcome"]["ranking"]
    assert sorted(standing["seat"] for standing in told["ranking"]) == [0, 1]


def test_its_packages_are_pinned_and_come_from_the_public_registry():
    wanted = json.loads((CLIENT / "package.json").read_text())["dependencies"]
    locked = json.loads((CLIENT / "package-lock.json").read_text())["packages"]
    packages = {name: row for name, row in locked.items() if name}
    assert {name: packages[f"node_modules/{name}"]["version"] for name in wanted} == wanted
    for name, row in packages.items():
        assert row["integrity"].startswith("sha512-"), name
        assert row.get("resolved", "https://registry.npmjs.org/").startswith("https://registry.npmjs.org/"), name
