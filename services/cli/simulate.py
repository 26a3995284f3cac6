"""`tidelog simulate`: matches between bots, by the engine alone."""

from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from time import perf_counter

import msgspec
from msgspec import Struct

from engines.core import games
from engines.core.errors import InvalidEdition, RuleError
from services.bots.players import UnknownPlayer, seat_players
from services.cli.errors import UsageError
from services.cli.output import progress, say, say_json
from services.cli.selfplay import BareTable, LoggedTable, Played, Setting, options_of, play, secret_of
from services.eventlog.export import export_full


class Report(Struct, frozen=True):
    """`seconds` are those of play, without start-up; `wins` counts by seat, a shared victory in equal parts."""

    game: str
    seats: int
    bots: tuple[str, ...]
    seed: int
    matches: int
    decisions: int
    turns: int
    unfinished: int
    seconds: float
    matches_per_s: float
    decisions_per_s: float
    wins: tuple[float, ...]


def simulate(  # noqa: PLR0913 - one parameter an option
    game: str,
    *,
    matches: int = 1,
    seats: int | None = None,
    seed: int = 1,
    bots: str = "random",
    option: tuple[str, ...] = (),
    edition: Path | None = None,
    max_turns: int = 1000,
    out: Path | None = None,
    jobs: int = 1,
    json: bool = False,
) -> None:
    """Play matches between bots and report on them.

    Parameters
    ----------
    game
        name of the game
    matches
        how many
    seats
        players in each; the least that the game takes
    seed
        the same seed plays the same matches, to the byte
    bots
        names of players, for the seats in turn: random, random-open, greedy
    option
        an option of the game as name=value; may be given again
    edition
        a file with the components
    max_turns
        as the game counts them; a match in which another one begins counts as unfinished
    out
        folder for the exports of the matches
    jobs
        processes
    json
        print one JSON document
    """
    setting = _setting(game, seats, seed, bots, option, edition, max_turns)
    if matches < 1 or jobs < 1 or max_turns < 1:
        raise UsageError("matches, jobs and max-turns are at least 1")
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
    _try(setting)
    began = perf_counter()
    played = list(progress(_play_all(setting, matches, out, jobs), f"{game}: matches", matches))
    report = _report(setting, played, perf_counter() - began)
    if json:
        say_json(report)
    else:
        _say(report)


def _setting(  # noqa: PLR0913, PLR0917 - the command's own options
    game: str, seats: int | None, seed: int, bots: str, option: Iterable[str], edition: Path | None, max_turns: int
) -> Setting:
    pairs = dict(text.partition("=")[::2] for text in option)
    try:
        engine = games.engine(game)
        options = options_of(engine, pairs)
        data = games.edition(game) if edition is None else edition.read_bytes()
        count = engine.seats[0] if seats is None else seats
        engine.initial(engine.catalog(data), options, count, engine.rules[-1])
    except (games.UnknownGame, InvalidEdition, RuleError, msgspec.ValidationError, OSError) as error:
        raise UsageError(str(error)) from error
    if not 0 <= seed < 2**63:
        raise UsageError("a seed is a number from 0 to 2^63 - 1")
    names = [name.strip() for name in bots.split(",")]
    if len(names) > count:
        raise UsageError(f"{len(names)} bots for {count} seats")
    return Setting(
        game, options, count, data, tuple(names[seat % len(names)] for seat in range(count)), seed, max_turns
    )


def _try(setting: Setting) -> None:
    """Raises UsageError where there is no such player."""
    try:
        seat_players(games.engine(setting.game), setting.bots, setting.seats)
    except UnknownPlayer as error:
        raise UsageError(str(error)) from error


def _play_all(setting: Setting, matches: int, out: Path | None, jobs: int) -> Iterator[Played]:
    if jobs == 1:
        for number in range(1, matches + 1):
            yield _play_one(setting, number, out)
        return
    numbers = range(1, matches + 1)
    with ProcessPoolExecutor(min(jobs, matches), mp_context=get_context("spawn")) as pool:
        yield from pool.map(
            _play_one, [setting] * matches, numbers, [out] * matches, chunksize=max(1, matches // (jobs * 16))
        )


def _play_one(setting: Setting, number: int, out: Path | None) -> Played:
    engine = games.engine(setting.game)
    players = seat_players(engine, setting.bots, setting.seats)
    secret = secret_of(setting, number)
    if out is None:
        return play(engine, BareTable(engine, setting, secret), players, setting, number)
    table = LoggedTable(setting, secret, number)
    played = play(engine, table, players, setting, number)
    unfinished = played.outcome is None
    lines = export_full(table.entries, setting.edition, secret if unfinished else None)
    _write(out / f"{setting.game}-{setting.seed}-{number:06d}.jsonl", lines)
    return played


def _write(path: Path, lines: Iterable[bytes]) -> None:
    """The file appears whole or not at all."""
    part = path.with_suffix(".part")
    with part.open("wb") as file:
        file.writelines(lines)
    part.replace(path)


def _report(setting: Setting, played: list[Played], seconds: float) -> Report:
    decisions = sum(match.decisions for match in played)
    return Report(
        game=setting.game,
        seats=setting.seats,
        bots=setting.bots,
        seed=setting.seed,
        matches=len(played),
        decisions=decisions,
        turns=sum(match.turns for match in played),
        unfinished=sum(match.outcome is None for match in played),
        seconds=round(seconds, 3),
        matches_per_s=round(len(played) / seconds, 1),
        decisions_per_s=round(decisions / seconds, 1),
        wins=_wins(setting.seats, played),
    )


def _wins(seats: int, played: list[Played]) -> tuple[float, ...]:
    wins = [0.0] * seats
    for match in played:
        winners = [standing.seat for standing in match.outcome.ranking if standing.place == 1] if match.outcome else []
        for seat in winners:
            wins[seat] += 1 / len(winners)
    return tuple(round(won, 3) for won in wins)


def _say(report: Report) -> None:
    say(f"{report.matches} matches of {report.game}, {report.seats} seats, seed {report.seed}")
    say(f"{report.matches_per_s} matches/s, {report.decisions_per_s} decisions/s, {report.seconds} s")
    say(f"{report.decisions} decisions in {report.turns} turns; unfinished: {report.unfinished}")
    for seat, won in enumerate(report.wins):
        say(f"seat {seat} ({report.bots[seat]}): {won:g} wins")
