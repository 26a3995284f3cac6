"""What a seat or a spectator may see, built up field by field; enough to draw the table without knowing the rules."""

from functools import lru_cache

from engines.catan_fishermen.board import EMPTY, Piece, bits
from engines.catan_fishermen.catalog import (
    DEVELOPMENTS,
    HARBOURS,
    KINDS,
    TERRAINS,
    Cards,
    Catalog,
    Development,
    Terrain,
)
from engines.catan_fishermen.decide.trading import MOST_OFFERS
from engines.catan_fishermen.events import (
    CardStolen,
    DevelopmentBought,
    Event,
    FishDrawn,
    FishReturned,
    FishSeen,
    HarbourPlace,
)
from engines.catan_fishermen.fish import Fish
from engines.catan_fishermen.scoring import points
from engines.catan_fishermen.state import NOBODY, Answer, Gain, Options, Phase, State
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


class WaterView(Plain, frozen=True):
    """A fishing ground, or the lake: the numbers that pay, and by vertex what a settlement there takes; a city twice.

    It takes so many fish tokens, of open piles so many fish.
    """

    numbers: tuple[int, ...]
    vertices: tuple[int, ...]
    catches: tuple[int, ...]


class UnplayedCard(Plain, frozen=True):
    """A development card of one's own; `fresh`: bought this turn."""

    card: Development
    fresh: bool


class OwnHand(Plain, frozen=True):
    """What the viewer alone sees of the own cards; `points` are all points, hidden ones included.

    `fish` are the tokens; `seen` is on the one that was drawn last while the viewer has to put one back.
    """

    points: int
    developments: tuple[UnplayedCard, ...]
    fish: Fish
    seen: int | None = None


class Player(Plain, frozen=True):
    """A seat. `known` are the cards of its hand that the viewer can tell, at least; all of one's own.

    `cards`, `developments` and `knights` count the hand, the unplayed cards and the knights played; `due` is how many
    cards the seat has to discard. `rates` is what the bank takes for a card, by resource. `fish` counts its tokens, of
    open piles its fish; with `needed` points it wins.
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
    fish: int
    needed: int
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

    `dice` and `paid` are those of the last roll, this turn's or an earlier one's.
    `pile` counts the development cards left to buy, `fish_supply` the tokens that lie face down, with the boot, or the
    fish of open piles. `boot` is its owner. `viewer` is the seat whose view this is, None for a spectator's.
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
    waters: tuple[WaterView, ...]
    fish_supply: int
    fish_spent: Fish
    dice: tuple[int, ...]
    paid: tuple[Gain, ...]
    robber: int | None = None
    longest_road: int | None = None
    largest_army: int | None = None
    boot: int | None = None
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
        waters=tuple(WaterView(water.numbers, water.vertices, water.catches) for water in state.waters),
        fish_supply=sum(state.fish_supply),
        fish_spent=Fish(*state.fish_spent),
        dice=state.dice,
        paid=state.paid,
        boot=None if state.boot == NOBODY else state.boot,
        offer=offer(state),
        viewer=seat,
        outcome=state.outcome,
    )


def scores(view: View) -> tuple[int, ...]:
    """The viewer's own with hidden points; after the end all of everyone's."""
    if view.outcome is not None:
        return tuple([standing.points for standing in sorted(view.outcome.ranking, key=lambda standing: standing.seat)])
    return tuple([player.points if player.own is None else player.own.points for player in view.players])


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
        fish=sum(state.tokens(seat)),
        needed=state.needed(seat),
        own=own_hand(state, seat) if viewer == seat else None,
    )


def own_hand(state: State, seat: int) -> OwnHand:
    seen = state.seen if seat == state.chooser else None
    return OwnHand(points(state, seat), unplayed(state, seat), Fish(*state.tokens(seat)), seen)


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
        case FishDrawn() if event.seat != seat:
            return FishDrawn(event.seat)
        case FishSeen() if event.seat != seat:
            return FishSeen(event.seat, event.waiting)
        case FishReturned() if event.seat != seat:
            return FishReturned(event.seat)
        case _:
            return event
