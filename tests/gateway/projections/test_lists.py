"""Pages against a plain filter and sort of every match there is, and what they cost however many there are."""

import random
from itertools import product

import pytest
from msgspec.structs import replace

from gateway.callers.identity import Caller
from gateway.projections import lists, quick
from gateway.projections.filters import Filters, OptionValue, Order
from gateway.projections.walking import statement, walk
from services.eventlog.match import Status
from tests.gateway.projections.population import BOT, GAMES, PLAYERS, Population, memory, steps

connection = pytest.fixture(memory)

OPERATOR = Caller("tidelog|operator", "", admin=True, expires_at=0)
STRANGER = Caller("tidelog|stranger", "", admin=False, expires_at=0)
ANN = Caller(PLAYERS[0], "", admin=False, expires_at=0)
NO_FISH = OptionValue("fishermen", "none", "box")
TEN = OptionValue("victory_points", 10, 10)
LATER = OptionValue("added_later", 3, 3)

CLIENTS = [
    Filters(),
    *(Filters(status=status) for status in Status),
    *(Filters(game=game, status=Status.OPEN, open_seats=1) for game in GAMES),
    Filters(open_seats=2),
    Filters(open_seats=2, seats=4),
    Filters(game="catan_fishermen", status=Status.RUNNING),
    Filters(game="catan_fishermen", seats=3, options=(NO_FISH,)),
    Filters(game="catan_fishermen", options=(NO_FISH, TEN), open_seats=1),
    Filters(game="lost_seas", options=(LATER,)),
    Filters(seats=3, status=Status.FINISHED),
    Filters(player=PLAYERS[0]),
    Filters(player=PLAYERS[1], status=Status.RUNNING),
    Filters(player=PLAYERS[1], game="south_seas", seats=2),
    Filters(player=BOT),
    Filters(player=BOT, creator=PLAYERS[3], status=Status.FINISHED),
    Filters(creator=PLAYERS[0]),
    Filters(creator=PLAYERS[2], status=Status.OPEN),
    Filters(invited=True),
    Filters(invited=True, game="lost_seas"),
]
"""What a client would ask for."""

NOBODY = [
    Filters(game="chess"),
    Filters(player="nobody"),
    Filters(status=Status.RUNNING, open_seats=1),
    Filters(game="catan_fishermen", options=(OptionValue("fishermen", "sharks"),)),
    Filters(seats=9),
]


def wanted(population, filters, caller):
    """The ids that pass, in order, told without any index."""
    found = []
    for facts, created_at in population.matches.values():
        if filters.passes(facts, caller):
            found.append((facts.at if filters.order is Order.CHANGED else created_at, facts.id))
    return [match for _, match in sorted(found, reverse=filters.order is not Order.OLDEST)]


def listed(connection, filters, caller, size):
    found, after = [], None
    while True:
        page = lists.page(connection, filters, caller, size, after)
        assert len(page.matches) <= size
        found += [match.facts.id for match in page.matches]
        if page.next is None:
            return found
        assert page.next != after
        after = page.next


@pytest.mark.parametrize("seed", [8, *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(100, 120))])
@pytest.mark.parametrize("caller", [OPERATOR, STRANGER, ANN], ids=["operator", "stranger", "insider"])
def test_pages_hold_all_that_pass_once_and_in_order(connection, caller, seed):
    population = Population(connection, seed).grow(2500)
    dice = random.Random(seed)
    empty = 0
    for filters, order in product(CLIENTS, Order):
        asked = replace(filters, order=order)
        expected = wanted(population, asked, caller)
        assert listed(connection, asked, caller, dice.choice((7, 50, 200))) == expected, asked
        empty += not expected and (not asked.invited or caller is ANN)
    assert empty <= len(Order), "but for one filter and some luck all find matches"
    for filters in NOBODY:
        assert listed(connection, filters, caller, 50) == []


def test_a_page_that_looks_at_no_more_goes_on_behind_what_it_looked_at(connection, monkeypatch):
    population = Population(connection).grow(600)
    for name, most in (("LOOKED_AT", 5), ("OPENED", 3)):
        monkeypatch.setattr(lists, name, most)
        for filters in CLIENTS:
            assert listed(connection, filters, ANN, 50) == wanted(population, filters, ANN), filters
        monkeypatch.undo()


def test_too_many_variants_to_walk_each_are_looked_at_one_by_one(connection, monkeypatch):
    population = Population(connection).grow(600)
    monkeypatch.setattr("gateway.projections.walking.MOST_WALKS", 1)
    for filters in CLIENTS:
        assert listed(connection, filters, ANN, 50) == wanted(population, filters, ANN), filters


def plans(connection, text, values):
    return [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {text}", values)]


WALKED = {"who": "", "private": False, "stage": 1, "variant": 1, "at": 1, "match": "M"}


@pytest.mark.parametrize("order", Order)
@pytest.mark.parametrize("narrow", [False, True])
@pytest.mark.parametrize("after", [False, True])
def test_a_walk_is_read_off_one_index(connection, order, narrow, after):
    (plan,) = plans(connection, statement(order, narrow=narrow, after=after), WALKED)
    assert plan.startswith("SEARCH listed USING COVERING INDEX")
    assert plan.endswith(f"({COLUMNS[narrow]}{BEHIND[order] if after else ''})")


COLUMNS = {False: "who=? AND private=? AND stage=?", True: "private=? AND stage=? AND variant=?"}
BEHIND = {
    Order.CHANGED: " AND (changed_at,match)<(?,?)",
    Order.NEWEST: " AND (created_at,match)<(?,?)",
    Order.OLDEST: " AND (created_at,match)>(?,?)",
}


MOST_STEPS = 1500
"""Tens; a scan of the matches below takes more than 10 000."""


def test_nothing_that_is_asked_looks_at_all_matches(connection):
    population = Population(connection)
    questions = {
        f"{filters} {order} {caller.player}": lambda filters=filters, order=order, caller=caller: lists.page(
            connection, replace(filters, order=order), caller, 10, None
        )
        for filters, order, caller in product(CLIENTS + NOBODY, Order, (OPERATOR, STRANGER, ANN))
    } | {
        "waiting": lambda: lists.count_waiting(connection, PLAYERS[0], 5),
        "seats": lambda: lists.count_seats(connection, BOT, 5),
        "answered": lambda: quick.answered(connection, "x"),
    }
    population.grow(15_000)
    costs = {name: steps(connection, work) for name, work in questions.items()}
    assert max(costs.values()) <= MOST_STEPS, max(costs.items(), key=lambda item: item[1])


def test_what_a_player_has_is_counted_up_to_a_limit(connection):
    population = Population(connection).grow(3000)
    made = [
        facts
        for facts, _ in population.matches.values()
        if facts.created.creator == PLAYERS[0] and facts.status is Status.OPEN and not facts.imported
    ]
    held = [
        seat
        for facts, _ in population.matches.values()
        if not facts.over and not facts.imported
        for seat in facts.seats
        if seat.player == PLAYERS[0]
    ]
    assert lists.count_waiting(connection, PLAYERS[0], 1000) == len(made) > 3
    assert lists.count_waiting(connection, PLAYERS[0], 3) == 3
    assert lists.count_seats(connection, PLAYERS[0], 1000) == len(held) > 3
    assert lists.count_seats(connection, PLAYERS[0], 3) == 3


def test_private_matches_are_not_even_looked_at_for_strangers(connection):
    """A page that they made shorter, or that went on for their sake, would tell of them."""
    population = Population(connection).grow(600)
    for filters in (Filters(), Filters(player=BOT), Filters(status=Status.FINISHED), Filters(creator=PLAYERS[1])):
        shown, there = (len(wanted(population, filters, caller)) for caller in (STRANGER, OPERATOR))
        walked, _ = walk(connection, filters, STRANGER, None)
        assert sum(1 for _ in walked) == shown < there
