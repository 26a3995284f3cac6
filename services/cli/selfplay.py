"""Whole matches in one process, without services: with their log, or as fast as the engine goes.

Both ways play the same match: luck is a function of the secret and of the version decided on.
"""

from typing import Any, Protocol

import msgspec
from msgspec import Struct

from engines.core import games
from engines.core.chance import MatchChance, SeededChance
from engines.core.digest import digest
from engines.core.draft import Draft
from engines.core.engine import AnyEngine
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
    """How one match went. A turn is a run of decisions by one seat; `outcome` is None where the turns ran out."""

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
        self._engine = engine
        self._key = hashes.draw_key(secret)
        catalog = engine.catalog(setting.edition)
        self.state = engine.initial(catalog, setting.options, setting.seats, engine.rules[-1])
        draft: Draft[Any, Any] = Draft(engine.evolve, self.state, MatchChance(self._key, 0))
        engine.setup(draft)
        draft.close()
        self._version = 2 + setting.seats + len(draft.emitted)  # created, a claim a seat, started

    def play(self, seat: int, move: Any) -> None:
        draft: Draft[Any, Any] = Draft(self._engine.evolve, self.state, MatchChance(self._key, self._version))
        draft.play(self._engine.decide, seat, move)
        self._version += len(draft.emitted)


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


def play(engine: AnyEngine, table: Table, players: tuple[Player, ...], setting: Setting, number: int) -> Played:
    """Plays to the end, or until `max_turns` have begun. Seats that owe a move at once move in ascending order."""
    chances = [
        SeededChance(digest("tidelog/simulate/player", setting.seed, number, seat)) for seat in range(setting.seats)
    ]
    state = table.state
    decisions = turns = 0
    last = -1
    while owing := engine.to_act(state):
        seat = owing[0]
        if seat != last:
            if turns == setting.max_turns:
                return Played(decisions, turns, None)
            turns += 1
            last = seat
        legal = list(engine.legal_moves(state, seat))
        families = engine.families(state, seat)
        move = players[seat](lambda seat=seat: engine.view(state, seat), legal, families, chances[seat])  # type: ignore[misc]  # mypy can't type the default
        table.play(seat, move)
        decisions += 1
    return Played(decisions, turns, engine.outcome(state))


def options_of(engine: AnyEngine, pairs: dict[str, str]) -> Any:
    """The game's Options from `name=value` texts. Raises msgspec.ValidationError."""
    values = {name: _value(text) for name, text in pairs.items()}
    return msgspec.convert(values, engine.Options)


def _value(text: str) -> object:
    try:
        return msgspec.json.decode(text)
    except msgspec.DecodeError:
        return text
