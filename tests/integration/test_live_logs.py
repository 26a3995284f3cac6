"""Matches of a running platform, named by id where a file would do."""

import asyncio
import json

from engines.core import games
from tests.integration.platform import tidelog, up
from tidelog.client import connect


async def begun(address: str) -> str:
    """A match that waits for its first move."""
    async with connect(address, guest="Ann") as ann:
        receipt = await ann.create(games.names()[0], 2, own_seat=0)
        await ann.join(receipt.match_id, 1)
    return receipt.match_id


def test_a_match_in_play_is_verified_and_replayed_by_its_id(tmp_path):
    with up(tmp_path) as running:
        match = asyncio.run(begun(running.address))
        checked = json.loads(tidelog("verify", match, "--data", tmp_path, "--json").stdout)
        replayed = json.loads(tidelog("replay", match, "--data", tmp_path, "--json").stdout)
        unknown = tidelog("verify", "A" * 24, "--data", tmp_path, status=1)
    assert [(verdict["ok"], verdict["audience"]) for verdict in checked] == [(True, "full")]
    assert replayed["match"] == match
    assert replayed["outcome"] is None
    assert "unknown_match" in unknown.stderr


def test_without_the_right_to_its_secrets_a_match_is_checked_as_a_spectator_was_told_it(tmp_path):
    with up(tmp_path) as running:
        match = asyncio.run(begun(running.address))
        guest = tidelog("token", "--name", "Bob", "--data", tmp_path).stdout.strip()
        checked = tidelog("verify", match, "--gateway", running.address, "--token", guest, "--json").stdout
    assert [(verdict["ok"], verdict["audience"]) for verdict in json.loads(checked)] == [(True, "spectator")]
