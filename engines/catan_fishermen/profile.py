"""What the laws (`tidelog check-game`) need to know of Catan."""

from operator import add
from typing import Any

from engines.catan_fishermen.board import EMPTY
from engines.catan_fishermen.catalog import DEVELOPMENTS, KINDS, KNIGHT, VICTORY_POINT
from engines.catan_fishermen.events import CardStolen, DevelopmentBought, FishDrawn, FishSeen, GameEnded, MonopolyPlayed
from engines.catan_fishermen.fish import Fishermen
from engines.catan_fishermen.state import NOBODY, Board, Options, State

VARIANTS = {
    "short": Options(victory_points=3),
    "random-board-and-frame": Options(board=Board.RANDOM, shuffle_frame=True, victory_points=5),
    "fish-on-a-shuffled-frame": Options(fishermen=Fishermen.NO_SHIPS, shuffle_frame=True, victory_points=5),
}
"""Options that are worth a look together; each one alone is found by the laws."""

MODES = ("plain", "fishermen=lake", "fishermen=no_ships", "fishermen=none", "random-board-and-frame")
"""The variants that differ in how the game is played: they are looked at in full."""

TELLING = (CardStolen, DevelopmentBought, MonopolyPlayed, GameEnded, FishDrawn, FishSeen)
"""Events that tell secrets: in states that a seat can't tell apart they may differ."""

MOST_DECISIONS = 20000

MATCHES = (3, 500)

AUTOPILOTS_END = False
"""Nobody wins who builds nothing."""


def pieces(state: State) -> Any:
    """Cards and pieces, wherever they lie: the same throughout a match."""
    resources = [state.bank[kind] + sum(state.hands[kind::KINDS]) for kind in range(KINDS)]
    developments = [state.pile[kind] + sum(state.developments[kind::KINDS]) for kind in range(len(DEVELOPMENTS))]
    developments[KNIGHT] += sum(state.knights)
    # Progress cards leave the game: what was played of them is counted nowhere.
    staying = developments[KNIGHT], developments[VICTORY_POINT]
    return resources, staying, fish(state), [pieces_of(state, seat) for seat in range(state.seats)]


def fish(state: State) -> list[Any]:
    """The tokens by face, and the boot."""
    if not state.fish:
        return []
    faces = range(len(state.fish_spent))
    tokens = [state.fish_supply[face] + state.fish_spent[face] + sum(state.fish[face::3]) for face in faces]
    seen = [face + 1 == state.seen for face in faces]
    return [*map(add, tokens, seen), state.fish_supply[-1] + (state.boot != NOBODY)]


def pieces_of(state: State, seat: int) -> tuple[int, int, int]:
    """Roads, settlements and cities of a seat."""
    roads, settlements, cities = state.supply[3 * seat : 3 * seat + 3]
    on_board = [built for built in state.buildings if built != EMPTY and built >> 1 == seat]
    return (
        roads + state.roads.count(seat),
        settlements + on_board.count(2 * seat),
        cities + on_board.count(2 * seat + 1),
    )
