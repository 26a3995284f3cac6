"""Greedy players of South Seas among themselves: what an edition makes of them.

`python -m tests.bench.selfplay_south_seas [--matches 1000] [--edition NAME|FILE] [--seats 2 3 4 5] [--jobs 2]`. Of each
number of seats: how often each seat wins (a shared victory is shared), ships taken a match, wares left over, seas
closed, tiles that fit nowhere, and how matches ended. The same matches for the same seed, on every machine.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from statistics import fmean

from engines.core import games
from engines.core.outcome import Outcome
from engines.south_seas.catalog import WARES
from engines.south_seas.scoring import terrain_of
from engines.south_seas.state import NONE, State
from services.bots.players import seat_players
from services.cli.selfplay import BareTable, Setting, play, secret_of

GAME = "south_seas"
BATCH = 50

Figures = dict[str, float]


def match(seats: int, edition: str, seed: int, number: int) -> Figures:
    engine, bots = games.engine(GAME), ("greedy",) * seats
    data = Path(edition).read_bytes() if edition.endswith(".json") else games.edition(GAME, edition)
    setting = Setting(GAME, engine.Options(), seats, data, bots, seed, 1000)
    table = BareTable(engine, setting, secret_of(setting, number))
    outcome = play(engine, table, seat_players(engine, bots, seats), setting, number).outcome
    assert outcome is not None
    return figures(table.state, outcome)


def figures(state: State, outcome: Outcome) -> Figures:
    board = state.board
    closed = Counter(
        terrain_of(state, node).value
        for node, parent in enumerate(board.parents)
        if parent < 0 and not board.gaps[node]
    )
    winners = [one.seat for one in outcome.ranking if one.place == 1]
    found: Figures = {f"wins of seat {seat}": (seat in winners) / len(winners) for seat in range(state.seats)}
    found |= {
        "points of the winner": outcome.ranking[0].points,
        "points of the last": outcome.ranking[-1].points,
        "ships taken": sum(owner != NONE for owner in state.owners),
        "ended by the last ship": not state.display,
        "tiles that fit nowhere": len(state.discards),
        "tiles placed": len(state.tiles) - 1,
        "fish covered": len(state.covered),
        "wares left over": sum(state.wares),
    }
    found |= {f"{ware} left over": sum(state.wares[kind :: len(WARES)]) for kind, ware in enumerate(WARES)}
    return found | {f"{terrain} closed": closed[terrain] for terrain in ("bridge", "island", "sea", "market")}


def batch(seats: int, edition: str, seed: int, numbers: range) -> list[Figures]:
    return [match(seats, edition, seed, number) for number in numbers]


def report(seats: int, edition: str, seed: int, matches: int, jobs: int) -> Figures:
    batches = [range(first, min(first + BATCH, matches + 1)) for first in range(1, matches + 1, BATCH)]
    with ProcessPoolExecutor(jobs) as pool:
        rows = [row for rows in pool.map(partial(batch, seats, edition, seed), batches) for row in rows]
    return {name: fmean(row[name] for row in rows) for name in rows[0]}


def lines(reports: dict[int, Figures]) -> Iterator[str]:
    names = dict.fromkeys(name for figures in reports.values() for name in figures)
    yield f"{'a match':26}" + "".join(f"{f'{seats} seats':>10}" for seats in reports)
    for name in sorted(names, key=lambda name: not name.startswith("wins")):
        cells = (f"{figures[name]:10.3f}" if name in figures else " " * 10 for figures in reports.values())
        yield f"{name:26}" + "".join(cells)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=1000)
    parser.add_argument("--edition", default=games.engine(GAME).edition)
    parser.add_argument("--seats", type=int, nargs="+", default=[2, 3, 4, 5])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    reports = {seats: report(seats, asked.edition, asked.seed, asked.matches, asked.jobs) for seats in asked.seats}
    sys.stdout.write(json.dumps(reports) + "\n" if asked.json else "\n".join(lines(reports)) + "\n")


if __name__ == "__main__":
    main()
