"""How a match begins, and the draws from box and pile."""

from engines.core.draft import Draft
from engines.core.errors import IllegalOptions
from engines.lost_seas.board import CELLS, LINES, SIZE, Line
from engines.lost_seas.catalog import EXPEDITIONS, Catalog
from engines.lost_seas.events import Event, ExpeditionsDealt, FirstPlayerSet, RoundBegun, TilesTurnedUp
from engines.lost_seas.state import EMPTY, KINDS, ROUND, FirstPlayer, Options, State

FACE_UP = 5
FACE_UP_YOUNG = 3
SEAT_NAMED = (FirstPlayer.SEAT_0, FirstPlayer.SEAT_1, FirstPlayer.SEAT_2, FirstPlayer.SEAT_3)


def initial(catalog: Catalog, options: Options, seats: int, rules: int) -> State:
    """The empty table; raises IllegalOptions."""
    if seats not in ROUND:
        raise IllegalOptions("LS-1", f"2 to 4 play, not {seats}")
    if options.first_player in SEAT_NAMED[seats:]:
        raise IllegalOptions("LS-7", f"{options.first_player} is not among {seats} seats")
    if options.young_explorers and options.arrange_expeditions:
        raise IllegalOptions("LS-25", "young explorers have no expeditions to arrange")
    if options.young_explorers and options.majority_ties:
        raise IllegalOptions("LS-25", "young explorers have no expeditions that ask for a majority")
    return State(
        catalog=catalog,
        rules=rules,
        options=options,
        seats=seats,
        box=bytearray() if options.young_explorers else bytearray(range(EXPEDITIONS)),
        pile=bytearray(catalog.pile),
        face_up=bytearray(),
        discards=bytearray(),
        dealt=bytearray([EMPTY] * SIZE * seats),
        laid=bytearray([EMPTY] * LINES * seats),
        maps=bytearray([EMPTY] * CELLS * seats),
        counts=bytearray(LINES * KINDS * seats),
    )


def setup(draft: Draft[State, Event]) -> None:
    """LS-7, then the first deal (LS-3) or, for young explorers, the first round (LS-25)."""
    options = draft.state.options
    if options.first_player is FirstPlayer.DRAWN:
        draft.emit(FirstPlayerSet(draft.draw("first_player", draft.state.seats)))
    else:
        draft.emit(FirstPlayerSet(SEAT_NAMED.index(options.first_player)))
    if options.young_explorers:
        begin_round(draft, draft.state.first)
    else:
        deal(draft, Line.COLUMNS)


def deal(draft: Draft[State, Event], line: Line) -> None:
    """Four expeditions to each seat: LS-3, LS-4."""
    state = draft.state
    for seat in range(state.seats):
        box = state.box[:]
        drawn = [box.pop(draft.draw("expedition", len(box))) for _ in range(SIZE)]
        draft.emit(ExpeditionsDealt(seat, line, tuple(state.catalog.expeditions[number].id for number in drawn)))


def begin_round(draft: Draft[State, Event], first_seat: int) -> None:
    """The next round, its tiles turned up before anyone owes a move: LS-6, LS-12, LS-25."""
    state = draft.state
    wanted = FACE_UP_YOUNG if state.options.young_explorers else FACE_UP
    turn_up(draft, wanted - len(state.face_up))
    draft.emit(RoundBegun(state.round + 1, first_seat))


def turn_up(draft: Draft[State, Event], count: int) -> None:
    """So many tiles of the pile, fewer when it runs out, each equally likely."""
    pile = draft.state.pile[:]
    tiles = draft.state.catalog.tiles
    drawn = [tiles[pile.pop(draft.draw("tile", len(pile)))].id for _ in range(min(count, len(pile)))]
    if drawn:
        draft.emit(TilesTurnedUp(tuple(drawn)))
