import pytest

from engines.black_fleet import ENGINE
from engines.black_fleet.events import (
    DevelopmentsDealt,
    FirstPlayerSet,
    FortuneDrawn,
    MovementDrawn,
    PlacingBegun,
)
from engines.black_fleet.moves import EndTurn
from engines.black_fleet.state import EMPTY, FirstPlayer, Ship
from engines.core.draft import refusal
from tests.engines.black_fleet.scenario import CATALOG, Position, Rigged, proposal, set_up
from tests.rules import rule


@rule("BF-3")
def test_navy_ships_and_goods_are_laid_out():
    position, _ = set_up()
    assert position.space(Ship.NAVY_YELLOW) == "s0407"
    assert position.space(Ship.NAVY_PURPLE) == "s0707"
    assert list(position.state.supply) == [13] * 5


@rule("BF-4")
def test_each_seat_gets_one_development_of_each_price():
    position, events = set_up(4)
    dealt = [event.dealt.cards for event in events if isinstance(event, DevelopmentsDealt)]
    prices = {card.id: card.price for card in CATALOG.developments}
    assert [[prices[name] for name in names] for names in dealt] == [[5, 8, 11, 14]] * 4
    assert len({name for names in dealt for name in names}) == 16
    assert len(position.state.box) == 8


@rule("BF-5")
def test_victory_cards_are_alike_or_one_a_seat():
    def prices(seats, *cards):
        state = set_up(seats, victory_card=cards)[0].state
        return [CATALOG.victory[card].price for card in state.victory]

    assert prices(3) == [10, 10, 10]
    assert prices(4, 20) == [20, 20, 20, 20]
    assert prices(3, 10, 20, 10) == [10, 20, 10]
    proposal(3, victory_card=(10, 20)).refuses("BF-5")
    proposal(3, victory_card=(15,)).refuses("BF-5")


@rule("BF-7")
def test_each_seat_gets_one_fortune_card_and_two_movement_cards():
    position, events = set_up(3)
    assert [len(hand) for hand in position.state.fortune_hands] == [1, 1, 1]
    assert [len(hand) for hand in position.state.movement_hands] == [2, 2, 2]
    assert sum(isinstance(event, FortuneDrawn) for event in events) == 3
    assert sum(isinstance(event, MovementDrawn) for event in events) == 6
    assert events[-1] == PlacingBegun()


@rule("BF-8")
def test_the_first_player_is_drawn_or_named():
    drawn, events = set_up(3, Rigged(first_player=2), first_player=FirstPlayer.DRAWN)
    assert events[0] == FirstPlayerSet(2)
    assert ENGINE.to_act(drawn.state) == (2,)
    assert set_up(4, first_player=FirstPlayer.SEAT_3)[1][0] == FirstPlayerSet(3)
    proposal(3, first_player=FirstPlayer.SEAT_3).refuses("BF-8")


@rule("BF-10")
def test_pirates_begin_off_the_board():
    state = set_up(4)[0].state
    assert list(state.ships[:8]) == [EMPTY] * 8
    assert list(state.treasures) == [EMPTY] * 4


@rule("BF-44")
def test_two_to_four_play():
    for seats in (2, 3, 4):
        assert len(set_up(seats)[0].state.doubloons) == seats
    proposal(1).refuses("BF-44")
    proposal(5).refuses("BF-44")
    assert ENGINE.unofficial_seats == (2,)


@rule("BF-44")
@pytest.mark.parametrize("seat", [-1, 3])
def test_only_seats_of_the_match_move(seat):
    position: Position = set_up(3)[0]
    assert refusal(ENGINE.decide, position.state, seat, EndTurn()).rule == "BF-44"
    position.when(EndTurn(), seat).refuses("BF-44")
