"""`tidelog check-game`: the laws that every game here keeps, for a game that lives elsewhere."""

import linecache
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from traceback import extract_tb
from typing import TYPE_CHECKING

from msgspec import Struct

from engines.core import games
from engines.core.engine import Engine
from services.cli.errors import CheckFailed, UsageError
from services.cli.output import say, say_json

if TYPE_CHECKING:
    from services.cli.laws.record import Matches


class Verdict(Struct, frozen=True):
    """What became of one law; where it is broken, `problem` says how, and in which match it was first seen."""

    law: str
    kept: bool
    variant: str = ""
    seed: int | None = None
    problem: str = ""


class Report(Struct, frozen=True):
    game: str
    matches: int
    verdicts: list[Verdict]


def check_game(path: str, *, matches: int = 5, seed: int = 0, json: bool = False) -> None:
    """Hold a game to the laws: its types, and what holds of random matches of it, in every variant of its options.

    Parameters
    ----------
    path
        folder or name of the package that has the game's ENGINE, or the name of an installed game
    matches
        how many are played of each variant
    seed
        that of the first match; the others follow it
    json
        print one JSON document
    """
    if matches < 2 or seed < 0:
        raise UsageError("matches are 2 or more, a seed is 0 or more")
    if not __debug__:
        raise UsageError("laws are assertions: run without -O and PYTHONOPTIMIZE")
    game = _found(path)
    report = Report(game, matches, list(_verdicts(game, range(seed, seed + matches), quiet=json)))
    if json:
        say_json(report)
    broken = [verdict.law for verdict in report.verdicts if not verdict.kept]
    if broken:
        raise CheckFailed(f"{game} breaks {len(broken)} of {len(report.verdicts)} laws: {'; '.join(broken)}")
    if not json:
        say(f"{game} keeps all {len(report.verdicts)} laws")


def _found(path: str) -> str:
    """The game's name, by which all else finds it. Raises UsageError, CheckFailed."""
    if path in games.names():
        return path
    folder = Path(path).resolve()
    if folder.is_dir():
        if not (folder / "__init__.py").is_file():
            raise UsageError(f"{path} is no package: it has no __init__.py")
        sys.path.insert(0, str(folder.parent))
        path = folder.name
    elif not all(part.isidentifier() for part in path.split(".")):
        raise UsageError(f"there is no folder {path}, and no package can be called so")
    try:
        name = games.add(path)
    except games.NameTaken as error:
        raise UsageError(str(error)) from error
    except (Exception, SystemExit) as error:  # the game's own code runs here
        raise CheckFailed(f"{path} has no engine that can be loaded: {error!r}") from error
    if not isinstance(games.engine(name), Engine):
        raise CheckFailed(f"{path}.ENGINE is no engines.core.engine.Engine")
    return name


def _verdicts(game: str, seeds: range, *, quiet: bool) -> Iterator[Verdict]:
    """Each as soon as it stands; a game whose types or play break down is not asked further."""
    from services.cli.laws import book
    from services.cli.laws.record import Matches, variants

    kept = True
    for of_types in book.OF_GAMES:
        verdict = _judged(book.title(of_types), partial(of_types, game))
        kept = kept and verdict.kept
        yield _told(verdict, quiet=quiet)
    runs = [Matches(game, variant, seeds) for variant in variants(game)] if kept else []
    for law in [book.matches_can_be_played, *book.OF_MATCHES] if kept else []:
        verdict = _of_matches(law, runs)
        yield _told(verdict, quiet=quiet)
        if law is book.matches_can_be_played and not verdict.kept:
            return


def _told(verdict: Verdict, *, quiet: bool) -> Verdict:
    if not quiet and verdict.kept:
        say(f"kept    {verdict.law}")
    elif not quiet:
        where = f" (variant {verdict.variant}, seed {verdict.seed})" if verdict.variant else ""
        say(f"BROKEN  {verdict.law}{where}: {verdict.problem}")
    return verdict


def _of_matches(law: "Callable[[Matches], None]", runs: "list[Matches]") -> Verdict:
    """Where the law is broken, by the first match that breaks it alone, if one does."""
    title = law.__name__.replace("_", " ")
    for run in runs:
        verdict = _judged(title, partial(law, run))
        if verdict.kept:
            continue
        alone = ((seed, _judged(title, partial(law, replace(run, seeds=range(seed, seed + 1))))) for seed in run.seeds)
        first, verdict = next(((seed, found) for seed, found in alone if not found.kept), (run.seeds[0], verdict))
        return Verdict(title, kept=False, variant=run.variant, seed=first, problem=verdict.problem)
    return Verdict(title, kept=True)


def _judged(title: str, check: Callable[[], None]) -> Verdict:
    try:
        check()
    except Exception as error:  # noqa: BLE001 - the game's own code runs here
        return Verdict(title, kept=False, problem=_problem(error))
    return Verdict(title, kept=True)


def _problem(error: Exception) -> str:
    """What was raised, and the line that raised it: of an assertion that is what does not hold."""
    last = extract_tb(error.__traceback__)[-1]
    line = linecache.getline(last.filename, last.lineno or 0).strip()
    words = " ".join(str(error).split())
    return f"{type(error).__name__}{f' {words}' if words else ''} at {Path(last.filename).name}:{last.lineno}: {line}"
