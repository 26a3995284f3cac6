"""One run: play, break, mend, and compare what was told with what the store holds."""

import asyncio
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from statistics import median
from time import perf_counter

from msgspec import Struct

from engines.core import games
from services.cli.bench.faults.checking import Kind, Loss, held, losses
from services.cli.bench.faults.havoc import Havoc, Kill
from services.cli.bench.faults.record import Record
from services.cli.bench.faults.room import Room, open_room
from services.cli.bench.faults.watching import Watched, watched
from services.cli.bench.faults.world import BOTS, World
from services.cli.errors import CheckFailed
from services.cli.output import progress
from services.eventlog.redis_log import RedisLog

SETTLED_S = 60.0
"""How long everybody may take to be told the rest once nothing is broken any more."""


class Plan(Struct, frozen=True):
    """`games` are what is played; all if none is named.

    Before anything is broken `watchers` are measured, without and with a stalled one among them. The run ends when
    the seconds are over, and so many were killed and so many connections troubled.
    """

    games: tuple[str, ...] = ()
    seconds: float = 0.0
    kills: int = 0
    cuts: int = 0
    tables: int = 72
    watchers: int = 0
    seed: int = 1


class Times(Struct, frozen=True):
    least: float
    middle: float
    most: float


class Recovery(Struct, frozen=True):
    """Seconds after kills of one kind of process: until all tables moved again, and until it served again.

    `kills` counts those too that came two at once; times are of the others.
    """

    kills: int
    moves_s: Times | None
    serves_s: Times | None


class Report(Struct, frozen=True):
    """`repeated` acknowledgements said that the move stood in the log already; `losses` by kind, `lost` the first."""

    games: tuple[str, ...]
    seed: int
    seconds: float
    matches: int
    moves: int
    moves_per_s: float
    repeated: int
    kills: dict[str, Recovery]
    cuts: dict[str, int]
    watched: Watched | None
    losses: dict[str, int]
    lost: tuple[Loss, ...]


async def run(plan: Plan, folder: Path) -> Report:
    """Raises CheckFailed where it comes to a standstill, AlreadyUp and StoreAway."""
    world = World(folder, plan.games or games.names())
    async with world.running(), open_room(world, plan.tables, plan.seed) as room:
        crowd = await watched(world, room, plan.watchers) if plan.watchers else None
        calm = room.acknowledged
        began = perf_counter()
        havoc = Havoc(world, room, plan.seed)
        await havoc.run(_enough(havoc, began, plan))
        seconds = perf_counter() - began
        moves = room.acknowledged - calm
        await _settle(world, room)
        log = await RedisLog.open(world.store.url)
        try:
            lost = [loss for record in _shown(room.records) for loss in losses(record, await held(log, record.match))]
        finally:
            await log.close()
    return Report(
        games=world.games,
        seed=plan.seed,
        seconds=round(seconds, 1),
        matches=len(room.records),
        moves=moves,
        moves_per_s=round(moves / seconds, 1),
        repeated=room.repeated,
        kills=_recoveries(havoc.kills),
        cuts=havoc.cuts,
        watched=crowd,
        losses={kind.name.lower(): sum(loss.kind is kind for loss in lost) for kind in Kind},
        lost=tuple(lost[:20]),
    )


def _enough(havoc: Havoc, began: float, plan: Plan) -> Callable[[], bool]:
    def enough() -> bool:
        broken = len(havoc.kills) >= plan.kills and sum(havoc.cuts.values()) >= plan.cuts
        return broken and perf_counter() - began >= plan.seconds

    return enough


async def _settle(world: World, room: Room) -> None:
    """No moves any more, bots' neither; everybody is told the rest and looks once more."""
    try:
        async with asyncio.timeout(SETTLED_S):
            await room.stop()
    except TimeoutError:
        raise CheckFailed(f"{room.in_flight} moves have no answer {SETTLED_S:g} s after the last fault") from None
    await world.roles[BOTS].stop()
    log = await RedisLog.open(world.store.url)
    tables = [table for table in room.tables if table.playing]
    with suppress(TimeoutError):  # the checker names those who were not told
        async with asyncio.timeout(SETTLED_S):
            await asyncio.gather(*[table.reach((await log.head(table.match)).version) for table in tables])
            await asyncio.gather(*(table.look() for table in tables))
    await log.close()


def _shown(records: list[Record]) -> Iterable[Record]:
    return progress(records, "checking", len(records))


def _recoveries(kills: list[Kill]) -> dict[str, Recovery]:
    return {
        kind: Recovery(
            sum(kill.kind == kind for kill in kills),
            _times([kill.moves_s for kill in kills if kill.kind == kind and kill.alone]),
            _times([kill.serves_s for kill in kills if kill.kind == kind and kill.alone]),
        )
        for kind in sorted({kill.kind for kill in kills})
    }


def _times(seconds: list[float]) -> Times | None:
    return Times(*(round(f(seconds), 2) for f in (min, median, max))) if seconds else None
