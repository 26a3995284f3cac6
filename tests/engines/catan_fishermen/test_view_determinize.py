"""States that a seat can't tell from the true one."""

import pytest

from engines.catan_fishermen import ENGINE
from engines.catan_fishermen.catalog import (
    DEVELOPMENT_COUNTS,
    Cards,
    Development,
    Resource,
)
from engines.catan_fishermen.events import (
    CardStolen,
    GameEnded,
    LongestRoadMoved,
    RobberMoved,
    TradeAccepted,
    TradeOffered,
    TurnBegun,
)
from engines.catan_fishermen.moves import BuyDevelopment, EndTurn, MoveRobber, Roll
from engines.catan_fishermen.scoring import points, result
from engines.core.chance import SeededChance
from tests.engines.catan_fishermen.scenario import (
    building,
    cards,
    city,
    development,
    given,
    pips,
    roads,
    robbing,
    settled,
)
from tests.rules import rule

KNIGHT, ROADS, PLENTY, MONOPOLY, POINT = (
    Development.KNIGHT,
    Development.ROAD_BUILDING,
    Development.YEAR_OF_PLENTY,
    Development.MONOPOLY,
    Development.VICTORY_POINT,
)
SPECTATOR = None
HILLS_6 = 4
STOLEN = RobberMoved(0, HILLS_6, 1), CardStolen(0, 1, Resource.BRICK)


def holdings(state):
    return [tuple(state.hand(seat)) for seat in range(state.seats)]


def unplayed(state, seat):
    return [card.card for card in ENGINE.view(state, seat).players[seat].own.developments]


def twins(position, viewer, number=60):
    return [ENGINE.determinize(position.state, viewer, SeededChance(seed)) for seed in range(number)]


def test_determinizing_deals_the_cards_of_others_that_cannot_be_told():
    position = given(robbing(settled(1, 12), cards(1, brick=1, wool=1, ore=1), cards(2, grain=1)), STOLEN)
    for viewer in (2, SPECTATOR):
        dealt = twins(position, viewer)
        assert {tuple(map(sum, holdings(twin))) for twin in dealt} == {(1, 2, 1)}
        assert {holdings(twin)[0] for twin in dealt} == {(1, 0, 0, 0, 0), (0, 0, 1, 0, 0), (0, 0, 0, 0, 1)}
        assert {holdings(twin)[2] for twin in dealt} == {(0, 0, 0, 1, 0)}
        assert all(ENGINE.view(twin, viewer) == ENGINE.view(position.state, viewer) for twin in dealt)
    assert {tuple(holdings(twin)) for twin in twins(position, 0)} == {tuple(holdings(position.state))}


def test_determinizing_deals_the_developments_of_others():
    position = given(building(development(0, KNIGHT, POINT), development(1, POINT, MONOPOLY)))
    dealt = twins(position, 0)
    assert {tuple(unplayed(twin, 0)) for twin in dealt} == {(KNIGHT, POINT)}
    assert len({tuple(unplayed(twin, 1)) for twin in dealt}) > 4
    for twin in dealt:
        together = [*unplayed(twin, 0), *unplayed(twin, 1)]
        pile = dict(zip(Development, twin.pile, strict=True))
        assert {kind: together.count(kind) + pile[kind] for kind in Development} == dict(DEVELOPMENT_COUNTS)


@rule("CA-22")
def test_determinizing_gives_no_victory_to_the_active_seat_unless_it_has_won():
    nine = city(0, 0, 2, 47, 50), settled(0, 17)
    position = given(building(*nine, development(0, KNIGHT, KNIGHT, KNIGHT, ROADS)))
    for viewer in (1, SPECTATOR):
        assert not any(POINT in unplayed(twin, 0) for twin in twins(position, viewer))
    assert all(points(twin, 0) == 9 for twin in twins(position, 1))
    later = given(building(city(0, 0, 2, 47, 50), development(0, KNIGHT, KNIGHT, KNIGHT, ROADS)), settled(0, 17))
    assert all(points(twin, 0) == 9 for twin in twins(later, SPECTATOR))


@rule("CA-22")
def test_determinizing_gives_no_points_with_which_a_seat_had_won_in_its_own_turn():
    eight = city(0, 0, 2, 47, 50)
    position = given(building(*eight, development(0, *[KNIGHT] * 4), seat=0))
    for seat in (0, 1, 2):
        position.when(seat, EndTurn()).play()
        position.when((seat + 1) % 3, Roll(), dice=pips(2)).play()
        dealt = [points(twin, 0) for viewer in (1, 2, SPECTATOR) for twin in twins(position, viewer)]
        assert (min(dealt), max(dealt)) == (8, 9)


@rule("CA-20", "CA-22")
def test_determinizing_lets_a_seat_have_won_by_what_it_was_given_in_the_turn_of_another():
    third = city(2, 0, 2, 47, 50), roads(2, 27, 33, 28, 34, 29, 35), development(2, KNIGHT, KNIGHT, KNIGHT)
    position = given(building(third, seat=2), TurnBegun(0, 2))
    assert max(points(twin, 2) for twin in twins(position, SPECTATOR)) == 9
    ENGINE.evolve(position.state, LongestRoadMoved(2))
    assert {points(twin, 2) for twin in twins(position, SPECTATOR)} == {10, 11}


@rule("CA-20", "CA-22")
def test_determinizing_remembers_the_points_a_seat_has_lost_since():
    nine = city(2, 0, 2, 47), settled(2, 17), roads(2, 27, 33, 28, 34, 29, 35), LongestRoadMoved(2)
    position = given(building(nine, development(2, KNIGHT, KNIGHT, KNIGHT), seat=2), TurnBegun(0, 2))
    ENGINE.evolve(position.state, LongestRoadMoved(None))
    assert {points(twin, 2) for twin in twins(position, SPECTATOR)} == {7}
    # Of the cards it buys later each may be a point.
    for event, most in (
        (TurnBegun(1, 3), 7),
        (TurnBegun(2, 4), 7),
        (development(2, KNIGHT)[0], 8),
        (TurnBegun(0, 5), 8),
    ):
        ENGINE.evolve(position.state, event)
        assert max(points(twin, 2) for twin in twins(position, SPECTATOR)) == most


@rule("CA-22")
def test_determinizing_deals_points_wherever_they_lie_if_nobody_can_have_them():
    # Of an empty pile all five points are in hands, though each of these seats had won with one.
    pile = [KNIGHT] * 14 + [ROADS] * 2 + [PLENTY] * 2 + [MONOPOLY] * 2 + [POINT] * 5
    homes = city(0, 0, 2, 47, 50), settled(0, 17), city(1, 7, 9, 51, 53), settled(1, 24)
    held = development(0, *pile[::2]), development(1, *pile[1::2])
    position = given(building(*homes, *held), TurnBegun(1, 2), TurnBegun(2, 3))
    assert position.state.most_hidden == [0, 0, 0]
    for twin in twins(position, SPECTATOR, 5):
        assert unplayed(twin, 0).count(POINT) + unplayed(twin, 1).count(POINT) == 5
        assert [len(unplayed(twin, seat)) for seat in range(3)] == [13, 12, 0]


@rule("CA-19", "CA-22")
def test_determinizing_finds_the_only_places_for_points():
    # Seat 0 can have none, seat 1 one: of the five left for hands and pile four lie in the pile.
    pile = [KNIGHT] * 14 + [ROADS] * 2 + [PLENTY] * 2 + [MONOPOLY] * 2
    homes = city(0, 0, 2, 47, 50), settled(0, 17), city(1, 7, 9, 51, 53)
    position = given(building(*homes, development(0, *pile), seat=0), TurnBegun(1, 2), *development(1, POINT))
    for twin in twins(position, SPECTATOR, 20):
        assert unplayed(twin, 0).count(POINT) == 0
        assert unplayed(twin, 1).count(POINT) + twin.pile[4] == 5


@rule("CA-18", "CA-24")
def test_determinizing_deals_anew_which_cards_were_bought_this_turn():
    rich = cards(0, wool=2, grain=2, ore=2)
    position = given(building(rich, settled(0, 0), development(0, KNIGHT, KNIGHT)))
    position.when(0, BuyDevelopment(), development=12).play()
    position.when(0, BuyDevelopment(), development=12).play()
    assert list(position.state.fresh) == [0, 2, 0, 0, 0]
    dealt = twins(position, 1)
    for twin in dealt:
        assert sum(twin.fresh) == 2
        assert all(fresh <= held for fresh, held in zip(twin.fresh, twin.developments[:5], strict=True))
        assert sum(card.fresh for card in ENGINE.view(twin, 0).players[0].own.developments) == 2
    assert len({bytes(twin.fresh) for twin in dealt}) > 3
    assert {bytes(twin.fresh) for twin in twins(position, 0)} == {bytes(position.state.fresh)}


@rule("CA-24")
def test_determinizing_keeps_what_the_others_have_seen():
    # Nobody but the two concerned can tell what seat 0 took of seat 1; all have seen what seat 2 was paid.
    position = given(robbing(settled(1, 12), cards(1, brick=1, wool=2), cards(2, grain=2)), STOLEN)
    for viewer in (0, 1, 2, SPECTATOR):
        for twin in twins(position, viewer, 10):
            for onlooker in (0, 1, 2, SPECTATOR):
                players = ENGINE.view(twin, onlooker).players
                assert players[2].known == Cards(grain=2)
                # Who knew the hand of seat 1 may be wrong about it now, but knows no card that is not there.
                assert all(
                    0 <= sure <= held for sure, held in zip(players[1].known.counts(), twin.hand(1), strict=True)
                )


@rule("CA-24")
def test_determinizing_keeps_the_victory_points_told_at_the_end():
    position = given(building(development(1, POINT, POINT, KNIGHT), development(2, ROADS)))
    ENGINE.evolve(position.state, GameEnded(result(position.state, 0)))
    for twin in twins(position, SPECTATOR):
        assert unplayed(twin, 1).count(POINT) == 2
        assert POINT not in unplayed(twin, 2)
        assert len(unplayed(twin, 1)) == 3


@rule("CA-17")
@pytest.mark.parametrize("holds", [True, False])
def test_determinizing_keeps_what_the_active_player_is_told_of_an_agreed_trade(holds):
    theft = robbing(settled(1, 12), cards(1, brick=1, wool=1, ore=1), cards(2, wool=1))
    trade = TradeOffered(0, Cards(brick=1), Cards(wool=1)), TradeAccepted(1)
    lost = CardStolen(2, 1, Resource.ORE if holds else Resource.WOOL)
    position = given(theft, STOLEN, trade, lost)
    dealt = twins(position, 0)
    assert {twin.hand(1)[2] for twin in dealt} == {int(holds)}
    # Onlookers are told nothing.
    assert len({twin.hand(1)[2] for twin in twins(position, SPECTATOR)}) == 2


def test_determinizing_leaves_the_state_alone():
    position = given(robbing(settled(1, 12), cards(1, brick=1, wool=1), development(1, KNIGHT)), STOLEN)
    before = holdings(position.state), bytes(position.state.pile), bytes(position.state.unknown)
    twins(position, 2, 5)
    assert before == (holdings(position.state), bytes(position.state.pile), bytes(position.state.unknown))


def test_a_determinized_match_goes_on():
    position = given(robbing(settled(1, 12), cards(1, brick=1, wool=1)))
    twin = ENGINE.determinize(position.state, 0, SeededChance(1))
    position.state = twin
    position.when(0, MoveRobber(HILLS_6, 1)).play()
