"""Random matches of a game, recorded for the laws to look at.

Of a match all commands are kept; states only where the laws look, which in a long match is a bounded number of steps.
"""

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from types import UnionType
from typing import Any, get_args

import msgspec

from engines.core import games
from engines.core.chance import MatchChance, SeededChance
from engines.core.draft import Draft, Emitted
from engines.core.engine import AnyEngine
from engines.core.errors import IllegalOptions
from services.cli.laws.profiles import Profile, profile

encode_json = msgspec.json.Encoder(order="sorted").encode
encode_msgpack = msgspec.msgpack.Encoder(order="sorted").encode

WHOLE = 100
"""A match of no more commands is looked at in full."""

SPREAD, NOTABLE = 30, 10
"""Of a longer one so many steps in even distances, and so many of each notable kind, beside the first and the last."""

Played = tuple["Command", Any]


@dataclass(frozen=True)
class Command:
    """The command of one version: an accepted move, or the setup (seat and move None)."""

    version: int
    seat: int | None
    move: Any
    emitted: tuple[Emitted[Any], ...]

    def events(self) -> list[Any]:
        return [emitted.event for emitted in self.emitted]


@dataclass(frozen=True)
class Step(Command):
    """A command with the states around it, which are nobody else's."""

    before: Any
    after: Any


@dataclass(frozen=True)
class Match:
    """`commands` are all of them, `steps` those that are looked at: the first and the last are always among them."""

    game: str
    variant: str
    seed: int
    seats: int
    commands: tuple[Command, ...]
    steps: tuple[Step, ...]

    @property
    def engine(self) -> AnyEngine:
        return games.engine(self.game)

    @property
    def profile(self) -> Profile:
        return profile(self.game)

    @property
    def audiences(self) -> tuple[int | None, ...]:
        return (*range(self.seats), None)

    @property
    def start(self) -> Any:
        """The state before any event."""
        return self.steps[0].before

    @property
    def end(self) -> Any:
        return self.steps[-1].after

    @property
    def moves(self) -> list[Any]:
        return [command.move for command in self.commands[1:]]

    @property
    def sample(self) -> list[Step]:
        """Steps for laws that take long: all that hide something, and every fourth of the others."""
        return [
            step for number, step in enumerate(self.steps) if number % 4 == self.seed % 4 or hides(self.engine, step)
        ]

    def events(self) -> list[Any]:
        return [event for command in self.commands for event in command.events()]

    def chance(self) -> SeededChance:
        return SeededChance(self.seed)


@dataclass(frozen=True)
class Matches:
    """Those of a variant, one after the other, as often as they are asked for."""

    game: str
    variant: str
    seeds: range

    def __iter__(self) -> Iterator[Match]:
        return (match(self.game, self.variant, seed) for seed in self.seeds)


@cache
def variants(game: str) -> dict[str, Any]:
    """Every option's every value alone, and what the game's profile adds."""
    options = games.engine(game).Options
    found = {"plain": options()}
    for field in msgspec.structs.fields(options):
        for value in values(field.type):
            if value != field.default:
                found[f"{field.name}={value}".lower()] = options(**{field.name: value})
    return found | profile(game).variants


def values(kind: Any) -> tuple[Any, ...]:
    if kind is bool:
        return (False, True)
    return tuple(kind) if hasattr(kind, "__members__") else ()


def initial(game: str, variant: str, seats: int) -> Any:
    """The empty table, or None where the options are not for so many seats."""
    engine = games.engine(game)
    try:
        return engine.initial(engine.catalog(games.edition(game)), variants(game)[variant], seats, engine.rules[-1])
    except IllegalOptions:
        return None


def seats_for(game: str, variant: str, seed: int) -> int:
    """The numbers of seats that the variant allows, in turn."""
    least, most = games.engine(game).seats
    allowed = [seats for seats in range(least, most + 1) if initial(game, variant, seats) is not None]
    return allowed[seed % len(allowed)]


def secret(seed: int, version: int) -> MatchChance:
    return MatchChance(seed.to_bytes(32, "big"), version)


@lru_cache(maxsize=256)
def match(game: str, variant: str, seed: int) -> Match:
    """A match of random moves, listed ones and samples of families alike, to its end.

    It is played twice, first to learn where to look.
    """
    engine = games.engine(game)
    commands: list[Command] = []
    notable: tuple[list[int], ...] = ([], [], [])
    for command, state in play(game, variant, seed):
        commands.append(command)
        kinds = hides(engine, command), len(engine.to_act(state)) > 1, bool(engine.may_act(state))
        for versions, found in zip(notable, kinds, strict=True):
            if found:
                versions.append(command.version)
    chosen = looked_at(len(commands), notable, seed)
    steps = tuple(steps_at(chosen, game, variant, seed))
    return Match(game, variant, seed, seats_for(game, variant, seed), tuple(commands), steps)


def looked_at(count: int, notable: Iterable[list[int]], seed: int) -> set[int]:
    """The versions of a match of so many commands at which the laws look."""
    versions = range(count)
    if count <= WHOLE:
        return set(versions)
    return {0, count - 1}.union(spread(versions, SPREAD, seed), *(spread(kind, NOTABLE, seed) for kind in notable))


def spread(versions: Sequence[int], most: int, seed: int) -> Sequence[int]:
    """At most so many of them, in even distances from one that the seed chooses."""
    distance = max(1, -(-len(versions) // most))
    return versions[seed % distance :: distance]


def steps_at(chosen: set[int], game: str, variant: str, seed: int) -> Iterator[Step]:
    before = initial(game, variant, seats_for(game, variant, seed))
    for command, state in play(game, variant, seed):
        after = state.copy() if chosen & {command.version, command.version + 1} else None
        if command.version in chosen:
            yield Step(command.version, command.seat, command.move, command.emitted, before, after)
        before = after


def hides(engine: AnyEngine, command: Command) -> bool:
    """Whether somebody is not told all of it."""
    return any(engine.redact(event, None) != event for event in command.events())


def play(game: str, variant: str, seed: int) -> Iterator[Played]:
    """Each command with the state after it, which the next one changes."""
    engine = games.engine(game)
    rng = random.Random(seed)
    chance = SeededChance(seed)
    state = initial(game, variant, seats_for(game, variant, seed))
    draft: Draft[Any, Any] = Draft(engine.evolve, state, secret(seed, 0))
    engine.setup(draft)
    draft.close()
    yield Command(0, None, None, tuple(draft.emitted)), state
    for version in range(1, profile(game).most_decisions):
        owing = engine.to_act(state)
        if not owing:
            return
        seat = rng.choice(owing + tuple(seat for seat in engine.may_act(state) if has_moves(engine, state, seat)))
        move = pick(engine, state, seat, rng, chance)
        draft = Draft(engine.evolve, state, secret(seed, version))
        draft.play(engine.decide, seat, move)
        yield Command(version, seat, move, tuple(draft.emitted)), state


def has_moves(engine: AnyEngine, state: Any, seat: int) -> bool:
    """Whether anything is listed or in a family: a seat that may act can have neither."""
    return bool(engine.families(state, seat)) or any(True for _ in engine.legal_moves(state, seat))


def pick(engine: AnyEngine, state: Any, seat: int, rng: random.Random, chance: SeededChance) -> Any:
    """One move of the seat: now and then a sample of one of its families, and always where nothing is listed."""
    families, listed = engine.families(state, seat), list(engine.legal_moves(state, seat))
    if families and (not listed or rng.random() < profile(engine.name).open):
        return rng.choice(families).sample(chance)
    return rng.choice(listed)


def stored(state: Any) -> bytes:
    """The bytes of a state: all fields but the catalog and the derived ones."""
    return encode_msgpack({name: getattr(state, name) for name in stored_names(type(state))})


def stored_names(kind: Any) -> list[str]:
    return [name for name in kind.__struct_fields__ if name != "catalog" and name not in kind.derived]


def members(union: Any) -> tuple[Any, ...]:
    return get_args(union) if isinstance(union, UnionType) else (union,)


def kept(state: Any, fields: Iterable[str]) -> Any:
    """A state of the same catalog read back from its stored bytes."""
    wanted = set(fields)
    kinds = {field.name: field.type for field in msgspec.structs.fields(type(state)) if field.name in wanted}
    record = msgspec.defstruct("Stored", list(kinds.items()))
    back = msgspec.msgpack.decode(stored(state), type=record)
    twin = state.copy()
    for name in kinds:
        setattr(twin, name, getattr(back, name))
    twin.rederive()
    return twin
