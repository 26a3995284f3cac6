"""What a seat or a spectator may see, built up field by field; enough to draw the table without knowing the rules."""

from functools import lru_cache

from engines.black_fleet.board import COLOURS, Chart, Colour, bits
from engines.black_fleet.catalog.cards import DevelopmentRow, FortuneRow, MovementCard, VictoryCard
from engines.black_fleet.catalog.kinds import KINDS, Crew, Effect, EffectKind, Window, amount_of, crew_of
from engines.black_fleet.effects.ships import Turn, can_act, steps_left, turn_of
from engines.black_fleet.events import DevelopmentsDealt, Event, FortuneDrawn, MovementDrawn
from engines.black_fleet.legal import to_act
from engines.black_fleet.state import (
    ACTIONS,
    EMPTY,
    FIRST_PIRATE,
    RANKS,
    SAILING,
    SHIPS,
    Cause,
    Options,
    Phase,
    Ship,
    State,
)
from engines.core.chance import Chance
from engines.core.outcome import Outcome
from engines.core.shapes import Plain


class Benefit(Plain, frozen=True):
    """One of the things that a card does: its kind, the ships that it is for, and how much of it."""

    effect: EffectKind
    amount: int
    ships: Crew | None = None


class FortuneCard(Plain, frozen=True):
    """As printed; `benefits` say the text in other words."""

    id: str
    name: str
    text: str
    when: Window
    benefits: tuple[Benefit, ...]


class Development(Plain, frozen=True):
    """As printed; `when` stands where it is used, once a turn."""

    id: str
    name: str
    text: str
    price: int
    benefits: tuple[Benefit, ...]
    when: Window | None = None


class ShipView(Plain, frozen=True):
    """A ship on the board and the cubes aboard."""

    ship: Ship
    space: str
    cubes: int
    colour: Colour | None = None


class Command(Plain, frozen=True):
    """A ship under the active player's command; `spent`: no action is left to it.

    `cards` are the fortune cards in force that were played for this ship of several.
    """

    ship: Ship
    steps: int
    moving: bool
    over: bool
    spent: bool
    cards: tuple[str, ...]


class CubesAtPort(Plain, frozen=True):
    port: str
    cubes: int


class OwnCards(Plain, frozen=True):
    """What the viewer alone sees: the hand, and the developments that are face down."""

    movement: tuple[MovementCard, ...]
    fortune: tuple[FortuneCard, ...]
    developments: tuple[Development, ...]


class Player(Plain, frozen=True):
    """A seat. `movement_cards` and `fortune_cards` count its hand; `face_down`: the prices of what it has not bought.

    `victor`: it has bought its victory card too.
    """

    seat: int
    doubloons: int
    movement_cards: int
    fortune_cards: int
    developments: tuple[Development, ...]
    face_down: tuple[int, ...]
    victory_card: VictoryCard
    victor: bool
    own: OwnCards | None = None


class View(Plain, frozen=True):
    """`order` is the movement card in play; the three values are its own as they are now.

    Piles are counted, discards lie in the order discarded. `in_force` are fortune cards that last, `used` the
    developments used this turn; `due` and `cause` say how many fortune cards the active seat discards, and why.
    `viewer` is the seat whose view this is, None for a spectator's.
    """

    options: Options
    phase: Phase
    turn: int
    first: int
    active: int
    owed: tuple[int, ...]
    chart: Chart
    ships: tuple[ShipView, ...]
    cubes: tuple[CubesAtPort, ...]
    commands: tuple[Command, ...]
    navy_value: int
    pirate_value: int
    merchant_value: int
    in_force: tuple[str, ...]
    used: tuple[str, ...]
    due: int
    movement_pile: int
    movement_discards: tuple[str, ...]
    fortune_pile: int
    fortune_discards: tuple[str, ...]
    players: tuple[Player, ...]
    order: MovementCard | None = None
    cause: Cause | None = None
    viewer: int | None = None
    outcome: Outcome | None = None


def view(state: State, seat: int | None) -> View:
    catalog, board = state.catalog, state.catalog.board
    navy, pirate, merchant = (0, 0, 0) if state.order == EMPTY else state.values()
    return View(
        options=state.options,
        phase=state.phase,
        turn=state.turn,
        first=state.first,
        active=state.seat,
        owed=to_act(state),
        chart=catalog.chart,
        ships=tuple(ship_view(state, ship) for ship, place in enumerate(state.ships) if place != EMPTY),
        cubes=tuple(
            CubesAtPort(port, state.supply[colour]) for port, colour in zip(board.port_ids, board.goods, strict=True)
        ),
        commands=tuple(commands(turn_of(state))) if state.phase is SAILING else (),
        navy_value=navy,
        pirate_value=pirate,
        merchant_value=merchant,
        in_force=tuple(catalog.fortune[card].id for card in state.in_force[::2]),
        used=tuple(catalog.developments[card].id for card in bits(state.used)),
        due=state.due,
        movement_pile=len(state.movement_pile),
        movement_discards=tuple(catalog.movement[card].id for card in state.movement_discards),
        fortune_pile=len(state.fortune_pile),
        fortune_discards=tuple(catalog.fortune[card].id for card in state.fortune_discards),
        players=tuple(player(state, other, viewer=seat) for other in range(state.seats)),
        order=None if state.order == EMPTY else catalog.movement[state.order],
        cause=state.cause,
        viewer=seat,
        outcome=state.outcome,
    )


def scores(view: View) -> tuple[int, ...]:
    """Doubloons, and what cards cost that were bought with them: as the outcome counts."""
    return tuple([points_of(player) for player in view.players])


def points_of(player: Player) -> int:
    won = player.victory_card.price if player.victor else 0
    return player.doubloons + sum([development.price for development in player.developments]) + won


def ship_view(state: State, ship: int) -> ShipView:
    cubes, colour = 0, EMPTY
    if ship < FIRST_PIRATE:
        cubes, colour = state.cargo[ship], state.colours[ship]
    elif ship < 2 * FIRST_PIRATE:
        colour = state.treasures[ship - FIRST_PIRATE]
        cubes = int(colour != EMPTY)
    space = state.catalog.board.ids[state.ships[ship]]
    return ShipView(SHIPS[ship], space, cubes, None if colour == EMPTY else COLOURS[colour])


def commands(turn: Turn) -> list[Command]:
    state = turn.state
    cards = [
        (state.catalog.fortune[card].id, role)
        for card, role in zip(state.in_force[::2], state.in_force[1::2], strict=True)
    ]
    return [
        Command(
            ship=SHIPS[turn.fleet[role]],
            steps=0 if state.over >> role & 1 else max(0, steps_left(turn, role)),
            moving=state.moving == role,
            over=bool(state.over >> role & 1),
            spent=not any(can_act(turn, role, action) for action in ACTIONS),
            cards=tuple(card for card, chosen in cards if chosen == role),
        )
        for role in turn.roles
    ]


def player(state: State, seat: int, *, viewer: int | None) -> Player:
    catalog = state.catalog
    rows = [
        catalog.developments[card] for card in state.developments[RANKS * seat : RANKS * seat + RANKS] if card != EMPTY
    ]
    bought = [row for rank, row in enumerate(rows) if state.bought[seat] >> rank & 1]
    hidden = [row for rank, row in enumerate(rows) if not state.bought[seat] >> rank & 1]
    return Player(
        seat=seat,
        doubloons=state.doubloons[seat],
        movement_cards=len(state.movement_hands[seat]),
        fortune_cards=len(state.fortune_hands[seat]),
        developments=tuple(map(development, bought)),
        face_down=tuple(row.price for row in hidden),
        victory_card=catalog.victory[state.victory[seat]],
        victor=bool(state.victors[seat]),
        own=own_cards(state, seat, hidden) if viewer == seat else None,
    )


def own_cards(state: State, seat: int, hidden: list[DevelopmentRow]) -> OwnCards:
    catalog = state.catalog
    return OwnCards(
        movement=tuple(catalog.movement[card] for card in state.movement_hands[seat]),
        fortune=tuple(fortune_card(catalog.fortune[card]) for card in state.fortune_hands[seat]),
        developments=tuple(map(development, hidden)),
    )


@lru_cache(maxsize=1 << 9)
def fortune_card(row: FortuneRow) -> FortuneCard:
    return FortuneCard(row.id, row.name, row.text, row.when, tuple(map(benefit, row.effects)))


@lru_cache(maxsize=1 << 9)
def development(row: DevelopmentRow) -> Development:
    return Development(row.id, row.name, row.text, row.price, tuple(map(benefit, row.effects)), row.when)


def benefit(effect: Effect) -> Benefit:
    return Benefit(KINDS[type(effect)], amount_of(effect), crew_of(effect))


def redact(event: Event, seat: int | None) -> Event:
    match event:
        case DevelopmentsDealt() if event.seat != seat:
            return DevelopmentsDealt(event.seat)
        case MovementDrawn() if event.seat != seat:
            return MovementDrawn(event.seat)
        case FortuneDrawn() if event.seat != seat:
            return FortuneDrawn(event.seat)
        case _:
            return event


def determinize(state: State, seat: int | None, chance: Chance) -> State:
    """Hands of others dealt anew from what may be in them, and so their developments that are face down.

    Whoever has watched knows that cards held since the pile was last made of the discards are none of that pile.
    """
    twin = state.copy()
    others = [other for other in range(state.seats) if other != seat]
    deal_hands(twin.movement_hands, twin.movement_kept, twin.movement_pile, others, chance)
    deal_hands(twin.fortune_hands, twin.fortune_kept, twin.fortune_pile, others, chance)
    deal_developments(twin, others, chance)
    return twin


def deal_hands(hands: list[bytearray], kept: bytearray, pile: bytearray, others: list[int], chance: Chance) -> None:
    """Old cards among the old ones, new ones among the new ones and the pile."""
    old = [card for other in others for card in hands[other][: kept[other]]]
    new = [card for other in others for card in hands[other][kept[other] :]]
    new += pile
    for other in others:
        for at in range(len(hands[other])):
            cards = old if at < kept[other] else new
            hands[other][at] = cards.pop(chance.draw("card", len(cards)))
    pile[:] = bytes(sorted(new))


def deal_developments(twin: State, others: list[int], chance: Chance) -> None:
    """Of each price those that are face down with others, or were never dealt."""
    for rank, cards in enumerate(twin.catalog.ranks):
        places = [RANKS * other + rank for other in others if not twin.bought[other] >> rank & 1]
        places = [place for place in places if twin.developments[place] != EMPTY]
        hidden = sorted([card for card in cards if card in twin.box] + [twin.developments[place] for place in places])
        for place in places:
            twin.developments[place] = hidden.pop(chance.draw("development", len(hidden)))
        twin.box = bytearray(sorted([card for card in twin.box if card not in cards] + hidden))
