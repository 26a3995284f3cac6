from engines.core import games
from tests.services.cli.command import GAME


def test_games_are_listed_with_what_a_deployment_needs(tidelog):
    rows = {row["name"]: row for row in tidelog.json("games")}
    assert tuple(rows) == games.names()
    assert rows[GAME] == {
        "name": GAME,
        "title": "Lost Seas",
        "seats": [2, 4],
        "rules": [1],
        "edition": "house",
        "editions": ["house"],
        "bots": ["random", "random-open", "greedy"],
    }


def test_games_are_listed_one_a_line(tidelog):
    assert tidelog("games") == 0
    lines = tidelog.out.splitlines()
    assert len(lines) == len(games.names())
    assert any(line.startswith(GAME) and "2-4 seats" in line for line in lines)
