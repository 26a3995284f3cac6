"""Leaderboards: places, pages and one's own line."""

import pytest

from gateway.projections.leaderboards import Asked, leaderboard, ratings_of
from gateway.projections.ratings import MODEL
from tests.gateway.projections.results import GAME, Tables, ended


@pytest.fixture
async def tables(tmp_path):
    """Cyd won most; Ann and Bob are level, as are Eve and Fay, with one match each; Dan lost to all."""
    tables = await Tables.open(tmp_path / "gateway.sqlite", (MODEL,))
    await tables.keep(
        ended("A", ("ann", "bob", "cyd", "dan"), (2, 2, 1, 4), at=1),
        ended("B", ("ann", "bob", "cyd", "dan"), (2, 2, 1, 4), at=2),
        ended("C", ("eve", "fay"), (1, 1), at=3),
        ended("D", ("gus", "hal"), (1, 2), game="catan_fishermen", at=4),
    )
    await tables.catch_up()
    yield tables
    await tables.close()


async def board(tables, *, least=0, own="", size=100):
    """All pages' lines, and the own lines of all."""
    lines, owns, after = [], [], None
    while True:
        page = await tables.ask(leaderboard, Asked(GAME, least, own), size, after)
        assert len(page.entries) <= size
        lines += [(line.place, line.rated.player) for line in page.entries]
        owns.append(page.own)
        after = page.after
        if after is None:
            return lines, owns


WHOLE = [(1, "cyd"), (2, "eve"), (2, "fay"), (4, "ann"), (4, "bob"), (6, "dan")]


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 6, 7])
async def test_the_best_come_first_and_level_ones_share_a_place(tables, size):
    assert (await board(tables, size=size))[0] == WHOLE


@pytest.mark.parametrize("size", [1, 2, 10])
async def test_those_with_too_few_matches_are_left_out_and_take_no_place(tables, size):
    assert (await board(tables, least=2, size=size))[0] == [(1, "cyd"), (2, "ann"), (2, "bob"), (4, "dan")]
    assert (await board(tables, least=3))[0] == []


async def test_ones_own_line_is_on_every_page(tables):
    _, owns = await board(tables, own="dan", size=2)
    assert [(own.place, own.rated.player) for own in owns] == [(6, "dan")] * 3
    _, owns = await board(tables, own="dan", least=2, size=2)
    assert [own.place for own in owns] == [4, 4]


@pytest.mark.parametrize(("own", "least"), [("nobody", 0), ("gus", 0), ("eve", 2)])
async def test_one_who_is_not_on_the_board_has_no_line(tables, own, least):
    assert (await board(tables, own=own, least=least))[1] == [None]


async def test_ratings_of_a_player_are_listed_by_game(tables):
    await tables.keep(ended("E", ("cyd", "hal"), (1, 2), game="catan_fishermen", at=5))
    await tables.catch_up()
    assert [(found.game, found.matches) for found in await tables.ask(ratings_of, "cyd")] == [
        ("catan_fishermen", 1),
        (GAME, 2),
    ]
    assert await tables.ask(ratings_of, "nobody") == []
