"""How many sequences of moves there are where fish are about, and the order in which their moves are listed."""

import pytest

from engines.catan_fishermen import ENGINE
from engines.catan_fishermen.catalog import Resource
from engines.catan_fishermen.events import BootDrawn, Catch, FishCaught, FishSeen, RobberMoved
from engines.catan_fishermen.fish import Benefit, Fish, Fishermen
from engines.catan_fishermen.moves import EndTurn, KeepFish, PassBoot, Roll, SpendFish
from engines.catan_fishermen.state import Board
from tests.engines.catan_fishermen.scenario import cards, fish, fishing, roads, rolled, rolling, settled, start
from tests.engines.perft import counted, opening

ROBBER, STEAL, RESOURCE, ROAD, DEVELOPMENT = Benefit
HOMES = [
    *(settled(0, 8, 40), roads(0, 8, 13, 18), roads(0, 40, 35)),
    *(settled(1, 19, 44), roads(1, 19, 24), roads(1, 44, 39)),
]
AWAY = RobberMoved(1, 4)


def position(name):
    match name:
        case "tokens":
            return fishing(HOMES, AWAY, cards(1, ore=1), fish(0, two=1, three=2), seats=2)
        case "piles":
            piles = FishCaught((Catch(0, 9),))
            return fishing(HOMES, AWAY, cards(1, ore=1), piles, seats=2, form=Fishermen.NO_SHIPS)
        case "boot":
            return fishing(HOMES, BootDrawn(0), begin=rolling, seats=2)
        case "choice":
            full = fish(0, one=4, two=3), fish(1, one=1)
            seen = rolled(4), FishSeen(0, (Catch(1, 1),), 3)
            found = fishing(HOMES, full, begin=rolling, seats=2)
            for event in seen:
                ENGINE.evolve(found.state, event)
            return found


# The tokens 3 3 2 pay 2 fish in 2 ways, 3 in 1, 4 and 5 in 2, 7 in 1: with the end of the turn 1 + 2 + 1 + 10 + 2 + 1.
# Then 1 + 2 x 8 + 9 + 5 x 3 + 5 x 2 + 2 x 9 + 1. Of the piles 1 + 9 + 8 + 5 x 9 + 9 + 2; of the choices 21 + 30 + 34.
@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("tokens", (17, 70, 121)),
        ("piles", (10, 74, 241)),
        ("boot", (2, 3)),
        ("choice", (3, 85)),
    ],
)
def test_the_number_of_move_sequences_with_fish(name, counts):
    assert counted(ENGINE, position(name).state, 0, counts) == counts


# Where settlements may stand is as in the base game.
@pytest.mark.parametrize(
    ("form", "seats", "plies", "counts"),
    [
        (Fishermen.SPIELBOX, 2, 0, (54, 144, 7236)),
        (Fishermen.LAKE, 3, 8, (44, 120, 4842)),
        (Fishermen.NO_SHIPS, 4, 12, (40, 108, 3930)),
    ],
)
def test_the_number_of_move_sequences_from_the_set_up_with_fish(form, seats, plies, counts):
    state = opening(ENGINE, start(seats, fishermen=form, board=Board.STANDARD), plies)
    assert counted(ENGINE, state, plies, counts) == counts


def listed(name):
    return list(ENGINE.legal_moves(position(name).state, 0))


def test_fish_are_spent_benefit_by_benefit_with_the_fewest_fish_first():
    four = Fish(0, 1, 1), Fish(0, 0, 2)
    assert listed("tokens") == [
        EndTurn(),
        SpendFish(ROBBER, Fish(0, 1)),
        SpendFish(ROBBER, Fish(0, 0, 1)),
        SpendFish(STEAL, Fish(0, 0, 1), victim=1),
        *[SpendFish(RESOURCE, tokens, resource=resource) for resource in Resource for tokens in four],
        SpendFish(ROAD, Fish(0, 1, 1)),
        SpendFish(ROAD, Fish(0, 0, 2)),
        SpendFish(DEVELOPMENT, Fish(0, 1, 2)),
    ]


def test_of_open_piles_each_benefit_is_listed_once():
    assert listed("piles") == [
        EndTurn(),
        SpendFish(ROBBER, Fish()),
        SpendFish(STEAL, Fish(), victim=1),
        *[SpendFish(RESOURCE, Fish(), resource=resource) for resource in Resource],
        SpendFish(ROAD, Fish()),
        SpendFish(DEVELOPMENT, Fish()),
    ]


def test_the_boot_is_passed_after_the_roll_is_offered():
    assert listed("boot") == [Roll(), PassBoot(1)]


def test_the_token_seen_is_the_first_to_go_back():
    assert listed("choice") == [KeepFish(3), KeepFish(1), KeepFish(2)]
