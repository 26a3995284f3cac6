"""The course of a turn: the dice, the robber, the cards in play, the end."""

from engines.catan_fishermen.catalog import KINDS, RESOURCES
from engines.catan_fishermen.events import (
    CardsDiscarded,
    CardStolen,
    DiceRolled,
    GameEnded,
    LargestArmyMoved,
    RobberMoved,
    TurnBegun,
)
from engines.catan_fishermen.evolve.hands import pay, receive, steal
from engines.catan_fishermen.evolve.phases import Changes, cap_hidden, close_offer, pass_points, place_robber, resume
from engines.catan_fishermen.state import ROLLING, SEVEN, TRADING_AND_BUILDING, Phase, State


def turn_begun(state: State, event: TurnBegun) -> None:
    cap_hidden(state)
    state.turn = event.turn
    state.seat = event.seat
    state.owing = (event.seat,)
    state.phase = ROLLING
    state.rolled = False
    state.development_played = False
    state.fresh = bytearray(KINDS)
    if state.offers_made:
        state.offers_made = 0
        close_offer(state)


def dice_rolled(state: State, event: DiceRolled) -> None:
    state.rolled = True
    state.dice = event.first, event.second
    state.paid = event.gains
    for gain in event.gains:
        receive(state, gain.seat, gain.cards)
    if event.first + event.second != SEVEN:
        state.phase = TRADING_AND_BUILDING
    elif event.discards:
        for due in event.discards:
            state.discards[due.seat] = due.count
        state.phase = Phase.DISCARDING
        state.owing = state.due()
    else:
        state.phase = Phase.MOVING_ROBBER


def cards_discarded(state: State, event: CardsDiscarded) -> None:
    pay(state, event.seat, event.cards)
    state.discards[event.seat] = 0
    if not any(state.discards):
        state.phase = Phase.MOVING_ROBBER
    state.owing = state.due()


def robber_moved(state: State, event: RobberMoved) -> None:
    place_robber(state, event.hex)
    resume(state)


def card_stolen(state: State, event: CardStolen) -> None:
    assert event.card is not None, "a redacted event is told, never folded"
    steal(state, event.seat, event.victim, RESOURCES.index(event.card))


def largest_army_moved(state: State, event: LargestArmyMoved) -> None:
    pass_points(state, state.largest_army, event.holder)
    state.largest_army = event.holder


def game_ended(state: State, event: GameEnded) -> None:
    state.phase = Phase.OVER
    state.owing = ()
    state.free_roads = 0
    close_offer(state)
    state.outcome = event.outcome


CHANGES: Changes = {
    TurnBegun: turn_begun,
    DiceRolled: dice_rolled,
    CardsDiscarded: cards_discarded,
    RobberMoved: robber_moved,
    CardStolen: card_stolen,
    LargestArmyMoved: largest_army_moved,
    GameEnded: game_ended,
}
