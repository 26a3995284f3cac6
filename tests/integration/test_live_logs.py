"""Matches of a running platform, named by id where a file would do."""

import asyncio
import json

import pytest

from engines.core import games
from tests.integration.platform import SHORT, tidelog
from tidelog.client import connect


async def begun(address: str, game: str = SHORT) -> str:
    """A match that waits for its first move."""
    async with connect(address, guest="Ann") as ann:
        seats = games.engine(game).seats[0]
        receipt = await ann.create(game, seats, own_seat=0)
        for seat in range(1, seats):
            await ann.join(receipt.match_id, seat)
    return receipt.match_id


@pytest.mark.parametrize("game", games.names())
def test_a_match_in_play_of_any_game_is_verified_and_replayed_by_its_id(platform, game):
    match = asyncio.run(begun(platform.address, game))
    checked = json.loads(tidelog("verify", match, "--data", platform.data, "--json").stdout)
    replayed = json.loads(tidelog("replay", match, "--data", platform.data, "--json").stdout)
    assert [(verdict["ok"], verdict["audience"]) for verdict in checked] == [(True, "full")]
    assert replayed["match"] == match
    assert replayed["outcome"] is None


def test_a_match_that_there_is_not_is_said(platform):
    unknown = tidelog("verify", "A" * 24, "--data", platform.data, status=1)
    assert "unknown_match" in unknown.stderr


def test_without_the_right_to_its_secrets_a_match_is_checked_as_a_spectator_was_told_it(platform):
    match = asyncio.run(begun(platform.address))
    guest = tidelog("token", "--name", "Bob", "--data", platform.data).stdout.strip()
    checked = tidelog("verify", match, "--gateway", platform.address, "--token", guest, "--json").stdout
    assert [(verdict["ok"], verdict["audience"]) for verdict in json.loads(checked)] == [(True, "spectator")]
