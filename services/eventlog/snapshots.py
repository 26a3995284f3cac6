"""Snapshots: a match's facts and state at one version, as a cache. A wrong one is dropped, never believed."""

from functools import cache
from hashlib import sha256
from typing import Any

import msgspec
from msgspec import Struct

from engines.core.engine import AnyEngine
from services.eventlog import canonical
from services.eventlog.aggregate import Aggregate
from services.eventlog.lifecycle import Created
from services.eventlog.match import Match

_CHECK_BYTES = 16


class Snapshot(Struct, frozen=True):
    """`facts` names version, hash, rules number and edition; `state` holds the game's stored fields, packed."""

    state_format: int
    facts: Match
    state: msgspec.Raw


class _Packed(Struct, frozen=True, forbid_unknown_fields=True):
    """`created` is JSON, as its options are: `facts` are the match's without it."""

    state_format: int
    created: bytes
    facts: msgspec.Raw
    state: msgspec.Raw


class BadSnapshot(ValueError):  # noqa: N818 - says what the bytes are
    """Bytes that are no snapshot of this match for this code."""


def dump(aggregate: Aggregate) -> bytes:
    engine, facts = aggregate.engine, aggregate.facts
    packed = _Packed(
        engine.state_format,
        canonical.encode(facts.created),
        _pack(_stored_facts(), facts),
        _pack(_stored_state(engine), aggregate.state),
    )
    data = msgspec.msgpack.encode(packed)
    return _check(data) + data


def parse(data: bytes) -> Snapshot:
    """The snapshot, its game state not yet decoded. Raises BadSnapshot."""
    check, packed = data[:_CHECK_BYTES], data[_CHECK_BYTES:]
    if check != _check(packed):
        raise BadSnapshot("its bytes were changed")
    try:
        found = msgspec.msgpack.decode(packed, type=_Packed)
        created = msgspec.json.decode(found.created, type=Created)
        facts = msgspec.msgpack.decode(found.facts, type=_stored_facts())
    except canonical.UNDECODABLE as error:
        raise BadSnapshot(str(error)) from error
    return Snapshot(found.state_format, Match(created=created, **msgspec.structs.asdict(facts)), found.state)


def load(found: Snapshot, fresh: Aggregate) -> Aggregate:
    """The aggregate that the snapshot holds; `fresh` is the match before its first entry. Raises BadSnapshot.

    That it lies on the log's line is the caller's to check: its hash against the entry of its version.
    """
    engine = fresh.engine
    if found.state_format != engine.state_format:
        raise BadSnapshot(f"state format {found.state_format}; this code has {engine.state_format}")
    if found.facts.id != fresh.facts.id or found.facts.created != fresh.facts.created:
        raise BadSnapshot("it is of another match")
    try:
        stored = msgspec.msgpack.decode(found.state, type=_stored_state(engine))
    except canonical.UNDECODABLE as error:
        raise BadSnapshot(str(error)) from error
    for name in stored.__struct_fields__:
        setattr(fresh.state, name, getattr(stored, name))
    try:
        fresh.state.rederive()
    except Exception as error:  # a state that no log folds to: whatever it raises, the snapshot is at fault
        raise BadSnapshot(f"its state is none of the game's: {error!r}") from error
    return Aggregate(engine, fresh.catalog, found.facts, fresh.state)


def _check(packed: bytes) -> bytes:
    return sha256(packed).digest()[:_CHECK_BYTES]


def _pack(kind: type[Any], value: object) -> msgspec.Raw:
    stored = kind(*[getattr(value, name) for name in kind.__struct_fields__])
    return msgspec.Raw(msgspec.msgpack.encode(stored))


@cache
def _stored_state(engine: AnyEngine) -> type[Any]:
    """The state's fields but the catalog and those derived."""
    return _without(engine.State, {"catalog", *engine.State.derived})


@cache
def _stored_facts() -> type[Any]:
    return _without(Match, {"created"})


def _without(kind: type[Any], left_out: set[str]) -> type[Any]:
    """A struct of the same fields, with their types, but those left out; none has a default."""
    fields = [(field.name, field.type) for field in msgspec.structs.fields(kind) if field.name not in left_out]
    return msgspec.defstruct(f"Stored{kind.__name__}", fields, forbid_unknown_fields=True)
