"""Ships that come to the board: BF-9, BF-22, BF-26."""

from engines.black_fleet.decide.guards import Decisions, Table, require_phase
from engines.black_fleet.effects.powers import powers
from engines.black_fleet.events import MerchantDeployed, PirateDeployed, TurnBegun
from engines.black_fleet.moves import DeployMerchant, DeployPirate
from engines.black_fleet.state import CARGO, EMPTY, MERCHANT, PIRATE, Phase
from engines.core.errors import IllegalMove


def deploy_merchant(draft: Table, seat: int, move: DeployMerchant) -> None:
    state, board = draft.state, draft.state.catalog.board
    placing = state.phase is Phase.PLACING_MERCHANTS
    require_phase(state, seat, Phase.PLACING_MERCHANTS if placing else Phase.DEPLOYING)
    rule = "BF-9" if placing else "BF-22"
    if state.place_of(MERCHANT) != EMPTY:
        raise IllegalMove(rule, "the merchant is on the board")
    place, port = board.numbers.get(move.space, EMPTY), board.port_numbers.get(move.port, EMPTY)
    if port == EMPTY or place not in board.port_spaces[port]:
        raise IllegalMove(rule, "a merchant is put on a space next to a port, and loads there")
    if state.occupied >> place & 1:
        raise IllegalMove(rule, "another ship is on this space")
    supply = state.supply[board.goods[port]]
    if not supply:
        raise IllegalMove("BF-45", "there is nothing to load at this port")
    draft.emit(MerchantDeployed(seat, move.space, move.port, min(CARGO, supply)))
    if placing and state.place_of(MERCHANT) != EMPTY:
        draft.emit(TurnBegun(state.first, 1))


def deploy_pirate(draft: Table, seat: int, move: DeployPirate) -> None:
    state, board = draft.state, draft.state.catalog.board
    require_phase(state, seat, Phase.DEPLOYING)
    if state.place_of(PIRATE) != EMPTY:
        raise IllegalMove("BF-26", "the pirate is on the board")
    place = board.numbers.get(move.space, EMPTY)
    if place in board.lairs:
        if not powers(state).lairs:
            raise IllegalMove("BF-30", "a lair is for pirates with a card that says so")
        if state.occupied >> place & 1:
            raise IllegalMove("BF-26", "another ship is in this lair")
    elif place not in board.deep_seas:
        raise IllegalMove("BF-26", "a pirate is put in a deep sea")
    draft.emit(PirateDeployed(seat, move.space))


TABLE: Decisions = {DeployMerchant: deploy_merchant, DeployPirate: deploy_pirate}
