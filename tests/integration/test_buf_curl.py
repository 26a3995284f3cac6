"""A client that knows nothing beforehand: buf curl, by reflection."""

import json
import subprocess
from pathlib import Path

import pytest

from tests.integration.platform import tidelog, up
from tests.requirements import needs_buf

TYPED = "type.googleapis.com/tidelog.games.lost_seas.v1"


@pytest.fixture(scope="module")
def buf() -> Path:
    return needs_buf()


def curl(buf: Path, *words: str) -> str:
    line = [buf, "curl", "--http2-prior-knowledge", "--protocol", "grpc", *words]
    done = subprocess.run(line, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout


def call(buf: Path, address: str, method: str, request: dict, token: str = "") -> dict:
    header = ("--header", f"authorization: Bearer {token}") if token else ()
    url = f"http://{address}/tidelog.v1.{method}"
    return json.loads(curl(buf, *header, "--data", json.dumps(request), url))


def test_it_lists_the_services_and_plays_with_typed_payloads(buf, tmp_path):
    with up(tmp_path) as running:
        address = running.address
        listed = curl(buf, "--list-methods", f"http://{address}")
        assert "tidelog.v1.MatchService/SubmitMove" in listed
        assert "tidelog.v1.EngineService" not in listed

        token = call(buf, address, "IdentityService/SignInAsGuest", {"name": "Ann"})["token"]
        options = {"typed": {"@type": f"{TYPED}.Options", "youngExplorers": True}}
        create = {"requestId": "c", "game": "lost_seas", "seats": 2, "ownSeat": 0, "options": options}
        match = call(buf, address, "MatchService/CreateMatch", create, token)["receipt"]["matchId"]
        call(buf, address, "MatchService/JoinMatch", {"requestId": "j", "matchId": match, "seat": 1}, token)
        asked = {"matchId": match, "seat": 0, "accept": "PAYLOAD_FORM_TYPED"}
        legal = call(buf, address, "MatchService/ListLegalMoves", asked, token)
        move = legal["legal"]["moves"][0]
        assert move["typed"]["@type"] == f"{TYPED}.Move"
        submit = {"requestId": "m", "matchId": match, "seat": 0, "move": move, "decision": legal["decision"]}
        receipt = call(buf, address, "MatchService/SubmitMove", submit, token)["receipt"]
        assert receipt["cursor"].split("-")[0] == str(receipt["lastVersion"])
        tidelog("verify", match, "--data", tmp_path)
