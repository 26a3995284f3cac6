"""Matches of a running platform, named by id where a file would do."""

import asyncio
import json

from engines.core import games
from tests.integration.platform import SHORT, tidelog, up
from tidelog.client import connect


async def begun(address: str, game: str = SHORT) -> str:
    """A match that waits for its first move."""
    async with connect(address, guest="Ann") as ann:
        seats = games.engine(game).seats[0]
        receipt = await ann.create(game, seats, own_seat=0)
        for seat in range(1, seats):
            await ann.join(receipt.match_id, seat)
    return receipt.match_id


def test_a_match_in_play_of_any_game_is_verified_and_replayed_by_its_id(tmp_path):
    with up(tmp_path) as running:
        for game in games.names():
            match = asyncio.run(begun(running.address, game))
            checked = json.loads(tidelog("verify", match, "--data", tmp_path, "--json").stdout)
            replayed = json.loads(tidelog("replay", match, "--data", tmp_path, "--json").stdout)
            assert [(verdict["ok"], verdict["audience"]) for verdict in checked] == [(True, "full")], game
            assert replayed["match"] == match
            assert replayed["outcome"] is None


def test_a_match_that_there_is_not_is_said(tmp_path):
    with up(tmp_path):
        unknown = tidelog("verify", "A" * 24, "--data", tmp_path, status=1)
    assert "unknown_match" in unknown.stderr


def test_without_the_right_to_its_secrets_a_match_is_checked_as_a_spectator_was_told_it(tmp_path):
    with up(tmp_path) as running:
        match = asyncio.run(begun(running.address))
        guest = tidelog("token", "--name", "Bob", "--data", tmp_path).stdout.strip()
        checked = tidelog("verify", match, "--gateway", running.address, "--token", guest, "--json").stdout
    assert [(verdict["ok"], verdict["audience"]) for verdict in json.loads(checked)] == [(True, "spectator")]
