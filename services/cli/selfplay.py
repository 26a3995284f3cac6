"""Whole matches in one process, without services: with their log, or as fast as the engine goes.

Both ways play the same match: luck is a function of the secret and of the version decided on.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any, Protocol, get_origin

import msgspec
from msgspec import Struct

from engines.core import games
from engines.core.chance import Chance, MatchChance, SeededChance
from engines.core.digest import digest
from engines.core.draft import BareDraft
from engines.core.engine import AnyEngine
from engines.core.options import read_options
from engines.core.outcome import Outcome
from services.bots.players import Player
from services.eventlog import deciding, hashes
from services.eventlog.aggregate import Aggregate
from services.eventlog.commands import BotSeat, Create, Order, Submit
from services.eventlog.entries import Entry

HOST = "tidelog|simulate"
MS_A_COMMAND = 1000
"""Logical time: a simulated log has no other."""


class Setting(Struct, frozen=True):
    """What is played: `options` is the game's Options struct, `bots` names a player for each seat."""

    game: str
    options: Any
    seats: int
    edition: bytes
    bots: tuple[str, ...]
    seed: int
    max_turns: int


class Played(Struct, frozen=True):
    """How one match went: `turns` as the game counts them; `outcome` is None where they ran out."""

    decisions: int
    turns: int
    outcome: Outcome | None


class Table(Protocol):
    """A match in play."""

    @property
    def state(self) -> Any: ...

    def play(self, seat: int, move: Any) -> None: ...


class BareTable:
    """The game alone; versions advance as the log's would."""

    def __init__(self, engine: AnyEngine, setting: Setting, secret: bytes) -> None:
        catalog = engine.catalog(setting.edition)
        self.state = engine.initial(catalog, setting.options, setting.seats, engine.rules[-1])
        self._decide = engine.decide
        self._luck = MatchChance(hashes.draw_key(secret), 0)
        self._draft: BareDraft[Any, Any] = BareDraft(engine.evolve, self.state, self._luck)
        self._begun = 2 + setting.seats  # created, a claim a seat, started
        engine.setup(self._draft)
        self._draft.close()

    def play(self, seat: int, move: Any) -> None:
        self._luck.begin(self._begun + self._draft.events)
        self._draft.play(self._decide, seat, move)


class LoggedTable:
    """The match with its log."""

    def __init__(self, setting: Setting, secret: bytes, number: int) -> None:
        match = hashes.match_id(digest("tidelog/simulate/store", setting.seed), HOST, f"match-{number}")
        bots = tuple(BotSeat(seat, f"tidelog|bot:{name}", name) for seat, name in enumerate(setting.bots))
        command = Create(setting.game, setting.options, setting.seats, games.edition_hash(setting.edition), bots=bots)
        self._secret = secret
        self._commands = 0
        self.aggregate: Aggregate
        self.aggregate, entries = deciding.create(
            Order(HOST, f"match-{number}", command), setting.edition, match, secret, self._now()
        )
        self.entries: list[Entry] = list(entries)

    @property
    def state(self) -> Any:
        return self.aggregate.state

    def play(self, seat: int, move: Any) -> None:
        player = self.aggregate.facts.seats[seat].player
        assert player is not None
        order = Order(player, f"{seat}-{self._commands}", Submit(seat, move))
        self.entries += deciding.decide(self.aggregate, order, self._secret, self._now())

    def _now(self) -> int:
        self._commands += 1
        return self._commands * MS_A_COMMAND


def secret_of(setting: Setting, number: int) -> bytes:
    return digest("tidelog/simulate/secret", setting.seed, number)


class Seated:
    """A player at its seat of one match."""

    __slots__ = ("_chance", "_look", "_open", "_player")

    def __init__(self, player: Player, engine: AnyEngine, state: Any, seat: int, chance: Chance) -> None:
        self._player = player
        self._look = partial(engine.view, state, seat)
        self._open = partial(engine.families, state, seat)
        self._chance = chance

    def choose(self, legal: Sequence[Any]) -> Any:
        """Its move, or None."""
        return self._player(self._look, legal, self._open, self._chance)


def play(engine: AnyEngine, table: Table, players: tuple[Player, ...], setting: Setting, number: int) -> Played:
    """Plays to the end, or until `max_turns` are over. Seats that owe a move at once move in ascending order.

    After each of their moves the seats that may move are asked once each, in ascending order too.
    """
    state, most = table.state, setting.max_turns
    to_act, may_act, legal_moves = engine.to_act, engine.may_act, engine.legal_moves
    seats = [
        Seated(player, engine, state, seat, SeededChance(digest("tidelog/simulate/player", setting.seed, number, seat)))
        for seat, player in enumerate(players)
    ]
    decisions = 0
    while owing := to_act(state):
        # The setup and every decision begin one turn at most: before `most` decisions there is nothing to count.
        if decisions >= most and engine.turns(state) > most:
            return Played(decisions, most, None)
        seat = owing[0]
        table.play(seat, seats[seat].choose(list(legal_moves(state, seat))))
        decisions += 1
        if may_act(state):
            decisions += _play_unasked(engine, table, seats)
    return Played(decisions, engine.turns(state), engine.outcome(state))


def _play_unasked(engine: AnyEngine, table: Table, seats: Sequence[Seated]) -> int:
    """The decisions of seats that owe nothing: each that may move by then, and has something to play, is asked once."""
    state = table.state
    decisions = 0
    for seat, seated in enumerate(seats):
        if seat not in engine.may_act(state):
            continue
        legal = list(engine.legal_moves(state, seat))
        if not legal and not engine.families(state, seat):
            continue
        move = seated.choose(legal)
        if move is not None:
            table.play(seat, move)
            decisions += 1
    return decisions


def options_of(engine: AnyEngine, pairs: dict[str, str]) -> Any:
    """The game's Options from `name=value` texts; a list is `a,b,c`, or one value.

    Raises IllegalOptions, msgspec.ValidationError.
    """
    lists = {field.name for field in msgspec.structs.fields(engine.Options) if get_origin(field.type) is tuple}
    values = {name: _values(text) if name in lists else _value(text) for name, text in pairs.items()}
    return read_options(engine, values)


def _values(text: str) -> object:
    value = _value(text)
    return value if isinstance(value, list) else [_value(part) for part in text.split(",")]


def _value(text: str) -> object:
    try:
        return msgspec.json.decode(text)
    except msgspec.DecodeError:
        return text
