"""The list of matches rebuilt from the logs, beside the one that serves."""

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from sqlite3 import Connection

from gateway.projections import folding
from gateway.projections.aside import LIVE, Aside
from gateway.projections.changes import Change
from gateway.projections.database import SCHEMA, Database
from gateway.projections.matches import READ_TOGETHER, MatchProjection
from services.eventlog import hashes
from services.eventlog.entries import START
from services.eventlog.port import EventLog

LOOK_S = 0.02

KEYS = {
    "matches": "id",
    "seats": "match",
    "frozen": "match",
    "listed": "match",
    "quick": "match",
    "quick_asked": "match",
}
"""The tables, and which column of theirs names the match."""

VARIANTS = "variants"
"""One more, which names none: a row of it may outlive its last match."""

UNKNOWN_VARIANTS = f"""
SELECT match FROM main.listed WHERE who = '' AND variant IN
(SELECT id FROM (SELECT * FROM main.{VARIANTS} EXCEPT SELECT * FROM {LIVE}.{VARIANTS}))
"""  # noqa: S608 - names of ours

Part = tuple[int, int | None]
"""The entries of a log after a version, so many at most."""


class Relisting:
    """Folds all logs as they are when it begins, and compares with the serving list once that has come as far."""

    def __init__(self, aside: Aside, database: Database, event_log: EventLog, projection: MatchProjection) -> None:
        self._aside = aside
        self._database = database
        self._log = event_log
        self._projection = projection

    async def done(self) -> tuple[int, int, int]:
        """How many matches were folded, how many rows that made, and how many differed. Raises the port's errors."""
        await self._aside.run(lambda connection: connection.executescript(SCHEMA))
        heads: dict[str, int] = {}
        for shard in range(hashes.SHARDS):
            heads.update((match, head.version) for match, head in (await self._log.heads(shard)).items())
        numbers = await self._log.feed_numbers()
        await self._fold(dict.fromkeys(heads, (0, None)))
        await self._served_up_to(numbers)
        await self._database.run(lambda _connection: self._aside.begin())
        await self._level(heads)
        found = await self._aside.run(_differing)
        wrong = [match for match in found if match in heads or await self._log.head(match) == START]
        await self._projection.read_again(wrong)
        matches, rows = await self._aside.run(_sizes)
        return matches, rows, sum(found[match] for match in wrong)

    async def _fold(self, parts: Mapping[str, Part]) -> None:
        matches = tuple(parts)
        for start in range(0, len(matches), READ_TOGETHER):
            some = matches[start : start + READ_TOGETHER]
            found = await asyncio.gather(*(self._change(match, parts[match]) for match in some))
            changes = [change for change in found if change is not None]
            await self._aside.run(lambda connection, changes=changes: folding.apply(connection, (), changes, {}))  # type: ignore[misc]

    async def _change(self, match: str, part: Part) -> Change | None:
        entries = await self._log.read(match, *part)
        return Change.of(match, entries) if entries and entries[0].version == part[0] + 1 else None

    async def _served_up_to(self, numbers: Sequence[int]) -> None:
        """Returns once the serving list holds these feeds, as far as they did not go back meanwhile."""
        while True:
            places, now = await self._projection.places(), await self._log.feed_numbers()
            if all(place.number >= min(both) for place, *both in zip(places, numbers, now, strict=True)):
                return
            await asyncio.sleep(LOOK_S)

    async def _level(self, heads: Mapping[str, int]) -> None:
        """Brings each rebuilt match to where the serving list has it, unless that is behind what it must hold."""
        served, rebuilt = await self._aside.run(_versions)
        beyond = {match: version for match, version in served.items() if version > rebuilt.get(match, 0)}
        before = [match for match in rebuilt if heads[match] <= served.get(match, 0) < rebuilt[match]]
        await self._aside.run(lambda connection: folding.forget(connection, (), before))
        parts: dict[str, Part] = {match: (0, served[match]) for match in before}
        for match in beyond.keys() & heads.keys():
            known = rebuilt.get(match, 0)
            parts[match] = (known, beyond[match] - known)
        await self._fold(parts)


def _versions(connection: Connection) -> tuple[dict[str, int], dict[str, int]]:
    """Of the serving list and of the rebuilt one."""
    served, rebuilt = (
        dict(connection.execute(f"SELECT id, version FROM {schema}.matches"))  # noqa: S608 - names of ours
        for schema in (LIVE, "main")
    )
    return served, rebuilt


def _differing(connection: Connection) -> Counter[str]:
    """Matches with the number of rows that stand on one side only."""
    found: Counter[str] = Counter()
    for table, key in KEYS.items():
        for one, other in (("main", LIVE), (LIVE, "main")):
            rows = f"SELECT * FROM {one}.{table} EXCEPT SELECT * FROM {other}.{table}"  # noqa: S608 - names of ours
            found.update(match for (match,) in connection.execute(f"SELECT {key} FROM ({rows})"))  # noqa: S608
    found.update(match for (match,) in connection.execute(UNKNOWN_VARIANTS))
    return found


def _sizes(connection: Connection) -> tuple[int, int]:
    sizes = [connection.execute(f"SELECT count(*) FROM main.{table}").fetchone()[0] for table in KEYS]  # noqa: S608
    return sizes[0], sum(sizes)
