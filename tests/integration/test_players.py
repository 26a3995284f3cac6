"""What bots have played on a platform of real processes, and how it went for them."""

import asyncio

from tests.integration.platform import SHORT, up
from tidelog.client import connect

GREEDY, RANDOM = "tidelog|bot:greedy", "tidelog|bot:random"
MATCHES = 3


async def test_bots_are_players_with_histories_statistics_and_ratings(tmp_path):
    with up(tmp_path) as running:
        async with connect(running.address, guest="Onlooker") as client, asyncio.timeout(120):
            outcomes = await asyncio.gather(*(played(client) for _ in range(MATCHES)))
            players = client.players()
            while await rated(players) < MATCHES:
                pass  # each look asks the gateway, which keeps results a moment after they stand in the log
            history = [found async for found in players.history(GREEDY, status="finished")]
            assert {found.match.match_id: found.match.ranking for found in history} == dict(outcomes)
            first = sum(next(found.place for found in ranking if found.seat == 0) == 1 for _, ranking in outcomes)
            versus = (await players.head_to_head(GREEDY, RANDOM))[SHORT]
            assert (versus.matches, versus.ahead + versus.level) == (MATCHES, first)
            total = (await players.statistics(GREEDY))[SHORT].total
            assert (total.matches, total.wins + total.shared_wins) == (MATCHES, first)
            board = [line async for line in players.leaderboard(SHORT, least_matches=MATCHES)]
            assert {line.player: line.rating for line in board} == {
                bot: (await players.ratings(bot))[SHORT] for bot in (GREEDY, RANDOM)
            }
            assert board[0].rating.ordinal >= board[1].rating.ordinal
            assert await players.my_place(SHORT) is None


async def played(client):
    """A match between bots, watched to its end: its id and ranking."""
    receipt = await client.create(SHORT, 2, bots={0: "greedy", 1: "random"})
    async for _ in client.watch(receipt.match_id):
        pass
    return receipt.match_id, (await client.match(receipt.match_id)).match.ranking


async def rated(players):
    """From how many matches the rating is folded by now."""
    rating = (await players.ratings(GREEDY)).get(SHORT)
    return rating.matches if rating else 0
