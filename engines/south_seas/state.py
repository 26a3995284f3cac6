"""The table of one match. Tiles and ships stand as numbers of the catalog, features as nodes of the board."""

from copy import copy
from enum import StrEnum
from typing import ClassVar, Self

from msgspec import field

from engines.core.outcome import Outcome
from engines.core.shapes import GameOptions, GameState
from engines.south_seas.board import Board, position
from engines.south_seas.catalog import WARES, Catalog

NONE = 255
"""No tile, no owner."""
NOBODY = -1
IN_SUPPLY = -1
ISLANDERS = 4
FACE_UP = 4
"""SS-3, SS-4."""
KINDS_OF_WARES = len(WARES)
LEAST_SEATS, MOST_SEATS = 2, 5


class FirstPlayer(StrEnum):
    SEAT_0 = "seat_0"
    SEAT_1 = "seat_1"
    SEAT_2 = "seat_2"
    SEAT_3 = "seat_3"
    SEAT_4 = "seat_4"


class Options(GameOptions, frozen=True):
    """SS-4 and SS-32."""

    defined_by: ClassVar[dict[str, str]] = {"first_player": "SS-4", "hidden_scores": "SS-32"}

    first_player: FirstPlayer = FirstPlayer.SEAT_0
    hidden_scores: bool = False


class Phase(StrEnum):
    """What the active seat owes; while a ship is chosen, what the merchant's owner owes."""

    SETTING_UP = "setting_up"
    DRAWING = "drawing"
    PLACING_TILE = "placing_tile"
    MOVING_ISLANDER = "moving_islander"
    CHOOSING_SHIP = "choosing_ship"
    DELIVERING = "delivering"
    OVER = "over"


DRAWING = Phase.DRAWING
PLACING_TILE = Phase.PLACING_TILE
MOVING_ISLANDER = Phase.MOVING_ISLANDER
CHOOSING_SHIP = Phase.CHOOSING_SHIP
DELIVERING = Phase.DELIVERING
OVER = Phase.OVER
"""Attributes of an enum are slow to look up, and every move asks for these."""


class State(GameState, kw_only=True):
    derived: ClassVar[tuple[str, ...]] = ("board",)

    catalog: Catalog
    options: Options
    seats: int
    phase: Phase = Phase.SETTING_UP
    turn: int = 0
    seat: int = 0
    """The active one."""
    pile: bytearray
    """Tiles not drawn, ascending: they have no order before they are drawn."""
    drawn: int = NONE
    """The tile to be placed."""
    placed: bool = False
    """Whether the tile laid last was placed in this turn."""
    tiles: bytearray
    """Those laid, in order; `cells` and `rotations` say where and how."""
    cells: list[int]
    rotations: bytearray
    discards: bytearray
    islanders: list[int]
    """The node of each: 4 a seat."""
    covered: list[int]
    """Fish: 2 x node, + 1 for a group of two."""
    wares: list[int]
    """3 kinds a seat."""
    supply: bytearray
    """Ships not turned up, ascending: they have no order either."""
    display: bytearray
    owners: bytearray
    """The seat that has each ship."""
    chooser: int = NOBODY
    """Who takes a ship for a market."""
    outcome: Outcome | None = None

    board: Board = field(default_factory=Board)

    def copy(self) -> Self:
        twin = copy(self)
        twin.pile = self.pile[:]
        twin.tiles = self.tiles[:]
        twin.cells = self.cells[:]
        twin.rotations = self.rotations[:]
        twin.discards = self.discards[:]
        twin.islanders = self.islanders[:]
        twin.covered = self.covered[:]
        twin.wares = self.wares[:]
        twin.supply = self.supply[:]
        twin.display = self.display[:]
        twin.owners = self.owners[:]
        twin.board = self.board.copy()
        return twin

    def rederive(self) -> None:
        self.board = Board()
        for tile, cell, rotation in zip(self.tiles, self.cells, self.rotations, strict=True):
            self.board.lay(self.catalog.shapes[tile][rotation], cell)
        for group in self.covered:
            self.board.cover(group)
        for place, node in enumerate(self.islanders):
            if node != IN_SUPPLY:
                self.board.settle(node, place // ISLANDERS)

    def on_board(self, seat: int) -> list[int]:
        """The nodes of the seat's islanders that are not in the supply, ascending."""
        own = self.islanders[seat * ISLANDERS : (seat + 1) * ISLANDERS]
        return sorted(node for node in own if node != IN_SUPPLY)

    def has_islander(self, seat: int) -> bool:
        """Whether one is left to place (SS-9)."""
        return len(self.on_board(seat)) < ISLANDERS

    def wares_of(self, seat: int) -> list[int]:
        return self.wares[seat * KINDS_OF_WARES : (seat + 1) * KINDS_OF_WARES]

    def new_nodes(self) -> range:
        """The features of the tile placed in this turn."""
        return self.board.nodes(len(self.tiles) - 1) if self.placed else range(0)

    def place(self, node: int) -> tuple[int, int, str]:
        """The x and y of a node's tile, and the feature's id as printed there."""
        tile, feature = self.board.part(node)
        x, y = position(self.cells[tile])
        return x, y, self.catalog.tiles[self.tiles[tile]].features[feature].id
