"""How few round trips many moves take: counted on the real parts, in one process."""

import asyncio

import pytest

from engines.core import games
from tests.integration.serving import serving
from tidelog.client import Client, connect

MATCHES = 64
MOST_PIPELINES = 15


async def opened(client: Client, game: str) -> str:
    seats = games.engine(game).seats[0]
    receipt = await client.create(game, seats, own_seat=0)
    for seat in range(1, seats):
        await client.join(receipt.match_id, seat)
    return receipt.match_id


@pytest.mark.parametrize("game", games.names())
async def test_the_moves_of_64_matches_share_pipelines_and_one_stream_to_the_engine(game, clean_store, tmp_path):
    async with serving(game, clean_store, tmp_path) as (host, gateway):
        async with connect(gateway.address, guest="Ann") as client, client.play() as play:
            matches = [await opened(client, game) for _ in range(MATCHES)]
            moves = {match: (await client.legal_moves(match, 0)).legal.moves[0] for match in matches}
            before = host.log.pipelines
            answered = await asyncio.gather(*(play.submit(match, 0, move) for match, move in moves.items()))
            pipelines = host.log.pipelines - before
        assert {accepted.receipt.match_id for accepted in answered} == set(matches)
        assert pipelines <= MOST_PIPELINES
        assert gateway.parts.engines.counts.opened == 1
