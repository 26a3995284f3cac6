"""The tables of read models in a gateway's file: made, and built from the rows of matches where they are not there."""

from collections.abc import Iterable, Iterator, Sequence
from sqlite3 import Connection
from typing import Any

import msgspec

from gateway.projections import folding, keeping
from gateway.projections.model import Kept, ReadModel
from services.common.logs import logger
from services.eventlog.match import Match

BATCH = 500
MATCHES = "SELECT version, hash, changed_at, facts, created_at FROM {}.matches"

log = logger()


def install(connection: Connection, models: Iterable[ReadModel]) -> None:
    """Each model whose tables are of another version, or not there, is built in one transaction."""
    rows = connection.execute("SELECT name, version, tables FROM models")
    found = {name: (version, tables) for name, version, tables in rows}
    for model in models:
        version, tables = found.get(model.name, (0, ""))
        if version != model.version:
            log.info("a read model is built", model=model.name, version=model.version)
            with keeping.transaction(connection):
                _drop(connection, tables.split())
                create(connection, model)
                values = (model.name, model.version, " ".join(model.tables))
                connection.execute("INSERT OR REPLACE INTO models VALUES (?, ?, ?)", values)
                for kept in batches(connection, "main"):
                    keeping.keep(connection, (model,), kept)


def create(connection: Connection, model: ReadModel) -> None:
    """Within the caller's transaction, which `executescript` would end."""
    for statement in model.schema.split(";"):
        connection.execute(statement)


def batches(connection: Connection, schema: str, matches: Sequence[str] | None = None) -> Iterator[list[Kept]]:
    """What the rows of these matches, or of all, hold; one that other code wrote is left out until its log is read."""
    if matches is None:
        rows = connection.execute(MATCHES.format(schema))
        while found := rows.fetchmany(BATCH):
            yield _kept(found)
        return
    one = f"{MATCHES.format(schema)} WHERE id = ?"
    for start in range(0, len(matches), BATCH):
        some = matches[start : start + BATCH]
        yield _kept([row for match in some for row in connection.execute(one, (match,))])


def _kept(rows: Iterable[Sequence[Any]]) -> list[Kept]:
    return [Kept(facts, row[4]) for row in rows if (facts := _facts(row)) is not None]


def _facts(row: Sequence[Any]) -> Match | None:
    try:
        return folding.read(*row[:4])
    except msgspec.DecodeError:
        return None


def _drop(connection: Connection, tables: Iterable[str]) -> None:
    for table in tables:
        connection.execute(f"DROP TABLE IF EXISTS {table}")
