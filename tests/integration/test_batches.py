"""How few round trips many moves take: counted on the real parts, in one process."""

import asyncio

import pytest

from engines.core import games
from tests.integration.serving import serving
from tidelog.client import Client, connect

MATCHES = 64
MOST_PIPELINES = 15


async def opened(client: Client, game: str) -> tuple[str, int]:
    """A match begun, and whose turn it is."""
    seats = games.engine(game).seats[0]
    receipt = await client.create(game, seats, own_seat=0)
    for seat in range(1, seats):
        await client.join(receipt.match_id, seat)
    turns = (await client.match(receipt.match_id)).turns
    return receipt.match_id, turns[0].seat


@pytest.mark.parametrize("game", games.names())
async def test_the_moves_of_64_matches_share_pipelines_and_one_stream_to_the_engine(game, clean_store, tmp_path):
    async with serving(game, clean_store, tmp_path) as (host, gateway):
        async with connect(gateway.address, guest="Ann") as client, client.play() as play:
            seats = dict([await opened(client, game) for _ in range(MATCHES)])
            moves = [(await client.legal_moves(match, seat)).legal.moves[0] for match, seat in seats.items()]
            before = host.log.pipelines
            submits = (play.submit(*place, move) for place, move in zip(seats.items(), moves, strict=True))
            answered = await asyncio.gather(*submits)
            pipelines = host.log.pipelines - before
        assert {accepted.receipt.match_id for accepted in answered} == set(seats)
        assert pipelines <= MOST_PIPELINES
        assert gateway.parts.engines.counts.opened == 1
