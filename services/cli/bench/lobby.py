"""`tidelog bench lobby`: what a page of the list of matches takes when there are many."""

import tempfile
from pathlib import Path
from time import perf_counter

import grpc
import uvloop
from msgspec import Struct

from engines.core import games
from services.cli.bench.figures import Figure, figure, quantile, say_figures
from services.cli.bench.processes import measured
from services.cli.errors import UsageError
from services.cli.output import say, say_json
from services.common import logs
from services.eventlog import deciding
from services.eventlog.commands import Claim, Command, Create, Leave, Order
from services.eventlog.entries import START
from services.eventlog.memory import MemoryLog
from services.eventlog.port import Append
from tidelog.v1.identity_pb2 import SignInAsGuestRequest
from tidelog.v1.identity_pb2_grpc import IdentityServiceStub
from tidelog.v1.matches_pb2 import MATCH_STATUS_OPEN, MATCH_STATUS_RUNNING, ListMatchesRequest
from tidelog.v1.matches_pb2_grpc import MatchServiceStub

PLAYERS = 5_000
DEEP = 20
"""The page that is asked for again and again, after as many before it."""

SECRET = bytes(range(32))

SERVED = tuple(f"{title}=127.0.0.1:1" for title in games.names())
"""Lists are of games that the gateway serves; nobody asks the engines."""


class Row(Struct, frozen=True):
    """Milliseconds from a call to its answer."""

    asked: str
    least: float
    middle: float
    p99: float
    most: float


class Report(Struct, frozen=True):
    """The list was built anew before, from logs in memory: `read_entries_per_s`."""

    matches: int
    calls: int
    read_entries_per_s: int
    rows: tuple[Row, ...]
    figures: tuple[Figure, ...]


def lobby(*, matches: int = 100_000, calls: int = 200, json: bool = False) -> None:
    """Milliseconds a page of ListMatches, under several filters, over gRPC to a client in this process.

    Matches of every game are made, most with a free seat, some begun, some of them left to a winner; a gateway reads
    their logs into its file of read models as it would any, and then answers.

    Parameters
    ----------
    matches
        how many there are
    calls
        how often each page is asked for
    json
        print one JSON document
    """
    if min(matches, calls) < 1:
        raise UsageError("there is at least one match and one call")
    logs.configure("bench", "warning")
    report = measured(_measure(matches, calls), uvloop.run)
    if json:
        say_json(report)
        return
    say(f"{matches} matches, {report.read_entries_per_s} entries/s read in")
    say(f"{'ms a page of 50':<28}{'min':>9}{'median':>9}{'p99':>9}{'max':>9}")
    for row in report.rows:
        say(f"{row.asked:<28}{row.least:>9.2f}{row.middle:>9.2f}{row.p99:>9.2f}{row.most:>9.2f}")
    say_figures(report.figures)


def _asked() -> dict[str, ListMatchesRequest]:
    first, *_, last = games.names()
    return {
        "the newest": ListMatchesRequest(),
        "open, of one game": ListMatchesRequest(game=first, status=MATCH_STATUS_OPEN),
        "with a free seat": ListMatchesRequest(open_seats=1),
        "running": ListMatchesRequest(status=MATCH_STATUS_RUNNING),
        "of one player": ListMatchesRequest(player=_player(7)),
        "made by one player": ListMatchesRequest(creator=_player(7)),
        "of a game for three": ListMatchesRequest(game=last, seats=3, open_seats=1),
    }


def _player(number: int) -> str:
    return f"guest|{number % PLAYERS}"


async def _fill(log: MemoryLog, matches: int) -> None:
    """Every fifth match begins, every tenth is over."""
    titles = games.names()
    for title in titles:
        await log.put_edition(games.edition_hash(games.edition(title)), games.edition(title))
    for number in range(matches):
        title = titles[number % len(titles)]
        edition, engine = games.edition(title), games.engine(title)
        seats = 2 if number % 5 == 0 else max(3, engine.seats[0])
        creator, guest = (_player(number * step) for step in (1, 7))
        match, at = f"LOBBY{number:019}", 1_700_000_000_000 + number
        create = Create(title, engine.Options(), seats, games.edition_hash(edition), own_seat=0, name="Ann")
        aggregate, entries = deciding.create(Order(creator, "create", create), edition, match, SECRET, at)
        more: list[tuple[str, Command]] = [(guest, Claim(1, "Ben"))] if number % 5 == 0 else []
        if number % 10 == 0:
            more.append((guest, Leave(1)))
        for player, command in more:
            entries += deciding.decide(aggregate, Order(player, type(command).__name__, command), SECRET, at + 1)
        await log.append(Append(match, START, entries, SECRET))


async def _times(address: str, calls: int) -> dict[str, list[float]]:
    """Milliseconds of each call, ascending."""
    found: dict[str, list[float]] = {}
    async with grpc.aio.insecure_channel(address) as channel:
        guest = await IdentityServiceStub(channel).SignInAsGuest(SignInAsGuestRequest(name="bench"))
        metadata = (("authorization", f"Bearer {guest.token}"),)
        stub = MatchServiceStub(channel)

        async def timed(request: ListMatchesRequest) -> tuple[float, str]:
            began = perf_counter()
            answer = await stub.ListMatches(request, metadata=metadata)
            return 1000 * (perf_counter() - began), answer.next_page_token

        for what, asked in _asked().items():
            found[what] = sorted([(await timed(asked))[0] for _ in range(calls)])
        token = ""
        for _ in range(DEEP):
            _, token = await timed(ListMatchesRequest(page_token=token))
        found[f"the newest, page {DEEP + 1}"] = sorted(
            [(await timed(ListMatchesRequest(page_token=token)))[0] for _ in range(calls)]
        )
    return found


async def _measure(matches: int, calls: int) -> Report:
    from gateway.main import Gateway
    from gateway.settings import GatewaySettings

    log = MemoryLog()
    await _fill(log, matches)
    entries = sum(await log.feed_numbers())
    with tempfile.TemporaryDirectory(prefix="tidelog-bench-") as folder:
        settings = GatewaySettings(redis_url="", engines=SERVED, cluster_key="bench", data_dir=Path(folder))
        gateway = Gateway(settings, log)
        began = perf_counter()
        await gateway.start()
        try:
            await gateway.parts.follower.aligned()
            await gateway.parts.matches.settled()
            spent = perf_counter() - began
            found = await _times(gateway.address, calls)
        finally:
            await gateway.stop()
    rows = [_row(asked, ms) for asked, ms in found.items()]
    what = f"a page of {matches} matches, by filter"
    page = figure("list", what, "ms", [row.middle for row in rows], "10")
    return Report(matches, calls, round(entries / spent), tuple(rows), (page,))


def _row(asked: str, ms: list[float]) -> Row:
    return Row(asked, quantile(ms, 0), quantile(ms, 0.5), quantile(ms, 0.99), quantile(ms, 1))
