import pytest

from engines.catan_fishermen import ENGINE
from engines.catan_fishermen.catalog import (
    DEVELOPMENT,
    DEVELOPMENT_COUNTS,
    NOTHING,
    Cards,
    Development,
    Resource,
    Terrain,
)
from engines.catan_fishermen.events import (
    CardStolen,
    DevelopmentBought,
    Due,
    GameEnded,
    LongestRoadMoved,
    MonopolyPlayed,
    RobberMoved,
    TradeAccepted,
    TradeCountered,
    TradeOffered,
    TurnBegun,
    YearOfPlentyPlayed,
)
from engines.catan_fishermen.moves import BuyDevelopment, ConfirmTrade, Discard, EndTurn, MoveRobber, Roll
from engines.catan_fishermen.scoring import points, result
from engines.catan_fishermen.state import Answer, Gain, Phase
from engines.catan_fishermen.view import ReplyView, UnplayedCard
from engines.core.chance import SeededChance
from tests.engines.catan_fishermen.scenario import (
    BOARD,
    LAID,
    building,
    cards,
    city,
    development,
    given,
    pips,
    roads,
    robbing,
    rolled,
    rolling,
    settled,
    spent,
    start,
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


def player(position, seat, viewer):
    return ENGINE.view(position.state, viewer).players[seat]


def known(position, seat, viewer):
    return player(position, seat, viewer).known


@rule("CA-24")
def test_counts_of_hands_developments_pile_and_bank_are_public():
    position = given(building(cards(0, brick=3, ore=1), development(1, KNIGHT, POINT)))
    for viewer in (0, 1, 2, SPECTATOR):
        view = ENGINE.view(position.state, viewer)
        assert [one.cards for one in view.players] == [4, 0, 0]
        assert [one.developments for one in view.players] == [0, 2, 0]
        assert view.pile == 23
        assert view.bank == Cards(16, 19, 19, 19, 18)


@rule("CA-24")
def test_unplayed_developments_and_hidden_points_are_shown_to_their_owner_alone():
    position = given(building(settled(1, 0), development(1, POINT, KNIGHT)))
    own = player(position, 1, 1)
    assert own.own.developments == (UnplayedCard(KNIGHT, False), UnplayedCard(POINT, False))
    assert (own.own.points, own.points) == (2, 1)
    for viewer in (0, 2, SPECTATOR):
        assert player(position, 1, viewer).own is None
        assert player(position, 1, viewer).points == 1


@rule("CA-24")
def test_what_others_hold_changes_nothing_that_is_seen():
    views = [
        ENGINE.view(given(building(development(1, one), cards(0, wool=1))).state, viewer)
        for one in Development
        for viewer in (0, 2, SPECTATOR)
    ]
    assert views[:3] * 5 == views


@rule("CA-18", "CA-24")
def test_a_card_bought_this_turn_is_marked_for_its_owner():
    position = given(building(cards(0, wool=1, grain=1, ore=1), development(0, KNIGHT, KNIGHT)))
    position.when(0, BuyDevelopment()).play()
    assert player(position, 0, 0).own.developments == (
        UnplayedCard(KNIGHT, False),
        UnplayedCard(KNIGHT, False),
        UnplayedCard(KNIGHT, True),
    )
    position.when(0, EndTurn()).play()
    assert not any(card.fresh for card in player(position, 0, 0).own.developments)


@rule("CA-24")
def test_cards_paid_in_sight_of_all_are_known_to_all():
    paid = rolled(6, [Gain(1, Cards(brick=2)), Gain(2, Cards(grain=1))])
    plenty = YearOfPlentyPlayed(0, Cards(ore=2))
    position = given(rolling(development(0, PLENTY)), paid, plenty)
    for viewer in (0, 1, 2, SPECTATOR):
        assert [known(position, seat, viewer) for seat in range(3)] == [Cards(ore=2), Cards(brick=2), Cards(grain=1)]


STOLEN = RobberMoved(0, HILLS_6, 1), CardStolen(0, 1, Resource.BRICK)


@rule("CA-24")
def test_a_stolen_card_is_known_to_the_two_concerned_alone():
    position = given(robbing(settled(1, 12), cards(1, brick=1, wool=2)), STOLEN)
    for viewer in (0, 1):
        assert known(position, 0, viewer) == Cards(brick=1)
        assert known(position, 1, viewer) == Cards(wool=2)
    for viewer in (2, SPECTATOR):
        assert known(position, 0, viewer) == NOTHING
        assert known(position, 1, viewer) == Cards(wool=1)
        assert [player(position, seat, viewer).cards for seat in range(2)] == [1, 2]


@rule("CA-24")
def test_a_theft_looks_alike_whatever_was_stolen():
    hand = cards(1, brick=1, wool=2, ore=1)
    thefts = [
        given(robbing(settled(1, 12), hand), RobberMoved(0, HILLS_6, 1), CardStolen(0, 1, card))
        for card in (Resource.BRICK, Resource.WOOL, Resource.ORE)
    ]
    for viewer in (2, SPECTATOR):
        first, *others = (ENGINE.view(position.state, viewer) for position in thefts)
        assert others == [first, first]
    assert len({str(ENGINE.view(position.state, 1)) for position in thefts}) == 3


@rule("CA-24")
def test_a_stolen_card_comes_to_light_when_it_is_spent():
    position = given(robbing(settled(1, 12), cards(1, brick=1, wool=2)), STOLEN, spent(0, brick=1))
    assert known(position, 0, SPECTATOR) == NOTHING
    assert player(position, 0, SPECTATOR).cards == 0
    # One of the three known cards is gone: at least one wool is left, and seat 0 can tell both.
    assert known(position, 1, SPECTATOR) == Cards(wool=1)
    assert known(position, 1, 0) == Cards(wool=2)


@rule("CA-24")
def test_an_offer_shows_the_cards_given():
    theft = robbing(settled(1, 12), cards(1, brick=1, wool=2)), STOLEN
    position = given(theft, TradeOffered(0, Cards(brick=1), Cards(wool=1)))
    assert known(position, 0, SPECTATOR) == Cards(brick=1)
    ENGINE.evolve(position.state, TradeAccepted(1))
    assert known(position, 1, SPECTATOR) == Cards(wool=1)
    ENGINE.evolve(position.state, TradeCountered(1, Cards(wool=2), Cards(brick=1)))
    assert known(position, 1, SPECTATOR) == Cards(wool=2)


@rule("CA-24")
def test_a_monopoly_shows_how_many_were_held():
    theft = robbing(settled(1, 12), cards(1, brick=1, wool=2), cards(2, wool=1), development(0, MONOPOLY)), STOLEN
    position = given(theft, MonopolyPlayed(0, Resource.WOOL, (Due(1, 2), Due(2, 1))))
    assert known(position, 0, SPECTATOR) == Cards(wool=3)
    assert [player(position, seat, SPECTATOR).cards for seat in range(3)] == [4, 0, 0]


@rule("CA-24")
def test_discards_and_trades_are_public():
    eight = rolling(settled(1, 12), cards(1, brick=4, wool=4)), rolled(7, discards=[Due(1, 4)])
    position = given(eight).when(1, Discard(Cards(brick=1, wool=3)))
    position.play()
    assert known(position, 1, SPECTATOR) == Cards(brick=3, wool=1)
    position = given(building(cards(0, ore=1), cards(1, wool=1)), TradeOffered(0, Cards(ore=1), Cards(wool=1)))
    ENGINE.evolve(position.state, TradeAccepted(1))
    position.when(0, ConfirmTrade(1, Cards(ore=1), Cards(wool=1))).play()
    assert [known(position, seat, SPECTATOR) for seat in (0, 1)] == [Cards(wool=1), Cards(ore=1)]


@rule("CA-24")
def test_the_events_that_hide_something_are_told_to_those_concerned():
    stolen = CardStolen(0, 1, Resource.ORE)
    assert ENGINE.redact(stolen, 0) == ENGINE.redact(stolen, 1) == stolen
    assert ENGINE.redact(stolen, 2) == ENGINE.redact(stolen, SPECTATOR) == CardStolen(0, 1)
    bought = DevelopmentBought(1, DEVELOPMENT, POINT)
    assert ENGINE.redact(bought, 1) == bought
    for audience in (0, 2, SPECTATOR):
        assert ENGINE.redact(bought, audience) == DevelopmentBought(1, DEVELOPMENT)


@rule("CA-24")
def test_all_other_events_are_public():
    offer = TradeOffered(0, Cards(ore=1), Cards(wool=1))
    public = (
        LAID[0],
        rolled(6, [Gain(0, Cards(brick=1))]),
        rolled(7, discards=[Due(0, 4)]),
        offer,
        MonopolyPlayed(0, Resource.ORE, (Due(1, 1),)),
        YearOfPlentyPlayed(0, Cards(ore=2)),
        RobberMoved(0, 1, 2),
    )
    for event in public:
        assert all(ENGINE.redact(event, audience) == event for audience in (0, 1, 2, SPECTATOR))


@rule("CA-24")
def test_the_end_reveals_victory_point_cards_and_no_others():
    position = given(building(development(1, POINT, POINT, KNIGHT)))
    ENGINE.evolve(position.state, GameEnded(result(position.state, 0)))
    assert position.state.phase is Phase.OVER
    standings = ENGINE.view(position.state, SPECTATOR).outcome.ranking
    assert [(one.seat, one.scores[-1].points) for one in standings] == [(0, 0), (1, 2), (2, 0)]
    assert player(position, 1, SPECTATOR).own is None
    assert ENGINE.view(position.state, SPECTATOR).offer is None


def test_a_view_before_the_board_is_laid_is_empty():
    view = ENGINE.view(start(2), SPECTATOR)
    assert (view.phase, view.turn, view.owed, view.harbours, view.frame) == (Phase.SETTING_UP, 0, (), (), ())
    assert (view.longest_road, view.largest_army, view.offer, view.outcome) == (None, None, None, None)


def test_a_view_draws_the_board():
    view = ENGINE.view(given(LAID).state, SPECTATOR)
    assert [edge.ends for edge in view.edges] == list(BOARD.edge_ends)
    assert [one.vertices for one in view.hexes] == list(BOARD.hex_vertices)
    assert (view.hexes[9].terrain, view.hexes[9].number, view.robber) == (Terrain.DESERT, 0, 9)
    assert view.harbours == LAID[0].harbours
    assert view.frame == LAID[0].frame


def test_a_view_shows_the_pieces_of_each_player():
    position = given(building(settled(1, 0), city(1, 2), roads(1, 0, 4, 1)))
    one = player(position, 1, SPECTATOR)
    assert (one.settlements, one.cities, one.roads) == ((0,), (2,), (1, 2))
    assert (one.roads_left, one.settlements_left, one.cities_left) == (13, 4, 3)
    assert (one.points, one.road_length, one.knights) == (3, 2, 0)


@rule("CA-16")
def test_a_view_shows_the_rates_of_each_player():
    position = given(building(settled(1, 0), settled(2, 10)))
    rates = [one.rates for one in ENGINE.view(position.state, SPECTATOR).players]
    assert rates == [Cards(4, 4, 4, 4, 4), Cards(3, 3, 3, 3, 3), Cards(4, 4, 4, 4, 2)]


@rule("CA-17")
def test_a_view_shows_the_offer_and_its_answers():
    position = given(building(cards(0, ore=1), cards(1, wool=1), cards(2, wool=1, brick=1)))
    assert ENGINE.view(position.state, 0).offers_left == 20
    for event in (
        TradeOffered(0, Cards(ore=1), Cards(wool=1)),
        TradeAccepted(1),
        TradeCountered(2, Cards(brick=1), Cards(ore=1)),
    ):
        ENGINE.evolve(position.state, event)
    view = ENGINE.view(position.state, SPECTATOR)
    assert view.offers_left == 19
    assert (view.offer.give, view.offer.take) == (Cards(ore=1), Cards(wool=1))
    assert view.offer.replies == (
        ReplyView(1, Answer.ACCEPTED, NOTHING, NOTHING),
        ReplyView(2, Answer.COUNTERED, Cards(brick=1), Cards(ore=1)),
    )


def test_a_view_says_who_has_to_discard_how_much():
    position = given(rolling(cards(1, brick=9)), rolled(7, discards=[Due(1, 4)]))
    view = ENGINE.view(position.state, SPECTATOR)
    assert (view.owed, [one.due for one in view.players]) == ((1,), [0, 4, 0])


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
    for event in (TurnBegun(1, 3), TurnBegun(2, 4), development(2, KNIGHT)[0], TurnBegun(0, 5)):
        ENGINE.evolve(position.state, event)
    assert {points(twin, 2) for twin in twins(position, SPECTATOR)} == {7, 8}


@rule("CA-22")
def test_determinizing_deals_points_wherever_they_lie_if_nobody_can_have_them():
    # Of an empty pile all five points are in hands, though each of these seats had won with one.
    pile = [KNIGHT] * 14 + [ROADS] * 2 + [PLENTY] * 2 + [MONOPOLY] * 2 + [POINT] * 5
    homes = city(0, 0, 2, 47, 50), settled(0, 17), city(1, 7, 9, 51, 53), settled(1, 24)
    position = given(building(*homes, development(0, *pile[::2]), development(1, *pile[1::2])))
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
