"""Who owes a move, and which moves there are."""

from collections.abc import Callable, Iterable, Iterator
from functools import cache, lru_cache
from itertools import chain, islice
from operator import ge, getitem, le

from engines.catan_fishermen.board import EDGES, EMPTY, HEXES, VERTICES, bits
from engines.catan_fishermen.cards import holds
from engines.catan_fishermen.catalog import (
    CITY,
    DEVELOPMENT,
    KINDS,
    KNIGHT,
    MONOPOLY,
    RESOURCES,
    ROAD,
    ROAD_BUILDING,
    SETTLEMENT,
    VICTORY_POINT,
    YEAR_OF_PLENTY,
    Cards,
)
from engines.catan_fishermen.decide.building import can_lay_road
from engines.catan_fishermen.decide.developing import PLENTY
from engines.catan_fishermen.decide.trading import MOST_ANSWERS, agreed
from engines.catan_fishermen.decide.turns import robbable_by
from engines.catan_fishermen.legal.fishing import boot_passes, kept, spendings
from engines.catan_fishermen.moves import (
    AcceptTrade,
    BuildCity,
    BuildRoad,
    BuildSettlement,
    BuyDevelopment,
    CancelTrade,
    ConfirmTrade,
    DeclineTrade,
    Discard,
    EndTurn,
    Move,
    MoveRobber,
    PlaceRoad,
    PlaceSettlement,
    PlayKnight,
    PlayMonopoly,
    PlayRoadBuilding,
    PlayYearOfPlenty,
    Roll,
    TradeBank,
)
from engines.catan_fishermen.state import ROLLING, TRADING_AND_BUILDING, Answer, Phase, Reply, State

MOST_LISTED = 200
ONE_ROLL = (Roll(),)
END_TURN = EndTurn()
BUY = BuyDevelopment()
KNIGHTS = (PlayKnight(),)
ROADS_FREE = (PlayRoadBuilding(),)
MONOPOLIES = tuple(PlayMonopoly(resource) for resource in RESOURCES)
DECLINE, CANCEL = DeclineTrade(), CancelTrade()


def at_each(kind: Callable[[int], Move], places: int) -> Callable[[int], list[Move]]:
    """Lists the moves at the places of a mask, ascending: each move one object, lists of the same mask one list."""
    moves = [kind(place) for place in range(places)]

    @lru_cache(maxsize=1 << 14)
    def listed(mask: int) -> list[Move]:
        return [moves[place] for place in bits(mask)]

    return listed


settlements_placed = at_each(PlaceSettlement, VERTICES)
roads_placed = at_each(PlaceRoad, EDGES)
roads = at_each(BuildRoad, EDGES)
settlements = at_each(BuildSettlement, VERTICES)
cities = at_each(BuildCity, VERTICES)


def to_act(state: State) -> tuple[int, ...]:
    return state.owing


def may_act(state: State) -> tuple[int, ...]:
    """While an offer is open, all others may answer it, or withdraw their last answer: CA-17."""
    if state.offer is None or state.phase is not TRADING_AND_BUILDING:
        return ()
    return tuple(
        seat
        for seat, made in enumerate(state.answers_made)
        if seat != state.seat and (made < MOST_ANSWERS or state.replies[seat] is not None)
    )


def turns(state: State) -> int:
    return state.turn


def legal_moves(state: State, seat: int) -> Iterator[Move]:
    """The autopilot's first. In a turn: to end it, build, buy, play, trade with the bank, fish, cancel or confirm."""
    if seat in state.owing:
        phase = state.phase
        if phase is TRADING_AND_BUILDING:
            return iter(turn_moves(state, seat))
        if phase is ROLLING:
            return iter(before_roll(state, seat))
        return iter(DUTIES[phase](state, seat))
    if seat in may_act(state):
        return iter(answers(state, seat))
    return iter(())


def turn_moves(state: State, seat: int) -> list[Move]:
    """Without trade offers, which form a family.

    Each price is compared kind by kind: nothing is asked as often as this.
    """
    start = seat * KINDS
    brick, lumber, wool, grain, ore = state.hands[start : start + KINDS]
    roads_left, settlements_left, cities_left = state.supply[3 * seat : 3 * seat + 3]
    moves: list[Move] = [END_TURN]
    if brick >= ROAD.brick and lumber >= ROAD.lumber and roads_left:
        moves += roads(state.frontier[seat] & state.open_edges)
    if (
        brick >= SETTLEMENT.brick
        and lumber >= SETTLEMENT.lumber
        and wool >= SETTLEMENT.wool
        and grain >= SETTLEMENT.grain
        and settlements_left
    ):
        moves += settlements(state.touched[seat] & state.open_vertices)
    if grain >= CITY.grain and ore >= CITY.ore and cities_left:
        moves += cities(state.towns[seat])
    if wool >= DEVELOPMENT.wool and grain >= DEVELOPMENT.grain and ore >= DEVELOPMENT.ore and any(state.pile):
        moves.append(BUY)
    if not state.development_played:
        moves += development_moves(state, seat)
    moves += bank_trades(state, seat)
    if state.fish:
        moves += spendings(state, seat)
        moves += boot_passes(state, seat)
    if state.offer is not None:
        moves += closings(state, seat)
    return moves


def before_roll(state: State, seat: int) -> Iterable[Move]:
    if state.development_played and state.boot != seat:
        return ONE_ROLL
    cards = NO_MOVES if state.development_played else development_moves(state, seat)
    return [*ONE_ROLL, *cards, *boot_passes(state, seat)]


def development_moves(state: State, seat: int) -> list[Move]:
    """CA-18."""
    start = seat * KINDS
    held = state.developments[start : start + VICTORY_POINT]
    if not any(held):
        return NO_MOVES
    moves: list[Move] = []
    fresh = state.fresh
    if held[KNIGHT] > fresh[KNIGHT]:
        moves += KNIGHTS
    if held[ROAD_BUILDING] > fresh[ROAD_BUILDING] and can_lay_road(state, seat):
        moves += ROADS_FREE
    if held[YEAR_OF_PLENTY] > fresh[YEAR_OF_PLENTY]:
        moves += plenty(*[min(count, PLENTY) for count in state.bank])
    if held[MONOPOLY] > fresh[MONOPOLY]:
        moves += MONOPOLIES
    return moves


@cache
def plenty(*bank: int) -> list[Move]:
    """Two cards of a bank of so many, one if it holds no more."""
    if sum(bank) == 1:
        return [PlayYearOfPlenty(Cards(*bank))]
    pairs = [(one, other) for one in range(KINDS) for other in range(one, KINDS)]
    cards = [tuple((one == kind) + (other == kind) for kind in range(KINDS)) for one, other in pairs]
    return [PlayYearOfPlenty(Cards(*pair)) for pair in cards if all(map(le, pair, bank))]


def bank_trades(state: State, seat: int) -> list[Move]:
    """CA-16."""
    start = seat * KINDS
    affordable = list(map(ge, state.hands[start : start + KINDS], state.rates[start : start + KINDS]))
    if True not in affordable:
        return NO_MOVES
    return exchanges(*affordable, *map(bool, state.bank))


NO_MOVES: list[Move] = []


@cache
def exchanges(*known: bool) -> list[Move]:
    """Each resource that can be given (the first five say which) for each other one that the bank has (the last)."""
    given = [resource for resource, can in zip(RESOURCES, known[:KINDS], strict=True) if can]
    taken = [resource for resource, has in zip(RESOURCES, known[KINDS:], strict=True) if has]
    return [TradeBank(give, take) for give in given for take in taken if give is not take]


def closings(state: State, seat: int) -> list[Move]:
    """What the active player may do with the open offer and its answers: CA-17."""
    moves: list[Move] = [CANCEL]
    for partner in range(state.seats):
        terms = agreed(state, partner)
        if terms is not None and holds(state, seat, terms.give) and holds(state, partner, terms.take):
            moves.append(ConfirmTrade(partner, terms.give, terms.take))
    return moves


def answers(state: State, seat: int) -> list[Move]:
    """What another player may say to the open offer, counter-offers apart: CA-17."""
    offer, reply = state.offer, state.replies[seat]
    assert offer is not None
    moves: list[Move] = []
    if state.answers_made[seat] < MOST_ANSWERS:
        if reply != Reply(Answer.ACCEPTED) and holds(state, seat, offer.take):
            moves.append(AcceptTrade(offer.take, offer.give))
        if reply != Reply(Answer.DECLINED):
            moves.append(DECLINE)
    if reply is not None:
        moves.append(CANCEL)
    return moves


def robberies(state: State, seat: int) -> list[Move]:
    """CA-12."""
    robbable = robbable_by(state, seat)
    by_hex = list(map(getitem, ROBBERIES, map(robbable.__and__, state.at_hexes)))
    if state.robber != EMPTY:
        del by_hex[state.robber]
    return list(chain.from_iterable(by_hex))


ROBBERIES = [
    [[MoveRobber(at, seat) for seat in bits(seats)] or [MoveRobber(at)] for seats in range(16)] for at in range(HEXES)
]
"""To each hex, by the seats that can be robbed there."""


def discards(state: State, seat: int) -> list[Move]:
    """Halves of the hand, the autopilot's first, at most 200: the family knows them all."""
    due = state.discards[seat]
    return halves(due, *[min(count, due) for count in state.hand(seat)])


@lru_cache(maxsize=1 << 12)
def halves(due: int, *hand: int) -> list[Move]:
    """Discards of so many from a hand; counts above it do not matter."""
    first = plainest(due, hand)
    others = (cards for cards in selections(due, hand) if cards != first)
    return [discard_of(first), *map(discard_of, islice(others, MOST_LISTED - 1))]


@lru_cache(maxsize=1 << 14)
def discard_of(counts: tuple[int, ...]) -> Discard:
    return Discard(Cards(*counts))


def selections(count: int, hand: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """All ways to take so many cards of a hand, the fewest of the first kind first."""
    rest = hand[1:]
    for taken in range(max(0, count - sum(rest)), min(count, hand[0]) + 1):
        for others in remainders(count - taken, rest):
            yield (taken, *others)


@lru_cache(maxsize=1 << 12)
def remainders(count: int, hand: tuple[int, ...]) -> list[tuple[int, ...]]:
    """All selections of the hand's last kinds: many hands share them."""
    return list(selections(count, hand)) if hand else [()]


def plainest(due: int, hand: tuple[int, ...]) -> tuple[int, ...]:
    """Card by card of whatever there is most of."""
    left = list(hand)
    for _ in range(due):
        left[left.index(max(left))] -= 1
    return tuple(had - has for had, has in zip(hand, left, strict=True))


DUTIES: dict[Phase, Callable[[State, int], Iterable[Move]]] = {
    Phase.PLACING_SETTLEMENT: lambda state, _: settlements_placed(state.open_vertices),
    Phase.PLACING_ROAD: lambda state, _: roads_placed(state.catalog.board.vertex_edge_mask[state.placed]),
    Phase.DISCARDING: discards,
    Phase.CHOOSING_FISH: kept,
    Phase.MOVING_ROBBER: robberies,
    Phase.BUILDING_FREE_ROADS: lambda state, seat: roads(state.frontier[seat] & state.open_edges),
}


def autopilot(state: State, seat: int) -> Move:
    """The first legal move: it rolls and ends turns, discards what there is most of, and does nobody a favour."""
    return next(legal_moves(state, seat))
