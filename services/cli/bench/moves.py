"""`tidelog bench moves`: durable moves a second, client included, through Play and unary calls."""

import asyncio
import tempfile
from collections.abc import Iterable, Iterator
from math import inf
from pathlib import Path
from statistics import median
from typing import Annotated

from cyclopts import Parameter
from msgspec import Struct

from engines.core import games
from engines.core.errors import RuleError
from services.cli.bench import peer as peers
from services.cli.bench.load import Load, Tally, drive
from services.cli.bench.processes import measured, own_seconds, seconds
from services.cli.errors import UsageError
from services.cli.output import progress, say, say_json
from services.cli.platform import Platform, Settings, running
from services.cli.selfplay import options_of

PEER = Path(__file__).parents[3] / "tests" / "bench" / "peers" / "boardgame_io"
STORAGES = ("mem", "flatnq", "flat")
FIRST_PORT = 18100


class Run(Struct, frozen=True):
    """One run. `cpu_us` is CPU a move by process, in microseconds; empty where the system does not tell."""

    way: str
    matches: int
    moves: int
    moves_per_s: float
    p50_ms: float
    p95_ms: float
    p99_ms: float
    cpu_us: dict[str, float]


class Row(Struct, frozen=True):
    """The runs of one way and number of matches: least, median and most; latencies and CPU of the median run."""

    way: str
    matches: int
    least: float
    middle: float
    most: float
    p50_ms: float
    p95_ms: float
    p99_ms: float
    cpu_us: dict[str, float]


class Report(Struct, frozen=True):
    game: str
    store: str
    seconds: float
    reps: int
    rows: tuple[Row, ...]


def moves(  # noqa: PLR0913 - one parameter an option
    *,
    game: str = "",
    option: tuple[str, ...] = (),
    matches: str = "1,16,64",
    seconds: float = 4.0,
    reps: int = 3,
    peer: Annotated[Path, Parameter(show_default=False)] = PEER,
    no_peer: bool = False,
    json: bool = False,
) -> None:
    """Durable moves a second through Play and unary calls, a peer alternating in the same run.

    Parameters
    ----------
    game
        a game for two; by default the first whose rules foresee two
    option
        an option of the game as name=value; may be given again
    matches
        how many are played at once, one run each
    seconds
        length of a run
    reps
        runs of each kind
    peer
        folder of the boardgame.io benchmark, installed with npm
    no_peer
        measure alone
    json
        print one JSON document
    """
    counts = _counts(matches)
    if not 0 < seconds < inf or reps < 1:
        raise UsageError("seconds is above 0 and reps at least 1")
    name = game or _first_for_two()
    try:
        options = options_of(games.engine(name), dict(text.partition("=")[::2] for text in option))
    except (games.UnknownGame, RuleError, ValueError) as error:
        raise UsageError(str(error)) from error
    if not no_peer:
        peers.check(peer)
    plan = _plan(counts, reps, peer=not no_peer)
    runs, store = measured(_measure(name, options, seconds, plan, peer))
    report = Report(name, store, seconds, reps, tuple(_rows(runs)))
    if json:
        say_json(report)
    else:
        _say(report)


def _counts(text: str) -> tuple[int, ...]:
    try:
        counts = tuple(int(part) for part in text.split(","))
    except ValueError as error:
        raise UsageError(f"matches is numbers with commas, not {text!r}") from error
    if not counts or min(counts) < 1:
        raise UsageError("at least one match is played at once")
    return counts


def _first_for_two() -> str:
    for name in games.names():
        engine = games.engine(name)
        if engine.seats[0] <= 2 and 2 not in engine.unofficial_seats:
            return name
    raise UsageError("no game for two is installed")


def _plan(counts: Iterable[int], reps: int, *, peer: bool) -> list[tuple[str, int]]:
    """The runs in order: ours and the peer's take turns, so that a machine that slows down slows all alike."""
    ways = ("play", "unary", *(STORAGES if peer else ()))
    return [(way, count) for count in counts for _ in range(reps) for way in ways]


async def _measure(
    game: str, options: object, length: float, plan: list[tuple[str, int]], peer: Path
) -> tuple[list[Run], str]:
    import msgspec

    text = msgspec.json.encode(options).decode()
    with tempfile.TemporaryDirectory(prefix="tidelog-bench-") as folder:
        async with running(Settings("127.0.0.1:0", Path(folder))) as platform:
            runs: list[Run] = []
            for number, (way, count) in enumerate(progress(plan, "bench moves", len(plan))):
                if way in STORAGES:
                    runs.append(await asyncio.to_thread(_peer_run, peer, way, count, length, FIRST_PORT + number))
                else:
                    runs.append(await _own_run(platform, Load(game, text, count, length, way == "unary", number)))
            return runs, await _store_facts(platform.store)


async def _own_run(platform: Platform, load: Load) -> Run:
    before, own = seconds(platform.pids), own_seconds()
    tally = await drive(platform.address, load)
    used = {name: spent - before[name] for name, spent in seconds(platform.pids).items() if name in before}
    used["client"] = own_seconds() - own
    return _run("unary" if load.unary else "play", load.matches, tally, used)


def _run(way: str, matches: int, tally: Tally, used: dict[str, float]) -> Run:
    count = len(tally.latencies)
    sorted_ms = sorted(latency * 1000 for latency in tally.latencies)
    cpu = {name: round(spent / max(count, 1) * 1e6, 1) for name, spent in used.items()}
    return Run(
        way, matches, count, round(count / tally.seconds, 1),
        _quantile(sorted_ms, 0.5), _quantile(sorted_ms, 0.95), _quantile(sorted_ms, 0.99), cpu,
    )  # fmt: skip


def _peer_run(folder: Path, storage: str, matches: int, length: float, port: int) -> Run:
    found = peers.run(folder, storage, matches, length, port)
    return Run(f"boardgame.io {storage}", matches, 0, found.moves_per_s_median, found.p50_ms, 0.0, found.p99_ms, {})


def _quantile(values: list[float], part: float) -> float:
    return round(values[min(len(values) - 1, int(len(values) * part))], 2) if values else 0.0


async def _store_facts(url: str) -> str:
    from services.eventlog.redis_log import RedisLog

    log = await RedisLog.open(url)
    await log.close()
    return str(log.facts)


def _rows(runs: list[Run]) -> Iterator[Row]:
    groups: dict[tuple[str, int], list[Run]] = {}
    for run in runs:
        groups.setdefault((run.way, run.matches), []).append(run)
    for (way, matches), group in groups.items():
        rates = [run.moves_per_s for run in group]
        middle = min(group, key=lambda run: abs(run.moves_per_s - median(rates)))
        yield Row(
            way, matches, min(rates), middle.moves_per_s, max(rates),
            middle.p50_ms, middle.p95_ms, middle.p99_ms, middle.cpu_us,
        )  # fmt: skip


def _say(report: Report) -> None:
    say(f"{report.game}; {report.store}; {report.reps} runs of {report.seconds:g} s each")
    say(f"{'':<22}{'matches':>8}{'min':>9}{'median':>9}{'max':>9}   moves/s   p50    p95    p99 ms   CPU us a move")
    for row in report.rows:
        cpu = ", ".join(f"{name} {used:g}" for name, used in row.cpu_us.items())
        rates = f"{row.least:>9.0f}{row.middle:>9.0f}{row.most:>9.0f}"
        p95 = f"{row.p95_ms:>7.2f}" if row.p95_ms else f"{'':>7}"
        say(f"{row.way:<22}{row.matches:>8}{rates}         {row.p50_ms:>7.2f}{p95}{row.p99_ms:>7.2f}   {cpu}")
