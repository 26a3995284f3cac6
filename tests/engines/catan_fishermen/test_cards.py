from collections import Counter

import pytest

from engines.catan_fishermen.cards import alike, drawn, holds, kind_at
from engines.catan_fishermen.catalog import NOTHING, Cards
from engines.core.chance import SeededChance
from tests.engines.catan_fishermen.scenario import Rigged, building, cards, given
from tests.rules import rule


@rule("CA-12", "CA-19")
def test_cards_lie_kind_by_kind():
    assert [kind_at((1, 0, 2, 0, 1), place) for place in range(4)] == [0, 2, 2, 4]


@rule("CA-12", "CA-19")
def test_there_is_no_card_behind_the_last():
    with pytest.raises(AssertionError):
        kind_at((0, 0, 2, 0, 0), 2)


def test_cards_are_drawn_one_after_the_other_from_what_is_left():
    assert drawn(Rigged(card=[2, 0, 1]), (1, 0, 2, 0, 1), 3) == (1, 0, 1, 0, 1)
    assert drawn(Rigged(), (0, 3, 0, 0, 0), 0) == (0, 0, 0, 0, 0)
    hands = Counter(drawn(SeededChance(seed), (1, 0, 1, 0, 2), 2) for seed in range(200))
    assert set(hands) == {(1, 0, 1, 0, 0), (1, 0, 0, 0, 1), (0, 0, 1, 0, 1), (0, 0, 0, 0, 2)}


def test_cards_of_one_kind():
    assert alike(2, 3) == Cards(wool=3)
    assert alike(4, 0) == NOTHING


def test_a_hand_holds_what_it_has_enough_of_every_kind_for():
    state = given(building(cards(1, brick=1, lumber=2, wool=1, grain=1, ore=1))).state
    assert holds(state, 1, NOTHING)
    assert holds(state, 1, Cards(1, 2, 1, 1, 1))
    for more in (Cards(brick=2), Cards(lumber=3), Cards(wool=2), Cards(grain=2), Cards(ore=2)):
        assert not holds(state, 1, more)
    assert not holds(state, 0, Cards(brick=1))
