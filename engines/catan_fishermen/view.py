"""What a seat or a spectator may see, built up field by field; enough to draw the table without knowing the rules."""

from functools import lru_cache

from engines.catan_fishermen.board import Piece
from engines.catan_fishermen.cards import drawn, holds
from engines.catan_fishermen.catalog import (
    DEVELOPMENTS,
    HARBOURS,
    KINDS,
    TERRAINS,
    VICTORY_POINT,
    Cards,
    Catalog,
    Development,
    Terrain,
)
from engines.catan_fishermen.decide.trading import MOST_OFFERS, agreed
from engines.catan_fishermen.events import CardStolen, DevelopmentBought, Event, HarbourPlace
from engines.catan_fishermen.scoring import points
from engines.catan_fishermen.state import EMPTY, NOBODY, OVER, Answer, Options, Phase, State, bits
from engines.core.chance import Chance
from engines.core.outcome import Outcome
from engines.core.shapes import Plain


class HexView(Plain, frozen=True):
    """A hex at axial coordinates, its vertices clockwise from the north; `number` is 0 where no token lies."""

    q: int
    r: int
    vertices: tuple[int, ...]
    terrain: Terrain
    number: int


class EdgeView(Plain, frozen=True):
    """The vertices at the two ends of a path."""

    ends: tuple[int, ...]


class UnplayedCard(Plain, frozen=True):
    """A development card of one's own; `fresh`: bought this turn."""

    card: Development
    fresh: bool


class OwnHand(Plain, frozen=True):
    """What the viewer alone sees of the own cards; `points` are all points, hidden ones included."""

    points: int
    developments: tuple[UnplayedCard, ...]


class Player(Plain, frozen=True):
    """A seat. `known` are the cards of its hand that the viewer can tell, at least; all of one's own.

    `cards`, `developments` and `knights` count the hand, the unplayed cards and the knights played; `due` is how many
    cards the seat has to discard. `rates` is what the bank takes for a card, by resource.
    """

    seat: int
    points: int
    cards: int
    known: Cards
    developments: int
    knights: int
    road_length: int
    roads: tuple[int, ...]
    settlements: tuple[int, ...]
    cities: tuple[int, ...]
    roads_left: int
    settlements_left: int
    cities_left: int
    rates: Cards
    due: int
    own: OwnHand | None = None


class ReplyView(Plain, frozen=True):
    """`give` and `take` are a counter-offer's, as the answering seat sees them."""

    seat: int
    answer: Answer
    give: Cards
    take: Cards


class OfferView(Plain, frozen=True):
    """What the active player gives and takes, and what the others said to it."""

    give: Cards
    take: Cards
    replies: tuple[ReplyView, ...]


class View(Plain, frozen=True):
    """`hexes` and `edges` stand by their numbers; frame and harbours clockwise from the north-west.

    `pile` counts the development cards left to buy. `viewer` is the seat whose view this is, None for a spectator's.
    """

    options: Options
    phase: Phase
    turn: int
    active: int
    owed: tuple[int, ...]
    rolled: bool
    development_played: bool
    free_roads: int
    offers_left: int
    hexes: tuple[HexView, ...]
    edges: tuple[EdgeView, ...]
    frame: tuple[Piece, ...]
    harbours: tuple[HarbourPlace, ...]
    bank: Cards
    pile: int
    players: tuple[Player, ...]
    robber: int | None = None
    longest_road: int | None = None
    largest_army: int | None = None
    offer: OfferView | None = None
    viewer: int | None = None
    outcome: Outcome | None = None


def view(state: State, seat: int | None) -> View:
    return View(
        options=state.options,
        phase=state.phase,
        turn=state.turn,
        active=state.seat,
        owed=state.owing,
        rolled=state.rolled,
        development_played=state.development_played,
        free_roads=state.free_roads,
        offers_left=MOST_OFFERS - state.offers_made,
        hexes=land(state.catalog, bytes(state.terrain), bytes(state.numbers)),
        edges=paths(state.catalog),
        frame=tuple(Piece.DOUBLE if double else Piece.SINGLE for double in state.frame),
        harbours=docks(bytes(state.harbour_edges), bytes(state.harbour_kinds)),
        robber=None if state.robber == EMPTY else state.robber,
        bank=Cards(*state.bank),
        pile=sum(state.pile),
        players=tuple(player(state, other, viewer=seat) for other in range(state.seats)),
        longest_road=None if state.longest_road == NOBODY else state.longest_road,
        largest_army=None if state.largest_army == NOBODY else state.largest_army,
        offer=offer(state),
        viewer=seat,
        outcome=state.outcome,
    )


@lru_cache(maxsize=256)
def land(catalog: Catalog, terrain: bytes, numbers: bytes) -> tuple[HexView, ...]:
    """The hexes of a match: they lie as laid."""
    places = zip(catalog.hexes, terrain, numbers, strict=True)
    return tuple(HexView(row.q, row.r, row.vertices, TERRAINS[kind], number) for row, kind, number in places)


@lru_cache(maxsize=16)
def paths(catalog: Catalog) -> tuple[EdgeView, ...]:
    return tuple(map(EdgeView, catalog.board.edge_ends))


@lru_cache(maxsize=256)
def docks(edges: bytes, kinds: bytes) -> tuple[HarbourPlace, ...]:
    return tuple(HarbourPlace(edge, HARBOURS[kind]) for edge, kind in zip(edges, kinds, strict=True))


def player(state: State, seat: int, *, viewer: int | None) -> Player:
    cities = state.homes[seat] ^ state.towns[seat]
    start = seat * KINDS
    return Player(
        seat=seat,
        points=state.points[seat],
        cards=sum(state.hand(seat)),
        known=Cards(*known(state, seat, viewer)),
        developments=sum(state.developments[start : start + KINDS]),
        knights=state.knights[seat],
        road_length=state.road_lengths[seat],
        roads=tuple(bits(state.networks[seat])),
        settlements=tuple(bits(state.towns[seat])),
        cities=tuple(bits(cities)),
        roads_left=state.supply[3 * seat],
        settlements_left=state.supply[3 * seat + 1],
        cities_left=state.supply[3 * seat + 2],
        rates=Cards(*state.rates[start : start + KINDS]),
        due=state.discards[seat],
        own=OwnHand(points(state, seat), unplayed(state, seat)) if viewer == seat else None,
    )


def known(state: State, seat: int, viewer: int | None) -> list[int]:
    """How many of the hand's cards of each resource the viewer can tell, at least."""
    width = state.seats + 1
    onlooker = state.seats if viewer is None else viewer
    unknown = state.unknown[seat * KINDS * width + onlooker : (seat + 1) * KINDS * width : width]
    return [held - hidden for held, hidden in zip(state.hand(seat), unknown, strict=True)]


def unplayed(state: State, seat: int) -> tuple[UnplayedCard, ...]:
    """Older cards of a kind before fresh ones."""
    cards = []
    for kind, name in enumerate(DEVELOPMENTS):
        held = state.developments[seat * KINDS + kind]
        fresh = state.fresh[kind] if seat == state.seat else 0
        cards += [UnplayedCard(name, number >= held - fresh) for number in range(held)]
    return tuple(cards)


def offer(state: State) -> OfferView | None:
    if state.offer is None:
        return None
    replies = [
        ReplyView(seat, reply.answer, *((reply.terms.give, reply.terms.take) if reply.terms else (NONE, NONE)))
        for seat, reply in enumerate(state.replies)
        if reply is not None
    ]
    return OfferView(state.offer.give, state.offer.take, tuple(replies))


NONE = Cards()


def redact(event: Event, seat: int | None) -> Event:
    match event:
        case CardStolen() if seat is None or seat not in {event.seat, event.victim}:
            return CardStolen(event.seat, event.victim)
        case DevelopmentBought() if event.seat != seat:
            return DevelopmentBought(event.seat, event.paid)
        case _:
            return event


def determinize(state: State, seat: int | None, chance: Chance) -> State:
    """Cards of other hands that the seat can't tell dealt anew, and so their developments and the pile."""
    while True:
        twin = state.copy()
        deal_hands(twin, seat, chance)
        if seat != state.seat or [closable(twin, other) for other in range(state.seats)] == [
            closable(state, other) for other in range(state.seats)
        ]:
            deal_developments(twin, seat, chance)
            return twin


def closable(state: State, partner: int) -> bool:
    """Whether the partner still holds what the trade asks for: the active player is told."""
    terms = agreed(state, partner)
    return terms is not None and holds(state, partner, terms.take)


def deal_hands(twin: State, seat: int | None, chance: Chance) -> None:
    """What each hand is known to hold stays; the rest is dealt from all that is not known."""
    others = [other for other in range(twin.seats) if other != seat]
    certain = {other: known(twin, other, seat) for other in others}
    hidden = []
    for other in others:
        for kind, (held, sure) in enumerate(zip(twin.hand(other), certain[other], strict=True)):
            hidden += [kind] * (held - sure)
    width = twin.seats + 1
    for other in others:
        counts = list(certain[other])
        for _ in range(sum(twin.hand(other)) - sum(counts)):
            counts[hidden.pop(chance.draw("card", len(hidden)))] += 1
        for kind, count in enumerate(counts):
            at = other * KINDS + kind
            for place in range(at * width, at * width + width):
                # What the others can tell can't be more than there is now.
                twin.unknown[place] = max(count - (twin.hands[at] - twin.unknown[place]), 0)
            twin.unknown[at * width + other] = 0
            twin.hands[at] = count


def deal_developments(twin: State, seat: int | None, chance: Chance) -> None:
    """Victory points first, to those who can have them; after the end they are told."""
    start = {other: other * KINDS for other in range(twin.seats) if other != seat}
    own = {other: twin.developments[at : at + KINDS] for other, at in start.items()}
    left = [sum(kind) for kind in zip(twin.pile, *own.values(), strict=True)]
    if twin.phase is OVER:
        hidden = {other: cards[VICTORY_POINT] for other, cards in own.items()}
    else:
        hidden = dealt_points(twin, {other: sum(cards) for other, cards in own.items()}, left[VICTORY_POINT], chance)
    for other, at in start.items():
        others = [0 if kind == VICTORY_POINT else count for kind, count in enumerate(left)]
        dealt = bytearray(drawn(chance, others, sum(own[other]) - hidden[other]))
        dealt[VICTORY_POINT] = hidden[other]
        left = [count - taken for count, taken in zip(left, dealt, strict=True)]
        twin.developments[at : at + KINDS] = dealt
        if other == twin.seat:
            twin.fresh = bytearray(drawn(chance, dealt, sum(twin.fresh)))
    twin.pile = bytearray(left)


def dealt_points(twin: State, sizes: dict[int, int], number: int, chance: Chance) -> dict[int, int]:
    """So many victory point cards among hands of these sizes and the pile: how many each seat gets.

    Nobody gets so many that it had won by now (CA-22), unless there is no other place for them.
    """
    places = [NOBODY] * sum(twin.pile) + [seat for seat, size in sizes.items() for _ in range(size)]
    dealt = dict.fromkeys(sizes, 0)
    for _ in range(number):
        fitting = [seat for seat in places if seat == NOBODY or dealt[seat] < most_hidden(twin, seat)] or places
        taken = fitting[chance.draw("card", len(fitting))]
        places.remove(taken)
        if taken != NOBODY:
            dealt[taken] += 1
    return dealt


def most_hidden(state: State, seat: int) -> int:
    """How many victory point cards the seat can have, as all can tell."""
    most = state.most_hidden[seat]
    return min(most, state.options.victory_points - 1 - state.points[seat]) if seat == state.seat else most
