"""The greedy player in small positions, and against random ones."""

import msgspec
import pytest

from engines.catan_fishermen import ENGINE
from engines.catan_fishermen.catalog import NOTHING, Cards, Development, Resource
from engines.catan_fishermen.events import (
    Due,
    RoadPlaced,
    RobberMoved,
    SettlementPlaced,
    TradeAccepted,
    TradeCountered,
    TradeOffered,
)
from engines.catan_fishermen.moves import (
    AcceptTrade,
    BuildCity,
    BuildRoad,
    BuildSettlement,
    ConfirmTrade,
    DeclineTrade,
    Discard,
    EndTurn,
    MoveRobber,
    OfferTrade,
    PlaceRoad,
    PlaceSettlement,
    PlayKnight,
    PlayMonopoly,
    PlayRoadBuilding,
    PlayYearOfPlenty,
    Roll,
    TradeBank,
)
from engines.catan_fishermen.policy import choose
from engines.catan_fishermen.policy.sites import extension
from engines.catan_fishermen.policy.table import Table
from engines.core import games
from engines.core.chance import SeededChance
from services.bots.players import seat_players
from services.cli.selfplay import BareTable, Setting, play, secret_of
from tests.engines.catan_fishermen.scenario import (
    LAID,
    building,
    cards,
    city,
    development,
    edge,
    given,
    roads,
    robbing,
    rolled,
    rolling,
    settled,
)

HOMES = [settled(0, 18, 40), roads(0, 18, 24), roads(0, 40, 44), settled(1, 12, 41), settled(2, 34, 6)]


def chosen(position, seat=0, *, seed=5, **changes):
    view = msgspec.structs.replace(ENGINE.view(position.state, seat), **changes)
    return choose(view, tuple(ENGINE.legal_moves(position.state, seat)), SeededChance(seed))


def pips(position, vertex):
    """The dots on the tokens around, by resource."""
    found = {}
    for _, resource, dots in Table(ENGINE.view(position.state, 0), 0).land.yields[vertex]:
        found[resource] = found.get(resource, 0) + dots
    return found


def test_it_begins_where_most_pips_of_three_kinds_meet():
    position = given(LAID)
    first = pips(position, chosen(position).vertex)
    assert len(first) == 3
    assert sum(first.values()) == max(sum(pips(position, vertex).values()) for vertex in range(54)) == 11


SECOND = [
    [SettlementPlaced(0, 40, NOTHING), RoadPlaced(0, edge(40, 44), 1)],
    [SettlementPlaced(1, 8, NOTHING), RoadPlaced(1, edge(8, 12), 1)],
    [SettlementPlaced(1, 42, NOTHING), RoadPlaced(1, edge(37, 42), 0)],
]
"""Seat 0 has grain and some ore, and places its second settlement."""


def test_its_second_settlement_brings_the_kinds_that_the_first_one_lacks():
    position = given(LAID, SECOND, seats=2)
    second = chosen(position).vertex
    assert not pips(position, second).keys() <= pips(position, 40).keys()
    # As many pips lie at 28, but grain is there already.
    assert sum(pips(position, second).values()) == sum(pips(position, 28).values()) == 11
    assert set(pips(position, 28)) < {*pips(position, 40), 1}
    assert len({*pips(position, second), *pips(position, 40)}) == 4


@pytest.mark.parametrize(("harbours", "best"), [({}, 5), ({"harbours": ()}, 24)])
def test_of_sites_with_as_many_pips_it_takes_the_harbour_for_what_it_has(harbours, best):
    position = given(LAID, SECOND, seats=2)
    view = msgspec.structs.replace(ENGINE.view(position.state, 0), **harbours)
    assert choose(view, (PlaceSettlement(24), PlaceSettlement(5)), SeededChance(5)) == PlaceSettlement(best)


def test_its_road_of_the_set_up_leads_to_the_best_site():
    position = given(LAID, SettlementPlaced(0, 44, NOTHING))
    assert chosen(position) == PlaceRoad(edge(39, 44))


def test_it_builds_what_wins_at_once():
    position = given(*building(*HOMES, cards(0, ore=3, grain=2)), victory_points=3)
    assert isinstance(chosen(position), BuildCity)


def test_it_settles_where_a_road_leads_when_it_can_pay():
    position = given(*building(*HOMES, roads(0, 24, 19), cards(0, brick=1, lumber=1, wool=1, grain=1)))
    assert isinstance(chosen(position), BuildSettlement)


def test_without_anything_to_strive_for_it_ends_the_turn():
    position = given(*building(*HOMES))
    spent = [
        msgspec.structs.replace(player, roads_left=0, settlements_left=0, cities_left=0)
        for player in ENGINE.view(position.state, 0).players
    ]
    assert chosen(position, pile=0, players=tuple(spent)) == EndTurn()


def test_with_too_many_cards_it_trades_with_the_bank_towards_what_it_wants():
    move = chosen(given(*building(*HOMES, cards(0, wool=9))), offers_left=0)
    assert isinstance(move, TradeBank)
    assert move.give is Resource.WOOL


def test_with_too_many_cards_of_no_use_it_ends_the_turn():
    position = given(*building(*HOMES, cards(0, wool=3, brick=3, lumber=3)))
    assert chosen(position, offers_left=0, pile=0) != Roll()


def test_it_asks_nothing_of_an_empty_bank():
    elsewhere = cards(1, brick=19, lumber=19, grain=19, ore=19)
    assert chosen(given(*building(*HOMES, elsewhere, cards(0, wool=9))), offers_left=0) == EndTurn()


def test_a_road_that_can_go_nowhere_is_no_goal():
    position = given(*building(*HOMES))
    place = Table(ENGINE.view(position.state, 0), 0).place
    assert extension(place, 2)
    assert extension(place._replace(open_edges=0), 2) == ()


def test_before_the_roll_other_cards_wait():
    assert chosen(given(*rolling(*HOMES, development(0, Development.MONOPOLY)))) == Roll()


def test_a_knight_frees_a_hex_of_its_own_before_the_roll():
    held = development(0, Development.KNIGHT, Development.MONOPOLY)
    assert chosen(given(*rolling(*HOMES, held))) == Roll()
    assert chosen(given(*rolling(*HOMES, held, RobberMoved(1, 17)))) == PlayKnight()


def test_a_knight_is_played_before_the_roll_where_no_other_card_waits():
    assert chosen(given(*rolling(*HOMES, development(0, Development.KNIGHT)))) == PlayKnight()


def test_the_knight_that_wins_the_army_is_played_after_the_roll_too():
    held = development(0, Development.KNIGHT, Development.MONOPOLY)
    position = given(*rolling(*HOMES, held), rolled(2))
    position.state.knights[0] = 2
    assert chosen(position) == PlayKnight()


def test_a_year_of_plenty_completes_a_city():
    held = development(0, Development.YEAR_OF_PLENTY)
    position = given(*rolling(*HOMES, cards(0, ore=2, grain=1), held), rolled(2))
    assert chosen(position) == PlayYearOfPlenty(Cards(grain=1, ore=1))


def test_a_monopoly_takes_what_others_are_known_to_hold():
    held = development(0, Development.MONOPOLY)
    many = given(*rolling(*HOMES, cards(1, ore=3), cards(2, ore=2), held), rolled(2))
    assert chosen(many) == PlayMonopoly(Resource.ORE)
    completing = given(*rolling(*HOMES, cards(0, grain=2, ore=1), cards(1, ore=2), held), rolled(2))
    assert chosen(completing) == PlayMonopoly(Resource.ORE)
    nothing = given(*rolling(*HOMES, cards(1, wool=1), held), rolled(2))
    assert not isinstance(chosen(nothing), PlayMonopoly)


def test_free_roads_lead_towards_a_site():
    held = development(0, Development.ROAD_BUILDING)
    position = given(*rolling(*HOMES, held), rolled(2))
    assert chosen(position) == PlayRoadBuilding()
    position.when(0, PlayRoadBuilding()).play()
    assert isinstance(chosen(position), BuildRoad)


def test_where_no_road_is_wanted_the_first_place_will_do():
    held = development(0, Development.ROAD_BUILDING)
    position = given(*rolling(*HOMES, held), rolled(2))
    position.when(0, PlayRoadBuilding()).play()
    spent = [
        msgspec.structs.replace(player, settlements_left=0, roads_left=1)
        for player in ENGINE.view(position.state, 0).players
    ]
    assert chosen(position, players=tuple(spent)) == next(ENGINE.legal_moves(position.state, 0))


def test_it_discards_what_its_plan_does_not_need():
    position = given(*rolling(*HOMES, cards(0, ore=3, grain=2, wool=5)), rolled(7, discards=(Due(0, 5),)))
    assert chosen(position) == Discard(Cards(wool=5))


def test_the_robber_goes_to_the_leader_and_never_to_its_own_hexes():
    position = given(*robbing(*HOMES, city(1, 20), cards(1, ore=2), cards(2, ore=2)))
    move = chosen(position)
    assert isinstance(move, MoveRobber)
    assert move.victim == 1
    assert move.hex not in {4, 5, 9, 13, 14, 17}


def test_it_offers_what_it_spares_for_what_a_city_lacks():
    # Seat 2 has no other way to the wool that its next settlement needs.
    site = [roads(2, 34, 39, 43), cards(2, brick=1, lumber=1, grain=1, ore=1)]
    position = given(*building(*HOMES, site, cards(0, ore=2, grain=2, wool=2)))
    offer = chosen(position)
    assert isinstance(offer, OfferTrade)
    assert offer.take == Cards(ore=1)
    assert chosen(position, offers_left=18) != offer


def offered(give, take, *held):
    """Seat 0 has offered; the cards of all are given in their order."""
    return given(*building(*HOMES, *held), TradeOffered(0, give, take))


def test_it_accepts_what_helps_it_more():
    held = [cards(0, ore=1), cards(1, ore=2, grain=2, wool=4)]
    assert chosen(offered(Cards(ore=1), Cards(wool=1), *held), 1) == AcceptTrade(Cards(wool=1), Cards(ore=1))


def test_it_declines_what_it_has_not_or_a_leader_asks_for():
    assert chosen(offered(Cards(ore=1), Cards(wool=1), cards(0, ore=1), cards(1, ore=1)), 1) == DeclineTrade()
    held = [cards(0, ore=1), cards(1, ore=2, grain=2, wool=4)]
    leader = given(*building(*HOMES, *held), TradeOffered(0, Cards(ore=1), Cards(wool=1)), victory_points=4)
    assert chosen(leader, 1) == DeclineTrade()


def test_who_has_answered_says_no_more():
    held = [cards(0, ore=1), cards(1, ore=2, grain=2, wool=4)]
    position = offered(Cards(ore=1), Cards(wool=1), *held)
    position.when(1, AcceptTrade(Cards(wool=1), Cards(ore=1))).play()
    assert chosen(position, 1) is None


def test_it_closes_the_answer_that_gains_most():
    held = [cards(0, wool=3, ore=2, grain=2), cards(1, ore=1), cards(2, brick=1)]
    position = offered(Cards(wool=1), Cards(ore=1), *held)
    for event in (TradeAccepted(1), TradeCountered(2, Cards(brick=1), Cards(wool=1))):
        ENGINE.evolve(position.state, event)
    assert chosen(position) == ConfirmTrade(1, Cards(wool=1), Cards(ore=1))


@pytest.mark.parametrize("seat", [0, 3])
def test_it_beats_three_random_players(seat):
    assert wins(seat, range(1, 6)) == 5


@pytest.mark.soak
def test_it_beats_three_random_players_in_ninety_of_a_hundred():
    assert sum(wins(seat, range(1 + 25 * seat, 26 + 25 * seat)) for seat in range(4)) >= 90


def wins(seat, numbers):
    """How many of these matches the greedy seat wins against three random ones."""
    bots = tuple("greedy" if other == seat else "random" for other in range(4))
    outcomes = [match(bots, number).outcome for number in numbers]
    return sum(outcome is not None and outcome.ranking[0].seat == seat for outcome in outcomes)


def match(bots, number):
    setting = Setting("catan_fishermen", ENGINE.Options(), 4, games.edition("catan_fishermen"), bots, 1, 1000)
    table = BareTable(ENGINE, setting, secret_of(setting, number))
    return play(ENGINE, table, seat_players(ENGINE, bots, 4), setting, number)


def test_four_of_them_play_the_same_match_to_its_end_each_time():
    first, again = (match(("greedy",) * 4, 1) for _ in range(2))
    assert first.outcome is not None
    assert first == again
