"""Positions of Black Fleet laid out by hand, and the words of a rule's test: given, when, then."""

from dataclasses import dataclass, field
from functools import partial

import msgspec
import pytest

from engines.black_fleet import ENGINE
from engines.black_fleet.board import COLOURS, Colour
from engines.black_fleet.catalog.kinds import Symbol
from engines.black_fleet.moves import PlayFortune, PlayMovement, Sail
from engines.black_fleet.state import EMPTY, NUMBER, RANKS, FirstPlayer, Options, Phase, Ship
from engines.core import games
from engines.core.draft import Draft
from engines.core.errors import IllegalMove
from tests.engines.staged import Proposal, Rigged

EDITION = games.edition("black_fleet", "house")
CATALOG = ENGINE.catalog(EDITION)
proposal = partial(Proposal, ENGINE, CATALOG)
BOARD = CATALOG.board
YELLOW, RED, GREEN, BLUE, PURPLE = Colour
MERCHANT, PIRATE, FRIGATE = Ship.MERCHANT_0, Ship.PIRATE_0, Ship.NAVY_YELLOW
"""The ships of seat 0, and the navy ship that the card of most positions names."""
OTHER_FRIGATE = Ship.NAVY_PURPLE
RIVAL, CORSAIR = Ship.MERCHANT_1, Ship.PIRATE_1
"""Those of seat 1."""

# The strait of the north: s0103 - s0104 - s0105 - s0106 - s0107 - s0108 - s0109; at s0105 there is no way round.
# La Barbaria (sells yellow, buys purple for 2, blue and red for 3) is next to s0103, s0202 and s0203.


@dataclass
class Position:
    state: object
    seat: int | None = None
    move: object = None
    luck: dict = field(default_factory=dict)

    def when(self, move, seat=None, **luck):
        """The seat, the active one if none is told, asks for the move."""
        self.seat, self.move, self.luck = self.state.seat if seat is None else seat, move, luck
        return self

    def then(self, *events):
        """The move is accepted, listed or in a family, and gives just these events."""
        assert self.play() == list(events)
        return self

    def play(self):
        """The events of the move; the position goes on from them."""
        luck = Rigged(**self.luck)
        draft = Draft(ENGINE.evolve, self.state, luck)
        known = is_offered(self.state, self.seat, self.move)
        draft.play(ENGINE.decide, self.seat, self.move)
        assert known, self.move
        assert luck.used_up()
        return [emitted.event for emitted in draft.emitted]

    def after(self, *moves):
        """The active seat has played these moves too."""
        for move in moves:
            self.when(move).play()
        return self

    def refuses(self, rule_id):
        assert not is_offered(self.state, self.seat, self.move), self.move
        with pytest.raises(IllegalMove) as refused:
            Draft(ENGINE.evolve, self.state, Rigged()).play(ENGINE.decide, self.seat, self.move)
        assert refused.value.rule == rule_id, refused.value
        return self

    def offers(self, *kinds):
        """What is listed of these kinds of moves."""
        return [move for move in ENGINE.legal_moves(self.state, self.state.seat) if isinstance(move, kinds)]

    def ends(self, ship):
        """The spaces to which the ship can sail."""
        return {move.path[-1] for move in self.offers(Sail) if move.ship is ship}

    def plays(self, card):
        return [move for move in self.offers(PlayFortune) if move.card == card]

    def doubloons(self, seat=0):
        return self.state.doubloons[seat]

    def space(self, ship):
        place = self.state.ships[NUMBER[ship]]
        return None if place == EMPTY else BOARD.ids[place]


def is_offered(state, seat, move):
    if move in set(ENGINE.legal_moves(state, seat)):
        return True
    return any(family.contains(move) for family in ENGINE.families(state, seat))


def set_up(seats=3, luck=None, **options):
    """The table after the setup, and its events."""
    state = ENGINE.initial(CATALOG, Options(**({"first_player": FirstPlayer.SEAT_0} | options)), seats, 1)
    draft = Draft(ENGINE.evolve, state, luck or Rigged())
    ENGINE.setup(draft)
    draft.close()
    return Position(state), [emitted.event for emitted in draft.emitted]


def card(navy="yellow", values=(3, 3, 3), symbol=Symbol.NONE, catalog=CATALOG):
    """A movement card of the edition with these values of navy, pirate and merchant, or with the symbol alone."""
    for number, row in enumerate(catalog.movement):
        printed = row.navy_value, row.pirate_value, row.merchant_value
        if row.navy == navy and row.symbol is symbol and (values is None or printed == tuple(values)):
            return number
    raise AssertionError((navy, values, symbol))


def given(
    *,
    ships=None,
    cargo=None,
    treasure=None,
    hand=(),
    bought=None,
    doubloons=None,
    supply=None,
    order=None,
    phase=Phase.SAILING,
    seats=3,
    catalog=CATALOG,
    **options,
):
    """Seat 0's turn, its movement card played: ships by their spaces, cargo and treasure by seat, a hand of seat 0.

    Ships that are not named are far away: merchants with a cube of yellow, pirates in a deep sea.
    """
    options = {"first_player": FirstPlayer.SEAT_0} | options
    state = ENGINE.initial(catalog, Options(**options), seats, 1)
    draft = Draft(ENGINE.evolve, state, Rigged())
    ENGINE.setup(draft)
    state.turn, state.phase = 1, phase
    far = {f"merchant_{seat}": space for seat, space in zip(range(seats), FAR, strict=False)}
    far |= {f"pirate_{seat}": "deep_se" for seat in range(seats)}
    far |= {"navy_yellow": "s0407", "navy_purple": "s0707"}
    for name, space in (far | {str(ship): space for ship, space in (ships or {}).items()}).items():
        state.ships[NUMBER[Ship(name)]] = EMPTY if space is None else catalog.board.numbers[space]
    loads = dict.fromkeys(range(seats), (YELLOW, 1)) | (cargo or {})
    for seat, (colour, cubes) in loads.items():
        if state.ships[seat] != EMPTY and cubes:
            state.cargo[seat], state.colours[seat] = cubes, COLOURS.index(colour)
            state.supply[COLOURS.index(colour)] -= cubes
    for seat, colour in (treasure or {}).items():
        state.treasures[seat] = COLOURS.index(colour)
        state.supply[COLOURS.index(colour)] -= 1
    for colour, cubes in (supply or {}).items():
        state.supply[COLOURS.index(colour)] = cubes
    for seat, count in (doubloons or {}).items():
        state.doubloons[seat] = count
    hold(state, 0, hand)
    for seat, names in (bought or {}).items():
        turn_up(state, seat, names)
    if phase not in (Phase.PLAYING_MOVEMENT, Phase.DEPLOYING):
        state.order = card(catalog=catalog) if order is None else order
    state.rederive()
    return Position(state)


FAR = ("s0012", "s0113", "s0213", "s0313")


def hold(state, seat, names):
    """The seat's fortune cards are these."""
    state.fortune_pile = bytearray(sorted([*state.fortune_pile, *state.fortune_hands[seat]]))
    numbers = [state.catalog.fortune_numbers[name] for name in names]
    for number in numbers:
        state.fortune_pile.remove(number)
    state.fortune_hands[seat] = bytearray(numbers)


def turn_up(state, seat, names):
    """These developments lie before the seat, bought."""
    for name in names:
        number = state.catalog.development_numbers[name]
        rank = next(rank for rank, cards in enumerate(state.catalog.ranks) if number in cards)
        place = RANKS * seat + rank
        if number in state.developments:
            other = state.developments.index(number)
            state.developments[other], state.developments[place] = state.developments[place], number
        else:
            state.box.remove(number)
            state.box = bytearray(sorted([*state.box, state.developments[place]]))
            state.developments[place] = number
        state.bought[seat] |= 1 << rank


def edition_with(**changes):
    """The catalog of the house edition with some lists of rows changed by functions, each given the builtin rows."""
    edition = msgspec.json.decode(EDITION)
    for name, change in changes.items():
        edition[name] = change(edition[name])
    return ENGINE.catalog(msgspec.json.encode(edition))


def added(row):
    """A change that adds a fortune card in place of a copy of the first one."""

    def change(rows):
        return [{**rows[0], "copies": rows[0]["copies"] - row["copies"]}, *rows[1:], row]

    return change


def movement_hand(position, *numbers):
    """The hand of seat 0 is these movement cards; who had them gets others."""
    state = position.state
    state.movement_pile = bytearray(sorted([*state.movement_pile, *state.movement_hands[0]]))
    for number in numbers:
        for hand in state.movement_hands[1:]:
            if number in hand:
                other = next(card for card in state.movement_pile[::-1] if card not in numbers)
                state.movement_pile.remove(other)
                state.movement_pile.append(number)
                hand[hand.index(number)] = other
        state.movement_pile.remove(number)
    state.movement_pile = bytearray(sorted(state.movement_pile))
    state.movement_hands[0] = bytearray(numbers)
    return position


def play_movement(position, number):
    """Seat 0 holds this movement card, and plays it."""
    movement_hand(position, number, next(other for other in range(44) if other != number))
    return position.after(PlayMovement(CATALOG.movement[number].id))
