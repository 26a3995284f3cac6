"""Ratings: folded in one order, whatever order the results came in."""

import random

import pytest
from openskill.models import PlackettLuce

from gateway.projections import ratings
from gateway.projections.leaderboards import ratings_of
from gateway.projections.models import MODELS
from services.eventlog.match import Status
from services.eventlog.memory import MemoryLog
from tests.gateway.played import ANN, BOB, PlayedMatch
from tests.gateway.projections.results import GAME, Tables, ended
from tests.gateway.projections.running import Running

PLAYERS = ("ann", "bob", "cyd", "dan", "eve", "fay")
RATED = (ratings.MODEL,)


@pytest.fixture
async def tables(tmp_path):
    tables = await Tables.open(tmp_path / "gateway.sqlite", RATED)
    yield tables
    await tables.close()


@pytest.fixture
def small_slices(monkeypatch):
    monkeypatch.setattr(ratings, "SLICE", 3)


def season(seed, matches=40):
    """Results of two games with up to five seats, several at one time."""
    luck = random.Random(seed)
    found = []
    for number in range(matches):
        seats = luck.randint(2, 5)
        places = sorted(luck.choices(range(1, 4), k=seats))
        luck.shuffle(places)
        game = luck.choice((GAME, "catan_fishermen"))
        players = luck.sample(PLAYERS, seats)
        found.append(ended(f"M{number:03}", players, places, at=luck.randint(1, 15), game=game))
    luck.shuffle(found)
    return found


def folded(results):
    """What openskill makes of the results, in their order, by game and player."""
    model, known = PlackettLuce(), {}
    for kept in sorted(results, key=lambda kept: (kept.facts.at, kept.facts.id)):
        game, places = kept.facts.created.game, {found.seat: found.place for found in kept.facts.outcome.ranking}
        keys = [(game, seat.player) for seat in kept.facts.seats]
        before = [known.get(key, (25.0, 8.333333, 0)) for key in keys]
        teams = [[model.rating(mu=mu, sigma=sigma)] for mu, sigma, _ in before]
        after = model.rate(teams, ranks=[places[seat] for seat in range(len(keys))])
        for key, old, (new,) in zip(keys, before, after, strict=True):
            known[key] = (round(new.mu, 6), round(new.sigma, 6), old[2] + 1)
    return known


async def shown(tables):
    rows = (await tables.rows())["ratings"]
    return {(game, player): (mu, sigma, matches) for game, player, _, mu, sigma, _, matches in rows}


async def test_ratings_are_those_of_openskill_in_the_order_of_the_ends(tables):
    results = season(1)
    await tables.keep(*results)
    await tables.catch_up()
    assert await shown(tables) == folded(results)


def test_the_numbers_are_these_on_every_machine():
    first = ratings.rated([ratings.NEW] * 3, [1, 2, 2])
    assert [(new.mu, new.sigma) for new in first] == [
        (27.869049, 8.205243),
        (23.565476, 8.058224),
        (23.565476, 8.058224),
    ]
    second = ratings.rated([first[2], ratings.NEW, first[0], ratings.NEW, first[1]], [1, 2, 3, 4, 5])
    assert [(new.mu, new.sigma, new.matches) for new in second] == [
        (26.136077, 8.021868, 2),
        (26.876469, 8.237642, 1),
        (28.249217, 8.044342, 2),
        (24.033385, 8.105044, 1),
        (19.777429, 7.865193, 2),
    ]


@pytest.mark.usefixtures("small_slices")
@pytest.mark.parametrize("seed", range(6))
async def test_whatever_order_results_come_in_the_numbers_are_the_same_to_the_bit(tmp_path, tables, seed):
    await check_any_order(tmp_path, tables, season(seed), random.Random(seed))


@pytest.mark.soak
@pytest.mark.usefixtures("small_slices")
@pytest.mark.parametrize("seed", range(100, 150))
async def test_a_long_season_in_any_order_comes_to_the_same_numbers(tmp_path, tables, seed):
    await check_any_order(tmp_path, tables, season(seed, matches=300), random.Random(seed))


async def check_any_order(tmp_path, tables, results, luck):
    await tables.keep(*sorted(results, key=lambda kept: (kept.facts.at, kept.facts.id)))
    await tables.catch_up()
    other = await Tables.open(tmp_path / "other.sqlite", RATED)
    left = list(results)
    while left:
        size = luck.randint(1, 9)
        await other.keep(*left[:size], *luck.sample(results, luck.randint(0, 2)))
        left = left[size:]
        for _ in range(luck.randint(0, 4)):
            await other.slice()
    await other.catch_up()
    assert await other.rows() == await tables.rows()
    await other.close()


@pytest.mark.usefixtures("small_slices")
@pytest.mark.parametrize("seed", range(4))
async def test_without_a_match_all_is_as_if_it_had_never_been(tmp_path, tables, seed):
    results, luck = season(seed), random.Random(seed)
    gone = luck.sample(results, 15)
    await tables.keep(*[kept for kept in results if kept not in gone])
    await tables.catch_up()
    other = await Tables.open(tmp_path / "other.sqlite", RATED)
    await other.keep(*results)
    await other.slice()
    await other.forget(*[kept.facts.id for kept in gone[:8]])
    await other.slice()
    await other.forget(*[kept.facts.id for kept in gone[8:]])
    await other.catch_up()
    assert await other.rows() == await tables.rows()
    await other.close()


async def test_a_late_match_has_those_behind_it_folded_again(tables):
    late, later = ended("A", ("ann", "bob"), (1, 2), at=1), ended("B", ("bob", "cyd"), (1, 2), at=2)
    await tables.keep(later)
    await tables.catch_up()
    alone = await shown(tables)
    await tables.keep(late)
    await tables.catch_up()
    both = await shown(tables)
    assert both == folded([late, later])
    assert both[GAME, "cyd"] != alone[GAME, "cyd"]


async def test_what_is_known_already_is_not_folded_again(tables):
    kept = ended("A", ("ann", "bob"), (1, 2))
    await tables.keep(kept)
    await tables.catch_up()
    await tables.keep(kept)
    assert (await tables.rows())["unrated"] == []


async def test_at_the_same_time_the_matches_id_decides(tables):
    results = [ended("B", ("bob", "cyd"), (1, 2)), ended("A", ("ann", "bob"), (1, 2))]
    await tables.keep(*results)
    await tables.catch_up()
    found = await shown(tables)
    assert found == folded(results)
    assert found[GAME, "cyd"] != folded(results[:1])[GAME, "cyd"]


async def test_a_match_that_became_another_counts_as_that(tables):
    await tables.keep(ended("A", ("ann", "bob"), (1, 2)), ended("B", ("ann", "cyd"), (1, 2), at=2000))
    await tables.catch_up()
    anew = ended("A", ("bob", "cyd"), (2, 1), at=3000)
    await tables.keep(anew)
    await tables.catch_up()
    assert await shown(tables) == folded([anew, ended("B", ("ann", "cyd"), (1, 2), at=2000)])


async def test_a_match_that_is_not_over_any_more_counts_no_more(tables):
    """A store that went back to an older copy."""
    await tables.keep(ended("A", ("ann", "bob"), (1, 2)))
    await tables.catch_up()
    await tables.keep(ended("A", ("ann", "bob"), None, status=Status.RUNNING))
    await tables.catch_up()
    assert not any((await tables.rows()).values())


@pytest.mark.parametrize(
    "kept",
    [
        ended("A", ("ann", "bob"), (1, 2), imported=True),
        ended("A", ("ann", "bob"), (1, 2), private=True),
        ended("A", ("ann", "bob"), None, status=Status.ABORTED, vacant=(0, 1)),
        ended("A", ("ann", "bob"), None, status=Status.RUNNING),
        ended("A", ("ann", "ann"), (1, 2)),
        ended("A", ("ann", "bob", "bob"), (1, 2, 3)),
        ended("A", ("ann", "bob", "bob", "cyd"), (1, 2, 3, 4)),
        ended("A", ("ann",), (1,)),
        ended("A", PLAYERS, (1, 2, 3, 4, 5, 6)),
    ],
    ids=[
        "imported",
        "private",
        "aborted",
        "running",
        "against oneself",
        "twice in it",
        "twice in it beside two",
        "alone",
        "six",
    ],
)
async def test_such_a_match_is_not_rated(tables, kept):
    await tables.keep(kept)
    await tables.catch_up()
    assert not any((await tables.rows()).values())


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
async def test_matches_of_two_to_five_are_rated(tables, seats):
    await tables.keep(ended("A", PLAYERS[:seats], tuple(range(1, seats + 1))))
    await tables.catch_up()
    found = await shown(tables)
    assert [found[GAME, player][0] for player in PLAYERS[:seats]] == sorted(
        (mu for mu, *_ in found.values()), reverse=True
    )


async def test_who_left_is_rated_by_the_place_that_the_outcome_gives(tables):
    await tables.keep(ended("A", ("ann", "bob", "cyd"), (3, 1, 2), vacant=(0,)))
    await tables.catch_up()
    found = await shown(tables)
    assert found[GAME, "bob"] > found[GAME, "cyd"] > found[GAME, "ann"]


async def test_bots_among_themselves_are_rated(tables):
    await tables.keep(ended("A", ("tidelog|bot:greedy", "tidelog|bot:random"), (1, 2)))
    await tables.catch_up()
    assert len(await shown(tables)) == 2


async def test_a_shared_place_is_a_draw(tables):
    await tables.keep(ended("A", ("ann", "bob"), (1, 1)))
    await tables.catch_up()
    found = await shown(tables)
    assert found[GAME, "ann"] == found[GAME, "bob"]


async def test_a_rating_is_shown_under_the_name_last_played_under(tables):
    first, second = ended("A", ("ann", "bob"), (1, 2), at=1), ended("B", ("ann", "bob"), (1, 2), at=2)
    second.facts.seats[0].name = "Annie"
    await tables.keep(second, first)
    await tables.catch_up()
    ((found),) = await tables.ask(ratings_of, "ann")
    assert (found.name, found.matches, found.game) == ("Annie", 2, GAME)
    assert found.ordinal == round(found.mu - 3 * found.sigma, 6)


async def test_two_gateways_have_the_same_numbers_to_the_bit(event_log, tmp_path):
    """One kept them as they were played, the other reads all logs at once, and a third rebuilds."""
    async with Running(event_log, tmp_path / "one.sqlite") as one:
        for number in range(5):
            await (await PlayedMatch(event_log, f"M{number}", seed=number).started()).finish()
            await one.until(lambda listed, last=f"M{number}": last in listed and listed[last].facts.over)
        await one.folded()
        first = await content(one)
    async with Running(event_log, tmp_path / "two.sqlite") as two:
        await two.folded()
        assert await content(two) == first
    assert {player for _, player, *_ in first["ratings"]} == {ANN, BOB}
    assert len(first["rating_changes"]) == 10


async def content(running):
    def work(connection):
        tables = [table for model in MODELS for table in model.tables]
        return {table: connection.execute(f"SELECT * FROM {table}").fetchall() for table in tables}

    return await running.database.run(work)


async def test_a_log_that_went_back_takes_its_rating_with_it(tmp_path):
    log = MemoryLog()
    played = await (await PlayedMatch(log, "A").started()).finish()
    async with Running(log, tmp_path / "gateway.sqlite") as running:
        await running.folded()
        assert (await content(running))["ratings"]
    del log._logs["A"][played.aggregate.facts.version - 2 :]
    for feed in log._feeds:
        feed.trim(1 << 60)
        feed.first += 1
    async with Running(log, tmp_path / "gateway.sqlite") as running:
        await running.folded()
        assert not (await content(running))["ratings"]
        assert not (await content(running))["results"]
        assert (await content(running))["played"]
