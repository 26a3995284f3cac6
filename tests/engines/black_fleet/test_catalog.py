"""The cards of the house edition, and editions that are refused."""

import msgspec
import pytest

from engines.black_fleet import ENGINE
from engines.black_fleet.catalog.kinds import KINDS, EffectKind, amount_of
from engines.core.errors import InvalidEdition
from tests.engines.black_fleet.scenario import CATALOG, EDITION
from tests.rules import rule


@rule("BF-2")
def test_the_house_edition_has_the_official_counts():
    assert len(CATALOG.movement_pile) == len(CATALOG.fortune_pile) == 44
    assert [len(rank) for rank in CATALOG.ranks] == [6, 6, 6, 6]
    assert {card.price: card.copies for card in CATALOG.victory} == {10: 4, 20: 4}
    assert CATALOG.cubes == 13
    assert len(CATALOG.board.goods) == 5


def test_every_kind_of_effect_is_on_a_card():
    cards = [*CATALOG.fortune, *CATALOG.developments]
    assert {KINDS[type(effect)] for card in cards for effect in card.effects} == set(EffectKind)
    assert all(amount_of(effect) >= 1 for card in cards for effect in card.effects)


def changed(change):
    edition = msgspec.json.decode(EDITION)
    change(edition)
    return msgspec.json.encode(edition)


def effect(name, **fields):
    """A change of the first effect of a card."""

    def change(edition):
        cards = {card["id"]: card for card in edition["fortune"] + edition["developments"]}
        cards[name]["effects"][0] |= fields

    return change


def card(name, **fields):
    def change(edition):
        rows = edition["movement"] + edition["fortune"] + edition["developments"] + edition["victory"]
        next(row for row in rows if row["id"] == name).update(fields)

    return change


BONUS = {"kind": "move_bonus", "ships": "fleet", "spaces": 1}
SWAP = {"kind": "swap_values"}
CANNON = {"kind": "attack_now", "ships": "one", "target": "merchant", "doubloons": 2, "loot": "port"}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda edition: edition.update(game="chess"), "not of 'black_fleet'"),
        (lambda edition: edition.update(cubes=12), "12 cubes"),
        (card("F01", copies=4), "43 fortune cards"),
        (card("M01", copies=2), "45 movement cards"),
        (card("F16", copies=0), "0 copies"),
        (card("V10", copies=3), "victory cards"),
        (card("D05A", price=8), "5 developments cost 5|cost 5, not"),
        (lambda edition: edition["developments"].append({**edition["developments"][0], "price": 3, "id": "X"}), "25"),
        (card("F02", id="F01"), "used 2 times"),
        (card("M01", navy_value=10), "not 0 to 9"),
        (card("F01", effects=[]), "does nothing"),
        (card("D05A", effects=[]), "does nothing"),
        (card("F16", effects=[BONUS, SWAP]), "first effect asks"),
        (card("F16", effects=[BONUS | {"ships": "one_own"}, BONUS | {"ships": "one"}]), "first effect asks"),
        (card("F15", effects=[CANNON, CANNON | {"target": "pirate"}]), "first effect asks"),
        (card("F16", when="attack"), "not for `attack`"),
        (card("F16", when="sale"), "not for `sale`"),
        (effect("F10", ships="fleet"), "one attack"),
        (card("D05A", when="any"), "goes with effects that are used"),
        (card("D05C", when="sale"), "not used up"),
        (effect("D05A", ships="one"), "nobody chooses"),
        (card("D05C", effects=[SWAP, SWAP]), "used for one thing"),
        (effect("F01", spaces=0), "`spaces` is 1 to 99"),
        (effect("F01", spaces=2**53), "`spaces` is 1 to 99"),
        (effect("F10", spaces=3), "a range is 2"),
        (effect("D11A", target="navy"), "not attacked"),
        (effect("D14E", per_cube=-1), "a bonus is 0 to 99"),
        (effect("D14E", per_cube=2**53), "a bonus is 0 to 99"),
        (effect("D14E", per_cube=0), "nothing"),
        (effect("F17", after=["sank", "sank"]), "twice"),
        (effect("F15", ships="fleet"), "one ship attacks"),
        (lambda edition: edition["fortune"][0]["effects"][0].update(kind="wish"), "not an edition"),
    ],
)
def test_an_edition_that_breaks_the_rules_is_not_loaded(change, message):
    with pytest.raises(InvalidEdition, match=message):
        ENGINE.catalog(changed(change))


def test_what_is_no_edition_at_all_is_not_loaded():
    with pytest.raises(InvalidEdition, match="not an edition of Black Fleet"):
        ENGINE.catalog(b"[]")
