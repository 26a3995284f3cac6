"""`tidelog bench faults`: kills and cuts at random while clients play; nothing acknowledged may be lost."""

import tempfile
from math import inf
from pathlib import Path

from engines.core import games
from services.cli.bench.faults.running import Plan, Report, Times, run
from services.cli.bench.faults.watching import Watched
from services.cli.bench.processes import measured
from services.cli.errors import CheckFailed, UsageError
from services.cli.output import say, say_json


def faults(
    *played: str,
    minutes: float = 10.0,
    seed: int = 1,
    tables: int = 72,
    watchers: int = 1000,
    data: Path | None = None,
    json: bool = False,
) -> None:
    """Kill and cut at random while clients play, then compare what they were told with the logs.

    Parameters
    ----------
    played
        the games, by default all
    minutes
        how long
    seed
        of the order of kills and cuts
    tables
        matches played at once
    watchers
        of one match, measured before anything is broken, without and with a stalled one among them; 0 for none
    data
        folder for the store and the roles' log, which stays; by default one that is removed
    json
        print one JSON document
    """
    import uvloop

    from services.common import logs

    logs.configure("bench", "error")  # the roles' own words stand in their log
    if not 0 < minutes < inf or tables < 1 or watchers < 0:
        raise UsageError("minutes are above 0, there is at least one table, and watchers are a number from 0")
    try:
        for game in played:
            games.engine(game)
    except games.UnknownGame as error:
        raise UsageError(str(error)) from error
    plan = Plan(games=played, seconds=minutes * 60, tables=tables, watchers=watchers, seed=seed)
    if data is not None:
        report = measured(run(plan, data), uvloop.run)
    else:
        with tempfile.TemporaryDirectory(prefix="tidelog-faults-") as folder:
            report = measured(run(plan, Path(folder)), uvloop.run)
    if json:
        say_json(report)
    else:
        say(line(report))
    if report.lost:
        first = report.lost[0]
        raise CheckFailed(
            f"{sum(report.losses.values())} losses; the first in {first.match}: {first.kind}: {first.detail}"
        )


def line(report: Report) -> str:
    """The figures in one line."""
    kills = ", ".join(
        f"{kind} {found.kills} (moves {_said(found.moves_s)}, serves {_said(found.serves_s)} s)"
        for kind, found in report.kills.items()
    )
    cuts = ", ".join(f"{count} {kind}" for kind, count in report.cuts.items())
    lost = ", ".join(f"{count} {kind}" for kind, count in report.losses.items())
    watched = f"{_watched(report.watched)}; " if report.watched else ""
    return (
        f"{report.moves} moves acknowledged in {report.seconds:g} s, {report.moves_per_s:g} a second, "
        f"{report.repeated} found already there, {report.matches} matches; kills: {kills}; "
        f"connections: {cuts}; {watched}losses: {lost}"
    )


def _watched(found: Watched) -> str:
    return (
        f"{found.watchers} watchers: p99 {found.before.p99_ms:g} ms, {found.beside.p99_ms:g} ms beside one who stalled "
        f"and ended with {found.stalled}, {found.missed} missed something"
    )


def _said(times: Times | None) -> str:
    return "-" if times is None else f"{times.least:g}/{times.middle:g}/{times.most:g}"
