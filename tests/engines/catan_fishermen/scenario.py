"""Positions of Catan built from events on the beginner's board, and the words of a rule's test: given, when, then."""

from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise

import pytest

from engines.catan_fishermen import ENGINE
from engines.catan_fishermen.catalog import NOTHING, Cards
from engines.catan_fishermen.events import (
    BankTraded,
    CityBuilt,
    DevelopmentBought,
    DiceRolled,
    FishDrawn,
    GroundsLaid,
    RoadBuilt,
    SettlementBuilt,
    TurnBegun,
)
from engines.catan_fishermen.fish import Fishermen
from engines.catan_fishermen.state import Board, Options
from engines.core import games
from engines.core.draft import Draft
from engines.core.errors import IllegalMove
from tests.engines.staged import Proposal, Rigged

CATALOG = ENGINE.catalog(games.edition("catan_fishermen"))
proposal = partial(Proposal, ENGINE, CATALOG)
BOARD = CATALOG.board


@dataclass
class Position:
    state: object
    seat: int | None = None
    move: object = None
    luck: dict = field(default_factory=dict)

    def when(self, seat, move, **luck):
        """The seat asks for the move; `luck` are results by label, such as `dice=pips(8)`."""
        self.seat, self.move, self.luck = seat, move, luck
        return self

    def then(self, *events):
        """The move is accepted and gives just these events."""
        assert self.play() == list(events)
        return self

    def play(self):
        """The events of the move; the position goes on from them."""
        luck = Rigged(**self.luck)
        draft = Draft(ENGINE.evolve, self.state, luck)
        draft.play(ENGINE.decide, self.seat, self.move)
        assert luck.used_up()
        return [emitted.event for emitted in draft.emitted]

    def refuses(self, rule_id):
        with pytest.raises(IllegalMove) as refused:
            self.play()
        assert refused.value.rule == rule_id, refused.value
        return self

    def hand(self, seat):
        return ENGINE.view(self.state, seat).players[seat].known

    def bank(self):
        return ENGINE.view(self.state, None).bank

    def of_each(self, name):
        """What the players' views say of each seat, such as its `points`."""
        return [getattr(player, name) for player in ENGINE.view(self.state, None).players]


def start(seats=3, *, board=Board.BEGINNER, fishermen=Fishermen.NONE, **options):
    """The table before the board is laid; of the base game, unless a form of the Fishermen is named."""
    return ENGINE.initial(CATALOG, Options(board=board, fishermen=fishermen, **options), seats, 1)


def flat(events):
    """The events of lists in lists."""
    for one in events:
        if isinstance(one, list | tuple):
            yield from flat(one)
        else:
            yield one


def given(*events, seats=3, **options):
    """The position after these events, lists of them included."""
    state = start(seats, **options)
    for event in flat(events):
        ENGINE.evolve(state, event)
    return Position(state)


def set_up(options, luck=None):
    """The events that lay the board."""
    state = ENGINE.initial(CATALOG, options, 3, 1)
    draft = Draft(ENGINE.evolve, state, luck or Rigged())
    ENGINE.setup(draft)
    draft.close()
    return [emitted.event for emitted in draft.emitted]


LAID = set_up(Options(board=Board.BEGINNER, fishermen=Fishermen.NONE))
"""The beginner's board: the robber stands on hex 9."""


LAKE = set_up(Options(board=Board.BEGINNER, fishermen=Fishermen.LAKE))
"""The lake lies on hex 9, the robber stands off the board; the grounds as GROUNDS."""

GROUNDS = GroundsLaid((4, 5, 6, 8, 9, 10))
"""Of the 4: 0 1 4. The 5: 15 20 26. The 6: 32 37 42. The 8: 48 51 52. The 9: 38 43 47. The 10: 3 7 11."""


def rolling(*events, seat=0, turn=1, laid=LAID):
    """After these events on the beginner's board the seat has to roll."""
    return [laid, *events, TurnBegun(seat, turn)]


def building(*events, seat=0, turn=1, laid=LAID):
    """After these events the seat's turn begins, a 2 is rolled that pays nothing, and it may trade and build."""
    return [*rolling(*events, seat=seat, turn=turn, laid=laid), rolled(2, seat=seat)]


def robbing(*events, seat=0, turn=1, laid=LAID):
    """After these events a 7 is rolled, nobody discards, and the seat has to move the robber."""
    return [*rolling(*events, seat=seat, turn=turn, laid=laid), rolled(7, seat=seat)]


def fishing(*events, form=Fishermen.SPIELBOX, begin=building, seat=0, turn=1, **options):
    """The position after these events with a form of the Fishermen."""
    if form is Fishermen.LAKE:
        return given(*begin(*events, seat=seat, turn=turn, laid=LAKE), fishermen=form, **options)
    return given(*begin(GROUNDS, *events, seat=seat, turn=turn), fishermen=form, **options)


def pips(number):
    """The draw of the dice for this sum."""
    first = max(1, number - 6)
    return 6 * (first - 1) + (number - first - 1)


def rolled(number, gains=(), discards=(), seat=0):
    """The event of `pips(number)`."""
    first = max(1, number - 6)
    return DiceRolled(seat, first, number - first, tuple(gains), tuple(discards))


def cards(seat, **counts):
    """The seat has these cards more, the bank has them no longer."""
    return BankTraded(seat, NOTHING, Cards(**counts))


def spent(seat, **counts):
    return BankTraded(seat, Cards(**counts), NOTHING)


def development(seat, *kinds):
    """The seat has these development cards more; old ones once a turn begins."""
    return [DevelopmentBought(seat, NOTHING, kind) for kind in kinds]


def fish(seat, one=0, two=0, three=0):
    """The seat has drawn these tokens."""
    return [[FishDrawn(seat, face)] * count for face, count in enumerate((one, two, three), 1)]


def settled(seat, *vertices):
    return [SettlementBuilt(seat, vertex, NOTHING) for vertex in vertices]


def city(seat, *vertices):
    return [[SettlementBuilt(seat, vertex, NOTHING), CityBuilt(seat, vertex, NOTHING)] for vertex in vertices]


def roads(seat, *vertices):
    """A road along these vertices."""
    return [RoadBuilt(seat, edge(one, other), NOTHING) for one, other in pairwise(vertices)]


def edge(one, other):
    """The edge between two vertices."""
    return BOARD.edge_ends.index((min(one, other), max(one, other)))
