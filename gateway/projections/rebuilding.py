"""Read models rebuilt while they serve: built aside, compared with what stands at one moment, put right where wrong."""

import asyncio
from collections.abc import Iterable
from functools import partial
from sqlite3 import Connection

from msgspec import Struct

from gateway import metrics
from gateway.projections import keeping
from gateway.projections.aside import LIVE, Aside
from gateway.projections.database import Database
from gateway.projections.installing import batches, create
from gateway.projections.matches import MatchProjection
from gateway.projections.model import ReadModel
from gateway.projections.relisting import Relisting
from services.common.logs import logger
from services.common.refusals import Reason, Refused
from services.common.tasks import cancelled
from services.eventlog.port import EventLog

MATCHES = "matches"
HEADS = "SELECT id, version, hash FROM {}.matches"

log = logger()


class Abandoned(Exception):  # noqa: N818 - says what happened
    """Nobody needs what was being built."""


class Rebuilt(Struct, frozen=True):
    """`differing` rows stood there and should not, or were missing."""

    matches: int
    rows: int
    differing: int


class Rebuilder:
    """One rebuild at a time; one that is begun is brought to its end, whether or not the one who asked waits for it."""

    def __init__(self, database: Database, event_log: EventLog, projection: MatchProjection) -> None:
        self._database = database
        self._log = event_log
        self._projection = projection
        self._alone = asyncio.Lock()
        self._tasks: set[asyncio.Task[Rebuilt]] = set()
        for name in self.names:
            metrics.READ_MODEL_DIFFERENCES.labels(name)  # none so far, and that is told

    @property
    def names(self) -> tuple[str, ...]:
        return (MATCHES, *(model.name for model in self._database.models))

    async def rebuild(self, name: str) -> Rebuilt:
        """Raises Refused(MALFORMED) for an unknown name, and the port's errors."""
        models = {model.name: model for model in self._database.models}
        if name != MATCHES and name not in models:
            raise Refused(Reason.MALFORMED, f"read models are {', '.join(self.names)}, not {name[:40]!r} - at `$.name`")
        task = asyncio.create_task(self._rebuild(name, models.get(name)), name=f"rebuild {name}")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return await asyncio.shield(task)

    async def close(self) -> None:
        """What is being built aside is thrown away."""
        for task in tuple(self._tasks):
            await cancelled(task)

    async def _rebuild(self, name: str, model: ReadModel | None) -> Rebuilt:
        async with self._alone:
            aside = await Aside.open(self._database.file)
            try:
                if model is None:
                    rebuilt = Rebuilt(*await Relisting(aside, self._database, self._log, self._projection).done())
                else:
                    rebuilt = await self._built(aside, model)
            finally:
                await aside.close()
        if rebuilt.differing:
            metrics.READ_MODEL_DIFFERENCES.labels(name).inc(rebuilt.differing)
            log.error("a read model was not what it is rebuilt to", model=name, rows=rebuilt.differing)
        log.info("a read model was rebuilt", model=name, matches=rebuilt.matches, rows=rebuilt.rows)
        return rebuilt

    async def _built(self, aside: Aside, model: ReadModel) -> Rebuilt:
        await self._projection.settled()
        while not await self._database.run(partial(_stands_still, aside, model)):
            pass
        matches = await aside.run(partial(_build, aside, model))
        rows, differing = await aside.run(partial(_compared, model))
        if differing:
            await self._database.run(partial(_replace, aside, model))
            await self._projection.read_again(())  # whatever the rows that changed meanwhile left to be done
        return Rebuilt(matches, rows, differing)


def _stands_still(aside: Aside, model: ReadModel, connection: Connection) -> bool:
    """Lets the snapshot begin once the model has nothing left to do."""
    if keeping.catch_up(connection, (model,)):
        return False
    aside.begin()
    return True


def _build(aside: Aside, model: ReadModel, connection: Connection) -> int:
    """How many matches it was told. Raises Abandoned."""
    create(connection, model)
    matches, more = 0, True
    for kept in batches(connection, LIVE):
        keeping.keep(connection, (model,), kept)
        matches += len(kept)
        _require_use(aside)
    while more:
        more = keeping.catch_up(connection, (model,))
        _require_use(aside)
    return matches


def _require_use(aside: Aside) -> None:
    if aside.closing:
        raise Abandoned


def _compared(model: ReadModel, connection: Connection) -> tuple[int, int]:
    """How many rows there are, and how many differ."""
    rows = differing = 0
    for table in model.tables:
        rows += _count(connection, f"SELECT * FROM main.{table}")  # noqa: S608 - names of ours
        for one, other in (("main", LIVE), (LIVE, "main")):
            differing += _count(connection, f"SELECT * FROM {one}.{table} EXCEPT SELECT * FROM {other}.{table}")  # noqa: S608
    return rows, differing


def _count(connection: Connection, question: str) -> int:
    (count,) = connection.execute(f"SELECT count(*) FROM ({question})").fetchone()  # noqa: S608 - as above
    return int(count)


def _replace(aside: Aside, model: ReadModel, connection: Connection) -> None:
    """The rebuilt rows, and what has changed since, in one transaction."""
    with aside.borrowed() as rebuilt, keeping.transaction(connection):
        known = {match: head for match, *head in rebuilt.execute(HEADS.format(LIVE))}
        now = {match: head for match, *head in connection.execute(HEADS.format("main"))}
        for table in model.tables:
            connection.execute(f"DELETE FROM {table}")  # noqa: S608 - names of ours
            _insert(connection, table, rebuilt.execute(f"SELECT * FROM main.{table}"))  # noqa: S608
        model.forget(connection, [match for match in known if match not in now])
        changed = [match for match, head in now.items() if known.get(match) != head]
        for kept in batches(connection, "main", changed):
            keeping.keep(connection, (model,), kept)


def _insert(connection: Connection, table: str, rows: Iterable[tuple[object, ...]]) -> None:
    columns = len(connection.execute(f"PRAGMA table_info({table})").fetchall())
    marks = ", ".join("?" * columns)
    connection.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)  # noqa: S608 - names of ours
