"""`tidelog bench watch`: entries a second that the gateway tells those who watch."""

import asyncio
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack
from math import inf
from pathlib import Path
from time import perf_counter
from typing import Self

import uvloop
from msgspec import Struct

from services.cli.bench.events import EventStreams
from services.cli.bench.figures import Figure, figure, quantile, say_figures
from services.cli.bench.load import Load, Tables, first_for_two
from services.cli.bench.processes import measured
from services.cli.errors import UsageError
from services.cli.output import progress, say, say_json
from services.cli.platform import Platform, Settings, running
from services.common.tasks import cancelled
from tidelog.client import Client, Play, Told, connect
from tidelog.client.answers import Entry


class Run(Struct, frozen=True):
    """One run. Delays are from a move's submit until all who watch had its last entry."""

    way: str
    deliveries: int
    deliveries_per_s: float
    moves_per_s: float
    p50_ms: float
    p99_ms: float


class Report(Struct, frozen=True):
    game: str
    matches: int
    watchers: int
    seconds: float
    reps: int
    runs: tuple[Run, ...]
    figures: tuple[Figure, ...]


def watch(*, matches: int = 8, watchers: int = 64, seconds: float = 4.0, reps: int = 3, json: bool = False) -> None:
    """Deliveries a second, clients included: every match is watched by all, who hear of a move before the next is made.

    Parameters
    ----------
    matches
        how many are played at once
    watchers
        how many watch each of them, as spectators
    seconds
        length of a run
    reps
        runs of each kind
    json
        print one JSON document
    """
    if not 0 < seconds < inf or min(matches, watchers, reps) < 1:
        raise UsageError("seconds is above 0, and there is at least one match, watcher and run")
    game = first_for_two()
    runs = measured(_measure(Load(game, "{}", matches, seconds), watchers, reps), uvloop.run)
    report = Report(game, matches, watchers, seconds, reps, tuple(runs), tuple(_figures(runs)))
    if json:
        say_json(report)
        return
    say(f"{game}; {matches} matches, {watchers} watch each; {reps} runs of {seconds:g} s each")
    say(f"{'':<22}{'deliveries/s':>14}{'moves/s':>10}{'p50':>10}{'p99 ms':>10}")
    for run in runs:
        say(f"{run.way:<22}{run.deliveries_per_s:>14.0f}{run.moves_per_s:>10.0f}{run.p50_ms:>10.2f}{run.p99_ms:>10.2f}")
    say_figures(report.figures)


class Audience:
    """All who watch: what they have heard of each match. `delays` are in seconds, one a move that all have heard of."""

    def __init__(self, watchers: int) -> None:
        self.deliveries = 0
        self.delays: list[float] = []
        self._watchers = watchers
        self._heard: dict[str, Counter[int]] = {}
        self._news = asyncio.Event()

    def hear(self, match: str, update: object) -> None:
        if isinstance(update, Entry):
            self.hear_version(match, update.version)

    def hear_version(self, match: str, version: int) -> None:
        self.deliveries += 1
        heard = self._heard.setdefault(match, Counter())
        heard[version] += 1
        if heard[version] == self._watchers:
            self._news.set()

    async def have(self, match: str, version: int) -> None:
        """Returns once all have heard the version."""
        while self._heard.get(match, Counter())[version] < self._watchers:
            self._news.clear()
            await self._news.wait()


class Streams:
    """Each match has a stream of its own for each who watches."""

    def __init__(self, clients: list[Client], audience: Audience) -> None:
        self._clients = clients
        self._audience = audience
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_error: object) -> None:
        await cancelled(*self._tasks)

    def begin(self, match: str) -> None:
        """Has all watch the match from its beginning."""
        for client in self._clients:
            task = asyncio.create_task(self._watch(client, match))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _watch(self, client: Client, match: str) -> None:
        async for update in client.watch(match):
            self._audience.hear(match, update)


class Sessions:
    """Each who watches follows all matches over one Play session."""

    def __init__(self, clients: list[Client], audience: Audience) -> None:
        self._sessions = [client.play() for client in clients]
        self._audience = audience
        self._open = AsyncExitStack()
        self._tasks: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> Self:
        for session in self._sessions:
            await self._open.enter_async_context(session)
            self._tasks.append(asyncio.create_task(self._listen(session)))
        return self

    async def __aexit__(self, *_error: object) -> None:
        await cancelled(*self._tasks)
        await self._open.aclose()

    def begin(self, match: str) -> None:
        """Has all watch the match from its beginning."""
        for session in self._sessions:
            session.follow(match)

    async def _listen(self, session: Play) -> None:
        async for news in session:
            if isinstance(news, Told):
                self._audience.hear(news.match_id, news.update)


Watchers = Streams | Sessions | EventStreams
OF_GRPC: dict[str, Callable[[list[Client], Audience], Watchers]] = {"WatchMatch": Streams, "Play": Sessions}
EVENTS = "WatchMatch by HTTP"
AIMS = dict.fromkeys(OF_GRPC, ("Python clients", "8000")) | {EVENTS: ("server-sent events", "25000")}


class WatchedTables(Tables):
    """A table plays on once everybody has heard of its move, so nobody is left behind."""

    def __init__(self, player: Client, play: Play, load: Load, watchers: Watchers, audience: Audience) -> None:
        super().__init__(player, play, load)
        self._watchers = watchers
        self._audience = audience

    async def opened(self, match: str) -> None:
        self._watchers.begin(match)

    async def accepted(self, match: str, version: int, began: float) -> None:
        await self._audience.have(match, version)
        self._audience.delays.append(perf_counter() - began)


async def _measure(load: Load, watchers: int, reps: int) -> list[Run]:
    plan = [way for _ in range(reps) for way in AIMS]
    with tempfile.TemporaryDirectory(prefix="tidelog-bench-") as folder:
        async with running(Settings("127.0.0.1:0", Path(folder), http="127.0.0.1:0")) as platform:
            steps = progress(plan, "bench watch", len(plan))
            return [await _run(platform, way, load, watchers) for way in steps]


async def _run(platform: Platform, way: str, load: Load, count: int) -> Run:
    audience, before = Audience(count), [0]

    def starts() -> None:
        before[0] = audience.deliveries
        audience.delays.clear()

    async with AsyncExitStack() as stack:
        player = await stack.enter_async_context(connect(platform.address))
        token = (await player.sign_in_as_guest("bench")).token
        watchers: Watchers
        if way == EVENTS:
            watchers = EventStreams(platform.http, token, count, audience.hear_version)
        else:
            connecting = [connect(platform.address, token=token) for _ in range(count)]
            watchers = OF_GRPC[way]([await stack.enter_async_context(each) for each in connecting], audience)
        await stack.enter_async_context(watchers)
        play = await stack.enter_async_context(player.play())
        tally = await WatchedTables(player, play, load, watchers, audience).run(starts)
        told = audience.deliveries - before[0]
    delays = sorted(1000 * delay for delay in audience.delays)
    told_per_s, moves_per_s = (round(number / tally.seconds, 1) for number in (told, len(tally.latencies)))
    return Run(way, told, told_per_s, moves_per_s, quantile(delays, 0.5), quantile(delays, 0.99))


def _figures(runs: list[Run]) -> Iterator[Figure]:
    for way, (clients, aim) in AIMS.items():
        rates = [run.deliveries_per_s for run in runs if run.way == way]
        yield figure("P7", f"deliveries by {way}, {clients}", "a second", rates, aim)
