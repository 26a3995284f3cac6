"""P1: Catan's base game between four random players beside catanatron (`python -m tests.bench.bench_catan PEER`).

PEER is the Python of a virtual environment that has catanatron. Each side plays whole games in one process, in
alternating runs, each run with seeds of its own; start-up is not counted, of either. Last, what a copy of the state
costs in the middle of a match.
"""

import argparse
import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median
from timeit import repeat

from engines.core import games
from engines.core.options import read_options
from services.bots.players import seat_players
from services.cli.selfplay import BareTable, Setting, play, secret_of

TIDELOG = Path(sys.executable).parent / "tidelog"
SCRIPT = Path(__file__).parent / "peers" / "catanatron" / "bench_catanatron.py"
FIGURE = re.compile(r"([a-z/]+)=([0-9.]+)")

TURNS, COPIES = 100, 10_000

Run = dict[str, float]


def ours(matches: int, seed: int) -> Run:
    command = [TIDELOG, "simulate", "catan_fishermen", "--option", "fishermen=none", "--seats", "4", "--bots", "random"]
    command += ["--max-turns", "1000", "--matches", str(matches), "--seed", str(seed), "--json"]
    report = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    return {
        "games_per_s": report["matches"] / report["seconds"],
        "decisions_per_s": report["decisions"] / report["seconds"],
        "decisions_a_game": report["decisions"] / report["matches"],
        "turns_a_game": report["turns"] / report["matches"],
        "unfinished": report["unfinished"],
    }


def catanatron(python: Path, matches: int, seed: int) -> Run:
    """Its ticks are decisions; a game that nobody won in its 1000 turns is unfinished."""
    command = [python, SCRIPT, str(matches), str(seed)]
    line = subprocess.run(command, capture_output=True, check=True, text=True).stdout
    figures = {name: float(value) for name, value in FIGURE.findall(line)}
    return {
        "games_per_s": figures["games/s"],
        "decisions_per_s": figures["ticks/s"],
        "decisions_a_game": figures["ticks/game"],
        "turns_a_game": figures["turns/game"],
        "unfinished": matches - figures["won"],
    }


def copies_us(runs: int) -> list[float]:
    """Least, median and most of what a copy of the state takes at the hundredth turn, in microseconds."""
    engine, bots = games.engine("catan_fishermen"), ("random",) * 4
    options = read_options(engine, {"fishermen": "none"})
    setting = Setting(engine.name, options, len(bots), games.edition(engine.name), bots, 1, TURNS)
    table = BareTable(engine, setting, secret_of(setting, 1))
    play(engine, table, seat_players(engine, bots, len(bots)), setting, 1)
    state = table.state
    spent = [run / COPIES * 1e6 for run in repeat(state.copy, number=COPIES, repeat=runs)]
    return [min(spent), median(spent), max(spent)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("peer", type=Path)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    sides: dict[str, Callable[[int, int], Run]] = {
        "tidelog": ours,
        "catanatron": lambda matches, seed: catanatron(asked.peer, matches, seed),
    }
    runs: dict[str, list[Run]] = {side: [] for side in sides}
    for run in range(asked.runs):
        for side, measured in sides.items():
            runs[side].append(measured(asked.games, 1 + run * asked.games))
    table = {
        side: {
            name: [min(values), median(values), max(values)]
            for name in runs[side][0]
            for values in [[run[name] for run in runs[side]]]
        }
        for side in sides
    }
    ratios = {
        name: median(a[name] / b[name] for a, b in zip(*runs.values(), strict=True))
        for name in ("games_per_s", "decisions_per_s", "decisions_a_game")
    }
    write = sys.stdout.write
    copies = copies_us(asked.runs)
    if asked.json:
        write(
            json.dumps(
                {"runs": asked.runs, "games": asked.games, "sides": table, "median_ratio": ratios, "copy_us": copies}
            )
            + "\n"
        )
        return
    for side, figures in table.items():
        for name, (least, middle, most) in figures.items():
            write(f"{side:12}{name:18}{least:12.1f}{middle:12.1f}{most:12.1f}\n")
    write(f"{'tidelog':12}{'state_copy_us':18}{copies[0]:12.1f}{copies[1]:12.1f}{copies[2]:12.1f}\n")
    write("median ratio: " + ", ".join(f"{name} {value:.2f}" for name, value in ratios.items()) + "\n")


if __name__ == "__main__":
    main()
