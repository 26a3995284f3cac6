"""BF-49: slots and the actions that fit them."""

import pytest

from engines.black_fleet.effects.powers import Slots
from engines.black_fleet.effects.ships import fits
from engines.black_fleet.moves import Attack, Bury, PlayFortune, Sail
from engines.black_fleet.state import Ship
from tests.engines.black_fleet.scenario import BLUE, CORSAIR, FRIGATE, MERCHANT, PIRATE, RIVAL, given
from tests.rules import rule

OTHER = Ship.MERCHANT_2
NONE = Slots(0, 0, 0)


@rule("BF-49")
@pytest.mark.parametrize(
    ("attacks", "buries", "slots", "fit"),
    [
        (1, 0, NONE, True),
        (2, 0, NONE, False),
        (1, 1, NONE, False),
        (1, 1, Slots(0, 1, 0), True),
        (2, 0, Slots(0, 1, 0), False),
        (0, 2, Slots(0, 1, 0), True),
        (1, 1, Slots(0, 0, 1), True),
        (2, 0, Slots(0, 0, 1), False),
        (0, 2, Slots(0, 0, 1), False),
        (2, 0, Slots(1, 0, 0), True),
        (2, 1, Slots(1, 0, 0), False),
        (2, 1, Slots(1, 0, 1), True),
        (1, 2, Slots(0, 1, 1), True),
        (2, 1, Slots(0, 1, 1), False),
        (2, 2, Slots(1, 1, 1), True),
        (3, 1, Slots(1, 1, 1), False),
        (3, 0, Slots(2, 0, 0), True),
        (3, 1, Slots(2, 0, 1), True),
    ],
)
def test_actions_fit_slots_one_to_one(attacks, buries, slots, fit):
    assert fits(bytes((attacks, 0, 0, buries)), slots) is fit


@rule("BF-49")
def test_a_crew_attacks_and_buries_in_either_order_and_not_twice():
    ships = {PIRATE: "s0208", RIVAL: "s0108", OTHER: "s0308", MERCHANT: "s0103"}
    first = given(ships=ships, cargo={1: (BLUE, 2), 2: (BLUE, 2)}, bought={0: ["D14B"]})
    first.after(Attack(PIRATE, RIVAL), Sail(PIRATE, ("s0209",)), Bury())
    assert first.doubloons() == 2 + 3
    first.when(Attack(PIRATE, RIVAL)).refuses("BF-49")
    other = given(ships=ships | {PIRATE: "s0209"}, treasure={0: BLUE}, bought={0: ["D14B"]})
    other.after(Bury(), Sail(PIRATE, ("s0109",)), Attack(PIRATE, RIVAL))
    assert other.doubloons() == 3 + 2


@rule("BF-49")
def test_two_attacks_need_a_slot_for_any_kind():
    ships = {FRIGATE: "s0107", CORSAIR: "s0106", Ship.PIRATE_2: "s0108", MERCHANT: "s0103"}
    position = given(ships=ships, hand=["F08"]).after(PlayFortune("F08", ship=FRIGATE))
    position.after(Attack(FRIGATE, CORSAIR), Attack(FRIGATE, Ship.PIRATE_2))
    assert position.doubloons() == 4
