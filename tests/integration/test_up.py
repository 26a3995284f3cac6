"""`tidelog up` as its users meet it."""

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

import grpc
import httpx
import pytest
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import ProtoReflectionDescriptorDatabase

from engines.core import games
from tests.integration.platform import SHORT, Up, environment, tidelog, up
from tidelog.client import connect

README = Path(__file__).parents[2] / "README.md"


async def bot_match(address: str) -> str:
    """A match between bots, watched to its end; its id."""
    async with connect(address, guest="Onlooker") as client:
        receipt = await client.create(SHORT, 2, bots={0: "greedy", 1: "random"})
        async for _ in client.watch(receipt.match_id):
            pass
        details = await client.match(receipt.match_id)
    assert details.match.status == "finished"
    return receipt.match_id


def test_the_first_match_of_the_readme_is_played(platform):
    script = re.search(r"```python\n(.*?)```", README.read_text(), re.DOTALL)[1]
    script = script.replace("127.0.0.1:50051", platform.address)
    played = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False, timeout=60)
    assert played.returncode == 0, played.stderr
    assert "Standing(seat=0" in played.stdout


@pytest.mark.parametrize("words", [(), ("--together",)], ids=["processes", "together"])
def test_what_was_played_is_there_after_the_next_start(tmp_path, words):
    with up(tmp_path, *words) as running:
        match = asyncio.run(bot_match(running.address))
        before = tidelog("export", match, "--data", tmp_path).stdout
    with up(tmp_path, *words) as running:
        assert tidelog("export", match, "--data", tmp_path).stdout == before


def test_a_second_up_on_the_same_data_says_who_serves(platform):
    second = tidelog("up", "--data", platform.data, "--port", "0", "--http", "0", status=1)
    assert second.stdout == ""
    assert second.stderr.count("\n") == 1
    assert str(platform.process.pid) in second.stderr
    assert platform.address in second.stderr


@pytest.mark.parametrize(("one", "other"), [("port", "http"), ("http", "port")])
def test_a_port_that_is_taken_is_named(platform, tmp_path, one, other):
    taken = (platform.address if one == "port" else platform.http).rpartition(":")[2]
    second = tidelog("up", "--data", tmp_path, f"--{one}", taken, f"--{other}", "0", status=1)
    assert taken in second.stderr
    assert second.stderr.count("\n") == 1


def serves_the_client(running: Up) -> bool:
    assert running.http.startswith("http://127.0.0.1:")
    with urlopen(f"{running.http}/") as answer:
        return b"<title>" in answer.read()


def test_the_client_is_served_beside_grpc(platform):
    assert serves_the_client(platform)


def test_the_client_is_served_beside_grpc_by_roles_together(tmp_path):
    with up(tmp_path, "--together") as running:
        assert serves_the_client(running)


@pytest.mark.parametrize("words", [(), ("--together",)], ids=["processes", "together"])
def test_browsers_ask_under_the_names_that_it_was_given(tmp_path, words):
    with up(tmp_path, "--http-host", "games.test,other.test", *words) as running:
        for host, status in {"games.test": 200, "other.test:8080": 200, "localhost": 200, "evil.test": 421}.items():
            assert httpx.get(f"{running.http}/", headers={"host": host}).status_code == status, host


def test_reflection_lists_the_public_services(platform):
    with grpc.insecure_channel(platform.address) as channel:
        services = set(ProtoReflectionDescriptorDatabase(channel).get_services())
    assert {"tidelog.v1.MatchService", "tidelog.v1.GameService", "tidelog.v1.IdentityService"} <= services
    assert "tidelog.v1.EngineService" not in services


def test_bots_play_at_once_in_the_demo(tmp_path):
    async def lobby(address: str) -> str:
        async with connect(address, guest="Onlooker") as client:
            while True:
                async for match in client.matches(status="running"):
                    async for update in client.watch(match.match_id, after=match.cursor):
                        if hasattr(update, "version"):
                            return match.match_id

    with up(tmp_path, "--demo") as running:
        assert asyncio.run(asyncio.wait_for(lobby(running.address), 60))


def test_the_doctor_knows_who_is_up_and_how_safe_the_store_is(platform):
    told = tidelog("doctor", "--data", platform.data).stdout
    assert "appendfsync always" in told
    assert f"serves {platform.address}, {platform.http}" in told


def test_a_finished_match_can_be_imported_elsewhere(platform, tmp_path):
    match = asyncio.run(bot_match(platform.address))
    tidelog("export", match, "--data", platform.data, "--out", tmp_path / "match.jsonl")
    with up(tmp_path / "two"):
        told = tidelog("import", tmp_path / "match.jsonl", "--data", tmp_path / "two").stdout
        again = tidelog("import", tmp_path / "match.jsonl", "--data", tmp_path / "two").stdout
        restored = tidelog("import", tmp_path / "match.jsonl", "--restore", "--data", tmp_path / "two").stdout
    assert not told.startswith(match)
    assert again == told.rstrip() + " (it was there already)\n"
    assert restored.startswith(match)


def test_a_role_that_dies_serves_again_where_it_did(tmp_path):
    with up(tmp_path) as running:
        for role in ("serve gateway", "serve engine", "serve bots"):
            os.kill(child_of(running, role), signal.SIGKILL)
        assert asyncio.run(bot_match(running.address))
        with urlopen(f"{running.http}/healthz") as answer:
            assert answer.read() == b"ok\n"


def child_of(running: Up, role: str) -> int:
    """The process that runs the role for this `up`."""
    listed = subprocess.run(["ps", "-wweo", "pid=,ppid=,args="], capture_output=True, text=True, check=True).stdout
    rows = [line.split(maxsplit=2) for line in listed.splitlines()]
    return next(int(pid) for pid, parent, words in rows if int(parent) == running.process.pid and role in words)


def told_where(running: Up) -> dict[str, str]:
    """Where each role answers Prometheus, from the file that Prometheus reads."""
    found = json.loads((running.data / "metrics.json").read_text())
    return {each["labels"]["role"]: target for each in found for target in each["targets"]}


def scraped(target: str) -> str:
    with urlopen(f"http://{target}/metrics") as answer:
        return answer.read().decode()


def test_each_role_answers_prometheus_for_itself_and_again_after_its_death(tmp_path):
    with up(tmp_path, "--metrics") as running:
        asyncio.run(bot_match(running.address))
        targets = told_where(running)
        assert set(targets) == {"gateway", "bots", *(f"engine {name} 0" for name in games.names())}
        assert len(set(targets.values())) == len(targets)
        counted = {role: scraped(target) for role, target in targets.items()}
        of_moves = {role for role, text in counted.items() if "\ntidelog_moves_total{" in text}
        assert of_moves == {role for role in targets if role.startswith("engine ")}
        assert [role for role, text in counted.items() if "tidelog_gateway_live_matches 1.0" in text] == ["gateway"]
        played = re.search(rf'tidelog_moves_total{{game="{SHORT}"}} (\S+)', counted[f"engine {SHORT} 0"])
        assert float(played[1]) > 10

        os.kill(child_of(running, f"serve engine {SHORT}"), signal.SIGKILL)
        asyncio.run(bot_match(running.address))
        assert told_where(running) == targets
        assert f'tidelog_moves_total{{game="{SHORT}"}}' in scraped(targets[f"engine {SHORT} 0"])
    assert not (tmp_path / "metrics.json").exists()


def test_roles_together_answer_prometheus_in_one_place(tmp_path):
    with up(tmp_path, "--together", "--metrics") as running:
        asyncio.run(bot_match(running.address))
        (target,) = told_where(running).values()
        text = scraped(target)
    assert f'tidelog_moves_total{{game="{SHORT}"}}' in text
    assert "tidelog_gateway_live_matches 1.0" in text


def test_without_being_asked_for_nobody_answers_prometheus(platform):
    assert not (platform.data / "metrics.json").exists()


def test_children_end_when_up_is_killed(tmp_path):
    """The store alone outlives it, on purpose; the next `up` takes it over."""
    process = subprocess.Popen(
        [Path(sys.executable).with_name("tidelog"), "up", "--data", tmp_path, "--port", "0", "--http", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
    )
    with process:
        assert "is up" in process.stdout.readline()
        process.kill()
        process.stderr.read()  # ends once no child holds it any more
    with up(tmp_path):
        pass
