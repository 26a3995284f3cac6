"""What a placed tile completes: step 3 of a turn, up to a ship that is to be chosen."""

from engines.core.errors import IllegalMove
from engines.south_seas.board import crews
from engines.south_seas.decide.guards import Decisions, Table, require_step
from engines.south_seas.decide.loading import begin_delivery
from engines.south_seas.events import Cause, FishCovered, MarketCompleted, ShipTaken
from engines.south_seas.moves import ChooseShip
from engines.south_seas.scoring import evaluation
from engines.south_seas.setup import turn_up
from engines.south_seas.state import CHOOSING_SHIP, NONE, State


def evaluate(draft: Table) -> None:
    """Bridges, islands and seas of the tile just placed, then markets: SS-12 to SS-24."""
    state = draft.state
    if state.placed:
        board, tile, nodes = state.board, state.tiles[-1], state.new_nodes()
        features = state.catalog.tiles[tile].features
        for number in state.catalog.evaluated[tile]:
            root = board.root(nodes[number])
            if not board.occupants[root]:
                continue
            if features[number].boat:
                fish(draft, nodes[number], root)
            elif not board.gaps[root]:
                draft.emit(evaluation(state, nodes[number], Cause.COMPLETED))
    pay_markets(draft)


def fish(draft: Table, node: int, root: int) -> None:
    """SS-17 to SS-19: a boat came to an occupied region; its own completion adds nothing."""
    state = draft.state
    pays = bool(state.board.symbols[root])
    draft.emit(evaluation(state, node, Cause.BOAT if state.board.gaps[root] else Cause.COMPLETED))
    if pays:
        group = max(state.board.groups_of(root), key=lambda group: group % 2)
        x, y, name = state.place(group // 2)
        draft.emit(FishCovered(x, y, name, bool(group % 2)))


def pay_markets(draft: Table) -> None:
    """One ship after the other (SS-20, SS-21), until an owner has to choose; then on to the delivery."""
    state = draft.state
    while (merchant := next_merchant(state)) is not None:
        seat, node = merchant
        x, y, name = state.place(node)
        draft.emit(MarketCompleted(seat, x, y, name, bool(state.display)))
        best = best_ships(state)
        if len(best) > 1:
            return
        if best:
            take_ship(draft, seat, state.catalog.ships[best[0]].id)
    begin_delivery(draft)


def next_merchant(state: State) -> tuple[int, int] | None:
    """The owner and the node of the completed market that is to be paid next: SS-21."""
    board = state.board
    due = [
        ((len(crews(board.occupants[node])) - 1 - state.seat) % state.seats, node)
        for node in board.markets.values()
        if board.occupants[node] and not board.gaps[node]
    ]
    if not due:
        return None
    distance, node = min(due)
    return (state.seat + distance) % state.seats, node


def best_ships(state: State) -> list[int]:
    """Those that lie face up and are worth most, in the order in which they lie: SS-20."""
    ships = state.catalog.ships
    most = max([ships[ship].points for ship in state.display], default=0)
    return [ship for ship in state.display if ships[ship].points == most]


def take_ship(draft: Table, seat: int, ship: str) -> None:
    draft.emit(ShipTaken(seat, ship))
    turn_up(draft)


def choose_ship(draft: Table, seat: int, move: ChooseShip) -> None:
    state = draft.state
    require_step(state, seat, CHOOSING_SHIP, "SS-20")
    if state.catalog.ship_numbers.get(move.ship, NONE) not in best_ships(state):
        raise IllegalMove("SS-20", "a market earns a ship that lies face up and is worth most")
    take_ship(draft, seat, move.ship)
    pay_markets(draft)


TABLE: Decisions = {ChooseShip: choose_ship}
