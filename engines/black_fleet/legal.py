"""Who owes a move, and which moves there are."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from engines.black_fleet.board import PLAIN, Board, bits, reached, way
from engines.black_fleet.catalog import Catalog
from engines.black_fleet.catalog.kinds import MoveEnemy, SwapAdjacentShips, SwapValues
from engines.black_fleet.decide import decide
from engines.black_fleet.effects.instant import Play
from engines.black_fleet.effects.playing import Card, plays, uses
from engines.black_fleet.effects.powers import powers
from engines.black_fleet.effects.ships import (
    Turn,
    can_act,
    closed_to,
    sale_objection,
    step_kind,
    steps_left,
    targets,
    turn_of,
)
from engines.black_fleet.moves import (
    Attack,
    Bury,
    Buy,
    DeployMerchant,
    DeployPirate,
    Discard,
    EndSailing,
    EndTurn,
    Load,
    Move,
    PlayFortune,
    PlayMovement,
    Sail,
    Sell,
    UseDevelopment,
)
from engines.black_fleet.state import (
    BURY,
    EMPTY,
    FIRST_PIRATE,
    LOAD,
    MERCHANT,
    NUMBER,
    PIRATE,
    RANKS,
    SAILING,
    SHIPS,
    Phase,
    State,
)
from engines.core.chance import Chance
from engines.core.draft import refusal
from engines.core.engine import Family

MOST_LISTED = 200
END_SAILING, END_TURN, BURIAL = EndSailing(), EndTurn(), Bury()
ATTACKS = tuple(tuple(Attack(ship, target) for target in SHIPS[: 2 * FIRST_PIRATE]) for ship in SHIPS)
"""Each attack's one object."""
ALONE = tuple((seat,) for seat in range(4))
NOBODY: tuple[int, ...] = ()
AT_REST = (Phase.SETTING_UP, Phase.OVER)


def to_act(state: State) -> tuple[int, ...]:
    return NOBODY if state.phase in AT_REST else ALONE[state.seat]


def may_act(state: State) -> tuple[int, ...]:  # noqa: ARG001 - nobody moves unasked in this game
    return NOBODY


def turns(state: State) -> int:
    return state.turn


def legal_moves(state: State, seat: int) -> Iterator[Move]:
    """In the order of a turn; while ships sail, to end that first, then actions, cards, and the ends of sails."""
    if seat != state.seat or state.phase in AT_REST:
        return iter(())
    if state.phase is SAILING:
        return iter(sailing_moves(state))
    return iter(DUTIES[state.phase](state, seat))


def sailing_moves(state: State) -> list[Move]:
    """Ends that do not fit among 200 moves are left to the family."""
    turn = turn_of(state)
    ships, near, ranges = state.ships, turn.board.near, turn.powers.ranges
    moves: list[Move] = [END_SAILING]
    for role in turn.roles:
        ship = turn.fleet[role]
        if near[ranges[role]][ships[ship]] & turn.hostile:
            row = ATTACKS[ship]
            moves += [row[target] for target in targets(turn, role)]
    moves += own_actions(turn)
    moves += card_plays(turn)
    for role in turn.roles:
        if not state.over >> role & 1:
            moves += sails(turn, role)
    return moves if len(moves) <= MOST_LISTED else moves[:MOST_LISTED]


def own_actions(turn: Turn) -> list[Move]:
    """What merchant and pirate do but for attacks: BF-19, BF-24, BF-45."""
    state, board = turn.state, turn.board
    moves: list[Move] = []
    for port in board.ports_at[state.place_of(MERCHANT)]:
        name = board.port_ids[port]
        if state.cargo[state.seat]:
            if sale_objection(turn, name) is None:
                moves.append(Sell(name))
        elif state.supply[board.goods[port]] and can_act(turn, MERCHANT, LOAD):
            moves.append(Load(name))
    if state.treasures[state.seat] != EMPTY and state.place_of(PIRATE) in board.beaches and can_act(turn, PIRATE, BURY):
        moves.append(BURIAL)
    return moves


def card_plays(turn: Turn) -> list[Play]:
    """Developments to use, then fortune cards as they lie in the hand."""
    state = turn.state
    found: list[Play] = []
    usable = state.standing[state.seat] & state.catalog.usable & ~state.used
    if usable:
        for number in bits(usable):
            found += uses(turn, number)
    for number in dict.fromkeys(state.fortune_hands[state.seat]):
        found += plays(turn, number)
    return found


@dataclass(frozen=True, slots=True, eq=False)
class Waters:
    """The ways from one place to each other space, were nobody there: ends, nearest first, and the paths to them.

    `counts` and `within` are those within so many steps, `behind` those whose way leads over a place.
    """

    board: Board
    start: int
    kind: int
    ends: tuple[int, ...]
    paths: tuple[tuple[str, ...], ...]
    counts: list[int]
    within: list[int]
    behind: dict[int, int]


def sails(turn: Turn, role: int) -> Sequence[Sail]:
    """To every end within reach, along a shortest path; nearest first, those that have to go round last."""
    left = steps_left(turn, role)
    if left <= 0:
        return ()
    state, board, power = turn.state, turn.board, turn.powers
    kind = step_kind(turn, role) if power.crossing or power.lairs else PLAIN
    ship = turn.fleet[role]
    start = state.ships[ship]
    waters = waters_of(board, start, kind)
    spans = waters.within
    taken = spans[left if left < len(spans) else -1] & state.occupied
    closed = 0 if power.passing >> role & 1 else taken & turn.hostile
    return voyages(waters, ship, left, taken, closed)


@lru_cache(maxsize=1 << 11)
def voyages(waters: Waters, ship: int, left: int, taken: int, closed: int) -> Sequence[Sail]:
    """The moves of a turn share many of these: ships that are out of reach are left aside."""
    most = min(left, len(waters.within) - 1)
    barred = 0
    for place in bits(closed):
        barred |= waters.behind[place]
    gone = taken | barred
    straight = zip(waters.ends[: waters.counts[most]], waters.paths, strict=False)
    found = [Sail(SHIPS[ship], path) for end, path in straight if not gone >> end & 1]
    barred &= waters.within[most] & ~taken
    if barred:
        around = reached(waters.board, waters.start, left, closed, waters.kind)
        found += [Sail(SHIPS[ship], way(waters.board, around, end)) for end in around if barred >> end & 1]
    return found


@lru_cache(maxsize=1 << 10)
def waters_of(board: Board, start: int, kind: int) -> Waters:
    before = reached(board, start, len(board.ids), 0, kind)
    paths: dict[int, tuple[str, ...]] = {start: ()}
    for end, last in before.items():
        if end != start:
            paths[end] = (*paths[last], board.ids[end])
    behind = dict.fromkeys(before, 0)
    for end, last in reversed(before.items()):
        behind[last] |= behind[end] | 1 << end
    ends = [end for end in before if end != start and board.sea >> end & 1]
    counts, within = [0], [0]
    for end in ends:
        while len(paths[end]) >= len(counts):
            counts.append(counts[-1])
            within.append(within[-1])
        counts[-1] += 1
        within[-1] |= 1 << end
    return Waters(board, start, kind, tuple(ends), tuple(paths[end] for end in ends), counts, within, behind)


def merchant_places(state: State, seat: int) -> list[Move]:  # noqa: ARG001 - the same for all
    board = state.catalog.board
    return [
        deploying[place]
        for port, deploying in enumerate(merchants_deployed(state.catalog))
        if state.supply[board.goods[port]]
        for place in board.port_spaces[port]
        if not state.occupied >> place & 1
    ]


@lru_cache(maxsize=16)
def merchants_deployed(catalog: Catalog) -> tuple[dict[int, DeployMerchant], ...]:
    board = catalog.board
    return tuple(
        {place: DeployMerchant(board.ids[place], port) for place in places}
        for port, places in zip(board.port_ids, board.port_spaces, strict=True)
    )


def deployments(state: State, seat: int) -> list[Move]:
    """The merchant first: BF-11."""
    board = state.catalog.board
    moves = merchant_places(state, seat) if state.place_of(MERCHANT) == EMPTY else []
    if state.place_of(PIRATE) == EMPTY:
        moves += [DeployPirate(board.ids[place]) for place in board.deep_seas]
        if powers(state).lairs:
            moves += [DeployPirate(board.ids[lair]) for lair in board.lairs if not state.occupied >> lair & 1]
    return moves


def movements(state: State, seat: int) -> list[Move]:
    cards = state.catalog.movement
    return [PlayMovement(cards[number].id) for number in dict.fromkeys(state.movement_hands[seat])]


def discards(state: State, seat: int) -> list[Move]:
    cards = state.catalog.fortune
    return [Discard(cards[number].id) for number in dict.fromkeys(state.fortune_hands[seat])]


def purchases(state: State, seat: int) -> list[Move]:
    """The cheapest first: BF-35, BF-36."""
    catalog, doubloons = state.catalog, state.doubloons[seat]
    moves: list[Move] = [END_TURN]
    for rank in range(RANKS):
        card = catalog.developments[state.developments[RANKS * seat + rank]]
        if card.price <= doubloons and not state.bought[seat] >> rank & 1:
            moves.append(Buy(card.id))
    victory = catalog.victory[state.victory[seat]]
    if state.bought[seat].bit_count() == RANKS and victory.price <= doubloons:
        moves.append(Buy(victory.id))
    return moves


DUTIES: dict[Phase, Callable[[State, int], list[Move]]] = {
    Phase.PLACING_MERCHANTS: merchant_places,
    Phase.DEPLOYING: deployments,
    Phase.PLAYING_MOVEMENT: movements,
    Phase.DISCARDING: discards,
    Phase.BUYING: purchases,
}


class OwnWays:
    """Sails along paths of one's own, or to an end; and cards played with such a path, or with a pair turned round."""

    name = "own_ways"

    def __init__(self, state: State) -> None:
        self.state = state
        self.turn = turn_of(state)
        self.roles = [role for role in self.turn.roles if not state.over >> role & 1 and sails(self.turn, role)]
        self.plays: dict[str, list[FreePlay]] = {}
        for free in free_plays(self.turn):
            self.plays.setdefault(free.play.card, []).append(free)

    def contains(self, move: Move) -> bool:
        kinds = (Sail, PlayFortune, UseDevelopment)
        return isinstance(move, kinds) and refusal(decide, self.state, self.state.seat, move) is None

    def sample(self, chance: Chance) -> Move:
        """Mostly sails."""
        while True:
            sails = self.roles and (not self.plays or chance.draw("sail", 4))
            move = self.sail(chance) if sails else self.play(chance)
            if self.contains(move):
                return move

    def sail(self, chance: Chance) -> Move:
        """A walk; now and then only its end is named."""
        turn = self.turn
        role = self.roles[chance.draw("role", len(self.roles))]
        places = step_kind(turn, role), turn.state.place_of(role)
        path = walk(turn, places, closed_to(turn, role), 1 + chance.draw("steps", steps_left(turn, role)), chance)
        return Sail(SHIPS[turn.fleet[role]], said(path, chance))

    def play(self, chance: Chance) -> Move:
        of_a_card = list(self.plays.values())[chance.draw("card", len(self.plays))]
        play, steps = of_a_card[chance.draw("play", len(of_a_card))]
        if steps:
            assert play.ship is not None
            places = PLAIN, self.state.ships[NUMBER[play.ship]]
            path = walk(self.turn, places, self.state.occupied, 1 + chance.draw("steps", steps), chance)
            return type(play)(play.card, ship=play.ship, path=said(path, chance))
        if chance.draw("turned", 2):
            return play
        return type(play)(play.card, ship=play.target, target=play.ship, rows=play.rows[::-1])


def said(path: tuple[str, ...], chance: Chance) -> tuple[str, ...]:
    """The path, or its end alone."""
    return path if chance.draw("whole", 4) else path[-1:]


class FreePlay(NamedTuple):
    """A play that could be said otherwise: with another path of so many steps, or with its pair turned round."""

    play: Play
    steps: int


def free_plays(turn: Turn) -> Iterator[FreePlay]:
    catalog = turn.state.catalog
    for play in card_plays(turn):
        card: Card
        if isinstance(play, PlayFortune):
            card = catalog.fortune[catalog.fortune_numbers[play.card]]
        else:
            card = catalog.developments[catalog.development_numbers[play.card]]
        for effect in card.effects:
            if isinstance(effect, MoveEnemy | SwapAdjacentShips | SwapValues):
                yield FreePlay(play, getattr(effect, "spaces", 0))


def walk(turn: Turn, places: tuple[int, int], closed: int, most: int, chance: Chance) -> tuple[str, ...]:
    """So many steps of this kind from this place, fewer where no way goes on."""
    kind, here = places
    path = []
    for _ in range(most):
        open_ = [place for place in turn.board.steps[kind][here] if not closed >> place & 1]
        if not open_:
            break
        here = open_[chance.draw("step", len(open_))]
        path.append(turn.board.ids[here])
    return tuple(path)


def families(state: State, seat: int) -> tuple[Family[Move], ...]:
    """One, while the seat's ships can sail or a card can be played along a path."""
    if state.phase is not SAILING or seat != state.seat:
        return ()
    ways_ = OwnWays(state)
    return (ways_,) if ways_.roles or ways_.plays else ()


def autopilot(state: State, seat: int) -> Move:
    """The first legal move: it places ships, plays a card, and leaves it at that."""
    return next(legal_moves(state, seat))
