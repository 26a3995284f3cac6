"""Histories, statistics and comparisons of players, exactly."""

import random
from functools import partial
from itertools import product

import pytest

from gateway.projections.histories import HistoryFilters, HistoryPlace, history
from gateway.projections.models import MODELS
from gateway.projections.statistics import Category, GameStatistics, HeadToHead, Points, Tally, head_to_head, statistics
from services.eventlog.match import Status
from tests.gateway.projections.population import steps
from tests.gateway.projections.results import GAME, Tables, ended, running

OTHER = "catan_fishermen"


@pytest.fixture
async def tables(tmp_path):
    tables = await Tables.open(tmp_path / "gateway.sqlite", MODELS)
    yield tables
    await tables.close()


async def listed(tables, player, *, viewer="", size=100, **filters):
    """The ids of all pages."""
    found, after = [], None
    while True:
        asked = HistoryFilters(player=player, viewer=viewer, **filters)
        page = await tables.ask(history, asked, size, after)
        assert len(page.matches) <= size
        found += [each.listed.facts.id for each in page.matches]
        after = page.after
        if after is None:
            return found


def tally(**known):
    nothing = {"aborted": 0, "wins": 0, "shared_wins": 0, "left": 0, "points": None, "categories": ()}
    return Tally(**(nothing | known))


async def test_results_are_counted_by_game_and_number_of_seats(tables):
    await tables.keep(
        ended("A", ("ann", "bob"), (1, 2), points=((30, 12), (1, 2))),
        ended("B", ("bob", "ann"), (1, 1), points=((3, 4), (4, 3))),
        ended("C", ("ann", "bob"), (2, 1), points=((-9, 2), (1, 1))),
        ended("D", ("bob", "cyd", "ann"), (1, 2, 3), points=((9, 9), (8, 8), (7, 7))),
        ended("E", ("ann", "bob"), (1, 2), game=OTHER),
    )
    two = tally(
        seats=2,
        matches=3,
        wins=1,
        shared_wins=1,
        places=(2, 1),
        points=Points(3, 42 + 7 - 7, -7, 42),
        categories=(Category("ships", 3, 30 + 4 - 9), Category("gold", 3, 12 + 3 + 2)),
    )
    three = tally(
        seats=3,
        matches=1,
        places=(0, 0, 1),
        points=Points(1, 14, 14, 14),
        categories=(Category("ships", 1, 7), Category("gold", 1, 7)),
    )
    other = GameStatistics(OTHER, (tally(seats=2, matches=1, wins=1, places=(1, 0)),))
    assert await tables.ask(statistics, "ann", GAME) == [GameStatistics(GAME, (two, three))]
    assert await tables.ask(statistics, "ann", "") == [other, GameStatistics(GAME, (two, three))]
    assert await tables.ask(statistics, "nobody", "") == []


async def test_a_seat_that_was_left_has_its_place_and_no_points_of_its_own(tables):
    await tables.keep(
        ended("A", ("ann", "bob", "cyd"), (3, 1, 2), points=((5, 5), (1, 1), (0, 1)), vacant=(0,)),
        ended("B", ("ann", "bob"), None, status=Status.ABORTED, vacant=(0, 1)),
        ended("C", ("ann", "bob"), None, status=Status.ABORTED),
    )
    (found,) = await tables.ask(statistics, "ann", "")
    assert found.tallies == (
        tally(seats=2, matches=0, aborted=2, places=(0, 0), left=1),
        tally(seats=3, matches=1, places=(0, 0, 1), left=1),
    )
    (bob,) = await tables.ask(statistics, "bob", "")
    assert bob.tallies[1].points == Points(1, 2, 2, 2)


async def test_a_match_that_others_left_gives_a_win_without_points(tables):
    await tables.keep(ended("A", ("ann", "bob"), (1, 2), vacant=(1,)))
    (found,) = await tables.ask(statistics, "ann", "")
    assert found.tallies == (tally(seats=2, matches=1, wins=1, places=(1, 0)),)


async def test_a_place_that_is_shared_behind_the_first_is_no_shared_win(tables):
    await tables.keep(ended("A", ("bob", "ann", "cyd"), (1, 2, 2)), ended("B", ("ann", "bob", "cyd"), (1, 2, 2), at=2))
    (found,) = await tables.ask(statistics, "ann", "")
    assert found.tallies == (tally(seats=3, matches=2, wins=1, places=(1, 1, 0)),)


async def test_players_are_compared_by_their_places(tables):
    await tables.keep(
        ended("A", ("ann", "bob"), (1, 2)),
        ended("B", ("cyd", "bob", "ann"), (1, 3, 2)),
        ended("C", ("bob", "ann"), (1, 2)),
        ended("D", ("ann", "cyd", "bob"), (2, 1, 2)),
        ended("E", ("ann", "bob"), (1, 2), game=OTHER),
        ended("F", ("ann", "bob"), None, status=Status.ABORTED),
        ended("G", ("ann", "cyd"), (1, 2)),
    )
    assert await tables.ask(head_to_head, "ann", "bob", "") == [
        HeadToHead(OTHER, 1, 1, 0, 0),
        HeadToHead(GAME, 4, 2, 1, 1),
    ]
    assert await tables.ask(head_to_head, "bob", "ann", GAME) == [HeadToHead(GAME, 4, 1, 2, 1)]
    assert await tables.ask(head_to_head, "ann", "nobody", "") == []


async def test_who_holds_several_seats_has_no_result_and_the_others_have(tables):
    await tables.keep(
        ended("A", ("ann", "bot", "bot"), (1, 2, 3), points=((1, 1), (2, 2), (3, 3))),
        ended("B", ("bot", "bot"), (1, 2)),
    )
    assert await tables.ask(statistics, "bot", "") == []
    assert await tables.ask(head_to_head, "ann", "bot", "") == []
    (found,) = await tables.ask(statistics, "ann", "")
    assert found.tallies[0].wins == 1
    assert await listed(tables, "bot") == ["B", "A"]


@pytest.mark.parametrize("kind", ["imported", "private"])
async def test_what_proves_nothing_or_is_nobodys_business_counts_in_nothing(tables, kind):
    await tables.keep(ended("A", ("ann", "bob"), (1, 2), points=((1, 1), (2, 2)), **{kind: True}))
    await tables.catch_up()
    assert await tables.ask(statistics, "ann", "") == []
    assert await tables.ask(head_to_head, "ann", "bob", "") == []
    assert (await tables.rows())["ratings"] == []


async def test_an_import_is_in_nobodys_history(tables):
    await tables.keep(ended("A", ("ann", "bob"), (1, 2), imported=True))
    assert await listed(tables, "ann") == []


async def test_a_private_match_is_in_the_history_for_those_who_may_see_it(tables):
    await tables.keep(
        ended("A", ("ann", "bob"), (1, 2), private=True, created_at=1), running("B", ("ann", None), created_at=2)
    )
    for viewer in ("ann", "bob", "the creator", None):
        assert await listed(tables, "ann", viewer=viewer) == ["B", "A"]
    for viewer in ("eve", ""):
        assert await listed(tables, "ann", viewer=viewer) == ["B"]
    assert await listed(tables, "bob", viewer="eve") == []


@pytest.mark.parametrize("size", [1, 2, 3, 7, 30])
async def test_pages_hold_each_match_once_the_one_made_last_first(tables, size):
    luck = random.Random(size)
    kept = [ended(f"M{number:02}", ("ann", "bob"), (1, 2), created_at=luck.randint(1, 9)) for number in range(20)]
    luck.shuffle(kept)
    await tables.keep(*kept)
    wanted = sorted(((each.created_at, each.facts.id) for each in kept), reverse=True)
    assert await listed(tables, "ann", size=size) == [match for _, match in wanted]


async def test_a_history_is_narrowed_by_game_and_status(tables):
    await tables.keep(
        ended("A", ("ann", "bob"), (1, 2), created_at=1),
        running("B", ("ann", "bob"), created_at=2),
        running("C", ("ann", None), created_at=3, status=Status.OPEN),
        ended("D", ("ann", "bob"), (1, 2), created_at=4, game=OTHER),
        running("E", ("bob", "cyd"), created_at=5),
    )
    assert await listed(tables, "ann") == ["D", "C", "B", "A"]
    assert await listed(tables, "ann", status=Status.FINISHED) == ["D", "A"]
    assert await listed(tables, "ann", status=Status.OPEN) == ["C"]
    assert await listed(tables, "ann", game=GAME, status=Status.FINISHED, size=1) == ["A"]
    assert await listed(tables, "ann", game=OTHER) == ["D"]


FILTERS = [{}, {"game": GAME}, {"game": OTHER}, {"status": Status.OPEN}, {"game": GAME, "status": Status.OPEN}]


async def test_a_page_of_a_history_costs_what_it_shows(tables):
    """However long the history is, whatever little of it passes, and whoever asks."""
    kept = [ended(f"M{number:04}", ("bot", "ann"), (1, 2), created_at=number, private=True) for number in range(1000)]
    kept += [ended(f"N{number:04}", ("bot", "bob"), (1, 2), created_at=number) for number in range(1000)]
    kept += [running("OPEN", ("bot", None), created_at=500, status=Status.OPEN)]
    kept += [ended("SHARED", ("bot", "eve"), (1, 2), created_at=501, private=True)]
    await tables.keep(*kept)
    costs = {}
    for viewer, filters in product(("eve", "stranger", "bot", None), FILTERS):
        asked = HistoryFilters(player="bot", viewer=viewer, **filters)
        page = partial(history, filters=asked, size=3, after=HistoryPlace(900, "M0900"))
        costs[viewer, str(filters)] = await tables.ask(
            lambda connection, page=page: steps(connection, lambda: page(connection))
        )
    assert max(costs.values()) < 300, max(costs.items(), key=lambda item: item[1])
    assert await listed(tables, "bot", viewer="eve", status=Status.OPEN) == ["OPEN"]
    assert (await listed(tables, "bot", viewer="eve"))[498:502] == ["SHARED", "N0501", "OPEN", "N0500"]


async def test_a_comparison_counts_nothing_anew(tables):
    places = [(1, 2), (2, 1), (1, 2), (1, 1)]
    await tables.keep(*(ended(f"M{number:04}", ("ann", "bob"), places[number % 4]) for number in range(1000)))
    compared = partial(head_to_head, player="bob", other="ann", game="")
    assert await tables.ask(compared) == [HeadToHead(GAME, 1000, 250, 500, 250)]
    assert await tables.ask(lambda connection: steps(connection, lambda: compared(connection))) < 20
    await tables.forget(*(f"M{number:04}" for number in range(998)))
    assert await tables.ask(compared) == [HeadToHead(GAME, 2, 0, 1, 1)]
    await tables.forget("M0998", "M0999")
    assert await tables.ask(compared) == []
    assert (await tables.rows())["meetings"] == []


async def test_a_seat_given_back_leaves_the_history(tables):
    await tables.keep(running("A", ("ann", "bob"), status=Status.OPEN))
    assert await listed(tables, "bob") == ["A"]
    await tables.keep(running("A", ("ann", None), status=Status.OPEN))
    assert await listed(tables, "bob") == []
    assert await listed(tables, "ann") == ["A"]


async def test_a_match_in_a_history_comes_with_seats_and_what_it_did_to_the_rating(tables):
    await tables.keep(
        ended("A", ("ann", "bob"), (1, 2), at=1, created_at=1),
        ended("B", ("bob", "ann"), (1, 2), at=2, created_at=2),
        ended("C", ("ann", "bob", "ann"), (1, 2, 3), at=3, created_at=3),
    )
    asked = HistoryFilters(player="ann", viewer="")
    assert [found.rating for found in (await tables.ask(history, asked, 9, None)).matches] == [None] * 3
    await tables.catch_up()
    twice, second, first = (await tables.ask(history, asked, 9, None)).matches
    assert (twice.seats, twice.rating, second.seats, first.seats) == ((0, 2), None, (1,), (0,))
    assert (first.rating.before.matches, first.rating.before.mu) == (0, 25.0)
    assert first.rating.after == second.rating.before
    assert first.rating.before.mu < first.rating.after.mu > second.rating.after.mu
    assert second.rating.after.matches == 2


async def test_the_order_in_which_results_come_does_not_matter(tmp_path, tables):
    luck = random.Random(7)
    kept = [
        ended(
            f"M{number}", luck.sample(("ann", "bob", "cyd", "dan"), 3), (1, 2, 2), points=((1, 2), (3, 4), (5, number))
        )
        for number in range(20)
    ]
    await tables.keep(*kept)
    other = await Tables.open(tmp_path / "other.sqlite", MODELS)
    for each in luck.sample(kept, 20):
        await other.keep(each, luck.choice(kept))
    await tables.catch_up()
    await other.catch_up()
    assert await other.rows() == await tables.rows()
    await other.forget(*[each.facts.id for each in kept])
    await other.catch_up()
    assert not any((await other.rows()).values())
    await other.close()
