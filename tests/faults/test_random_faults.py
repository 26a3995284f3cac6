"""Everything at once, as processes: kills and cuts at random while clients play; nothing acknowledged is lost."""

from engines.core import games
from services.cli.bench.faults.running import Plan, run

PLAYED = games.names()[1:3]
KILLS = 9
"""Every process once, and one again."""
CUTS = 15


async def test_kills_and_cuts_at_random_lose_nothing(tmp_path, monkeypatch):
    monkeypatch.setenv("GRPC_VERBOSITY", "NONE")
    report = await run(Plan(PLAYED, kills=KILLS, cuts=CUTS, tables=12, seed=7), tmp_path)
    assert report.games == PLAYED
    assert report.lost == ()
    assert sum(report.losses.values()) == 0
    assert set(report.kills) == {"bots", "engine", "gateway", "store"}
    assert all(report.cuts.values())
    assert report.moves > report.matches > 0
