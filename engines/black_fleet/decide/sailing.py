"""Ships that sail and act: BF-12 to BF-25, BF-45, BF-46."""

from engines.black_fleet.board import BY_LAIRS, COLOURS, Board, reached, way
from engines.black_fleet.catalog.kinds import ShipKind
from engines.black_fleet.decide.guards import Decisions, Table, require_phase, sailing
from engines.black_fleet.effects.ships import (
    Turn,
    attack,
    attack_objection,
    closed_to,
    kind_of,
    sale,
    sale_objection,
    slot_objection,
    step_kind,
    steps_left,
)
from engines.black_fleet.events import CargoLoaded, MovementPlayed, ShipSailed, TreasureBuried
from engines.black_fleet.moves import Attack, Bury, Load, PlayMovement, Sail, Sell
from engines.black_fleet.state import BURY, CARGO, EMPTY, LOAD, MERCHANT, NUMBER, PIRATE, Phase, Ship, role_of
from engines.core.errors import IllegalMove


def play_movement(draft: Table, seat: int, move: PlayMovement) -> None:
    state = draft.state
    require_phase(state, seat, Phase.PLAYING_MOVEMENT)
    if state.catalog.movement_numbers.get(move.card, EMPTY) not in state.movement_hands[seat]:
        raise IllegalMove("BF-12", "this movement card is not in the hand")
    draft.emit(MovementPlayed(seat, move.card))


def commanded_role(turn: Turn, ship: Ship) -> int:
    """The ship's role; raises IllegalMove unless it is under the player's command: BF-12, BF-46."""
    number = NUMBER[ship]
    role = role_of(turn.state.seat, number)
    if role in turn.roles:
        return role
    if kind_of(number) is ShipKind.NAVY:
        raise IllegalMove("BF-46", "the movement card does not name this navy ship")
    raise IllegalMove("BF-12", "a player commands the own ships and the navy ship named")


def sail(draft: Table, seat: int, move: Sail) -> None:
    turn = sailing(draft.state, seat)
    role = commanded_role(turn, move.ship)
    if turn.state.over >> role & 1:
        raise IllegalMove("BF-17", "the move of this ship is over")
    draft.emit(ShipSailed(seat, move.ship, course(turn, role, move.path)))


def course(turn: Turn, role: int, path: tuple[str, ...]) -> tuple[str, ...]:
    """The whole path; raises IllegalMove where the ship may not sail it."""
    board, start = turn.board, turn.state.place_of(role)
    if not path:
        raise IllegalMove("BF-17", "a ship sails at least one step")
    left = steps_left(turn, role)
    if left < len(path):
        raise IllegalMove("BF-13", f"the ship has {max(left, 0)} steps left, not {len(path)}")
    places = [board.numbers.get(name, EMPTY) for name in path]
    end = places[-1]
    if EMPTY in places:
        raise IllegalMove("BF-13", "the path leads over places that the board does not have")
    closed = closed_to(turn, role)
    onward = board.steps[step_kind(turn, role)]
    direct = len(path) > 1 or end in onward[start] or end in board.exits[start]
    if direct:
        require_steps(turn, role, places, closed)
    require_end(turn, start, end)
    if direct:
        return path
    if end == start:
        raise IllegalMove("BF-17", "the ship is there already")
    around = reached(board, start, left, closed, step_kind(turn, role))
    if end in around:
        return way(board, around, end)
    if end in reached(board, start, left, 0, step_kind(turn, role)):
        raise IllegalMove("BF-14", "enemy ships are in the way")
    raise IllegalMove("BF-13", "the ship does not get that far")


def require_steps(turn: Turn, role: int, places: list[int], closed: int) -> None:
    """Each place is one step on from the one before it, and open: BF-13, BF-14."""
    board, here = turn.board, turn.state.place_of(role)
    onward = board.steps[step_kind(turn, role)]
    for place in places:
        if place not in onward[here]:
            raise not_a_step(board, here, place)
        if closed >> place & 1 and place != places[-1]:
            raise IllegalMove("BF-14", "an enemy ship is in the way")
        here = place


def not_a_step(board: Board, here: int, place: int) -> IllegalMove:
    if board.deep >> place & 1:
        return IllegalMove("BF-46", "no ship sails into a deep sea")
    if not board.sea >> place & 1:
        return IllegalMove("BF-13", "ships sail over the sea alone")
    if place in board.steps[BY_LAIRS][here]:
        return IllegalMove("BF-30", "from lair to lair sail pirates with a card that says so")
    return IllegalMove("BF-13", "each place of a path adjoins the one before it")


def require_end(turn: Turn, start: int, end: int) -> None:
    """BF-15, BF-17, BF-46."""
    if turn.board.deep >> end & 1:
        raise IllegalMove("BF-46", "no ship sails into a deep sea")
    if not turn.board.sea >> end & 1:
        raise IllegalMove("BF-13", "a ship does not stay on land")
    if turn.state.occupied >> end & 1 and end != start:
        raise IllegalMove("BF-15", "another ship is there")


def attack_ship(draft: Table, seat: int, move: Attack) -> None:
    turn = sailing(draft.state, seat)
    role, target = commanded_role(turn, move.ship), NUMBER[move.target]
    if objection := attack_objection(turn, role, target):
        raise objection
    draft.emit(attack(turn, role, target))


def sell(draft: Table, seat: int, move: Sell) -> None:
    turn = sailing(draft.state, seat)
    if objection := sale_objection(turn, move.port):
        raise objection
    draft.emit(sale(turn, move.port))


def load(draft: Table, seat: int, move: Load) -> None:
    turn = sailing(draft.state, seat)
    state, board = turn.state, turn.board
    port = board.port_numbers.get(move.port, EMPTY)
    if port not in board.ports_at[state.place_of(MERCHANT)]:
        raise IllegalMove("BF-45", "the merchant is not next to this port")
    if state.cargo[seat]:
        raise IllegalMove("BF-21", "a merchant with cubes aboard loads only where it sells them")
    if objection := slot_objection(turn, MERCHANT, LOAD):
        raise objection
    supply = state.supply[board.goods[port]]
    if not supply:
        raise IllegalMove("BF-45", "there is nothing to load at this port")
    draft.emit(CargoLoaded(seat, move.port, min(CARGO, supply)))


def bury(draft: Table, seat: int, move: Bury) -> None:  # noqa: ARG001 - it has no choices
    turn = sailing(draft.state, seat)
    state = turn.state
    if state.treasures[seat] == EMPTY:
        raise IllegalMove("BF-24", "the pirate carries no treasure")
    value = turn.board.beaches.get(state.place_of(PIRATE))
    if value is None:
        raise IllegalMove("BF-24", "the pirate is not on a beach")
    if objection := slot_objection(turn, PIRATE, BURY):
        raise objection
    draft.emit(TreasureBuried(seat, COLOURS[state.treasures[seat]], value + turn.powers.burial))


TABLE: Decisions = {
    PlayMovement: play_movement,
    Sail: sail,
    Attack: attack_ship,
    Sell: sell,
    Load: load,
    Bury: bury,
}
