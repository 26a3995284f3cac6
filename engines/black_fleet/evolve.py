"""Writes events into the state."""

from collections.abc import Callable
from typing import Any

from engines.black_fleet.board import COLOURS
from engines.black_fleet.catalog.kinds import ROWS
from engines.black_fleet.events import (
    CargoLoaded,
    CargoSold,
    DevelopmentBought,
    DevelopmentsDealt,
    DevelopmentUsed,
    DiscardDemanded,
    DoubloonsGained,
    DoubloonsTaken,
    Event,
    FirstPlayerSet,
    FortuneDiscarded,
    FortuneDrawn,
    FortunePlayed,
    GameEnded,
    MerchantDeployed,
    MoveEnded,
    MovementDrawn,
    MovementPlayed,
    PileRefilled,
    PirateDeployed,
    PlacingBegun,
    SailingEnded,
    ShipAttacked,
    ShipDisplaced,
    ShipSailed,
    ShipsSwapped,
    TreasureBuried,
    TurnBegun,
    ValueShifted,
    ValuesSwapped,
    VictoryCardBought,
)
from engines.black_fleet.state import (
    ACTIONS,
    ATTACK,
    BURY,
    EMPTY,
    FIRST_PIRATE,
    LOAD,
    MERCHANT,
    NUMBER,
    PIRATE,
    RANKS,
    ROLES,
    SELL,
    Deck,
    Phase,
    State,
    role_of,
)

COLOUR = {colour: number for number, colour in enumerate(COLOURS)}
ROW = {row: number for number, row in enumerate(ROWS)}


def evolve(state: State, event: Event) -> None:
    EVOLVE[type(event)](state, event)


def first_player_set(state: State, event: FirstPlayerSet) -> None:
    state.first = state.seat = event.seat


def developments_dealt(state: State, event: DevelopmentsDealt) -> None:
    assert event.dealt is not None, "a redacted event is told, never folded"
    for rank, name in enumerate(event.dealt.cards):
        number = state.catalog.development_numbers[name]
        state.box.remove(number)
        state.developments[RANKS * event.seat + rank] = number


def movement_drawn(state: State, event: MovementDrawn) -> None:
    assert event.card is not None, "a redacted event is told, never folded"
    number = state.catalog.movement_numbers[event.card]
    state.movement_pile.remove(number)
    state.movement_hands[event.seat].append(number)


def fortune_drawn(state: State, event: FortuneDrawn) -> None:
    assert event.card is not None, "a redacted event is told, never folded"
    number = state.catalog.fortune_numbers[event.card]
    state.fortune_pile.remove(number)
    state.fortune_hands[event.seat].append(number)


def pile_refilled(state: State, event: PileRefilled) -> None:
    if event.deck is Deck.MOVEMENT:
        state.movement_pile = bytearray(sorted(state.movement_discards))
        state.movement_discards = bytearray()
        state.movement_kept = bytearray(map(len, state.movement_hands))
    else:
        state.fortune_pile = bytearray(sorted(state.fortune_discards))
        state.fortune_discards = bytearray()
        state.fortune_kept = bytearray(map(len, state.fortune_hands))


def placing_begun(state: State, event: PlacingBegun) -> None:  # noqa: ARG001 - it says no more
    state.phase = Phase.PLACING_MERCHANTS


def merchant_deployed(state: State, event: MerchantDeployed) -> None:
    board = state.catalog.board
    put(state, event.seat, board.numbers[event.space])
    load(state, event.seat, board.goods[board.port_numbers[event.port]], event.cubes)
    if state.phase is Phase.PLACING_MERCHANTS:
        state.seat = (event.seat + 1) % state.seats
    else:
        end_deploying(state)


def pirate_deployed(state: State, event: PirateDeployed) -> None:
    put(state, FIRST_PIRATE + event.seat, state.catalog.board.numbers[event.space])
    end_deploying(state)


def turn_begun(state: State, event: TurnBegun) -> None:
    state.turn = event.turn
    state.seat = event.seat
    state.order = EMPTY
    state.swaps.clear()
    state.shifts.clear()
    state.sailed[:] = bytes(len(ROLES))
    state.moving = EMPTY
    state.over = 0
    state.stirred = False
    state.actions[:] = bytes(len(ROLES) * len(ACTIONS))
    state.in_force.clear()
    state.used = 0
    state.robbed = state.sank = state.pirate_robbed = False
    state.phase = Phase.DEPLOYING
    end_deploying(state)


def end_deploying(state: State) -> None:
    """Once both own ships are on the board."""
    if state.place_of(MERCHANT) != EMPTY and state.place_of(PIRATE) != EMPTY:
        state.phase = Phase.PLAYING_MOVEMENT


def movement_played(state: State, event: MovementPlayed) -> None:
    number = state.catalog.movement_numbers[event.card]
    give_up(state.movement_hands[event.seat], state.movement_kept, event.seat, number)
    state.movement_discards.append(number)
    state.order = number
    state.phase = Phase.SAILING


def ship_sailed(state: State, event: ShipSailed) -> None:
    ship = NUMBER[event.ship]
    role = role_of(event.seat, ship)
    if state.moving != role:
        end_move(state)
        state.moving = role
    state.sailed[role] += len(event.path)
    state.stirred = True
    put(state, ship, state.catalog.board.numbers[event.path[-1]])


def move_ended(state: State, event: MoveEnded) -> None:  # noqa: ARG001 - one ship at most is in mid-move
    end_move(state)


def ship_attacked(state: State, event: ShipAttacked) -> None:
    role, target = role_of(event.seat, NUMBER[event.ship]), NUMBER[event.target]
    act(state, role, ATTACK)
    if target < FIRST_PIRATE:
        state.robbed = True
        state.pirate_robbed |= role == PIRATE
        unload(state, target, 1)
    else:
        state.sank = True
        state.treasures[target - FIRST_PIRATE] = EMPTY
    if event.cube is not None:
        colour = COLOUR[event.cube]
        if event.taken:
            state.treasures[event.seat] = colour
        else:
            state.supply[colour] += 1
    if event.sunk:
        put(state, target, EMPTY)
    state.doubloons[event.seat] += event.doubloons
    spend(state, role, event.spent)


def cargo_sold(state: State, event: CargoSold) -> None:
    act(state, MERCHANT, SELL)
    board = state.catalog.board
    state.supply[COLOUR[event.colour]] += event.cubes
    unload(state, event.seat, event.cubes)
    load(state, event.seat, board.goods[board.port_numbers[event.port]], event.loaded)
    state.doubloons[event.seat] += event.doubloons
    spend(state, EMPTY, event.spent)


def cargo_loaded(state: State, event: CargoLoaded) -> None:
    act(state, MERCHANT, LOAD)
    board = state.catalog.board
    load(state, event.seat, board.goods[board.port_numbers[event.port]], event.cubes)


def treasure_buried(state: State, event: TreasureBuried) -> None:
    act(state, PIRATE, BURY)
    state.treasures[event.seat] = EMPTY
    state.supply[COLOUR[event.colour]] += 1
    state.doubloons[event.seat] += event.doubloons


def fortune_played(state: State, event: FortunePlayed) -> None:
    number = state.catalog.fortune_numbers[event.card]
    give_up(state.fortune_hands[event.seat], state.fortune_kept, event.seat, number)
    state.fortune_discards.append(number)
    if state.catalog.lasting[number]:
        role = EMPTY if event.ship is None else role_of(event.seat, NUMBER[event.ship])
        state.in_force += bytes((number, role))


def development_used(state: State, event: DevelopmentUsed) -> None:
    state.used |= 1 << state.catalog.development_numbers[event.card]


def values_swapped(state: State, event: ValuesSwapped) -> None:
    state.swaps += bytes((ROW[event.one], ROW[event.other]))


def value_shifted(state: State, event: ValueShifted) -> None:
    state.shifts += bytes((ROW[event.source], ROW[event.target]))


def ships_swapped(state: State, event: ShipsSwapped) -> None:
    one, other = NUMBER[event.one], NUMBER[event.other]
    state.ships[one], state.ships[other] = state.ships[other], state.ships[one]


def ship_displaced(state: State, event: ShipDisplaced) -> None:
    put(state, NUMBER[event.ship], state.catalog.board.numbers[event.path[-1]])


def doubloons_taken(state: State, event: DoubloonsTaken) -> None:
    for taking in event.takings:
        state.doubloons[taking.seat] -= taking.doubloons
        state.doubloons[event.seat] += taking.doubloons


def doubloons_gained(state: State, event: DoubloonsGained) -> None:
    state.doubloons[event.seat] += event.doubloons


def sailing_ended(state: State, event: SailingEnded) -> None:  # noqa: ARG001 - it is the active seat's
    end_move(state)
    state.phase = Phase.BUYING


def discard_demanded(state: State, event: DiscardDemanded) -> None:
    state.due = event.cards
    state.cause = event.cause
    state.phase = Phase.DISCARDING


def fortune_discarded(state: State, event: FortuneDiscarded) -> None:
    number = state.catalog.fortune_numbers[event.card]
    give_up(state.fortune_hands[event.seat], state.fortune_kept, event.seat, number)
    state.fortune_discards.append(number)
    state.due -= 1
    if not state.due:
        state.cause = None
        state.phase = Phase.BUYING


def development_bought(state: State, event: DevelopmentBought) -> None:
    number = state.catalog.development_numbers[event.card]
    start = RANKS * event.seat
    state.doubloons[event.seat] -= event.price
    state.bought[event.seat] |= 1 << state.developments.index(number, start) - start
    state.standing[event.seat] |= 1 << number


def victory_card_bought(state: State, event: VictoryCardBought) -> None:
    state.doubloons[event.seat] -= event.price
    state.victors[event.seat] = 1


def game_ended(state: State, event: GameEnded) -> None:
    state.phase = Phase.OVER
    state.outcome = event.outcome


def put(state: State, ship: int, place: int) -> None:
    """Move the ship to the place, off the board for EMPTY; several ships may have been in one deep sea."""
    before = state.ships[ship]
    state.ships[ship] = place
    if before != EMPTY and before not in state.ships:
        state.occupied &= ~(1 << before)
    if place != EMPTY:
        state.occupied |= 1 << place


def load(state: State, seat: int, colour: int, cubes: int) -> None:
    if cubes:
        state.supply[colour] -= cubes
        state.cargo[seat] = cubes
        state.colours[seat] = colour


def unload(state: State, seat: int, cubes: int) -> None:
    state.cargo[seat] -= cubes
    if not state.cargo[seat]:
        state.colours[seat] = EMPTY


def end_move(state: State) -> None:
    """BF-17."""
    if state.moving != EMPTY:
        state.over |= 1 << state.moving
        state.moving = EMPTY


def act(state: State, role: int, action: int) -> None:
    """Note an action; it ends the move of another ship (BF-17)."""
    if state.moving != role:
        end_move(state)
    state.stirred = True
    state.actions[len(ACTIONS) * role + action] += 1


def spend(state: State, role: int, cards: tuple[str, ...]) -> None:
    """These cards, played for the role, are used up."""
    for name in cards:
        number = state.catalog.fortune_numbers[name]
        pairs = zip(state.in_force[::2], state.in_force[1::2], strict=True)
        at = 2 * list(pairs).index((number, role))
        del state.in_force[at : at + 2]


def give_up(hand: bytearray, kept: bytearray, seat: int, number: int) -> None:
    """The card leaves the hand."""
    at = hand.index(number)
    del hand[at]
    if at < kept[seat]:
        kept[seat] -= 1


EVOLVE: dict[type[Event], Callable[[State, Any], None]] = {
    FirstPlayerSet: first_player_set,
    DevelopmentsDealt: developments_dealt,
    MovementDrawn: movement_drawn,
    FortuneDrawn: fortune_drawn,
    PileRefilled: pile_refilled,
    PlacingBegun: placing_begun,
    MerchantDeployed: merchant_deployed,
    PirateDeployed: pirate_deployed,
    TurnBegun: turn_begun,
    MovementPlayed: movement_played,
    ShipSailed: ship_sailed,
    MoveEnded: move_ended,
    ShipAttacked: ship_attacked,
    CargoSold: cargo_sold,
    CargoLoaded: cargo_loaded,
    TreasureBuried: treasure_buried,
    FortunePlayed: fortune_played,
    DevelopmentUsed: development_used,
    ValuesSwapped: values_swapped,
    ValueShifted: value_shifted,
    ShipsSwapped: ships_swapped,
    ShipDisplaced: ship_displaced,
    DoubloonsTaken: doubloons_taken,
    DoubloonsGained: doubloons_gained,
    SailingEnded: sailing_ended,
    DiscardDemanded: discard_demanded,
    FortuneDiscarded: fortune_discarded,
    DevelopmentBought: development_bought,
    VictoryCardBought: victory_card_bought,
    GameEnded: game_ended,
}
