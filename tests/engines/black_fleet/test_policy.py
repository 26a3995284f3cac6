"""The greedy player in small positions, and against random ones."""

import pytest

from engines.black_fleet import ENGINE
from engines.black_fleet.catalog.kinds import Symbol
from engines.black_fleet.moves import (
    Attack,
    Bury,
    Buy,
    DeployMerchant,
    DeployPirate,
    Discard,
    EndSailing,
    EndTurn,
    Load,
    PlayFortune,
    PlayMovement,
    Sail,
    Sell,
    UseDevelopment,
)
from engines.black_fleet.policy import choose
from engines.black_fleet.policy.cards import Offer, gain
from engines.black_fleet.policy.choosing import voyage
from engines.black_fleet.policy.sea import sea_of
from engines.black_fleet.policy.table import Table
from engines.black_fleet.state import Phase, Ship
from engines.core import games
from engines.core.chance import SeededChance
from services.bots.players import seat_players
from services.cli.selfplay import BareTable, Setting, play, secret_of
from tests.engines.black_fleet.scenario import (
    BLUE,
    CATALOG,
    CORSAIR,
    FRIGATE,
    GREEN,
    MERCHANT,
    OTHER_FRIGATE,
    PIRATE,
    RED,
    RIVAL,
    YELLOW,
    card,
    given,
    movement_hand,
    play_movement,
    set_up,
)

HOME = {MERCHANT: "s0904", PIRATE: "s0109", FRIGATE: "s0404", RIVAL: "s0813", Ship.MERCHANT_2: "s0601"}
"""Nobody can do anything at once."""


def chosen(position, seat=0):
    moves = tuple(ENGINE.legal_moves(position.state, seat))
    return choose(ENGINE.view(position.state, seat), moves, SeededChance(5))


def at(hand=(), **more):
    return given(ships=HOME | more.pop("ships", {}), hand=hand, **more)


def test_it_begins_at_one_of_the_ports_that_promise_most():
    position = set_up(3)[0]
    view, moves = ENGINE.view(position.state, 0), tuple(ENGINE.legal_moves(position.state, 0))
    begun = {choose(view, moves, SeededChance(seed)) for seed in range(30)}
    assert all(isinstance(move, DeployMerchant) for move in begun)
    assert 1 < len(begun) < len(moves)


def test_its_pirate_begins_where_merchants_are():
    position = at(ships={PIRATE: None, RIVAL: "s1002"}, phase=Phase.DEPLOYING, cargo={1: (BLUE, 3)})
    assert chosen(position) == DeployPirate("deep_sw")


def test_it_plays_the_card_that_brings_it_to_a_port():
    position = at(ships={MERCHANT: "s0106"}, cargo={0: (RED, 3)}, phase=Phase.PLAYING_MOVEMENT)
    fast, slow = card(values=(1, 2, 5), symbol=Symbol.DRAW_1), card(values=(1, 5, 2), symbol=Symbol.DRAW_1)
    movement_hand(position, slow, fast)
    assert chosen(position) == PlayMovement(CATALOG.movement[fast].id)


@pytest.mark.parametrize(
    ("ships", "more", "move"),
    [
        ({MERCHANT: "s0103"}, {"cargo": {0: (RED, 3)}}, Sell("la_barbaria")),
        ({MERCHANT: "s0103"}, {"cargo": {0: (RED, 0)}}, Load("la_barbaria")),
        ({PIRATE: "s0306"}, {"treasure": {0: RED}}, Bury()),
        ({PIRATE: "s0812"}, {"cargo": {1: (RED, 2)}}, Attack(PIRATE, RIVAL)),
        ({FRIGATE: "s0107", CORSAIR: "s0106"}, {}, Attack(FRIGATE, CORSAIR)),
        ({MERCHANT: "s0105"}, {"cargo": {0: (RED, 3)}}, Sail(MERCHANT, ("s0104", "s0103"))),
    ],
)
def test_it_does_what_earns(ships, more, move):
    assert chosen(at(ships=ships, **more)) == move


def sailed(position, ship):
    """Where it would sail with the ship."""
    moves = tuple(ENGINE.legal_moves(position.state, 0))
    move = voyage(Table(ENGINE.view(position.state, 0), 0), ship, moves)
    return None if move is None else move.path[-1]


def test_its_pirate_takes_treasure_to_the_best_beach():
    assert sailed(at(ships={PIRATE: "s0308", FRIGATE: "s0904"}, treasure={0: RED}), PIRATE) in {"s0306", "s0408"}


def test_it_ends_when_nothing_is_left_to_do():
    position = at(cargo={0: (GREEN, 3)})
    for _ in range(20):
        move = chosen(position)
        if isinstance(move, EndSailing):
            return
        position.after(move)
    raise AssertionError("it sails for ever")


@pytest.mark.parametrize(
    ("hand", "more", "move"),
    [
        (["F16"], {"doubloons": {1: 4}}, PlayFortune("F16")),
        (["F13"], {"ships": {MERCHANT: "s0103"}, "cargo": {0: (RED, 3)}}, PlayFortune("F13")),
        (["F14"], {"ships": {MERCHANT: "s0103"}, "cargo": {0: (GREEN, 3)}}, PlayFortune("F14", port="la_barbaria")),
        (["F15"], {"ships": {MERCHANT: "s0812"}, "cargo": {1: (RED, 3)}}, PlayFortune("F15", target=RIVAL)),
        (["F18"], {"ships": {FRIGATE: "s0107", CORSAIR: "s0106"}}, PlayFortune("F18", ship=FRIGATE)),
        (["F10"], {"ships": {FRIGATE: "s0108", CORSAIR: "s0106"}}, PlayFortune("F10", ship=FRIGATE)),
        (["F10"], {"ships": {FRIGATE: "s0107", CORSAIR: "s0106"}}, Attack(FRIGATE, CORSAIR)),
        (["F02"], {"ships": {MERCHANT: "s0107"}, "cargo": {0: (RED, 3)}}, PlayFortune("F02")),
        (
            ["F20"],
            {"ships": {MERCHANT: "s0105", RIVAL: "s0104"}, "cargo": {0: (RED, 3)}},
            PlayFortune("F20", ship=MERCHANT),
        ),
        (["F07"], {"ships": {MERCHANT: "s0302"}, "cargo": {0: (GREEN, 3)}}, PlayFortune("F07", ship=MERCHANT)),
        (["F19"], {"ships": {OTHER_FRIGATE: "s0107", CORSAIR: "s0105"}}, PlayFortune("F19")),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_it_plays_cards_that_earn(hand, more, move):
    assert chosen(at(hand, **more)) == move


def test_it_is_paid_for_what_it_has_done():
    ships = {PIRATE: "s0812", RIVAL: "s0813", FRIGATE: "s0107", CORSAIR: "s0106"}
    position = at(["F17"], ships=ships, cargo={1: (BLUE, 2)}).after(Attack(PIRATE, RIVAL), Attack(FRIGATE, CORSAIR))
    assert chosen(position) == PlayFortune("F17")


def test_it_moves_no_merchant_that_has_nothing():
    position = at(["F12"], cargo={1: (BLUE, 0)})
    assert {gain(offer_of(position, move)) for move in position.plays("F12") if move.ship is RIVAL} == {0}


def test_it_moves_a_merchant_to_where_it_is_robbed():
    ships = {PIRATE: "s0107", RIVAL: "s0313", MERCHANT: "s0904", CORSAIR: "deep_sw", Ship.PIRATE_2: "deep_sw"}
    position = at(["F12"], ships=ships | {RIVAL: "s0212"}, cargo={1: (BLUE, 2)})
    gains = {move.path[-1]: gain(offer_of(position, move)) for move in position.plays("F12") if move.ship is RIVAL}
    assert max(gains.values()) == 2


@pytest.mark.parametrize("name", ["F07", "F20"])
def test_it_helps_no_ship_that_has_acted(name):
    ships = {PIRATE: "s0812", MERCHANT: "s0904", RIVAL: "s0813"}
    position = at([name], ships=ships, cargo={1: (BLUE, 3)}).after(Attack(PIRATE, RIVAL))
    played = [move for move in position.plays(name) if move.ship is PIRATE]
    assert played
    assert all(gain(offer_of(position, move)) == 0 for move in played)


def offer_of(position, move):
    table = Table(ENGINE.view(position.state, 0), 0)
    legal = tuple(ENGINE.legal_moves(position.state, 0))
    (card,) = table.player.own.fortune
    return Offer(table, legal, move, card.benefits[0], card.when)


def test_an_empty_merchant_sails_to_a_port_with_cubes():
    assert sailed(at(ships={MERCHANT: "s0105"}, cargo={0: (RED, 0)}, supply={YELLOW: 2}), MERCHANT) == "s0103"


def test_it_lets_a_ship_act_once_more():
    ships = {PIRATE: "s0208", RIVAL: "s0108", MERCHANT: "s0904", FRIGATE: "s0404"}
    position = given(ships=ships, cargo={1: (BLUE, 2)}, hand=["F08"]).after(Attack(PIRATE, RIVAL))
    assert chosen(position) == PlayFortune("F08", ship=PIRATE)


def test_it_changes_values_for_what_they_bring():
    more = {"ships": {MERCHANT: "s0107"}, "cargo": {0: (RED, 3)}, "order": card(values=(2, 4, 3))}
    move = chosen(at(["F06"], **more))
    assert isinstance(move, PlayFortune)
    shift = chosen(at(bought={0: ["D05C"]}, **more | {"ships": {MERCHANT: "s0107"}}))
    assert isinstance(shift, UseDevelopment)
    assert shift.rows[1] == "merchant"


def test_it_keeps_what_earns_and_discards_the_rest():
    position = play_movement(at(["F13", "F11"], phase=Phase.PLAYING_MOVEMENT), card(values=None, symbol=Symbol.DISCARD))
    position.after(EndSailing())
    assert chosen(position) == Discard("F11")


def test_it_buys_what_it_can_and_the_victory_card():
    assert chosen(at(doubloons={0: 4}, phase=Phase.BUYING)) == EndTurn()
    assert isinstance(chosen(at(doubloons={0: 5}, phase=Phase.BUYING)), Buy)
    ready = at(doubloons={0: 10}, bought={0: ["D05A", "D08A", "D11A", "D14A"]}, phase=Phase.BUYING)
    assert chosen(ready) == Buy("V10")


def test_its_navy_keeps_away_from_its_own_pirate_where_there_is_nothing_to_sink():
    ships = {PIRATE: "s0107", FRIGATE: "s0108", CORSAIR: None, Ship.PIRATE_2: None}
    end = sailed(at(ships=ships), FRIGATE)
    assert sea_of(CATALOG.chart).steps(end, ["s0107"]) == 4


@pytest.mark.parametrize("seat", [0, 2])
def test_it_beats_two_random_players(seat):
    assert wins(seat, range(1, 4)) == 3


@pytest.mark.soak
def test_it_beats_two_random_players_in_ninety_of_a_hundred():
    assert sum(wins(number % 3, [number]) for number in range(1, 101)) >= 90


def wins(seat, numbers):
    """How many of these matches the greedy seat wins against two random ones."""
    bots = tuple("greedy" if other == seat else "random" for other in range(3))
    outcomes = [match(bots, number).outcome for number in numbers]
    return sum(outcome is not None and outcome.ranking[0].seat == seat for outcome in outcomes)


def match(bots, number):
    setting = Setting("black_fleet", ENGINE.Options(), len(bots), games.edition("black_fleet"), bots, 1, 1000)
    table = BareTable(ENGINE, setting, secret_of(setting, number))
    return play(ENGINE, table, seat_players(ENGINE, bots, len(bots)), setting, number)


def test_four_of_them_play_the_same_match_to_its_end_each_time():
    first, again = (match(("greedy",) * 4, 1) for _ in range(2))
    assert first.outcome is not None
    assert first == again
