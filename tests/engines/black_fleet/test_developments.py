"""Every development of the house edition alone: BF-37, BF-47, BF-48."""

import pytest

from engines.black_fleet import ENGINE
from engines.black_fleet.catalog.kinds import ShipKind, Symbol
from engines.black_fleet.events import (
    DevelopmentUsed,
    FortuneDrawn,
    MoveEnded,
    ShipAttacked,
    ShipsSwapped,
    ValueShifted,
)
from engines.black_fleet.moves import (
    Attack,
    Bury,
    Buy,
    DeployMerchant,
    EndSailing,
    PlayFortune,
    Sail,
    Sell,
    UseDevelopment,
)
from engines.black_fleet.state import EMPTY, Phase, Ship
from tests.engines.black_fleet.scenario import (
    BLUE,
    CORSAIR,
    FRIGATE,
    MERCHANT,
    OTHER_FRIGATE,
    PIRATE,
    RED,
    RIVAL,
    card,
    given,
)
from tests.rules import rule

NAVY, ROVER, TRADER = ShipKind
HOME = {MERCHANT: "s0103", PIRATE: "s0904"}


def steps(position):
    return {command.ship: command.steps for command in ENGINE.view(position.state, 0).commands}


@rule("BF-37")
def test_a_development_works_once_it_is_turned_up():
    position = given(ships=HOME, doubloons={0: 5}, phase=Phase.BUYING)
    name = position.offers(Buy)[0].card
    assert position.state.standing[0] == 0
    position.after(Buy(name))
    assert position.state.standing[0]
    given().when(UseDevelopment("D05C", rows=(NAVY, ROVER))).refuses("BF-37")
    given().when(UseDevelopment("nothing")).refuses("BF-37")
    given(bought={0: ["D05A"]}).when(UseDevelopment("D05A")).refuses("BF-37")


@rule("BF-37")
@pytest.mark.parametrize(
    ("name", "more"),
    [
        ("D05A", {MERCHANT: 1}),
        ("D05B", {PIRATE: 1}),
        ("D08F", {FRIGATE: 1}),
        ("D14D", {MERCHANT: 1, PIRATE: 1, FRIGATE: 1}),
    ],
)
def test_some_let_ships_sail_further(name, more):
    position = given(ships=HOME, bought={0: [name]})
    assert steps(position) == {ship: 3 + more.get(ship, 0) for ship in (MERCHANT, PIRATE, FRIGATE)}


@rule("BF-37", "BF-48")
def test_tables_shift_one_once_a_turn():
    position = given(ships=HOME, bought={0: ["D05C"]})
    move = UseDevelopment("D05C", rows=(TRADER, NAVY))
    assert len(position.offers(UseDevelopment)) == 6
    position.when(move).then(DevelopmentUsed(0, "D05C"), ValueShifted(0, TRADER, NAVY))
    assert steps(position) == {FRIGATE: 4, PIRATE: 3, MERCHANT: 2}
    position.when(move).refuses("BF-37")
    for rows in [(NAVY,), (NAVY, NAVY)]:
        given(bought={0: ["D05C"]}).when(UseDevelopment("D05C", rows=rows)).refuses("BF-48")


@rule("BF-48")
def test_nothing_is_shifted_from_nothing():
    position = given(bought={0: ["D05C"]}, order=card(values=(1, 3, 4), symbol=Symbol.DRAW_1))
    position.state.shifts += bytes((0, 1))
    position.when(UseDevelopment("D05C", rows=(NAVY, ROVER))).refuses("BF-48")


@rule("BF-37")
@pytest.mark.parametrize(
    ("symbol", "drawn"), [(Symbol.NONE, 1), (Symbol.DISCARD, 1), (Symbol.DRAW_1, 1), (Symbol.DRAW_2, 2)]
)
def test_rumours_draw_where_the_card_does_not(symbol, drawn):
    order = card(values=None, symbol=symbol)
    position = given(ships=HOME, bought={0: ["D05D"]}, order=order)
    events = position.when(EndSailing()).play()
    assert sum(isinstance(event, FortuneDrawn) for event in events) == drawn


@rule("BF-37")
@pytest.mark.parametrize(
    ("names", "cubes", "doubloons"),
    [
        (["D05E"], 1, 3 + 1),
        (["D08A"], 1, 3),
        (["D08A"], 2, 6 + 2),
        (["D14E"], 3, 9 + 3),
        (["D05E", "D08A", "D14E"], 3, 9 + 1 + 2 + 3),
    ],
)
def test_some_make_sales_better_and_add_up(names, cubes, doubloons):
    position = given(ships=HOME, cargo={0: (RED, cubes)}, bought={0: names}).after(Sell("la_barbaria"))
    assert position.doubloons() == doubloons


@rule("BF-37")
@pytest.mark.parametrize(("names", "doubloons"), [(["D05F"], 4), (["D11F"], 5), (["D05F", "D11F"], 6)])
def test_some_make_burials_better_and_add_up(names, doubloons):
    position = given(ships={PIRATE: "s0209"}, treasure={0: RED}, bought={0: names}).after(Bury())
    assert position.doubloons() == doubloons


@rule("BF-37")
def test_a_prize_crew_earns_one_more_of_every_merchant():
    ships = {PIRATE: "s0107", RIVAL: "s0108", Ship.MERCHANT_2: "s0106", MERCHANT: "s0103"}
    position = given(ships=ships, cargo={1: (BLUE, 2), 2: (RED, 2)}, bought={0: ["D08C", "D14F"]}, hand=["F08"])
    position.after(PlayFortune("F08", ship=PIRATE), Attack(PIRATE, RIVAL), Attack(PIRATE, Ship.MERCHANT_2))
    assert position.doubloons() == 6


@rule("BF-37")
def test_a_shallow_draught_crosses_islands_with_both_own_ships():
    for ship in (MERCHANT, PIRATE):
        position = given(ships={**HOME, ship: "s0104"}, bought={0: ["D08D"]})
        position.after(Sail(ship, ("l0205", "s0204")))
    navy = given(ships=HOME | {FRIGATE: "s0104"}, bought={0: ["D08D"]})
    navy.when(Sail(FRIGATE, ("l0205", "s0204"))).refuses("BF-13")


@rule("BF-14", "BF-37")
def test_a_lantern_leads_past_enemies_and_strange_navy():
    for other in (RIVAL, CORSAIR, OTHER_FRIGATE):
        position = given(ships={MERCHANT: "s0104", PIRATE: "s0904", other: "s0105"}, bought={0: ["D08E"]})
        position.after(Sail(MERCHANT, ("s0106",)))
    navy = given(ships=HOME | {FRIGATE: "s0104", RIVAL: "s0105"}, bought={0: ["D08E"]})
    assert "s0106" not in navy.ends(FRIGATE)


@rule("BF-37")
def test_a_friend_at_the_admiralty_earns_more_of_pirates():
    position = given(ships={FRIGATE: "s0107", CORSAIR: "s0106"}, bought={0: ["D08F"]}).after(Attack(FRIGATE, CORSAIR))
    assert position.doubloons() == 3


@rule("BF-37", "BF-47")
def test_an_armed_merchantman_sinks_pirates_for_three_in_all():
    ships = {MERCHANT: "s0107", CORSAIR: "s0106", FRIGATE: "s0904"}
    position = given(ships=ships, treasure={1: RED}, bought={0: ["D11A", "D08F"]})
    position.when(Attack(MERCHANT, CORSAIR)).then(
        ShipAttacked(0, MERCHANT, CORSAIR, doubloons=3, taken=False, sunk=True, spent=(), cube=RED)
    )


@rule("BF-37", "BF-47")
def test_a_privateer_merchant_robs_for_the_port():
    position = given(ships={MERCHANT: "s0107", RIVAL: "s0106"}, cargo={1: (BLUE, 1)}, bought={0: ["D11B"]})
    position.when(Attack(MERCHANT, RIVAL)).then(
        ShipAttacked(0, MERCHANT, RIVAL, doubloons=2, taken=False, sunk=True, spent=(), cube=BLUE)
    )
    assert position.state.supply[3] == 13


@rule("BF-37")
def test_a_pirate_hunter_takes_what_the_other_had_if_it_is_empty():
    ships = {PIRATE: "s0107", CORSAIR: "s0106", MERCHANT: "s0103"}
    empty = given(ships=ships, treasure={1: RED}, bought={0: ["D11C", "D08C"]})
    empty.when(Attack(PIRATE, CORSAIR)).then(
        ShipAttacked(0, PIRATE, CORSAIR, doubloons=2, taken=True, sunk=True, spent=(), cube=RED)
    )
    loaded = given(ships=ships, treasure={0: BLUE, 1: RED}, bought={0: ["D11C"]})
    loaded.when(Attack(PIRATE, CORSAIR)).then(
        ShipAttacked(0, PIRATE, CORSAIR, doubloons=2, taken=False, sunk=True, spent=(), cube=RED)
    )
    assert loaded.state.treasures[0] == 3
    nothing = given(ships=ships, bought={0: ["D11C"]}).after(Attack(PIRATE, CORSAIR))
    assert nothing.state.treasures[0] == EMPTY


@rule("BF-47")
def test_range_two_is_two_steps_over_neighbours():
    ships = {FRIGATE: "s0106", RIVAL: "s0107", CORSAIR: "s0108", MERCHANT: "s0103"}
    position = given(ships=ships, bought={0: ["D11D"]})
    position.when(Attack(FRIGATE, Ship.PIRATE_2)).refuses("BF-47")
    position.after(Attack(FRIGATE, CORSAIR))
    deep = given(
        ships={FRIGATE: "s0012", CORSAIR: "s0113", MERCHANT: "s0103", Ship.MERCHANT_1: "s0904"}, bought={0: ["D11D"]}
    )
    deep.after(Attack(FRIGATE, CORSAIR))
    lairs = given(ships={PIRATE: "s0301", RIVAL: "s0610", MERCHANT: "s0103"}, bought={0: ["D11D", "D08B"]})
    lairs.when(Attack(PIRATE, RIVAL)).refuses("BF-47")


@rule("BF-29")
def test_long_guns_are_nothing_beside_long_nines():
    ships = {FRIGATE: "s0106", CORSAIR: "s0108", MERCHANT: "s0103"}
    given(ships=ships, hand=["F10"], bought={0: ["D11D"]}).when(PlayFortune("F10", ship=FRIGATE)).refuses("BF-29")


@rule("BF-17", "BF-37", "BF-46")
def test_signal_flags_exchange_the_own_ships_and_end_their_move():
    ships = {MERCHANT: "s0104", PIRATE: "s0904"}
    position = given(ships=ships, bought={0: ["D11E"]}).after(Sail(MERCHANT, ("s0105",)))
    position.when(UseDevelopment("D11E")).then(
        DevelopmentUsed(0, "D11E"), MoveEnded(0, MERCHANT), ShipsSwapped(0, MERCHANT, PIRATE)
    )
    assert (position.space(MERCHANT), position.space(PIRATE)) == ("s0904", "s0105")
    position.when(Sail(MERCHANT, ("s0905",))).refuses("BF-17")
    position.after(Sail(PIRATE, ("s0106",)))
    position.when(UseDevelopment("D11E")).refuses("BF-37")
    navy = given(ships=ships, bought={0: ["D11E"]}).after(Sail(FRIGATE, ("s0406",)))
    navy.when(UseDevelopment("D11E")).then(DevelopmentUsed(0, "D11E"), ShipsSwapped(0, MERCHANT, PIRATE))
    navy.after(Sail(FRIGATE, ("s0405",)))
    deep = given(ships=ships | {PIRATE: "deep_ne"}, bought={0: ["D11E"]})
    deep.when(UseDevelopment("D11E")).refuses("BF-46")
    given(ships=ships, bought={0: ["D11E"]}).when(UseDevelopment("D11E", ship=MERCHANT)).refuses("BF-29")


@rule("BF-37", "BF-48")
def test_a_lord_admiral_commands_both_navy_ships_with_the_navy_value():
    ships = HOME | {FRIGATE: "s0107", CORSAIR: "s0106", OTHER_FRIGATE: "s0109", Ship.PIRATE_2: "s0110"}
    position = given(ships=ships, bought={0: ["D14A"]}, order=card(values=(2, 4, 3)))
    assert steps(position)[OTHER_FRIGATE] == steps(position)[FRIGATE] == 2
    position.after(Attack(FRIGATE, CORSAIR), Attack(OTHER_FRIGATE, Ship.PIRATE_2))
    assert position.doubloons() == 4
    friends = given(ships={MERCHANT: "s0104", PIRATE: "s0904", OTHER_FRIGATE: "s0105"}, bought={0: ["D14A"]})
    friends.after(Sail(MERCHANT, ("s0106",)))


@rule("BF-37", "BF-47")
def test_corrupt_officers_rob_merchants_for_two():
    position = given(ships={FRIGATE: "s0107", RIVAL: "s0106"}, cargo={1: (BLUE, 2)}, bought={0: ["D14C", "D08F"]})
    position.when(Attack(FRIGATE, RIVAL)).then(
        ShipAttacked(0, FRIGATE, RIVAL, doubloons=2, taken=False, sunk=False, spent=(), cube=BLUE)
    )


@rule("BF-37")
def test_an_insatiable_crew_attacks_with_treasure_aboard():
    ships = {PIRATE: "s0107", RIVAL: "s0106", MERCHANT: "s0103"}
    loaded = given(ships=ships, treasure={0: RED}, cargo={1: (BLUE, 2)}, bought={0: ["D14F"]})
    loaded.when(Attack(PIRATE, RIVAL)).then(
        ShipAttacked(0, PIRATE, RIVAL, doubloons=2, taken=False, sunk=False, spent=(), cube=BLUE)
    )
    assert loaded.state.treasures[0] == 1
    empty = given(ships=ships, cargo={1: (BLUE, 2)}, bought={0: ["D14F"]}).after(Attack(PIRATE, RIVAL))
    assert empty.state.treasures[0] == 3


@rule("BF-37")
def test_developments_of_others_do_nothing_for_the_active_seat():
    position = given(ships=HOME, bought={1: ["D14D", "D08D", "D05A"]})
    assert steps(position)[MERCHANT] == 3


@rule("BF-22", "BF-37")
def test_a_development_works_in_the_next_own_turn():
    position = given(ships=HOME | {Ship.MERCHANT_1: None}, doubloons={0: 14}, phase=Phase.BUYING)
    position.after(Buy(position.offers(Buy)[-1].card))
    assert position.state.seat == 1
    position.after(DeployMerchant("s0807", "fort_azure"))
    assert position.state.standing[0] != 0
