"""Random matches of every game, recorded step by step for the laws to look at."""

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


@dataclass(frozen=True)
class Step:
    """The command of one version: an accepted move, or the setup (seat and move None). States are of its own."""

    version: int
    before: Any
    seat: int | None
    move: Any
    emitted: tuple
    after: Any


@dataclass(frozen=True)
class Match:
    game: str
    variant: str
    seed: int
    seats: int
    steps: tuple[Step, ...]

    @property
    def engine(self):
        return games.engine(self.game)

    @property
    def audiences(self):
        return (*range(self.seats), None)

    @property
    def end(self):
        return self.steps[-1].after

    @property
    def sample(self):
        """Steps for laws that take long: all that hide something, and every fourth of the others."""
        return [
            step
            for number, step in enumerate(self.steps)
            if number % 4 == self.seed % 4
            or any(self.engine.redact(emitted.event, None) != emitted.event for emitted in step.emitted)
        ]

    def events(self):
        return [emitted.event for step in self.steps for emitted in step.emitted]

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
    """A match of random moves, listed ones and samples of families alike, to its end."""
    return Match(game, variant, seed, seats_for(game, variant, seed), tuple(play(game, variant, seed)))


def play(game, variant, seed):
    engine = games.engine(game)
    rng = random.Random(seed)
    chance = SeededChance(seed)
    state = initial(game, variant, seats_for(game, variant, seed))
    draft = Draft(engine.evolve, state.copy(), secret(seed, 0))
    engine.setup(draft)
    draft.close()
    yield Step(0, state, None, None, tuple(draft.emitted), draft.state)
    for version in range(1, profile(game).MOST_DECISIONS):
        state = draft.state
        seats = engine.to_act(state) + engine.may_act(state)
        if not engine.to_act(state):
            return
        seat = rng.choice(seats)
        move = pick(engine, state, seat, rng, chance)
        draft = Draft(engine.evolve, state.copy(), secret(seed, version))
        draft.play(engine.decide, seat, move)
        yield Step(version, state, seat, move, tuple(draft.emitted), draft.state)


def pick(engine, state, seat, rng, chance):
    """One move of the seat: now and then a sample of one of its families."""
    families = engine.families(state, seat)
    if families and rng.random() < 0.5:
        return rng.choice(families).sample(chance)
    return rng.choice(list(engine.legal_moves(state, seat)))


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
