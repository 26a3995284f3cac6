"""The board, and what is built on it."""

from engines.catan_fishermen.board import EMPTY, Piece, hexes_by_number, longest_trail, trail_through
from engines.catan_fishermen.catalog import HARBOURS, KINDS, TERRAINS, open_harbour
from engines.catan_fishermen.events import (
    BoardLaid,
    CityBuilt,
    LongestRoadMoved,
    RoadBuilt,
    RoadPlaced,
    SettlementBuilt,
    SettlementPlaced,
)
from engines.catan_fishermen.evolve.hands import pay, receive
from engines.catan_fishermen.evolve.phases import Changes, catch_anew, pass_points, resume
from engines.catan_fishermen.state import NOBODY, Phase, State


def board_laid(state: State, event: BoardLaid) -> None:
    state.terrain = bytearray(TERRAINS.index(laid.terrain) for laid in event.hexes)
    state.numbers = bytearray(laid.number for laid in event.hexes)
    state.frame = bytearray(piece is Piece.DOUBLE for piece in event.frame)
    state.harbour_edges = bytearray(harbour.edge for harbour in event.harbours)
    state.harbour_kinds = bytearray(HARBOURS.index(harbour.trades) for harbour in event.harbours)
    state.robber = EMPTY if event.robber is None else event.robber
    state.hexes_of = hexes_by_number(state.numbers)
    state.phase = Phase.PLACING_SETTLEMENT
    state.owing = (state.seat,)


def settlement_placed(state: State, event: SettlementPlaced) -> None:
    settle(state, event.seat, event.vertex)
    receive(state, event.seat, event.gained)
    state.placed = event.vertex
    state.phase = Phase.PLACING_ROAD


def road_placed(state: State, event: RoadPlaced) -> None:
    lay_road(state, event.seat, event.edge)
    state.placed = EMPTY
    state.seat = event.next_seat
    state.owing = (event.next_seat,)
    state.phase = Phase.PLACING_SETTLEMENT


def road_built(state: State, event: RoadBuilt) -> None:
    lay_road(state, event.seat, event.edge)
    if state.free_roads:
        state.free_roads -= 1
        if not state.free_roads:
            resume(state)
    else:
        pay(state, event.seat, event.paid)


def settlement_built(state: State, event: SettlementBuilt) -> None:
    pay(state, event.seat, event.paid)
    settle(state, event.seat, event.vertex)


def city_built(state: State, event: CityBuilt) -> None:
    seat, vertex = event.seat, event.vertex
    pay(state, seat, event.paid)
    state.buildings[vertex] = 2 * seat + 1
    state.towns[seat] ^= 1 << vertex
    state.supply[3 * seat + 1] += 1
    state.supply[3 * seat + 2] -= 1
    state.points[seat] += 1
    repay(state, vertex)


def longest_road_moved(state: State, event: LongestRoadMoved) -> None:
    holder = NOBODY if event.holder is None else event.holder
    pass_points(state, state.longest_road, holder)
    state.longest_road = holder


def settle(state: State, seat: int, vertex: int) -> None:
    """A settlement at the vertex: what it opens to its owner and closes to others."""
    board = state.catalog.board
    here = 1 << vertex
    state.buildings[vertex] = 2 * seat
    state.homes[seat] |= here
    state.towns[seat] |= here
    state.supply[3 * seat + 1] -= 1
    state.points[seat] += 1
    state.open_vertices &= ~board.settled_mask[vertex]
    state.frontier[seat] |= board.vertex_edge_mask[vertex]
    for other in range(state.seats):
        if other != seat and state.touched[other] & here:
            state.frontier[other] = state.frontier_of(other)
            state.road_lengths[other] = longest_trail(board, state.networks[other], state.foreign_homes(other))
    for edge, kind in zip(state.harbour_edges, state.harbour_kinds, strict=True):
        if board.edge_end_mask[edge] & here:
            open_harbour(state.rates, seat * KINDS, kind)
    for at in board.vertex_hexes[vertex]:
        state.at_hexes[at] |= 1 << seat
    repay(state, vertex)


def repay(state: State, vertex: int) -> None:
    """What the numbers around the vertex pay from now on."""
    for at in state.catalog.board.vertex_hexes[vertex]:
        state.shares[at] = state.shares_at(at)
        number = state.numbers[at]
        state.payouts[number] = state.payout(number)
    if state.waters:
        catch_anew(state)


def lay_road(state: State, seat: int, edge: int) -> None:
    board = state.catalog.board
    state.roads[edge] = seat
    state.networks[seat] |= 1 << edge
    state.open_edges ^= 1 << edge
    state.supply[3 * seat] -= 1
    state.touched[seat] |= board.edge_end_mask[edge]
    stops = state.foreign_homes(seat)
    for vertex in board.edge_ends[edge]:
        if not stops >> vertex & 1:
            state.frontier[seat] |= board.vertex_edge_mask[vertex]
    length = trail_through(board, state.networks[seat], stops, edge)
    state.road_lengths[seat] = max(length, state.road_lengths[seat])


CHANGES: Changes = {
    BoardLaid: board_laid,
    SettlementPlaced: settlement_placed,
    RoadPlaced: road_placed,
    RoadBuilt: road_built,
    SettlementBuilt: settlement_built,
    CityBuilt: city_built,
    LongestRoadMoved: longest_road_moved,
}
