"""Who sees which fish."""

import pytest

from engines.catan_fishermen import ENGINE
from engines.catan_fishermen.catalog import Development
from engines.catan_fishermen.events import (
    BootDrawn,
    BootPassed,
    Catch,
    FishCaught,
    FishDrawn,
    FishReturned,
    FishSeen,
    FishShuffled,
    FishSpent,
    LargestArmyMoved,
    LongestRoadMoved,
    TurnBegun,
)
from engines.catan_fishermen.fish import Benefit, Fish, Fishermen
from engines.catan_fishermen.moves import KeepFish, Roll
from engines.catan_fishermen.scoring import points
from engines.catan_fishermen.view import WaterView
from engines.core.chance import SeededChance
from tests.engines.catan_fishermen.scenario import (
    city,
    development,
    fish,
    fishing,
    given,
    pips,
    rolling,
    settled,
    start,
)
from tests.rules import rule

SPECTATOR = None
ALL = (0, 1, 2, SPECTATOR)


def seen(position, viewer):
    return ENGINE.view(position.state, viewer)


def twins(position, viewer, number=40):
    return [ENGINE.determinize(position.state, viewer, SeededChance(seed)) for seed in range(number)]


def choosing():
    """Seat 0 has seven tokens and has seen an eighth."""
    full = fish(0, one=4, two=3), fish(1, three=2), fish(2, one=1)
    position = fishing(settled(0, 1), full, begin=rolling)
    position.when(0, Roll(), dice=pips(4), fish=14).play()
    assert position.state.seen == 3
    return position


@rule("CA-24")
def test_how_many_tokens_each_seat_has_is_public_and_their_faces_are_the_owners():
    position = fishing(fish(0, one=2, three=1), fish(1, two=3))
    for viewer in ALL:
        players = seen(position, viewer).players
        assert [player.fish for player in players] == [3, 3, 0]
        own = {player.seat: player.own.fish for player in players if player.own}
        assert own == {0: {0: Fish(2, 0, 1)}, 1: {1: Fish(0, 3)}, 2: {2: Fish()}}.get(viewer, {})


@rule("CA-24")
def test_which_tokens_others_hold_changes_nothing_that_is_seen():
    views = [seen(fishing(fish(1, **{face: 2})), viewer) for face in ("one", "two", "three") for viewer in (0, 2, None)]
    assert views[:3] * 3 == views


@rule("CA-24", "CA-40")
def test_supply_tokens_spent_and_the_boot_are_public():
    spent = FishSpent(0, Benefit.STEAL, Fish(1, 1))
    position = fishing(fish(0, one=1, two=1, three=1), spent, BootDrawn(2))
    for viewer in ALL:
        view = seen(position, viewer)
        assert (view.fish_supply, view.fish_spent, view.boot) == (26, Fish(1, 1), 2)
        assert [player.needed for player in view.players] == [10, 10, 11]


@rule("CA-24", "CA-62")
def test_fish_of_open_piles_are_public():
    position = fishing(FishCaught((Catch(1, 5),)), form=Fishermen.NO_SHIPS)
    for viewer in ALL:
        assert [player.fish for player in seen(position, viewer).players] == [0, 5, 0]
        assert seen(position, viewer).fish_supply == 50


@rule("CA-24", "CA-37")
def test_the_token_looked_at_is_shown_to_its_seat_alone():
    position = choosing()
    assert seen(position, 0).players[0].own.seen == 3
    for viewer in (1, 2):
        assert seen(position, viewer).players[viewer].own.seen is None
    for viewer in ALL:
        view = seen(position, viewer)
        assert (view.owed, view.players[0].fish, view.fish_supply) == ((0,), 7, 19)


@rule("CA-24", "CA-37")
def test_nobody_else_can_tell_which_token_went_back():
    after = []
    for back in (1, 2, 3):
        position = choosing()
        position.when(0, KeepFish(back)).play()
        after.append([seen(position, viewer) for viewer in (1, 2, SPECTATOR)])
    assert after[0] == after[1] == after[2]


@rule("CA-24")
def test_a_token_is_told_to_its_seat_alone():
    for event, hidden in (
        (FishDrawn(1, 2), FishDrawn(1)),
        (FishSeen(1, (Catch(2, 1),), 3), FishSeen(1, (Catch(2, 1),))),
        (FishReturned(1, 1), FishReturned(1)),
    ):
        assert ENGINE.redact(event, 1) == event
        for viewer in (0, 2, SPECTATOR):
            assert ENGINE.redact(event, viewer) == hidden


@rule("CA-24", "CA-41")
def test_the_boot_what_is_spent_and_what_open_piles_pay_are_told_to_all():
    public = (
        BootDrawn(0),
        BootPassed(0, 1),
        FishShuffled(),
        FishSpent(0, Benefit.ROAD, Fish(0, 1, 1)),
        FishCaught((Catch(0, 2),)),
    )
    for event in public:
        assert all(ENGINE.redact(event, viewer) == event for viewer in ALL)


@pytest.mark.parametrize("event", [FishDrawn(0), FishSeen(0, ()), FishReturned(0)])
def test_redacted_fish_are_told_never_folded(event):
    with pytest.raises(AssertionError, match="redacted"):
        fishing(event)


@rule("CA-31", "CA-50", "CA-61")
def test_a_view_draws_the_waters():
    for form in (Fishermen.SPIELBOX, Fishermen.LAKE):
        waters = seen(fishing(form=form), SPECTATOR).waters
        assert waters[0] == WaterView((4,), (0, 1, 4), (1, 1, 1))
        assert len(waters) == 6 + (form is Fishermen.LAKE)
    assert waters[6].numbers == (2, 3, 11, 12)
    piles = seen(fishing(form=Fishermen.NO_SHIPS), SPECTATOR).waters
    assert piles[0] == WaterView((4,), (0, 1, 4), (1, 1, 2))


@rule("CA-70")
def test_the_base_game_shows_no_fish():
    view = seen(given(rolling()), 0)
    assert (view.waters, view.fish_supply, view.fish_spent, view.boot) == ((), 0, Fish(), None)
    assert view.players[0].own.fish == Fish()
    assert ENGINE.view(start(), SPECTATOR).waters == ()


def test_determinizing_deals_the_tokens_of_others_and_of_the_supply_anew():
    position = choosing()
    dealt = twins(position, 1)
    for twin in dealt:
        assert ENGINE.view(twin, 1) == seen(position, 1)
        assert twin.tokens(1) == (0, 0, 2)
        assert [sum(twin.tokens(seat)) for seat in range(3)] == [7, 2, 1]
        whole = [twin.fish_supply[face] + sum(twin.fish[face::3]) + (twin.seen == face + 1) for face in range(3)]
        assert whole == [11, 10, 8]
        assert twin.fish_supply[3] == 1
    assert {twin.seen for twin in dealt} == {1, 2, 3}
    assert len({twin.tokens(0) for twin in dealt}) > 4


def test_determinizing_leaves_the_tokens_seen_to_who_sees_them():
    position = choosing()
    for twin in twins(position, 0, 10):
        assert (twin.tokens(0), twin.seen) == ((4, 3, 0), 3)
    assert len({twin.tokens(1) for twin in twins(position, 0)}) > 2


def test_determinizing_leaves_open_piles_as_they_are():
    position = fishing(FishCaught((Catch(1, 5), Catch(2, 3))), form=Fishermen.NO_SHIPS)
    for viewer in ALL:
        for twin in twins(position, viewer, 3):
            assert (twin.fish, twin.fish_supply) == (position.state.fish, position.state.fish_supply)


KNIGHTS = development(0, *[Development.KNIGHT] * 4)


@rule("CA-42")
def test_determinizing_lets_the_owner_of_the_boot_hide_a_point_more():
    eight = city(0, 0, 2, 47, 50)
    without = fishing(*eight, KNIGHTS)
    assert {points(twin, 0) for twin in twins(without, 1)} == {8, 9}
    owner = fishing(*eight, KNIGHTS, BootDrawn(0))
    assert {points(twin, 0) for twin in twins(owner, 1)} == {8, 9, 10}
    for event in (TurnBegun(1, 2), TurnBegun(2, 3)):
        ENGINE.evolve(owner.state, event)
    assert {points(twin, 0) for twin in twins(owner, 1)} == {8, 9, 10}


@rule("CA-42")
def test_determinizing_remembers_that_a_seat_had_not_won_before_it_drew_the_boot():
    drew = fishing(city(0, 0, 2, 47), KNIGHTS)
    for event in (TurnBegun(1, 2), LongestRoadMoved(0), TurnBegun(2, 3), TurnBegun(0, 4), BootDrawn(0)):
        ENGINE.evolve(drew.state, event)
    assert {points(twin, 0) for twin in twins(drew, 1)} == {8, 9}
    eight = city(0, 0, 2, 47, 50)
    # In the turn of another nothing is learnt by it.
    other = fishing(*eight, KNIGHTS, begin=rolling)
    for event in (TurnBegun(1, 2), LargestArmyMoved(0), BootDrawn(0)):
        ENGINE.evolve(other.state, event)
    assert max(points(twin, 0) for twin in twins(other, 1)) == 11


@rule("CA-41", "CA-42")
def test_determinizing_knows_that_who_passed_the_boot_had_not_won_by_it():
    eight = city(0, 0, 2, 47, 50), city(1, 7, 9, 51, 53)
    passed = fishing(*eight, KNIGHTS, BootDrawn(0), BootPassed(0, 1))
    assert {points(twin, 0) for twin in twins(passed, 2)} == {8, 9}
