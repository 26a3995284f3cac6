"""What is refused whatever the kind of the move."""

import pytest

from engines.catan_fishermen import ENGINE
from engines.catan_fishermen.catalog import NOTHING, Cards, Resource
from engines.catan_fishermen.events import GameEnded, SettlementPlaced
from engines.catan_fishermen.fish import Benefit, Fish, Fishermen
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
    Discard,
    EndTurn,
    KeepFish,
    MoveRobber,
    OfferTrade,
    PassBoot,
    PlaceRoad,
    PlaceSettlement,
    PlayKnight,
    PlayMonopoly,
    PlayRoadBuilding,
    PlayYearOfPlenty,
    Roll,
    SpendFish,
    TradeBank,
)
from engines.catan_fishermen.scoring import result
from tests.engines.catan_fishermen.scenario import LAID, building, given, settled
from tests.rules import rule

ONE, OTHER = Cards(brick=1), Cards(wool=1)
SET_UP = (PlaceSettlement(0), PlaceRoad(0))
IN_TURN = (
    Roll(),
    BuildRoad(0),
    BuildSettlement(0),
    BuildCity(0),
    BuyDevelopment(),
    PlayKnight(),
    PlayRoadBuilding(),
    PlayYearOfPlenty(Cards(brick=2)),
    PlayMonopoly(Resource.BRICK),
    TradeBank(Resource.BRICK, Resource.WOOL),
    OfferTrade(ONE, OTHER),
    ConfirmTrade(1, ONE, OTHER),
    EndTurn(),
)
ANSWERS = (CounterOffer(ONE, OTHER), AcceptTrade(OTHER, ONE), DeclineTrade(), CancelTrade())
AFTER_A_SEVEN = (Discard(ONE), MoveRobber(0))
FISH = (SpendFish(Benefit.ROBBER, Fish(two=1)), KeepFish(1), PassBoot(1))
EVERY = (*SET_UP, *IN_TURN, *ANSWERS, *AFTER_A_SEVEN, *FISH)


@rule("CA-4")
def test_these_are_moves_of_every_kind():
    assert {type(move) for move in EVERY} == set(ENGINE.Move.__args__)


@rule("CA-4")
@pytest.mark.parametrize("move", EVERY)
def test_a_seat_outside_the_match_has_no_moves(move):
    for seat in (-1, -3, 3, 4, 1000):
        given(LAID).when(seat, move).refuses("CA-4")
        given(building()).when(seat, move).refuses("CA-4")


@rule("CA-22")
@pytest.mark.parametrize("move", EVERY)
def test_nothing_is_accepted_after_the_end(move):
    position = given(building(settled(0, 0)))
    ENGINE.evolve(position.state, GameEnded(result(position.state, 0)))
    for seat in range(3):
        position.when(seat, move).refuses("CA-22")
    assert ENGINE.to_act(position.state) == ENGINE.may_act(position.state) == ()


def in_set_up():
    """Nothing is placed yet; a settlement has no road yet."""
    return given(LAID), given(LAID, SettlementPlaced(0, 0, NOTHING))


@rule("CA-6")
@pytest.mark.parametrize("move", IN_TURN)
@pytest.mark.parametrize("seat", [0, 1])
def test_no_turn_begins_before_the_set_up_is_over(move, seat):
    for position in in_set_up():
        position.when(seat, move).refuses("CA-6")


@rule("CA-17")
@pytest.mark.parametrize("move", ANSWERS)
@pytest.mark.parametrize("seat", [0, 1])
def test_there_is_no_offer_to_answer_in_the_set_up(move, seat):
    for position in in_set_up():
        position.when(seat, move).refuses("CA-17")


@rule("CA-11", "CA-12")
@pytest.mark.parametrize("seat", [0, 1])
def test_nobody_discards_or_robs_in_the_set_up(seat):
    for position in in_set_up():
        position.when(seat, Discard(ONE)).refuses("CA-11")
        position.when(seat, Discard(NOTHING)).refuses("CA-11")
        position.when(seat, MoveRobber(0)).refuses("CA-12")


@rule("CA-70")
@pytest.mark.parametrize("move", FISH)
def test_the_base_game_knows_no_fish_and_no_boot(move):
    for position in (*in_set_up(), given(building(settled(0, 0)))):
        for seat in (0, 1):
            position.when(seat, move).refuses("CA-70")


@rule("CA-6", "CA-37")
def test_nobody_spends_fish_passes_the_boot_or_chooses_in_the_set_up():
    spend, keep, boot = FISH
    for seat in (0, 1):
        position = given(LAID, fishermen=Fishermen.SPIELBOX)
        position.when(seat, spend).refuses("CA-6")
        position.when(seat, boot).refuses("CA-6")
        position.when(seat, keep).refuses("CA-37")
