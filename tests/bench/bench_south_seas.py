"""What a turn of South Seas costs as the board grows: `python -m tests.bench.bench_south_seas [--matches 200]`.

Random matches of four are played in one process; the turns of their 10th and their 70th tile are timed apart, from the
list of places for the tile drawn to the next draw, and so are their parts: to list the places, to place the tile and
evaluate, and to copy the state. Microseconds of this process's own CPU time.
"""

import argparse
import json
import random
import sys
from collections import defaultdict
from collections.abc import Callable
from statistics import mean, quantiles
from time import process_time_ns
from typing import Any, TypeVar

from engines.core import games
from engines.core.chance import MatchChance
from engines.core.draft import BareDraft
from engines.south_seas.moves import PlaceTile

GAME, SEATS = "south_seas", 4
EARLY, LATE = 10, 70
COPIES = 20

Answer = TypeVar("Answer")
Spent = dict[str, dict[int, list[float]]]


def timed(spent: dict[str, float], part: str, act: Callable[[], Answer]) -> Answer:
    begun = process_time_ns()
    answer = act()
    spent[part] += (process_time_ns() - begun) / 1000
    return answer


def play(seed: int, found: Spent) -> None:
    engine, rng = games.engine(GAME), random.Random(seed)
    luck = MatchChance(seed.to_bytes(32, "big"), 0)
    state = engine.initial(engine.catalog(games.edition(GAME)), engine.Options(), SEATS, engine.rules[-1])
    draft: BareDraft[Any, Any] = BareDraft(engine.evolve, state, luck)
    engine.setup(draft)
    turn, spent = 0, defaultdict[str, float](float)
    while seats := engine.to_act(state):
        if engine.turns(state) != turn:
            keep(found, turn, spent)
            turn, spent = engine.turns(state), defaultdict[str, float](float)
            if turn in {EARLY, LATE}:
                timed(spent, "copy", lambda: [state.copy() for _ in range(COPIES)])
        seat = seats[0]
        moves = timed(spent, "list", lambda seat=seat: list(engine.legal_moves(state, seat)))
        move = rng.choice(moves)
        part = "place and evaluate" if isinstance(move, PlaceTile) else "islander and ships"
        luck.begin(draft.events)
        timed(spent, part, lambda seat=seat, move=move: draft.play(engine.decide, seat, move))


def keep(found: Spent, turn: int, spent: dict[str, float]) -> None:
    if turn not in {EARLY, LATE}:
        return
    copied = spent.pop("copy") / COPIES
    spent["turn"] = sum(spent.values())
    spent["copy"] = copied
    for part, us in spent.items():
        found[part][turn].append(us)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=200)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    found: Spent = defaultdict(lambda: {EARLY: [], LATE: []})
    for seed in range(1, asked.matches + 1):
        play(seed, found)
    table = {part: {turn: [*quantiles(us, n=4), mean(us)] for turn, us in rows.items()} for part, rows in found.items()}
    if asked.json:
        sys.stdout.write(json.dumps({"matches": asked.matches, "us": table}) + "\n")
        return
    sys.stdout.write(f"{'us (quartiles, mean)':20}" + "".join(f"{f'tile {turn}':>36}" for turn in (EARLY, LATE)) + "\n")
    for part, rows in table.items():
        cells = ("".join(f"{us:9.1f}" for us in rows[turn]) for turn in (EARLY, LATE))
        ratio = rows[LATE][1] / rows[EARLY][1]
        sys.stdout.write(f"{part:20}" + "".join(cells) + f"   median x {ratio:.2f}\n")


if __name__ == "__main__":
    main()
