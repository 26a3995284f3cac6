"""How balanced Black Fleet is: greedy players against each other (`python -m tests.bench.balance_black_fleet`).

Seat 0 is always the first player, so a seat's wins are those of a place in the turn order. Income is what ships earn:
sales of the merchant with whatever cards add, attacks of each kind of ship, burials of the pirate.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from statistics import mean, quantiles

from engines.black_fleet import ENGINE
from engines.black_fleet.events import (
    CargoSold,
    DevelopmentBought,
    DevelopmentUsed,
    DoubloonsGained,
    DoubloonsTaken,
    Event,
    FortunePlayed,
    ShipAttacked,
    TreasureBuried,
)
from engines.black_fleet.policy import choose
from engines.black_fleet.state import FirstPlayer, Options
from engines.core import games
from engines.core.chance import MatchChance, SeededChance
from engines.core.draft import Draft

MOST_TURNS = 1000


class Tally:
    """What happened in some matches; `firsts` counts a shared victory in parts."""

    def __init__(self) -> None:
        self.rounds: list[int] = []
        self.firsts: Counter[int] = Counter()
        self.income: Counter[str] = Counter()
        self.played: Counter[str] = Counter()
        self.bought: Counter[str] = Counter()
        self.winners: Counter[str] = Counter()
        self.holders: Counter[str] = Counter()

    def event(self, event: Event) -> None:
        match event:
            case CargoSold():
                self.income["merchant"] += event.doubloons
            case TreasureBuried():
                self.income["pirate"] += event.doubloons
            case ShipAttacked():
                self.income[event.ship.split("_")[0]] += event.doubloons
            case DoubloonsGained():
                self.income["cards"] += event.doubloons
            case DoubloonsTaken():
                self.income["cards"] += sum(taking.doubloons for taking in event.takings)
            case FortunePlayed() | DevelopmentUsed():
                self.played[event.card] += 1
            case DevelopmentBought():
                self.bought[event.card] += 1
            case _:
                pass

    def __add__(self, other: "Tally") -> "Tally":
        both = Tally()
        both.rounds = self.rounds + other.rounds
        for name in ("firsts", "income", "played", "bought", "winners", "holders"):
            setattr(both, name, getattr(self, name) + getattr(other, name))
        return both


def match(edition: str, seats: int, victory: int, number: int) -> Tally:
    options = Options(first_player=FirstPlayer.SEAT_0, victory_card=(victory,))
    state = ENGINE.initial(ENGINE.catalog(games.edition(ENGINE.name, edition)), options, seats, 1)
    luck, chance = MatchChance(number.to_bytes(32, "big"), 0), SeededChance(number)
    draft, tally = Draft(ENGINE.evolve, state, luck), Tally()
    ENGINE.setup(draft)
    while ENGINE.outcome(state) is None and state.turn < MOST_TURNS:
        seat = state.seat
        move = choose(ENGINE.view(state, seat), tuple(ENGINE.legal_moves(state, seat)), chance)
        luck.begin(draft.events)
        draft.play(ENGINE.decide, seat, move)
    for emitted in draft.emitted:
        tally.event(emitted.event)
    tally.rounds.append(-(-state.turn // seats))
    outcome = ENGINE.outcome(state)
    if outcome is not None:
        first = [standing.seat for standing in outcome.ranking if standing.place == 1]
        for seat in range(seats):
            cards = [state.catalog.developments[card].id for card in state.developments[4 * seat : 4 * seat + 4]]
            tally.holders.update(cards)
            if seat in first:
                tally.firsts[seat] += 1 / len(first)  # type: ignore[assignment] - a part of a victory
                tally.winners.update(cards)
    return tally


def report(tally: Tally, seats: int) -> dict[str, object]:
    count = len(tally.rounds)
    income = tally.income.total()
    return {
        "matches": count,
        "seats": seats,
        "rounds": {"mean": round(mean(tally.rounds), 2), "deciles": quantiles(tally.rounds, n=10)},
        "wins_by_seat": [round(100 * tally.firsts[seat] / count, 1) for seat in range(seats)],
        "income_share": {kind: round(100 * earned / income, 1) for kind, earned in sorted(tally.income.items())},
        "played_a_match": {card: round(times / count, 3) for card, times in sorted(tally.played.items())},
        "win_rate_of_holders": {
            card: round(100 * tally.winners[card] / held, 1) for card, held in sorted(tally.holders.items())
        },
    }


def tallied(tallies: Iterable[Tally]) -> Tally:
    whole = Tally()
    for tally in tallies:
        whole += tally
    return whole


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--edition", default=ENGINE.edition)
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--victory", type=int, default=10)
    parser.add_argument("--matches", type=int, default=2000)
    parser.add_argument("--jobs", type=int, default=2)
    asked = parser.parse_args()
    one = partial(match, asked.edition, asked.seats, asked.victory)
    with ProcessPoolExecutor(asked.jobs, mp_context=get_context("spawn")) as pool:
        whole = tallied(pool.map(one, range(1, asked.matches + 1), chunksize=20))
    sys.stdout.write(json.dumps(report(whole, asked.seats), indent=1) + "\n")


if __name__ == "__main__":
    main()
