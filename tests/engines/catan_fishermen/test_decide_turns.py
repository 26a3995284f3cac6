import pytest

from engines.catan_fishermen import ENGINE
from engines.catan_fishermen.catalog import Cards, Development, Resource
from engines.catan_fishermen.events import (
    DiceRolled,
    Due,
    KnightPlayed,
    RoadBuildingPlayed,
    TradeOffered,
    TurnBegun,
)
from engines.catan_fishermen.moves import (
    AcceptTrade,
    BuildCity,
    BuildRoad,
    BuildSettlement,
    BuyDevelopment,
    CancelTrade,
    ConfirmTrade,
    CounterOffer,
    DeclineTrade,
    EndTurn,
    MoveRobber,
    OfferTrade,
    PlayKnight,
    PlayMonopoly,
    PlayRoadBuilding,
    PlayYearOfPlenty,
    Roll,
    TradeBank,
)
from engines.core.draft import refusal
from tests.engines.catan_fishermen.scenario import (
    building,
    cards,
    development,
    given,
    pips,
    robbing,
    rolled,
    rolling,
    settled,
)
from tests.rules import rule

AFTER_THE_ROLL = (
    BuildRoad(0),
    BuildSettlement(0),
    BuildCity(0),
    BuyDevelopment(),
    TradeBank(Resource.BRICK, Resource.WOOL),
    OfferTrade(Cards(brick=1), Cards(wool=1)),
    ConfirmTrade(1, Cards(brick=1), Cards(wool=1)),
    EndTurn(),
)
ACCEPT = AcceptTrade(Cards(wool=1), Cards(brick=1))
DEVELOPMENT_MOVES = (
    PlayKnight(),
    PlayRoadBuilding(),
    PlayYearOfPlenty(Cards(brick=2)),
    PlayMonopoly(Resource.ORE),
)
RICH = cards(0, brick=9, lumber=9, wool=9, grain=9, ore=9)
ALL_DEVELOPMENTS = development(
    0,
    Development.KNIGHT,
    Development.ROAD_BUILDING,
    Development.YEAR_OF_PLENTY,
    Development.MONOPOLY,
)


@rule("CA-8")
def test_a_turn_has_exactly_one_roll():
    position = given(rolling()).when(0, Roll(), dice=pips(4)).then(rolled(4))
    position.when(0, Roll()).refuses("CA-8")


@rule("CA-8")
def test_the_two_dice_are_one_draw():
    position = given(rolling())
    assert position.when(0, Roll(), dice=35).play() == [DiceRolled(0, 6, 6)]
    assert given(rolling()).when(0, Roll(), dice=6).play() == [DiceRolled(0, 2, 1)]


@rule("CA-8")
@pytest.mark.parametrize("move", AFTER_THE_ROLL)
def test_nothing_is_built_traded_or_ended_before_the_roll(move):
    given(rolling(RICH, settled(0, 0))).when(0, move).refuses("CA-8")


@rule("CA-8")
@pytest.mark.parametrize("move", DEVELOPMENT_MOVES)
def test_a_development_card_may_be_played_before_the_roll(move):
    position = given(rolling(ALL_DEVELOPMENTS, settled(0, 0)))
    position.when(0, move).play()


@rule("CA-8")
def test_after_a_card_before_the_roll_the_dice_are_rolled():
    position = given(rolling(ALL_DEVELOPMENTS))
    position.when(0, PlayKnight()).play()
    position.when(0, Roll()).refuses("CA-8")
    position.when(0, MoveRobber(0)).play()
    position.when(0, EndTurn()).refuses("CA-8")
    position.when(0, Roll(), dice=pips(2)).then(rolled(2))


@rule("CA-8")
@pytest.mark.parametrize("move", [Roll(), *AFTER_THE_ROLL, *DEVELOPMENT_MOVES])
def test_nobody_moves_in_the_turn_of_another(move):
    for position in (given(rolling(seat=1)), given(building(seat=1))):
        assert position.state.seat == 1
        if isinstance(move, OfferTrade | ConfirmTrade):
            position.when(0, move).refuses("CA-17")
        else:
            position.when(0, move).refuses("CA-8")


@rule("CA-8")
def test_a_refusal_says_whose_turn_it_is_or_what_is_owed():
    others = refusal(ENGINE.decide, given(rolling(seat=1)).state, 0, EndTurn())
    assert others.message == "it is the turn of seat 1"
    own = refusal(ENGINE.decide, given(rolling()).state, 0, EndTurn())
    assert own.message == "the dice are to be rolled first"


@rule("CA-8")
def test_trade_build_buy_and_play_come_in_any_order():
    position = given(building(RICH, ALL_DEVELOPMENTS, settled(0, 8)))
    for move in (
        BuyDevelopment(),
        TradeBank(Resource.ORE, Resource.WOOL),
        BuildRoad(7),
        PlayMonopoly(Resource.GRAIN),
        BuildCity(8),
        OfferTrade(Cards(brick=1), Cards(wool=1)),
        BuildRoad(2),
        TradeBank(Resource.BRICK, Resource.ORE),
        EndTurn(),
    ):
        position.when(0, move).play()


OWED_NOTHING_ELSE = (
    Roll(),
    *(move for move in AFTER_THE_ROLL if not isinstance(move, BuildRoad)),
    *DEVELOPMENT_MOVES,
)


def duties():
    """Before and after a duty arose that leaves nothing else."""
    yield given(rolling(RICH, ALL_DEVELOPMENTS, settled(0, 0)), rolled(7, discards=[Due(0, 22), Due(1, 4)]))
    yield given(robbing(RICH, ALL_DEVELOPMENTS, settled(0, 0)))
    yield given(rolling(RICH, ALL_DEVELOPMENTS, settled(0, 0)), KnightPlayed(0))
    yield given(building(RICH, ALL_DEVELOPMENTS, settled(0, 0)), RoadBuildingPlayed(0, 2))
    yield given(rolling(RICH, ALL_DEVELOPMENTS, settled(0, 0)), RoadBuildingPlayed(0, 2))


@rule("CA-8")
@pytest.mark.parametrize("move", OWED_NOTHING_ELSE)
def test_a_duty_leaves_nothing_else(move):
    for position in duties():
        position.when(0, move).refuses("CA-8")


@rule("CA-8")
def test_no_road_is_built_while_cards_are_discarded_or_the_robber_moves():
    for position in list(duties())[:3]:
        position.when(0, BuildRoad(0)).refuses("CA-8")


@rule("CA-8", "CA-12")
def test_the_robber_stays_while_cards_are_discarded_or_free_roads_are_owed():
    discarding, _, _, free_roads, _ = duties()
    discarding.when(0, MoveRobber(0)).refuses("CA-12")
    free_roads.when(0, MoveRobber(0)).refuses("CA-12")


@rule("CA-8")
@pytest.mark.parametrize("move", [ACCEPT, DeclineTrade(), CounterOffer(Cards(wool=2), Cards(brick=1)), CancelTrade()])
def test_an_open_offer_waits_while_a_duty_is_open(move):
    knight = development(0, Development.KNIGHT)
    position = given(building(cards(0, brick=1), cards(1, wool=2), knight))
    position.when(0, OfferTrade(Cards(brick=1), Cards(wool=1))).play()
    position.when(1, DeclineTrade()).play()
    position.when(0, PlayKnight()).play()
    assert ENGINE.may_act(position.state) == ()
    position.when(1, move).refuses("CA-8")
    position.when(0, ConfirmTrade(1, Cards(brick=1), Cards(wool=1))).refuses("CA-8")
    position.when(0, MoveRobber(0)).play()
    assert ENGINE.may_act(position.state) == (1, 2)
    position.when(1, ACCEPT).play()


@rule("CA-8")
def test_the_turn_goes_round():
    position = given(building(seat=2, turn=5))
    position.when(2, EndTurn()).then(TurnBegun(0, 6))
    position.when(0, Roll(), dice=pips(2)).play()
    position.when(0, EndTurn()).then(TurnBegun(1, 7))


@rule("CA-17")
def test_the_end_of_the_turn_takes_an_open_offer_with_it():
    one, other = Cards(brick=1), Cards(wool=1)
    position = given(building(cards(0, brick=1), cards(1, wool=1)), TradeOffered(0, one, other))
    position.when(0, EndTurn()).play()
    assert ENGINE.may_act(position.state) == ()
    assert ENGINE.view(position.state, None).offer is None
    position.when(1, ACCEPT).refuses("CA-17")
