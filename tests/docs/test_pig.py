"""The game of docs/examples, installed into a fresh environment beside Tidelog and played over the API."""

import asyncio
import re
import signal
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from services.common.refusals import Reason
from tests.docs.pages import DOCS, ROOT
from tests.integration.platform import DRAIN_S, READY, environment
from tidelog.client import SENTENCE, Refused, connect
from tidelog.client.answers import Entry

PIG = DOCS / "examples" / "pig"


@pytest.fixture(scope="module")
def place(tmp_path_factory) -> Path:
    """The folder of commands of the environment: the game is installed there, all else is ours."""
    folder = tmp_path_factory.mktemp("fresh")
    venv.create(folder, with_pip=False)
    site = next((folder / "lib").glob("python*/site-packages"))
    ours = [path for path in sys.path if path.endswith("site-packages")]
    (site / "beside.pth").write_text("\n".join([*ours, str(ROOT), str(ROOT / "protos")]))
    install = [sys.executable, "-m", "pip", "--python", str(folder / "bin" / "python"), "install", "--quiet"]
    subprocess.run([*install, "--no-deps", "--no-build-isolation", "--no-index", str(PIG)], check=True, timeout=120)
    command = folder / "bin" / "tidelog"
    command.write_text(f"#!{folder}/bin/python\nfrom services.cli.main import main\nmain()\n")
    command.chmod(0o755)
    return folder / "bin"


def run(place, *words):
    done = subprocess.run(
        [place / "tidelog", *map(str, words)], capture_output=True, text=True, check=False, env=environment()
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_it_is_found_by_its_entry_point_and_keeps_the_laws(place, tmp_path):
    assert re.search(r"^pig +Pig +2-4 seats +rules 1 +house$", run(place, "games"), re.MULTILINE)
    assert re.search(r"pig keeps all \d+ laws", run(place, "check-game", "pig", "--matches", 2))
    assert "PG-4" in run(place, "rules", "pig", "PG-4")
    run(place, "simulate", "pig", "--bots", "greedy,random", "--matches", 3, "--out", tmp_path / "logs")
    run(place, "verify", tmp_path / "logs")
    (first, *_) = sorted((tmp_path / "logs").iterdir())
    told = run(place, "replay", first, "--language", "cs")
    assert "    1 Partie hry Prase, 2 hráči.\n" in told
    assert re.search(r" si nechává \d+ (bod|body|bodů)\.$", told, re.MULTILINE)


def test_it_is_played_over_the_api_with_json_payloads(place, tmp_path):
    process = subprocess.Popen(
        [place / "tidelog", "up", "--data", tmp_path, "--port", "0", "--http", "0"],
        stdout=subprocess.PIPE,
        text=True,
        env=environment(),
    )
    with process:
        try:
            address = READY.search(process.stdout.readline())[1]
            asyncio.run(played_at(address))
        finally:
            process.send_signal(signal.SIGINT)
            assert process.wait(DRAIN_S) == 0


async def played_at(address):
    async with asyncio.timeout(90), connect(address, guest="Ann") as ann:
        await played(ann)


async def played(ann):
    assert "pig" in [game.name for game in await ann.games()]
    assert (await ann.describe("pig")).proto_package == ""
    with pytest.raises(Refused) as refused:
        await ann.create("pig", 2, options={"goal": 5})
    assert (refused.value.reason, refused.value.rule) == (Reason.ILLEGAL_OPTIONS, "PG-1")
    receipt = await ann.create("pig", 2, options={"goal": 10}, own_seat=0, bots={1: "greedy"})
    with pytest.raises(Refused) as refused:
        await ann.submit(receipt.match_id, 0, {"kind": "hold"})
    assert refused.value.rule == "PG-4"
    async for turn in ann.turns(receipt.match_id, 0):
        await turn.play({"kind": "hold"} if turn.view["kept"] >= 5 else {"kind": "roll"})
    match = (await ann.match(receipt.match_id)).match
    assert (match.status, match.ranking[0].points >= 10) == ("finished", True)
    wording = await ann.wording(receipt.match_id, "cs")
    told = [
        wording.say(update.sentence)
        async for update in ann.watch(receipt.match_id, include=[SENTENCE])
        if isinstance(update, Entry)
    ]
    assert told[0] == "Partie hry Prase, 2 hráči."
    assert any(text.startswith("Ann hází ") for text in told)
