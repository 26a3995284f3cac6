"""How many sequences of moves there are from a few openings, and the order in which moves are listed."""

import pytest

from engines.catan_fishermen import ENGINE
from engines.catan_fishermen.catalog import Cards, Development, Resource
from engines.catan_fishermen.events import (
    Due,
    RoadBuildingPlayed,
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
    BuyDevelopment,
    CancelTrade,
    ConfirmTrade,
    DeclineTrade,
    Discard,
    EndTurn,
    MoveRobber,
    PlaceRoad,
    PlaceSettlement,
    PlayKnight,
    PlayMonopoly,
    PlayRoadBuilding,
    PlayYearOfPlenty,
    Roll,
    TradeBank,
)
from engines.catan_fishermen.state import Board
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
    start,
)
from tests.engines.perft import counted, opening

BRICK, LUMBER, WOOL, GRAIN, ORE = Resource
HOMES = [
    *(settled(0, 8, 40), roads(0, 8, 13, 18), roads(0, 40, 35)),
    *(settled(1, 19, 44), roads(1, 19, 24), roads(1, 44, 39)),
]
RICH = cards(0, brick=2, lumber=3, wool=1, grain=3, ore=4)
PROGRESS = development(0, Development.KNIGHT, Development.YEAR_OF_PLENTY, Development.MONOPOLY)
OFFER = TradeOffered(0, Cards(brick=1), Cards(wool=1))


def position(name, seats):
    events = {
        "midgame": building(HOMES, RICH, PROGRESS),
        "before the roll": rolling(HOMES, cards(0, brick=1), cards(1, wool=1), development(0, *list(Development)[:2])),
        "discards": [
            *rolling(HOMES, cards(0, brick=3, lumber=2, ore=4), cards(1, wool=5, grain=2, ore=1)),
            rolled(7, discards=(Due(0, 4), Due(1, 4))),
        ],
        "robber": robbing(HOMES, cards(1, wool=1), settled(2, 10), cards(2, ore=2)),
        "free roads": [*rolling(HOMES, development(0, Development.ROAD_BUILDING)), RoadBuildingPlayed(0, 2)],
        "offer": [*building(HOMES, cards(0, brick=1), cards(1, wool=2), cards(2, wool=1, ore=1)), OFFER],
    }
    return given(events[name], seats=seats).state


# 54 intersections; each path has two ends; 18 intersections with two neighbours, 36 with three:
# 18 x 2 x 51 + 36 x 3 x 50 = 7236.
@pytest.mark.parametrize(
    ("seats", "plies", "board", "counts"),
    [
        (2, 0, Board.BEGINNER, (54, 144, 7236)),
        (3, 8, Board.STANDARD, (44, 120, 4842, 13174)),
        (4, 12, Board.RANDOM, (40, 108, 3930)),
        (2, 7, Board.BEGINNER, (3, 3, 3)),
    ],
)
def test_the_number_of_move_sequences_from_the_set_up(seats, plies, board, counts):
    assert counted(ENGINE, opening(ENGINE, start(seats, board=board), plies), plies, counts) == counts


@pytest.mark.parametrize(
    ("name", "seats", "counts"),
    [
        ("midgame", 2, (39, 1057, 21569)),
        ("before the roll", 2, (3, 30, 133, 211)),
        ("discards", 2, (17, 132, 2376)),
        ("robber", 3, (19, 19)),
        ("free roads", 2, (9, 87, 87)),
        ("offer", 3, (6, 28, 118)),
    ],
)
def test_the_number_of_move_sequences_from_a_position(name, seats, counts):
    assert counted(ENGINE, position(name, seats), 0, counts) == counts


def listed(state, seat=0):
    return list(ENGINE.legal_moves(state, seat))


def test_placings_are_listed_by_their_numbers():
    assert listed(given(LAID).state) == [PlaceSettlement(vertex) for vertex in range(54)]
    placed = given(LAID, SettlementPlaced(0, 18, Cards())).state
    assert listed(placed) == [PlaceRoad(edge(13, 18)), PlaceRoad(edge(18, 23)), PlaceRoad(edge(18, 24))]


def test_before_the_roll_the_dice_come_first():
    assert listed(position("before the roll", 2)) == [Roll(), PlayKnight(), PlayRoadBuilding()]


def test_discards_are_listed_with_the_autopilots_first_then_fewest_of_the_first_kinds():
    # The hand is 3 brick, 2 lumber, 4 ore; the plainest discard takes ore, brick, ore, brick.
    halves = [
        (0, 0, 4),
        (0, 1, 3),
        (0, 2, 2),
        (1, 0, 3),
        (1, 1, 2),
        (1, 2, 1),
        (2, 1, 1),
        (2, 2, 0),
        (3, 0, 1),
        (3, 1, 0),
    ]
    assert listed(position("discards", 2)) == [
        Discard(Cards(brick=brick, lumber=lumber, ore=ore)) for brick, lumber, ore in [(2, 0, 2), *halves]
    ]


def test_robberies_are_listed_hex_by_hex_then_victim_by_victim():
    victims = {2: [2], 5: [1], 6: [1, 2], 10: [1], 13: [1], 16: [1], 17: [1]}
    elsewhere = [at for at in range(19) if at != 9]
    assert listed(position("robber", 3)) == [
        MoveRobber(at, victim) for at in elsewhere for victim in victims.get(at, [None])
    ]


def test_free_roads_are_listed_by_their_numbers():
    roads_open = [edge(4, 8), edge(8, 12), edge(9, 13), edge(18, 23), edge(18, 24), edge(29, 35), edge(30, 35)]
    assert listed(position("free roads", 2)) == [
        BuildRoad(number) for number in sorted([*roads_open, edge(40, 44), edge(40, 45)])
    ]


def test_in_a_turn_one_ends_it_builds_buys_plays_a_card_and_trades():
    plenty = [
        PlayYearOfPlenty(Cards(**({one: 2} if one == other else {one: 1, other: 1})))
        for number, one in enumerate(Resource)
        for other in list(Resource)[number:]
    ]
    assert listed(position("midgame", 2)) == [
        EndTurn(),
        *listed(position("free roads", 2)),
        BuildSettlement(18),
        BuildCity(8),
        BuildCity(40),
        BuyDevelopment(),
        PlayKnight(),
        *plenty,
        *[PlayMonopoly(resource) for resource in Resource],
        *[TradeBank(ORE, resource) for resource in (BRICK, LUMBER, WOOL, GRAIN)],
    ]


def test_an_open_offer_is_withdrawn_or_closed_seat_by_seat():
    answered = TradeCountered(1, Cards(wool=1), Cards(brick=1)), TradeAccepted(2)
    offer = position("offer", 3)
    for event in answered:
        ENGINE.evolve(offer, event)
    closings = ConfirmTrade(1, Cards(brick=1), Cards(wool=1)), ConfirmTrade(2, OFFER.give, OFFER.take)
    assert listed(offer) == [EndTurn(), CancelTrade(), *closings]


def test_an_offer_is_accepted_declined_or_an_answer_withdrawn():
    offer = position("offer", 3)
    accept = AcceptTrade(OFFER.take, OFFER.give)
    assert listed(offer, 2) == [accept, DeclineTrade()]
    ENGINE.evolve(offer, TradeCountered(2, Cards(ore=1), Cards(brick=1)))
    assert listed(offer, 2) == [accept, DeclineTrade(), CancelTrade()]
