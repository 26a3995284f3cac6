"""Random matches of every game, recorded for the laws to look at.

Of a match all commands are kept; states only where the laws look, which in a long match is a bounded number of steps.
"""

import random
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import import_module
from types import UnionType
from typing import Any, get_args

import msgspec

from engines.core import games
from engines.core.chance import MatchChance, SeededChance
from engines.core.draft import Draft
from engines.core.errors import IllegalOptions

encode_json = msgspec.json.Encoder(order="sorted").encode
encode_msgpack = msgspec.msgpack.Encoder(order="sorted").encode

WHOLE = 100
"""A match of no more commands is looked at in full."""

SPREAD, NOTABLE = 30, 10
"""Of a longer one so many steps in even distances, and so many of each notable kind, beside the first and the last."""

OPEN = 0.5
"""How often a random move is a sample of an open family, where the game's profile has no `OPEN` of its own."""


@dataclass(frozen=True)
class Command:
    """The command of one version: an accepted move, or the setup (seat and move None)."""

    version: int
    seat: int | None
    move: Any
    emitted: tuple

    def events(self):
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
    def engine(self):
        return games.engine(self.game)

    @property
    def audiences(self):
        return (*range(self.seats), None)

    @property
    def start(self):
        """The state before any event."""
        return self.steps[0].before

    @property
    def end(self):
        return self.steps[-1].after

    @property
    def moves(self):
        return [command.move for command in self.commands[1:]]

    @property
    def sample(self):
        """Steps for laws that take long: all that hide something, and every fourth of the others."""
        return [
            step for number, step in enumerate(self.steps) if number % 4 == self.seed % 4 or hides(self.engine, step)
        ]

    def events(self):
        return [event for command in self.commands for event in command.events()]

    def chance(self):
        return SeededChance(self.seed)


def profile(game):
    """What the laws need to know of the game: tests/engines/<game>/profile.py."""
    return import_module(f"tests.engines.{game}.profile")


@cache
def variants(game):
    """Every option's every value alone, and what the game's profile adds."""
    options = games.engine(game).Options
    found = {"plain": options()}
    for field in msgspec.structs.fields(options):
        for value in values(field.type):
            if value != field.default:
                found[f"{field.name}={value}".lower()] = options(**{field.name: value})
    return found | profile(game).VARIANTS


def values(kind):
    if kind is bool:
        return (False, True)
    return tuple(kind) if hasattr(kind, "__members__") else ()


def initial(game, variant, seats):
    """The empty table, or None where the options are not for so many seats."""
    engine = games.engine(game)
    try:
        return engine.initial(engine.catalog(games.edition(game)), variants(game)[variant], seats, engine.rules[-1])
    except IllegalOptions:
        return None


def seats_for(game, variant, seed):
    """The numbers of seats that the variant allows, in turn."""
    least, most = games.engine(game).seats
    allowed = [seats for seats in range(least, most + 1) if initial(game, variant, seats) is not None]
    return allowed[seed % len(allowed)]


def secret(seed, version):
    return MatchChance(seed.to_bytes(32, "big"), version)


@lru_cache(maxsize=256)
def match(game, variant, seed):
    """A match of random moves, listed ones and samples of families alike, to its end.

    It is played twice, first to learn where to look.
    """
    engine, commands, notable = games.engine(game), [], ([], [], [])
    for command, state in play(game, variant, seed):
        commands.append(command)
        kinds = hides(engine, command), len(engine.to_act(state)) > 1, bool(engine.may_act(state))
        for versions, found in zip(notable, kinds, strict=True):
            if found:
                versions.append(command.version)
    chosen = looked_at(len(commands), notable, seed)
    steps = tuple(steps_at(chosen, game, variant, seed))
    return Match(game, variant, seed, seats_for(game, variant, seed), tuple(commands), steps)


def looked_at(count, notable, seed):
    """The versions of a match of so many commands at which the laws look."""
    versions = range(count)
    if count <= WHOLE:
        return set(versions)
    return {0, count - 1}.union(spread(versions, SPREAD, seed), *(spread(kind, NOTABLE, seed) for kind in notable))


def spread(versions, most, seed):
    """At most so many of them, in even distances from one that the seed chooses."""
    distance = max(1, -(-len(versions) // most))
    return versions[seed % distance :: distance]


def steps_at(chosen, game, variant, seed):
    before = initial(game, variant, seats_for(game, variant, seed))
    for command, state in play(game, variant, seed):
        after = state.copy() if chosen & {command.version, command.version + 1} else None
        if command.version in chosen:
            yield Step(command.version, command.seat, command.move, command.emitted, before, after)
        before = after


def hides(engine, command):
    """Whether somebody is not told all of it."""
    return any(engine.redact(event, None) != event for event in command.events())


def play(game, variant, seed):
    """Each command with the state after it, which the next one changes."""
    engine = games.engine(game)
    rng = random.Random(seed)
    chance = SeededChance(seed)
    state = initial(game, variant, seats_for(game, variant, seed))
    draft = Draft(engine.evolve, state, secret(seed, 0))
    engine.setup(draft)
    draft.close()
    yield Command(0, None, None, tuple(draft.emitted)), state
    for version in range(1, profile(game).MOST_DECISIONS):
        owing = engine.to_act(state)
        if not owing:
            return
        seat = rng.choice(owing + tuple(seat for seat in engine.may_act(state) if has_moves(engine, state, seat)))
        move = pick(engine, state, seat, rng, chance)
        draft = Draft(engine.evolve, state, secret(seed, version))
        draft.play(engine.decide, seat, move)
        yield Command(version, seat, move, tuple(draft.emitted)), state


def has_moves(engine, state, seat):
    """Whether anything is listed or in a family: a seat that may act can have neither."""
    return bool(engine.families(state, seat)) or any(True for _ in engine.legal_moves(state, seat))


def pick(engine, state, seat, rng, chance):
    """One move of the seat: now and then a sample of one of its families, and always where nothing is listed."""
    families, listed = engine.families(state, seat), list(engine.legal_moves(state, seat))
    if families and (not listed or rng.random() < getattr(profile(engine.name), "OPEN", OPEN)):
        return rng.choice(families).sample(chance)
    return rng.choice(listed)


def stored(state):
    """The bytes of a state: all fields but the catalog and the derived ones."""
    return encode_msgpack({name: getattr(state, name) for name in stored_names(type(state))})


def stored_names(kind):
    return [name for name in kind.__struct_fields__ if name != "catalog" and name not in kind.derived]


def members(union):
    return get_args(union) if isinstance(union, UnionType) else (union,)


def kept(state, fields):
    """A state of the same catalog read back from its stored bytes."""
    kinds = {field.name: field.type for field in msgspec.structs.fields(type(state)) if field.name in fields}
    record = msgspec.defstruct("Stored", list(kinds.items()))
    back = msgspec.msgpack.decode(stored(state), type=record)
    twin = state.copy()
    for name in kinds:
        setattr(twin, name, getattr(back, name))
    twin.rederive()
    return twin
