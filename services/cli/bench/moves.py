"""`tidelog bench moves`: durable moves a second, client included, through Play and unary calls."""

import asyncio
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from math import inf
from pathlib import Path
from statistics import median
from typing import Annotated

import msgspec
import uvloop
from cyclopts import Parameter
from msgspec import Struct

from engines.core import games
from engines.core.errors import RuleError
from services.cli.bench import peer as peers
from services.cli.bench.figures import Figure, figure, quantile, say_figures
from services.cli.bench.load import Load, Tally, drive, first_for_two
from services.cli.bench.processes import measured, own_seconds, seconds
from services.cli.errors import UsageError
from services.cli.output import progress, say, say_json
from services.cli.platform import Platform, Settings, running
from services.cli.selfplay import options_of

PEER = Path(__file__).parents[3] / "tests" / "bench" / "peers" / "boardgame_io"
STORAGES = ("mem", "flatnq", "flat")
FIRST_PORT = 18100
PEER_NAME = "boardgame.io"
CLIENTS = ("client", "bots")
"""Whose CPU is not the platform's."""


class Run(Struct, frozen=True):
    """One run, at `rate` moves a second, or as fast as it went for 0. `told` is until the other seat's stream has it.

    `cpu_us` is CPU a move by process, in microseconds; empty where the system does not tell.
    """

    way: str
    matches: int
    rate: float
    moves: int
    moves_per_s: float
    p50_ms: float
    p95_ms: float
    p99_ms: float
    told_p50_ms: float
    told_p99_ms: float
    cpu_us: dict[str, float]

    @property
    def server_us(self) -> float:
        return sum(used for name, used in self.cpu_us.items() if name not in CLIENTS)


class Row(Struct, frozen=True):
    """The runs of one way, number of matches and rate: least, median and most; the rest is the median run's."""

    way: str
    matches: int
    rate: float
    least: float
    middle: float
    most: float
    p50_ms: float
    p95_ms: float
    p99_ms: float
    told_p50_ms: float
    told_p99_ms: float
    cpu_us: dict[str, float]


class Report(Struct, frozen=True):
    game: str
    store: str
    seconds: float
    reps: int
    rows: tuple[Row, ...]
    figures: tuple[Figure, ...]


def moves(  # noqa: PLR0913 - one parameter an option
    *,
    game: str = "",
    option: tuple[str, ...] = (),
    matches: str = "1,16,64",
    seconds: float = 4.0,
    reps: int = 3,
    rate: float = 0.0,
    peer: Annotated[Path, Parameter(show_default=False)] = PEER,
    no_peer: bool = False,
    json: bool = False,
) -> None:
    """Durable moves a second through Play and unary calls, a peer alternating; then delays at half that rate.

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
    rate
        moves a second at which delays are measured; by default half of what Play reached
    peer
        folder of the boardgame.io benchmark, installed with npm
    no_peer
        measure alone
    json
        print one JSON document
    """
    counts = _counts(matches)
    if not 0 < seconds < inf or reps < 1 or not 0 <= rate < inf:
        raise UsageError("seconds is above 0, reps at least 1, and a rate a number of moves")
    name = game or first_for_two()
    try:
        options = options_of(games.engine(name), dict(text.partition("=")[::2] for text in option))
    except (games.UnknownGame, RuleError, ValueError) as error:
        raise UsageError(str(error)) from error
    if not no_peer:
        peers.check(peer)
    plan = _plan(counts, reps, peer=not no_peer)
    bench = _Bench(name, msgspec.json.encode(options).decode(), seconds, peer)
    store = measured(bench.measure(plan, max(counts), rate, reps), uvloop.run)
    report = Report(name, store, seconds, reps, tuple(_rows(bench.runs)), tuple(_figures(bench.runs, max(counts))))
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


def _plan(counts: Iterable[int], reps: int, *, peer: bool) -> list[tuple[str, int]]:
    """The runs in order: ours and the peer's take turns, so that a machine that slows down slows all alike."""
    ways = ("play", "unary", *(STORAGES if peer else ()))
    return [(way, count) for count in counts for _ in range(reps) for way in ways]


class _Bench:
    """What was run, in order."""

    def __init__(self, game: str, options: str, seconds: float, peer: Path) -> None:
        self.runs: list[Run] = []
        self._game = game
        self._options = options
        self._seconds = seconds
        self._peer = peer

    async def measure(self, plan: list[tuple[str, int]], matches: int, rate: float, reps: int) -> str:
        """What the store was."""
        with tempfile.TemporaryDirectory(prefix="tidelog-bench-") as folder:
            async with running(Settings("127.0.0.1:0", Path(folder))) as platform:
                for way, count in progress(plan, "bench moves", len(plan)):
                    if way in STORAGES:
                        self.runs.append(await asyncio.to_thread(self._peer_run, way, count))
                    else:
                        self.runs.append(await self._own_run(platform, way, count))
                reached = median(run.moves_per_s for run in self.runs if (run.way, run.matches) == ("play", matches))
                for _ in progress(range(reps), "delays", reps):
                    self.runs.append(await self._own_run(platform, "play", matches, rate or round(reached / 2)))
                return await _store_facts(platform.store)

    async def _own_run(self, platform: Platform, way: str, matches: int, rate: float = 0.0) -> Run:
        """The opening of the first matches is not counted, those that follow are."""
        load = Load(self._game, self._options, matches, self._seconds, way == "unary", len(self.runs), rate)
        before: dict[str, float] = {}
        tally = await drive(platform.address, load, lambda: before.update(_used(platform)))
        after = _used(platform)
        return _run(way, load, tally, {name: after[name] - before[name] for name in after.keys() & before.keys()})

    def _peer_run(self, storage: str, matches: int) -> Run:
        found = peers.run(self._peer, storage, matches, self._seconds, FIRST_PORT + len(self.runs))
        rate, p50, p99 = found.moves_per_s_median, found.p50_ms, found.p99_ms
        return Run(f"{PEER_NAME} {storage}", matches, 0.0, 0, rate, p50, 0.0, p99, 0.0, 0.0, {})


def _used(platform: Platform) -> dict[str, float]:
    return seconds(platform.pids) | {"client": own_seconds()}


def _run(way: str, load: Load, tally: Tally, used: dict[str, float]) -> Run:
    count = len(tally.latencies)
    answered, told = (sorted(1000 * each for each in found) for found in (tally.latencies, tally.told))
    cpu = {name: round(used[name] / max(count, 1) * 1e6, 1) for name in sorted(used)}
    return Run(
        way, load.matches, load.rate, count, round(count / tally.seconds, 1),
        quantile(answered, 0.5), quantile(answered, 0.95), quantile(answered, 0.99),
        quantile(told, 0.5), quantile(told, 0.99), cpu,
    )  # fmt: skip


async def _store_facts(url: str) -> str:
    from services.eventlog.redis_log import RedisLog

    log = await RedisLog.open(url)
    await log.close()
    return str(log.facts)


def _rows(runs: list[Run]) -> Iterator[Row]:
    groups: dict[tuple[str, int, float], list[Run]] = {}
    for run in runs:
        groups.setdefault((run.way, run.matches, run.rate), []).append(run)
    for (way, matches, rate), group in groups.items():
        rates = [run.moves_per_s for run in group]
        middle = min(group, key=lambda run: abs(run.moves_per_s - median(rates)))
        yield Row(
            way, matches, rate, min(rates), middle.moves_per_s, max(rates),
            middle.p50_ms, middle.p95_ms, middle.p99_ms, middle.told_p50_ms, middle.told_p99_ms, middle.cpu_us,
        )  # fmt: skip


def _figures(runs: Sequence[Run], matches: int) -> Iterator[Figure]:
    def of(way: str) -> list[Run]:
        return [run for run in runs if (run.way, run.matches) == (way, matches)]

    played = [run for run in of("play") if not run.rate]
    paced = [run for run in of("play") if run.rate]
    peer = [run.moves_per_s for run in of(f"{PEER_NAME} mem")]
    rates = [run.moves_per_s for run in played]
    beside = f"{median(rates) / median(peer):.2f} of {PEER_NAME} in memory" if peer else ""
    yield figure(
        "P2a", f"durable moves through Play, {matches} matches", "a second", rates, "3000, least 2 of the peer", beside
    )
    yield figure("P2b", f"unary moves, {matches} matches", "a second", [run.moves_per_s for run in of("unary")], "1200")
    if all(run.cpu_us for run in played):
        yield figure("P2c", "CPU of gateway, engines and store a move", "us", [run.server_us for run in played], "300")
    what = f"p99 to the other seat, {paced[0].rate:g} moves a second"
    yield figure("P3", what, "ms", [run.told_p99_ms for run in paced], "10")


def _say(report: Report) -> None:
    say(f"{report.game}; {report.store}; {report.reps} runs of {report.seconds:g} s each")
    say(f"{'':<22}{'matches':>8}{'min':>9}{'median':>9}{'max':>9}   moves/s   p50    p95    p99 ms   CPU us a move")
    for row in report.rows:
        cpu = ", ".join(f"{name} {used:g}" for name, used in row.cpu_us.items() if used)
        rates = f"{row.least:>9.0f}{row.middle:>9.0f}{row.most:>9.0f}"
        p95 = f"{row.p95_ms:>7.2f}" if row.p95_ms else f"{'':>7}"
        way = f"{row.way} at {row.rate:g}/s" if row.rate else row.way
        say(f"{way:<22}{row.matches:>8}{rates}         {row.p50_ms:>7.2f}{p95}{row.p99_ms:>7.2f}   {cpu}")
    say_figures(report.figures)
