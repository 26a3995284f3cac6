from engines.core import games
from tests.services.cli.command import GAME


def test_games_are_listed_with_what_a_deployment_needs(tidelog):
    rows = {row["name"]: row for row in tidelog.json("games")}
    assert tuple(rows) == games.names()
    assert rows[GAME] == {
        "name": GAME,
        "title": "Lost Seas",
        "seats": [2, 4],
        "unofficial_seats": [],
        "rules": [1],
        "edition": "house",
        "editions": ["house"],
        "bots": ["random", "random-open", "greedy"],
    }


def test_numbers_of_seats_that_the_rules_do_not_foresee_are_marked(tidelog):
    rows = {row["name"]: row["unofficial_seats"] for row in tidelog.json("games")}
    assert rows == {name: list(games.engine(name).unofficial_seats) for name in games.names()}
    assert tidelog("games") == 0
    marked = [line for line in tidelog.out.splitlines() if "unofficial" in line]
    assert len(marked) == sum(map(bool, rows.values())) > 0
    assert all("2-4 seats (2 unofficial)" in line for line in marked)


def test_games_are_listed_one_a_line(tidelog):
    assert tidelog("games") == 0
    lines = tidelog.out.splitlines()
    assert len(lines) == len(games.names())
    assert any(line.startswith(GAME) and "2-4 seats" in line for line in lines)
