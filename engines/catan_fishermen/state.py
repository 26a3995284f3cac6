"""The table of one match. Kinds of cards, hexes, vertices and edges stand as numbers; 255 marks an empty place."""

from copy import copy
from enum import StrEnum
from typing import ClassVar, Self

from msgspec import field

from engines.catan_fishermen.board import (
    EDGES,
    EMPTY,
    HEXES,
    VERTICES,
    bits,
    hexes_by_number,
    longest_trail,
    mask,
    union,
)
from engines.catan_fishermen.catalog import (
    CITIES,
    DESERT,
    DEVELOPMENT_COUNTS,
    KINDS,
    LAKE,
    ROADS,
    SETTLEMENTS,
    Cards,
    Catalog,
    open_harbour,
)
from engines.catan_fishermen.fish import FACES, FORMS, Fishermen, Form, Water, catches, waters
from engines.core.outcome import Outcome
from engines.core.shapes import GameOptions, GameState, Plain

NOBODY = -1
DECK = tuple(DEVELOPMENT_COUNTS.values())
SEVEN = 7
MOST_KEPT = 7
"""CA-11: the roll that pays nothing, and the largest hand that it leaves alone."""
CARD_POINTS = 2
"""CA-20, CA-21: what the longest road and the largest army are worth."""


class Board(StrEnum):
    """CA-5."""

    STANDARD = "standard"
    BEGINNER = "beginner"
    RANDOM = "random"


class Options(GameOptions, frozen=True):
    """CA-70, CA-5 and CA-22."""

    defined_by: ClassVar[dict[str, str]] = {
        "fishermen": "CA-70",
        "board": "CA-5",
        "shuffle_frame": "CA-5",
        "victory_points": "CA-22",
    }

    fishermen: Fishermen = Fishermen.SPIELBOX
    board: Board = Board.STANDARD
    shuffle_frame: bool = False
    victory_points: int = 10


class Phase(StrEnum):
    """What the active seat owes; while discarding those with too many cards, while choosing fish the one that drew."""

    SETTING_UP = "setting_up"
    PLACING_SETTLEMENT = "placing_settlement"
    PLACING_ROAD = "placing_road"
    ROLLING = "rolling"
    DISCARDING = "discarding"
    CHOOSING_FISH = "choosing_fish"
    MOVING_ROBBER = "moving_robber"
    BUILDING_FREE_ROADS = "building_free_roads"
    TRADING_AND_BUILDING = "trading_and_building"
    OVER = "over"


ROLLING = Phase.ROLLING
TRADING_AND_BUILDING = Phase.TRADING_AND_BUILDING
OVER = Phase.OVER
"""Attributes of an enum are slow to look up, and every move asks for these."""


class Answer(StrEnum):
    """CA-17."""

    ACCEPTED = "accepted"
    DECLINED = "declined"
    COUNTERED = "countered"


class Terms(Plain, frozen=True):
    """What the one who proposes a trade gives and takes."""

    give: Cards
    take: Cards


class Reply(Plain, frozen=True):
    """An answer to the open offer; `terms` are those of a counter-offer, as the answering seat sees them."""

    answer: Answer
    terms: Terms | None = None


class Gain(Plain, frozen=True):
    """What a seat is paid."""

    seat: int
    cards: Cards


Payout = tuple[tuple[Gain, ...], tuple[tuple[int, int], ...]]
"""What each seat is owed, by seat, and how many cards of which resources that takes."""


class State(GameState, kw_only=True):
    """Cards are counted by kind: hands, the pile and unplayed developments have no order.

    Masks have one bit a vertex or edge. `unknown` says of each resource of each hand how many of the cards there each
    onlooker (the seats, then a spectator) can't tell: a theft between others raises it in both hands, cards that leave
    or are shown in sight of all cap it at those that remain. Of fish tokens each seat knows its own faces, no more.
    """

    derived: ClassVar[tuple[str, ...]] = (
        "owing",
        "points",
        "supply",
        "rates",
        "open_edges",
        "open_vertices",
        "networks",
        "touched",
        "frontier",
        "homes",
        "towns",
        "at_hexes",
        "hexes_of",
        "road_lengths",
        "shares",
        "payouts",
        "waters",
        "catches",
    )

    catalog: Catalog
    options: Options
    seats: int
    phase: Phase = Phase.SETTING_UP
    turn: int = 0
    seat: int = 0
    """The active one."""
    rolled: bool = False
    dice: tuple[int, ...] = ()
    paid: tuple[Gain, ...] = ()
    """What the last roll, be it another's, showed and paid."""
    terrain: bytearray
    numbers: bytearray
    frame: bytearray
    """1 for each double piece."""
    harbour_edges: bytearray
    harbour_kinds: bytearray
    robber: int = EMPTY
    bank: bytearray
    hands: bytearray
    unknown: bytearray
    pile: bytearray
    developments: bytearray
    """Unplayed ones, 5 kinds a seat."""
    fresh: bytearray
    """Those among them that the active seat bought this turn."""
    most_hidden: list[int]
    """How many points each seat can hide: it bought so many cards, and has not won in a turn that it ended (CA-22)."""
    knights: bytearray
    development_played: bool = False
    roads: bytearray
    """The seat at each edge."""
    buildings: bytearray
    """At each vertex 2 x seat, + 1 for a city."""
    placed: int = EMPTY
    """The settlement of the set-up that has no road yet."""
    discards: bytearray
    """How many cards each seat has to discard."""
    free_roads: int = 0
    offer: Terms | None = None
    replies: list[Reply | None]
    offers_made: int = 0
    answers_made: tuple[int, ...] = ()
    """Each seat's to the offer made last."""
    longest_road: int = NOBODY
    largest_army: int = NOBODY
    grounds: tuple[int, ...] = ()
    """The numbers of the fishing grounds, clockwise as the pieces of the frame."""
    fish: tuple[int, ...] = ()
    """Tokens by face, 3 a seat; in the base game none."""
    fish_supply: tuple[int, ...] = ()
    """Tokens by face, and the boot."""
    fish_spent: tuple[int, ...] = ()
    """Those that lie face up until the supply is empty."""
    boot: int = NOBODY
    chooser: int = NOBODY
    """The seat with a token more than it may hold: it puts one back (CA-37)."""
    seen: int = 0
    """The face of the token that it drew."""
    waiting: tuple[tuple[int, int], ...] = ()
    """The seats that draw after it, and how many."""
    outcome: Outcome | None = None

    owing: tuple[int, ...] = ()
    points: list[int] = field(default_factory=list)
    """Those that everyone sees: CA-22 without victory point cards."""
    supply: bytearray = field(default_factory=bytearray)
    """Roads, settlements and cities left, 3 a seat."""
    rates: bytearray = field(default_factory=bytearray)
    """CA-16, by seat and resource."""
    open_edges: int = (1 << EDGES) - 1
    open_vertices: int = (1 << VERTICES) - 1
    """Where the distance rule lets anyone settle."""
    networks: list[int] = field(default_factory=list)
    """The edges of each seat's roads."""
    touched: list[int] = field(default_factory=list)
    """The vertices that they meet."""
    frontier: list[int] = field(default_factory=list)
    """The edges at each seat's buildings, and at its roads where no opponent's building stops it."""
    homes: list[int] = field(default_factory=list)
    """The vertices of each seat's buildings."""
    towns: list[int] = field(default_factory=list)
    """Those of its settlements alone."""
    at_hexes: bytearray = field(default_factory=bytearray)
    """The seats with a building at each hex, one bit a seat."""
    hexes_of: tuple[tuple[int, ...], ...] = ()
    """The hexes with each number; 0 is none."""
    road_lengths: bytearray = field(default_factory=bytearray)
    shares: list[tuple[tuple[int, int], ...]] = field(default_factory=list)
    """What each hex pays when it yields: (seat, cards) for each building there."""
    payouts: list[Payout] = field(default_factory=list)
    """What each sum of the dice pays while the bank can serve all, the robber considered; by number."""
    waters: tuple[Water, ...] = ()
    catches: tuple[tuple[int, ...], ...] = ()
    """How many fish tokens, or fish of open piles, each seat is owed by each sum of the dice; () where none is."""

    def copy(self) -> Self:
        twin = copy(self)
        twin.bank = self.bank[:]
        twin.hands = self.hands[:]
        twin.unknown = self.unknown[:]
        twin.pile = self.pile[:]
        twin.developments = self.developments[:]
        twin.fresh = self.fresh[:]
        twin.most_hidden = self.most_hidden[:]
        twin.knights = self.knights[:]
        twin.roads = self.roads[:]
        twin.buildings = self.buildings[:]
        twin.discards = self.discards[:]
        twin.replies = self.replies[:]
        twin.points = self.points[:]
        twin.supply = self.supply[:]
        twin.rates = self.rates[:]
        twin.networks = self.networks[:]
        twin.touched = self.touched[:]
        twin.frontier = self.frontier[:]
        twin.homes = self.homes[:]
        twin.towns = self.towns[:]
        twin.at_hexes = self.at_hexes[:]
        twin.road_lengths = self.road_lengths[:]
        twin.shares = self.shares[:]
        twin.payouts = self.payouts[:]
        return twin

    def rederive(self) -> None:
        board = self.catalog.board
        seats = range(self.seats)
        self.owing = self.due()
        self.homes = [mask(at for at, built in enumerate(self.buildings) if built >> 1 == seat) for seat in seats]
        self.towns = [mask(at for at, built in enumerate(self.buildings) if built == 2 * seat) for seat in seats]
        self.networks = [mask(edge for edge, owner in enumerate(self.roads) if owner == seat) for seat in seats]
        self.open_edges = mask(edge for edge, owner in enumerate(self.roads) if owner == EMPTY)
        self.open_vertices = (1 << VERTICES) - 1
        for at in self.built():
            self.open_vertices &= ~board.settled_mask[at]
        self.touched = [
            union(board.edge_end_mask[edge] for edge, owner in enumerate(self.roads) if owner == seat) for seat in seats
        ]
        self.frontier = [self.frontier_of(seat) for seat in seats]
        self.supply = bytearray(count for seat in seats for count in self.supply_of(seat))
        self.points = [self.public_points(seat) for seat in seats]
        self.rates = bytearray(rate for seat in seats for rate in self.rates_of(seat))
        self.at_hexes = bytearray(
            union(1 << (self.buildings[at] >> 1) for at in around if self.buildings[at] != EMPTY)
            for around in board.hex_vertices
        )
        self.hexes_of = hexes_by_number(self.numbers)
        self.road_lengths = bytearray(
            longest_trail(board, self.networks[seat], self.foreign_homes(seat)) for seat in seats
        )
        self.shares = [self.shares_at(at) for at in range(HEXES)]
        self.payouts = [self.payout(number) for number in range(13)]
        self.waters = self.waters_laid()
        self.catches = catches(self.waters, self.buildings, self.robber, self.seats)

    def due(self) -> tuple[int, ...]:
        """The seats that owe a move."""
        match self.phase:
            case Phase.SETTING_UP | Phase.OVER:
                return ()
            case Phase.DISCARDING:
                return tuple(seat for seat, count in enumerate(self.discards) if count)
            case Phase.CHOOSING_FISH:
                return (self.chooser,)
            case _:
                return (self.seat,)

    @property
    def form(self) -> Form | None:
        """That of the Fishermen; None: the base game."""
        return FORMS.get(self.options.fishermen)

    def needed(self, seat: int) -> int:
        """The points with which the seat wins: CA-22, CA-42."""
        return self.options.victory_points + (seat == self.boot)

    def home(self) -> int:
        """Where the robber is sent back to: the desert, or off the board where there is none (CA-34, CA-51)."""
        desert = self.terrain.find(DESERT)
        return EMPTY if desert < 0 else desert

    def hand(self, seat: int) -> bytearray:
        """The seat's cards by resource."""
        return self.hands[seat * KINDS : seat * KINDS + KINDS]

    def built(self) -> list[int]:
        """The vertices with a building."""
        return [at for at, built in enumerate(self.buildings) if built != EMPTY]

    def foreign_homes(self, seat: int) -> int:
        """The vertices of all other seats' buildings."""
        return union(self.homes) & ~self.homes[seat]

    def frontier_of(self, seat: int) -> int:
        """CA-14."""
        board = self.catalog.board
        anchors = self.homes[seat] | self.touched[seat] & ~self.foreign_homes(seat)
        return union(board.vertex_edge_mask[at] for at in bits(anchors))

    def supply_of(self, seat: int) -> tuple[int, int, int]:
        """CA-23."""
        settlements = self.towns[seat].bit_count()
        cities = self.homes[seat].bit_count() - settlements
        return ROADS - self.networks[seat].bit_count(), SETTLEMENTS - settlements, CITIES - cities

    def public_points(self, seat: int) -> int:
        """CA-22 without victory point cards."""
        buildings = self.homes[seat].bit_count() * 2 - self.towns[seat].bit_count()
        return buildings + CARD_POINTS * ((self.longest_road == seat) + (self.largest_army == seat))

    def rates_of(self, seat: int) -> bytearray:
        """CA-16."""
        rates = bytearray([4] * KINDS)
        ends = self.catalog.board.edge_end_mask
        for edge, kind in zip(self.harbour_edges, self.harbour_kinds, strict=True):
            if ends[edge] & self.homes[seat]:
                open_harbour(rates, 0, kind)
        return rates

    def shares_at(self, at: int) -> tuple[tuple[int, int], ...]:
        """What each building at the hex is paid when it yields: the seat, the number of cards."""
        built = [self.buildings[vertex] for vertex in self.catalog.board.hex_vertices[at]]
        return tuple((one >> 1, 1 + (one & 1)) for one in built if one != EMPTY)

    def payout(self, number: int) -> Payout:
        """CA-9."""
        owed: dict[int, list[int]] = {}
        needed: dict[int, int] = {}
        for at in self.hexes_of[number]:
            if at == self.robber:
                continue
            resource = self.terrain[at]
            for seat, count in self.shares[at]:
                if seat not in owed:
                    owed[seat] = [0] * KINDS
                owed[seat][resource] += count
                needed[resource] = needed.get(resource, 0) + count
        return tuple([Gain(seat, Cards(*owed[seat])) for seat in sorted(owed)]), tuple(sorted(needed.items()))

    def tokens(self, seat: int) -> tuple[int, ...]:
        """The seat's fish tokens by face."""
        return self.fish[seat * FACES : seat * FACES + FACES]

    def waters_laid(self) -> tuple[Water, ...]:
        """CA-31, CA-50."""
        form = self.form
        if form is None or not self.grounds:
            return ()
        return waters(self.catalog, form, bytes(self.frame), self.grounds, self.terrain.find(LAKE))
