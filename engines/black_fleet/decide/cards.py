"""Cards that are played or used while ships sail and act: BF-29, BF-37."""

from engines.black_fleet.decide.guards import Decisions, Table, sailing
from engines.black_fleet.effects.playing import objection, play_out
from engines.black_fleet.moves import PlayFortune, UseDevelopment
from engines.black_fleet.state import EMPTY
from engines.core.errors import IllegalMove


def play_fortune(draft: Table, seat: int, move: PlayFortune) -> None:
    turn = sailing(draft.state, seat)
    state = turn.state
    number = state.catalog.fortune_numbers.get(move.card, EMPTY)
    if number not in state.fortune_hands[seat]:
        raise IllegalMove("BF-29", "this fortune card is not in the hand")
    card = state.catalog.fortune[number]
    if refused := objection(turn, card, move):
        raise refused
    play_out(draft, turn, card, move)


def use_development(draft: Table, seat: int, move: UseDevelopment) -> None:
    turn = sailing(draft.state, seat)
    state = turn.state
    number = state.catalog.development_numbers.get(move.card)
    if number is None or not state.standing[seat] >> number & 1:
        raise IllegalMove("BF-37", "this development is not turned up before the player")
    card = state.catalog.developments[number]
    if card.when is None:
        raise IllegalMove("BF-37", "this development works by itself")
    if state.used >> number & 1:
        raise IllegalMove("BF-37", "a development is used once a turn")
    if refused := objection(turn, card, move):
        raise refused
    play_out(draft, turn, card, move)


TABLE: Decisions = {PlayFortune: play_fortune, UseDevelopment: use_development}
