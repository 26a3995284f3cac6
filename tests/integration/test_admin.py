"""`tidelog admin` against a running platform."""

import asyncio
import json

from tests.integration.platform import SHORT, tidelog, up
from tidelog.client import connect

OPERATOR = "tidelog|operator"


async def waiting_match(address: str) -> tuple[str, str]:
    """A match that waits for a person against a bot, and the person's token."""
    async with connect(address) as client:
        token = (await client.sign_in_as_guest("Ann")).token
        receipt = await client.create(SHORT, 2, own_seat=0, bots={1: "greedy"})
        async for turn in client.turns(receipt.match_id, 0):
            await turn.play(turn.moves[0])
            break
    return receipt.match_id, token


def audit(log: str) -> list[tuple[str, ...]]:
    lines = [json.loads(line) for line in log.splitlines() if '"admin action"' in line]
    return [(line["action"], line["by"], line.get("why", ""), line["outcome"]) for line in lines]


def test_an_operator_looks_at_a_match_takes_it_out_puts_it_back_and_ends_it(tmp_path):
    with up(tmp_path) as running:
        match, token = asyncio.run(waiting_match(running.address))

        def admin(*words, status=0):
            return tidelog("admin", *words, "--data", tmp_path, status=status)

        found = json.loads(admin("inspect", match, "--json").stdout)
        assert (found["match"]["match_id"], found["match"]["status"], found["secret_held"]) == (match, "running", True)
        assert len(found["remembered"]) == 2
        assert "secret held" in admin("inspect", match).stdout

        assert "out of service" in admin("quarantine", match, "--reason", "looked into").stdout
        assert admin("list", "quarantined").stdout == f"{match} by {OPERATOR}: looked into\n"
        assert "out of service already" in admin("quarantine", match, "--reason", "again", status=1).stderr
        assert f"out of service by {OPERATOR}: looked into" in admin("inspect", match).stdout
        assert "back in service" in admin("quarantine", match, "--lift", "--reason", "all is well").stdout
        assert json.loads(admin("list", "quarantined", "--json").stdout) == []
        assert json.loads(admin("list", "rewound", "--json").stdout) == []

        player = admin("abort", match, "--reason", "I lose", "--token", token, status=1)
        assert "for admins" in player.stderr
        assert "is over" in admin("abort", match, "--reason", "cheats").stdout
        assert "the match is over" in admin("abort", match, "--reason", "cheats", status=1).stderr
        assert "no such match" in admin("abort", "A" * 24, "--reason", "cheats", status=1).stderr
        told = tidelog("replay", match, "--language", "en", "--data", tmp_path).stdout
        written = (tmp_path / "up.log").read_text()
    assert "The match is abandoned: an operator has ended it (cheats)." in told
    changes = [line for line in audit(written) if line[0].endswith("Match") and line[0] != "InspectMatch"]
    assert [line for line in changes if line[3] == "carried_out"] == [
        ("QuarantineMatch", OPERATOR, "looked into", "carried_out"),
        ("ReleaseMatch", OPERATOR, "all is well", "carried_out"),
        ("AbortMatch", OPERATOR, "cheats", "carried_out"),
    ]
    assert [line[3] for line in changes if line[3] != "carried_out"] == [
        "quarantined",
        "not_allowed",
        "match_over",
        "unknown_match",
    ]
