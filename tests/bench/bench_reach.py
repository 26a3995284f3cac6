"""What a search for the spaces within a ship's reach costs (`python -m tests.bench.bench_reach`).

Of a ship in the middle of the house board's widest sea, for each value of a movement card; then of every start.
"""

import argparse
import json
import sys
from statistics import median
from time import process_time

from engines.black_fleet import ENGINE
from engines.black_fleet.board import PLAIN, bits, mask, reached
from engines.core import games

WIDE, ENEMIES = "s0308", ("s0307", "s0209", "s0410")
"""A start with 53 spaces within five steps, and some ships in the way."""
VALUES = range(1, 6)
SEARCHES = 2000


def microseconds(starts: list[int], steps: int, closed: int) -> float:
    """Of one search, the mean over the starts."""
    board = ENGINE.catalog(games.edition(ENGINE.name, "house")).board
    rounds = max(1, SEARCHES // len(starts))
    began = process_time()
    for _ in range(rounds):
        for start in starts:
            reached(board, start, steps, closed, PLAIN)
    return (process_time() - began) / (rounds * len(starts)) * 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    board = ENGINE.catalog(games.edition(ENGINE.name, "house")).board
    closed = mask(board.numbers[name] for name in ENEMIES)
    wide, every = [board.numbers[WIDE]], bits(board.sea)
    cases = {f"{WIDE}, {steps} steps": (wide, steps) for steps in VALUES} | {
        f"every start, {steps} steps": (every, steps) for steps in VALUES
    }
    found = {}
    for name, (starts, steps) in cases.items():
        runs = [microseconds(starts, steps, closed) for _ in range(asked.runs)]
        found[name] = [round(figure, 2) for figure in (min(runs), median(runs), max(runs))]
    if asked.json:
        sys.stdout.write(json.dumps({"runs": asked.runs, "us": found}) + "\n")
        return
    for name, (least, middle, most) in found.items():
        sys.stdout.write(f"{name:24}{least:8.2f}{middle:8.2f}{most:8.2f}\n")


if __name__ == "__main__":
    main()
