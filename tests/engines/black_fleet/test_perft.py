"""How many sequences of moves there are from a few openings, and the order in which moves are listed."""

import pytest

from engines.black_fleet import ENGINE
from engines.black_fleet.catalog.kinds import ShipKind
from engines.black_fleet.effects.ships import turn_of
from engines.black_fleet.legal import sails
from engines.black_fleet.moves import (
    Attack,
    Bury,
    Buy,
    DeployMerchant,
    DeployPirate,
    EndSailing,
    EndTurn,
    PlayFortune,
    Sail,
    Sell,
    UseDevelopment,
)
from engines.black_fleet.state import FirstPlayer, Options, Phase, Ship
from engines.core.chance import SeededChance
from tests.engines.black_fleet.scenario import (
    BLUE,
    CATALOG,
    CORSAIR,
    FRIGATE,
    MERCHANT,
    PIRATE,
    RED,
    RIVAL,
    card,
    given,
)
from tests.engines.perft import counted, opening

NAVY, ROVER, TRADER = ShipKind


def start(seats):
    return ENGINE.initial(CATALOG, Options(first_player=FirstPlayer.SEAT_0), seats, 1)


# 15 spaces next to ports, one fewer for each merchant placed.
@pytest.mark.parametrize(
    ("seats", "plies", "counts"), [(3, 0, (15, 210, 2730)), (4, 0, (15, 210, 2730)), (2, 2, (3, 6, 274))]
)
def test_the_number_of_move_sequences_from_the_set_up(seats, plies, counts):
    assert counted(ENGINE, opening(ENGINE, start(seats), plies), plies, counts) == counts


POSITIONS = {
    "a pirate alone": {"ships": {MERCHANT: "s0904", PIRATE: "s0107", RIVAL: "s0108", FRIGATE: "s0407"}},
    "cards": {
        "ships": {MERCHANT: "s0103", PIRATE: "s0209", RIVAL: "s0108", CORSAIR: "s0904"},
        "cargo": {0: (RED, 2), 1: (BLUE, 2)},
        "treasure": {0: BLUE},
        "hand": ("F01", "F12", "F16"),
        "bought": {0: ["D05C", "D11E"]},
        "doubloons": {1: 3},
    },
    "an end": {"phase": Phase.BUYING, "doubloons": {0: 50}, "bought": {0: ["D05A", "D08A", "D11A", "D14A"]}},
}


@pytest.mark.parametrize(
    ("name", "counts"), [("a pirate alone", (59, 2552)), ("cards", (101, 7977)), ("an end", (2, 4, 188))]
)
def test_the_number_of_move_sequences_from_a_position(name, counts):
    assert counted(ENGINE, given(**POSITIONS[name]).state, 0, counts) == counts


def listed(position):
    return list(ENGINE.legal_moves(position.state, position.state.seat))


def test_the_order_of_moves_while_ships_sail():
    moves = listed(given(**POSITIONS["cards"]))
    kinds = [type(move) for move in moves]
    assert kinds == sorted(kinds, key=[EndSailing, Attack, Sell, Bury, UseDevelopment, PlayFortune, Sail].index)
    assert moves[:9] == [
        EndSailing(),
        Sell("la_barbaria"),
        Bury(),
        *[
            UseDevelopment("D05C", rows=pair)
            for pair in [(NAVY, ROVER), (NAVY, TRADER), (ROVER, NAVY), (ROVER, TRADER)]
        ],
        *[UseDevelopment("D05C", rows=pair) for pair in [(TRADER, NAVY), (TRADER, ROVER)]],
    ]
    assert moves[9] == UseDevelopment("D11E")
    assert moves[10:13] == [PlayFortune("F01", ship=ship) for ship in (MERCHANT, PIRATE, FRIGATE)]
    assert next(move.ship for move in moves if isinstance(move, PlayFortune) and move.card == "F12") is RIVAL
    voyages = [move for move in moves if isinstance(move, Sail)]
    assert voyages[:3] == [Sail(MERCHANT, (end,)) for end in ("s0104", "s0203", "s0204")]
    order = [MERCHANT, PIRATE, FRIGATE]
    assert [move.ship for move in voyages] == sorted((move.ship for move in voyages), key=order.index)


def test_the_order_of_deployments_and_purchases():
    deploying = given(ships={MERCHANT: None, PIRATE: None}, phase=Phase.DEPLOYING)
    moves = listed(deploying)
    assert moves[0] == DeployMerchant("s0103", "la_barbaria")
    assert moves[-3:] == [DeployPirate(space) for space in ("deep_ne", "deep_sw", "deep_se")]
    buying = given(phase=Phase.BUYING, doubloons={0: 50})
    first, *others = listed(buying)
    assert first == EndTurn()
    prices = {card.id: card.price for card in CATALOG.developments}
    assert [prices[move.card] for move in others] == [5, 8, 11, 14]
    assert all(isinstance(move, Buy) for move in others)


def test_no_more_than_200_moves_are_listed_where_ways_are_a_family():
    ships = {MERCHANT: "s0308", PIRATE: "s0208", FRIGATE: "s0307", RIVAL: "s0407", Ship.MERCHANT_2: "s0505"}
    hand = ("F12", "F02", "F03")
    position = given(ships=ships, hand=hand, bought={0: ["D05A", "D08D", "D14D"]})
    position.after(PlayFortune("F02"), PlayFortune("F03"))
    moves = listed(position)
    assert len(moves) == 200
    assert moves[0] == ENGINE.autopilot(position.state, 0) == EndSailing()
    (family,) = ENGINE.families(position.state, 0)
    turn = turn_of(position.state)
    cut = [sail for role in turn.roles for sail in sails(turn, role) if sail not in moves]
    assert cut
    assert all(map(family.contains, cut))


def test_a_way_of_ones_own_ends_where_none_goes_on():
    ships = {PIRATE: "deep_ne", RIVAL: "s0112", CORSAIR: "s0213", Ship.MERCHANT_2: "s0012", MERCHANT: "s0103"}
    position = given(ships=ships)
    position.state.over = 0b101
    (family,) = ENGINE.families(position.state, 0)
    chance = SeededChance(2)
    assert {family.sample(chance) for _ in range(20)} == {Sail(PIRATE, ("s0113",))}


def test_cards_are_played_along_ways_and_with_pairs_said_otherwise():
    ships = {MERCHANT: "s0104", RIVAL: "s0105", PIRATE: "s0904", FRIGATE: "s0407", CORSAIR: "s0404"}
    position = given(ships=ships, hand=("F06", "F11", "F12"), order=card(values=(2, 4, 3)))
    (family,) = ENGINE.families(position.state, 0)
    chance = SeededChance(4)
    sampled = {family.sample(chance) for _ in range(600)}
    listed_ = set(listed(position))
    said = {(move.card, move in listed_) for move in sampled if isinstance(move, PlayFortune)}
    assert said == {(name, known) for name in ("F06", "F11", "F12") for known in (True, False)}
    assert family.contains(PlayFortune("F11", ship=RIVAL, target=MERCHANT))
    assert family.contains(PlayFortune("F12", ship=RIVAL, path=("s0006", "s0007")))
    assert not family.contains(EndSailing())
