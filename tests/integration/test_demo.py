"""The matches that bots play among themselves where `--demo` asks for them."""

from gateway.callers.identity import bot_subject, mint
from services.bots import service
from services.bots.demo import CAST
from services.bots.service import BotService
from tests.integration.serving import serving
from tidelog.client import Client, connect
from tidelog.client.lobby import Filter

GAME = "lost_seas"
PLAYERS = {f"tidelog|{bot_subject(member.name)}": member.name for member in CAST}


async def watched(client: Client, seats: int) -> None:
    """To its end, a match of so many seats."""
    while True:  # until it is listed
        async for match in client.matches(Filter(game=GAME, seats=seats)):
            async for _ in client.watch(match.match_id):
                pass
            return


async def test_the_demos_bots_are_players_of_their_own_and_rated(clean_store, tmp_path, monkeypatch):
    monkeypatch.setattr(service, "DEMO_PAUSE_S", 0)
    async with serving(GAME, clean_store, tmp_path) as (_, gateway), connect(gateway.address, guest="Ann") as ann:
        key = gateway.parts.guest_key
        bots = BotService(gateway.address, lambda name: mint(key, bot_subject(name), name=name), demo=True)
        await bots.start()
        try:
            for seats in (2, 3):
                await watched(ann, seats)
            board = []
            while sum(line.rating.matches for line in board) < 5:
                board = [line async for line in ann.players().leaderboard(GAME)]
            matches = [match async for match in ann.matches(status="finished")]
        finally:
            await bots.stop()
    for match in matches:
        seated = [seat.player for seat in match.seats]
        assert all(seat.bot for seat in match.seats)
        assert len({*seated} & PLAYERS.keys()) == len(seated)
    assert {len(match.seats) for match in matches} >= {2, 3}
    assert [line.place for line in board][:1] == [1]
    assert all(PLAYERS[line.player] == line.name for line in board)
