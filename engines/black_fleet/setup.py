"""How a match begins, and the draws from the piles."""

from engines.black_fleet.catalog import Catalog
from engines.black_fleet.events import (
    DealtDevelopments,
    DevelopmentsDealt,
    Event,
    FirstPlayerSet,
    FortuneDrawn,
    MovementDrawn,
    PileRefilled,
    PlacingBegun,
)
from engines.black_fleet.state import (
    ACTIONS,
    EMPTY,
    FIRST_NAVY,
    RANKS,
    ROLES,
    SHIPS,
    Deck,
    FirstPlayer,
    Options,
    State,
)
from engines.core.draft import Draft
from engines.core.errors import IllegalOptions

LEAST_SEATS, MOST_SEATS = 2, 4
MOVEMENT_HAND, FIRST_FORTUNE = 2, 1
"""BF-7."""
SEAT_NAMED = (FirstPlayer.SEAT_0, FirstPlayer.SEAT_1, FirstPlayer.SEAT_2, FirstPlayer.SEAT_3)
DEFAULT_VICTORY = 10
"""BF-5."""


def initial(catalog: Catalog, options: Options, seats: int, rules: int) -> State:
    """The board with its navy ships and goods; raises IllegalOptions."""
    if not LEAST_SEATS <= seats <= MOST_SEATS:
        raise IllegalOptions("BF-44", f"3 or 4 play, unofficially 2, not {seats}")
    if options.first_player in SEAT_NAMED[seats:]:
        raise IllegalOptions("BF-8", f"{options.first_player} is not among {seats} seats")
    ships = bytearray([EMPTY] * len(SHIPS))
    ships[FIRST_NAVY:] = bytes(catalog.board.navy_starts)
    state = State(
        catalog=catalog,
        rules=rules,
        options=options,
        seats=seats,
        ships=ships,
        cargo=bytearray(seats),
        colours=bytearray([EMPTY] * seats),
        treasures=bytearray([EMPTY] * seats),
        supply=bytearray([catalog.cubes] * len(catalog.board.goods)),
        doubloons=[0] * seats,
        movement_pile=bytearray(catalog.movement_pile),
        movement_discards=bytearray(),
        movement_hands=[bytearray() for _ in range(seats)],
        movement_kept=bytearray(seats),
        fortune_pile=bytearray(catalog.fortune_pile),
        fortune_discards=bytearray(),
        fortune_hands=[bytearray() for _ in range(seats)],
        fortune_kept=bytearray(seats),
        box=bytearray(range(len(catalog.developments))),
        developments=bytearray([EMPTY] * RANKS * seats),
        bought=bytearray(seats),
        victory=victory_cards(catalog, options, seats),
        victors=bytearray(seats),
        swaps=bytearray(),
        shifts=bytearray(),
        sailed=bytearray(len(ROLES)),
        actions=bytearray(len(ROLES) * len(ACTIONS)),
        in_force=bytearray(),
    )
    state.rederive()
    return state


def victory_cards(catalog: Catalog, options: Options, seats: int) -> bytearray:
    """Each seat's victory card: BF-5."""
    prices = [card.price for card in catalog.victory]
    wanted = options.victory_card or (DEFAULT_VICTORY,)
    if len(wanted) not in (1, seats):
        raise IllegalOptions("BF-5", f"one victory card for all, or one for each of {seats} seats, not {len(wanted)}")
    for price in wanted:
        if price not in prices:
            raise IllegalOptions("BF-5", f"victory cards cost {' or '.join(map(str, sorted(prices)))}, not {price}")
    return bytearray(prices.index(price) for price in (wanted * seats)[:seats])


def setup(draft: Draft[State, Event]) -> None:
    """BF-4, BF-7 to BF-9."""
    state = draft.state
    if state.options.first_player is FirstPlayer.DRAWN:
        draft.emit(FirstPlayerSet(draft.draw("first_player", state.seats)))
    else:
        draft.emit(FirstPlayerSet(SEAT_NAMED.index(state.options.first_player)))
    for seat in range(state.seats):
        deal_developments(draft, seat)
        draw_fortune(draft, seat, FIRST_FORTUNE)
        draw_movement(draft, seat)
    draft.emit(PlacingBegun())


def deal_developments(draft: Draft[State, Event], seat: int) -> None:
    state = draft.state
    cards = []
    for rank in state.catalog.ranks:
        left = [number for number in rank if number in state.box]
        cards.append(state.catalog.developments[left[draft.draw("development", len(left))]].id)
    draft.emit(DevelopmentsDealt(seat, DealtDevelopments(tuple(cards))))


def draw_movement(draft: Draft[State, Event], seat: int) -> None:
    """Up to two in hand: BF-7, BF-32, BF-34."""
    state = draft.state
    while len(state.movement_hands[seat]) < MOVEMENT_HAND:
        if not state.movement_pile and state.movement_discards:
            draft.emit(PileRefilled(Deck.MOVEMENT))
        if not state.movement_pile:
            return
        number = state.movement_pile[draft.draw("movement", len(state.movement_pile))]
        draft.emit(MovementDrawn(seat, state.catalog.movement[number].id))
        if not state.movement_pile and state.movement_discards:
            draft.emit(PileRefilled(Deck.MOVEMENT))


def draw_fortune(draft: Draft[State, Event], seat: int, cards: int) -> None:
    """BF-7, BF-32, BF-34."""
    state = draft.state
    for _ in range(cards):
        if not state.fortune_pile and state.fortune_discards:
            draft.emit(PileRefilled(Deck.FORTUNE))
        if not state.fortune_pile:
            return
        number = state.fortune_pile[draft.draw("fortune", len(state.fortune_pile))]
        draft.emit(FortuneDrawn(seat, state.catalog.fortune[number].id))
        if not state.fortune_pile and state.fortune_discards:
            draft.emit(PileRefilled(Deck.FORTUNE))
