import random
from fractions import Fraction

import msgspec
import pytest

from engines.core.chance import MatchChance, SeededChance
from engines.core.draft import Draft
from engines.lost_seas import ENGINE
from engines.lost_seas.catalog import Demand, Element, Pattern, Side
from engines.lost_seas.events import TileReturned, TileTaken
from engines.lost_seas.moves import ChooseSides, ReturnTile, TakeTile
from engines.lost_seas.policy import better_side, choose, promise
from engines.lost_seas.state import Duty
from engines.lost_seas.view import Owed
from tests.engines.lost_seas.scenario import CATALOG, choosing, given, opened, start, young

ROCK, SANDBANK = Element.ROCK, Element.SANDBANK


def chosen(position, seat):
    return choose(ENGINE.view(position.state, seat), tuple(ENGINE.legal_moves(position.state, seat)), SeededChance(3))


def winnings(seed, **options):
    """The greedy seat's share of the victory over a random player; the seats alternate."""
    greedy, rng, chance = seed % 2, random.Random(seed), SeededChance(seed)
    state = start(2, **options)
    draft = Draft(ENGINE.evolve, state, MatchChance(seed.to_bytes(32, "big"), 0))
    ENGINE.setup(draft)
    version = 0
    while seats := ENGINE.to_act(state):
        seat, moves = seats[0], tuple(ENGINE.legal_moves(state, seats[0]))
        move = choose(ENGINE.view(state, seat), moves, chance) if seat == greedy else rng.choice(moves)
        version += 1
        Draft(ENGINE.evolve, state, MatchChance(seed.to_bytes(32, "big"), version)).play(ENGINE.decide, seat, move)
    winners = [standing.seat for standing in ENGINE.outcome(state).ranking if standing.place == 1]
    return Fraction(winners.count(greedy), len(winners))


@pytest.mark.parametrize("options", [{}, {"young_explorers": True}], ids=["expeditions", "young explorers"])
def test_the_greedy_player_beats_a_random_one_in_95_of_100_matches(options):
    assert sum(winnings(seed, **options) for seed in range(1, 101)) >= 95


def test_it_lays_arranged_expeditions_as_dealt():
    move = chosen(given(*choosing(), arrange_expeditions=True), 1)
    assert isinstance(move, ChooseSides)
    assert move.order == ("EX05", "EX06", "EX07", "EX08")


def test_it_takes_what_its_lines_want():
    # Young explorers: three krakens of a row want the tile with krakens.
    position = given(*young(("LS03", "LS02", "LS15", "LS10")), TileTaken(0, "LS03", 0), young_explorers=True)
    position.when(1, TakeTile("LS15", 0)).play()
    move = chosen(position, 0)
    assert move.tile == "LS02"
    assert move.cell in {1, 2, 3, 4, 8, 12}


def test_of_two_it_returns_what_the_other_would_take():
    tiles = ("LS19", "LS14", "LS15", "LS03", "LS18")
    position = given(*opened(tiles=tiles), TileTaken(0, "LS19", 0))
    others = msgspec.structs.replace(ENGINE.view(position.state, 1), owed=(Owed(1, Duty.TAKE_TILE),))
    wanted = choose(others, [TakeTile(tile, cell) for tile in tiles[1:] for cell in range(16)], SeededChance(3))
    assert chosen(position, 0) == ReturnTile(wanted.tile)


def test_who_ends_a_round_of_two_keeps_the_better_tile():
    # Seat 1 begins the next round: of the two left it keeps the one it would take.
    tiles = ("LS02", "LS15")
    taken = [TileTaken(0, "LS19", 0), TileReturned(0, "LS20"), TileTaken(1, "LS03", 0)]
    position = given(*opened(tiles=("LS19", "LS20", "LS03", *tiles)), *taken)
    moves = [TakeTile(tile, cell) for tile in tiles for cell in range(1, 16)]
    wanted = choose(ENGINE.view(position.state, 1), moves, SeededChance(3))
    (other,) = set(tiles) - {wanted.tile}
    assert chosen(position, 1) == ReturnTile(other)


def test_it_turns_an_expedition_to_the_side_that_promises_more():
    assert {better_side(expedition) for expedition in CATALOG.expeditions} == {Side.EASY, Side.HARD}


@pytest.mark.parametrize(
    ("demand", "near", "lost"),
    [
        (Demand(Pattern.EXACT, 9, (ROCK, ROCK, ROCK)), [0, 0, 0, 3, 1, 0], [0, 0, 0, 4, 0, 0]),
        (Demand(Pattern.EXACT_ANY, 9, number=4), [0, 0, 0, 4, 0, 0], [9, 9, 9, 9, 9, 9]),
        (Demand(Pattern.TOTAL, 9, number=9), [0, 0, 0, 7, 0, 0], [0, 0, 0, 9, 0, 0]),
        (Demand(Pattern.DIFFERENT, 9, number=6), [1, 1, 1, 1, 1, 1], [9, 0, 0, 0, 0, 0]),
        (Demand(Pattern.DIFFERENT, 9, number=2), [1, 1, 0, 0, 0, 0], [1, 1, 1, 0, 0, 0]),
        (Demand(Pattern.ABSENT, 9, (ROCK, SANDBANK)), [3, 0, 0, 0, 0, 0], [0, 0, 0, 1, 0, 0]),
        (Demand(Pattern.MAJORITY, 9, (ROCK,)), [0, 0, 0, 5, 0, 0], [5, 0, 0, 0, 0, 0]),
    ],
)
def test_a_line_promises_much_when_nearly_met_and_nothing_when_lost(demand, near, lost):
    assert promise(demand, near, 1) > 4
    assert promise(demand, lost, 1) == 0


def test_sets_promise_more_the_nearer_they_are():
    demand = Demand(Pattern.PER_SET, 2, (ROCK, SANDBANK))
    assert promise(demand, [0, 0, 0, 2, 2, 0], 1) > promise(demand, [0, 0, 0, 2, 1, 0], 1) > 0
