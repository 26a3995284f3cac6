import msgspec
import pytest

from engines.catan_fishermen import ENGINE
from engines.catan_fishermen.catalog import NOTHING, Cards, Development, Resource
from engines.catan_fishermen.events import (
    BankTraded,
    CardsDiscarded,
    CardStolen,
    CityBuilt,
    DevelopmentBought,
    DiceRolled,
    Due,
    FreeRoadsLapsed,
    GameEnded,
    KnightPlayed,
    LargestArmyMoved,
    LongestRoadMoved,
    MonopolyPlayed,
    RoadBuildingPlayed,
    RoadBuilt,
    RoadPlaced,
    RobberMoved,
    SettlementBuilt,
    SettlementPlaced,
    TradeAccepted,
    TradeCancelled,
    TradeClosed,
    TradeCountered,
    TradeDeclined,
    TradeOffered,
    TurnBegun,
    YearOfPlentyPlayed,
)
from engines.catan_fishermen.scoring import result
from engines.catan_fishermen.state import EMPTY, Answer, Gain, Phase, Reply, Terms
from tests.engines.catan_fishermen.scenario import (
    LAID,
    building,
    cards,
    development,
    edge,
    given,
    roads,
    robbing,
    rolled,
    rolling,
    settled,
)
from tests.rules import rule

WOOL_FOR_ORE = {"give": Cards(wool=1), "take": Cards(ore=1)}


def state(*events, seats=3, **options):
    return given(*events, seats=seats, **options).state


def known(at, seat, viewer):
    """The cards of the seat's hand that the viewer can tell."""
    return ENGINE.view(at, viewer).players[seat].known


def length(at, seat):
    return at.road_lengths[seat]


@rule("CA-5a")
def test_the_board_lies_as_the_event_says():
    at = state(LAID)
    assert (at.phase, at.seat, at.robber) == (Phase.PLACING_SETTLEMENT, 0, 9)
    assert list(at.numbers) == [10, 2, 9, 12, 6, 4, 10, 9, 11, 0, 3, 8, 8, 3, 4, 5, 5, 6, 11]
    assert list(at.harbour_edges) == [0, 3, 17, 38, 61, 69, 66, 49, 18]


@rule("CA-6")
def test_a_settlement_placed_waits_for_its_road():
    at = state(LAID, SettlementPlaced(0, 8, Cards(ore=1)))
    assert (at.phase, at.placed) == (Phase.PLACING_ROAD, 8)
    assert list(at.hand(0)) == [0, 0, 0, 0, 1]
    assert list(at.bank) == [19, 19, 19, 19, 18]
    ENGINE.evolve(at, RoadPlaced(0, edge(8, 12), 1))
    assert (at.phase, at.seat, at.placed) == (Phase.PLACING_SETTLEMENT, 1, EMPTY)
    assert ENGINE.to_act(at) == (1,)


@rule("CA-8")
def test_a_turn_begins_with_nothing_done():
    traded = [*building(cards(0, wool=1), development(0, Development.KNIGHT)), TradeOffered(0, **WOOL_FOR_ORE)]
    at = state(*traded, TurnBegun(1, 2))
    assert (at.phase, at.seat, at.turn) == (Phase.ROLLING, 1, 2)
    assert (at.rolled, at.development_played, at.offer, at.offers_made) == (False, False, None, 0)
    assert not any(at.fresh)


@rule("CA-9", "CA-11")
def test_a_roll_pays_what_the_event_says():
    at = state(*rolling(), DiceRolled(0, 3, 3, (Gain(1, Cards(brick=2)),)))
    assert list(at.hand(1)) == [2, 0, 0, 0, 0]
    assert at.bank[0] == 17
    assert at.phase is Phase.TRADING_AND_BUILDING


@rule("CA-11")
def test_after_a_seven_all_discard_before_the_robber_moves():
    hands = cards(0, wool=8), cards(2, ore=9)
    at = state(*rolling(*hands), rolled(7, discards=(Due(0, 4), Due(2, 4))))
    assert (at.phase, ENGINE.to_act(at)) == (Phase.DISCARDING, (0, 2))
    ENGINE.evolve(at, CardsDiscarded(2, Cards(ore=4)))
    assert (at.phase, ENGINE.to_act(at)) == (Phase.DISCARDING, (0,))
    ENGINE.evolve(at, CardsDiscarded(0, Cards(wool=4)))
    assert (at.phase, ENGINE.to_act(at)) == (Phase.MOVING_ROBBER, (0,))
    assert list(at.hand(2)) == [0, 0, 0, 0, 5]


@rule("CA-12")
def test_the_robber_stops_a_hex_and_frees_the_one_he_leaves():
    at = state(*robbing(settled(1, 8)), RobberMoved(0, 4))
    assert (at.robber, at.phase) == (4, Phase.TRADING_AND_BUILDING)
    assert at.payout(6) == at.payouts[6] == ((), ())
    ENGINE.evolve(at, RobberMoved(0, 9))
    assert at.payouts[6] == ((Gain(1, Cards(brick=1)),), ((0, 1),))


@rule("CA-12")
def test_a_robber_off_the_board_enters_it():
    # The board of a lake begins so; of the hex that he leaves there is nothing to free.
    (laid,) = LAID
    (_, *begun) = robbing(settled(1, 8))
    at = state(msgspec.structs.replace(laid, robber=None), *begun)
    assert ENGINE.view(at, None).robber is None
    assert at.payouts[6] == ((Gain(1, Cards(brick=1)),), ((0, 1),))
    ENGINE.evolve(at, RobberMoved(0, 4))
    assert (at.robber, at.payouts[6]) == (4, ((), ()))


@rule("CA-18")
def test_a_knight_before_the_roll_leaves_the_roll_to_be_made():
    at = state(*rolling(development(0, Development.KNIGHT)), KnightPlayed(0))
    assert (at.phase, at.development_played, list(at.knights)) == (Phase.MOVING_ROBBER, True, [1, 0, 0])
    ENGINE.evolve(at, RobberMoved(0, 3))
    assert at.phase is Phase.ROLLING


def test_redacted_events_are_told_never_folded():
    with pytest.raises(AssertionError, match="redacted"):
        state(*robbing(cards(1, ore=1)), CardStolen(0, 1))
    with pytest.raises(AssertionError, match="redacted"):
        state(*building(), DevelopmentBought(0, NOTHING))


@rule("CA-14", "CA-20")
def test_a_settlement_cuts_an_opponents_road():
    at = state(*building(roads(1, 8, 13, 18, 24)))
    assert length(at, 1) == 3
    ENGINE.evolve(at, SettlementBuilt(0, 13, NOTHING))
    assert length(at, 1) == 2
    assert not at.frontier[1] >> edge(9, 13) & 1
    assert at.frontier[1] >> edge(8, 12) & 1


@rule("CA-14")
def test_a_road_that_ends_at_an_opponents_building_opens_no_path_beyond():
    at = state(*building(settled(1, 18), roads(0, 8, 13, 18)))
    assert not at.frontier[0] >> edge(18, 24) & 1
    assert at.frontier[0] >> edge(9, 13) & 1


@rule("CA-13", "CA-23")
def test_what_is_built_is_paid_and_comes_from_the_supply():
    at = state(*building(cards(0, brick=1, lumber=1, ore=3, grain=2), settled(0, 8)))
    ENGINE.evolve(at, RoadBuilt(0, edge(8, 12), Cards(brick=1, lumber=1)))
    ENGINE.evolve(at, CityBuilt(0, 8, Cards(ore=3, grain=2)))
    assert not any(at.hand(0))
    assert list(at.bank) == [19] * 5
    assert list(at.supply[:3]) == [14, 5, 3]
    assert at.points == [2, 0, 0]
    assert at.payouts[6][0] == (Gain(0, Cards(brick=2)),)


@rule("CA-16")
def test_a_harbour_works_for_its_owner():
    at = state(*building(settled(0, 0), settled(1, 5), cards(0, wool=3)))
    assert list(at.rates[:10]) == [3, 3, 3, 3, 3, 4, 4, 4, 2, 4]
    ENGINE.evolve(at, BankTraded(0, Cards(wool=3), Cards(ore=1)))
    assert list(at.hand(0)) == [0, 0, 0, 0, 1]


@rule("CA-20")
def test_the_longest_road_moves_with_its_points():
    at = state(*building(), LongestRoadMoved(1))
    assert (at.longest_road, at.points) == (1, [0, 2, 0])
    ENGINE.evolve(at, LongestRoadMoved(2))
    assert (at.longest_road, at.points) == (2, [0, 0, 2])
    ENGINE.evolve(at, LongestRoadMoved(None))
    assert (at.longest_road, at.points) == (-1, [0, 0, 0])


@rule("CA-21")
def test_the_largest_army_moves_with_its_points():
    at = state(*building(), LargestArmyMoved(1))
    assert (at.largest_army, at.points) == (1, [0, 2, 0])
    ENGINE.evolve(at, LargestArmyMoved(0))
    assert (at.largest_army, at.points) == (0, [2, 0, 0])


@rule("CA-18")
def test_free_roads_are_not_paid_and_end_with_the_second_or_lapse():
    at = state(*building(settled(0, 8), development(0, Development.ROAD_BUILDING)), RoadBuildingPlayed(0, 2))
    assert (at.phase, at.free_roads) == (Phase.BUILDING_FREE_ROADS, 2)
    ENGINE.evolve(at, RoadBuilt(0, edge(8, 12), NOTHING))
    lapsed = at.copy()
    ENGINE.evolve(lapsed, FreeRoadsLapsed(0))
    ENGINE.evolve(at, RoadBuilt(0, edge(8, 13), NOTHING))
    for ended in (at, lapsed):
        assert (ended.phase, ended.free_roads) == (Phase.TRADING_AND_BUILDING, 0)


@rule("CA-18")
def test_year_of_plenty_and_monopoly_fill_the_hand():
    progress = development(0, Development.YEAR_OF_PLENTY, Development.MONOPOLY)
    at = state(*rolling(progress, cards(1, wool=3)), YearOfPlentyPlayed(0, Cards(ore=1, brick=1)))
    assert list(at.hand(0)) == [1, 0, 0, 0, 1]
    ENGINE.evolve(at, MonopolyPlayed(0, Resource.WOOL, (Due(1, 3),)))
    assert list(at.hand(0)) == [1, 0, 3, 0, 1]
    assert not any(at.hand(1))
    assert not any(at.developments)


@rule("CA-19")
def test_a_card_bought_is_fresh_until_the_next_turn():
    at = state(*building(cards(0, ore=1, wool=1, grain=1)))
    ENGINE.evolve(at, DevelopmentBought(0, Cards(ore=1, wool=1, grain=1), Development.KNIGHT))
    assert (list(at.fresh), sum(at.pile)) == ([1, 0, 0, 0, 0], 24)
    assert not any(at.hand(0))


@rule("CA-17")
def test_answers_replace_each_other_and_a_new_offer_clears_them():
    hands = cards(0, wool=2), cards(1, ore=1), cards(2, ore=1)
    at = state(*building(*hands), TradeOffered(0, **WOOL_FOR_ORE), TradeAccepted(1), TradeDeclined(2))
    assert at.offer == Terms(Cards(wool=1), Cards(ore=1))
    assert at.replies == [None, Reply(Answer.ACCEPTED), Reply(Answer.DECLINED)]
    ENGINE.evolve(at, TradeCountered(2, Cards(ore=1), Cards(wool=2)))
    assert at.replies[2] == Reply(Answer.COUNTERED, Terms(Cards(ore=1), Cards(wool=2)))
    ENGINE.evolve(at, TradeCancelled(1))
    assert at.replies[1] is None
    assert at.answers_made == (0, 1, 2)
    ENGINE.evolve(at, TradeOffered(0, **WOOL_FOR_ORE))
    assert (at.replies, at.offers_made, at.answers_made) == ([None] * 3, 2, (0, 0, 0))
    ENGINE.evolve(at, TradeCancelled(0))
    assert at.offer is None


@rule("CA-17")
def test_a_trade_closed_moves_the_cards_and_ends_the_offer():
    at = state(*building(cards(0, wool=2), cards(1, ore=1)), TradeOffered(0, **WOOL_FOR_ORE), TradeAccepted(1))
    ENGINE.evolve(at, TradeClosed(0, 1, **WOOL_FOR_ORE))
    assert [list(at.hand(seat)) for seat in (0, 1)] == [[0, 0, 1, 0, 1], [0, 0, 1, 0, 0]]
    assert (at.offer, at.replies) == (None, [None] * 3)
    assert list(at.bank) == [19, 19, 17, 19, 18]


@rule("CA-22")
def test_the_end_keeps_the_result_that_the_event_holds():
    outcome = result(state(LAID), 0)
    at = state(*building(), GameEnded(outcome))
    assert (at.phase, ENGINE.to_act(at)) == (Phase.OVER, ())
    assert ENGINE.outcome(at) is outcome


@rule("CA-17", "CA-22")
def test_the_end_takes_an_open_offer_and_its_answers_with_it():
    offered = TradeOffered(0, **WOOL_FOR_ORE), TradeAccepted(1), TradeDeclined(2)
    at = state(*building(cards(0, wool=1), cards(1, ore=1)), *offered)
    ENGINE.evolve(at, GameEnded(result(at, 0)))
    assert (at.offer, at.replies) == (None, [None] * 3)
    assert ENGINE.view(at, None).offer is None


@rule("CA-18", "CA-22")
def test_the_end_leaves_no_free_road_owed():
    at = state(*building(settled(0, 8), development(0, Development.ROAD_BUILDING)), RoadBuildingPlayed(0, 2))
    ENGINE.evolve(at, RoadBuilt(0, edge(8, 12), NOTHING))
    ENGINE.evolve(at, GameEnded(result(at, 0)))
    assert (at.phase, at.free_roads) == (Phase.OVER, 0)


@rule("CA-22", "CA-24")
def test_a_seat_can_hide_as_many_points_as_it_bought_cards_and_less_than_it_needed_in_its_turns():
    at = state(*building(settled(0, 8, 40), development(1, Development.KNIGHT)), victory_points=4)
    assert at.most_hidden == [0, 1, 0]
    for event in development(0, Development.KNIGHT, Development.KNIGHT):
        ENGINE.evolve(at, event)
    assert at.most_hidden == [2, 1, 0]
    for event in (TurnBegun(1, 2), LongestRoadMoved(0), TurnBegun(2, 3)):
        ENGINE.evolve(at, event)
    # With three of the four points needed no more than one was missing when its turn ended.
    assert at.most_hidden == [1, 1, 0]


class TestKnowledge:
    """CA-24: what onlookers can tell of a hand."""

    def stolen(self, *more):
        """Seat 0 took a wool of seat 1, which held two wool and an ore."""
        return state(*robbing(cards(1, wool=2, ore=1)), CardStolen(0, 1, Resource.WOOL), *more)

    @rule("CA-24")
    def test_a_theft_is_seen_by_the_two_concerned_alone(self):
        at = self.stolen()
        assert [known(at, 1, viewer) for viewer in (0, 1)] == [Cards(wool=1, ore=1)] * 2
        assert [known(at, 0, viewer) for viewer in (0, 1)] == [Cards(wool=1)] * 2
        for viewer in (2, None):
            assert known(at, 0, viewer) == NOTHING
            assert known(at, 1, viewer) == Cards(wool=1)

    @rule("CA-24")
    def test_a_second_theft_makes_onlookers_doubt_what_they_could_tell(self):
        at = self.stolen(CardStolen(0, 1, Resource.ORE))
        assert known(at, 1, 2) == NOTHING
        assert known(at, 1, 0) == Cards(wool=1)

    @rule("CA-24")
    def test_a_card_stolen_back_is_known_to_those_who_saw_it_go(self):
        at = self.stolen(CardStolen(1, 0, Resource.WOOL))
        assert known(at, 1, 0) == known(at, 1, 1) == Cards(wool=2, ore=1)
        assert known(at, 1, 2) == Cards(wool=1)
        assert known(at, 0, 2) == NOTHING

    @rule("CA-24")
    def test_who_takes_the_card_that_it_could_not_tell_knows_that_it_is_gone(self):
        at = self.stolen(CardStolen(2, 0, Resource.WOOL))
        assert known(at, 0, 2) == NOTHING
        assert known(at, 2, 2) == Cards(wool=1)

    @rule("CA-24")
    def test_of_a_third_seats_theft_from_the_robber_each_onlooker_knows_a_different_part(self):
        at = self.stolen(CardStolen(2, 0, Resource.WOOL))
        assert known(at, 2, 0) == known(at, 2, 2) == Cards(wool=1)
        # Seat 1 knew the only card there was, but the state keeps just what is known of hands, not of luck.
        assert known(at, 2, 1) == NOTHING
        assert known(at, 0, 1) == NOTHING

    @rule("CA-24")
    def test_cards_that_leave_a_hand_openly_settle_doubts(self):
        at = self.stolen(TurnBegun(1, 2), BankTraded(1, Cards(ore=1), NOTHING))
        assert known(at, 1, 2) == Cards(wool=1)
        for event in development(2, Development.MONOPOLY):
            ENGINE.evolve(at, event)
        ENGINE.evolve(at, MonopolyPlayed(2, Resource.WOOL, (Due(0, 1), Due(1, 1))))
        assert known(at, 2, None) == Cards(wool=2)

    @rule("CA-17", "CA-24")
    def test_who_offers_counters_or_accepts_has_shown_the_cards(self):
        offered = self.stolen(TradeOffered(0, **WOOL_FOR_ORE))
        assert known(offered, 0, 2) == Cards(wool=1)
        accepted = offered.copy()
        ENGINE.evolve(accepted, TradeAccepted(1))
        assert known(accepted, 1, None) == Cards(wool=1, ore=1)
        ENGINE.evolve(offered, TradeCountered(1, Cards(ore=1), Cards(wool=1)))
        assert known(offered, 1, 2) == Cards(wool=1, ore=1)
