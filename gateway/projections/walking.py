"""The matches of a list in its order, read off the indices of `listing` one by one."""

import heapq
import sqlite3
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from msgspec import Struct

from gateway.callers.identity import Caller
from gateway.projections.filters import Filters, Order
from gateway.projections.listing import EVERYONE, Relation, stages

MOST_WALKS = 64
"""Walks that are merged; where more would be needed, variants are looked at one by one instead."""


class ListPlace(Struct, frozen=True, array_like=True):
    """A match in a list's order."""

    at: int
    match: str


class Found(NamedTuple):
    at: int
    match: str
    variant: int


class _Source(NamedTuple):
    """The rows of one who is asked for."""

    who: str
    private: bool


def walk(
    connection: sqlite3.Connection, filters: Filters, caller: Caller, after: ListPlace | None
) -> tuple[Iterator[Found], set[int] | None]:
    """What may pass, behind the place; and the variants that do pass, where that is not seen to already."""
    variants = _variants(connection, filters)
    within = stages(filters)
    if variants is not None and not variants:
        return iter(()), None
    walks: list[Iterator[Found]] = []
    unseen = None
    for source in _sources(filters, caller):
        narrow = variants is not None and source.who == EVERYONE and len(variants) * len(within) <= MOST_WALKS
        if not narrow:
            unseen = variants
        for stage in within:
            kinds = sorted(variants) if narrow and variants is not None else [None]
            walks += [_walk(connection, filters.order, source, stage, variant, after) for variant in kinds]
    backwards = filters.order is not Order.OLDEST
    return heapq.merge(*walks, key=lambda found: found[:2], reverse=backwards), unseen


@cache
def statement(order: Order, *, narrow: bool, after: bool) -> str:
    """One walk: `narrow` to one variant, from the first on or `after` a place."""
    time = "changed" if order is Order.CHANGED else "created"
    index, whose = (
        (f"variants_{time}", "who = '' AND variant = :variant") if narrow else (f"listed_{time}", "who = :who")
    )
    ahead, way = (">", "ASC") if order is Order.OLDEST else ("<", "DESC")
    behind = f" AND ({time}_at, match) {ahead} (:at, :match)" if after else ""
    return (
        f"SELECT {time}_at, match, variant FROM listed INDEXED BY {index}"  # noqa: S608 - fixed texts
        f" WHERE {whose} AND private = :private AND stage = :stage{behind} ORDER BY {time}_at {way}, match {way}"
    )


def _walk(
    connection: sqlite3.Connection,
    order: Order,
    source: _Source,
    stage: int,
    variant: int | None,
    after: ListPlace | None,
) -> Iterator[Found]:
    values: dict[str, object] = {"who": source.who, "private": source.private, "stage": stage, "variant": variant}
    if after is not None:
        values |= {"at": after.at, "match": after.match}
    return map(
        Found._make, connection.execute(statement(order, narrow=variant is not None, after=after is not None), values)
    )


def _sources(filters: Filters, caller: Caller) -> list[_Source]:
    """Public matches of whoever is asked for, and those private ones that the caller may see."""
    who = EVERYONE
    if filters.invited:
        who = Relation.INVITED.key(caller.player)
    elif filters.player:
        who = Relation.HOLDS.key(filters.player)
    elif filters.creator:
        who = Relation.MADE.key(filters.creator)
    inside = who if caller.admin or who[1:] == caller.player else Relation.INSIDER.key(caller.player)
    return [_Source(who, private=False), _Source(inside, private=True)]


def _variants(connection: sqlite3.Connection, filters: Filters) -> set[int] | None:
    """The variants that pass; None where any does."""
    if not (filters.game or filters.seats):
        return None
    found = connection.execute(
        "SELECT id, options FROM variants WHERE (?1 = '' OR game = ?1) AND (?2 = 0 OR seats = ?2)",
        (filters.game, filters.seats),
    )
    return {number for number, options in found if filters.has_options(options.encode())}
