"""Who wins: BF-38, BF-39."""

from engines.black_fleet.state import RANKS, State
from engines.core.outcome import Outcome, Score, Standing


def result(state: State) -> Outcome:
    """Whoever bought the victory card and has most doubloons left; the others by developments, then doubloons."""
    buyers = [seat for seat in range(state.seats) if state.victors[seat]]
    richest = max(state.doubloons[seat] for seat in buyers)
    keys = {seat: key(state, seat, richest) for seat in range(state.seats)}
    places = {seat: 1 + sum(other > keys[seat] for other in keys.values()) for seat in keys}
    ranking = sorted(places, key=lambda seat: (places[seat], seat))
    by_doubloons = len(buyers) > 1 or len({keys[seat][:2] for seat in keys}) < len(set(keys.values()))
    return Outcome(
        tuple(standing(state, seat, places[seat]) for seat in ranking), ("doubloons",) if by_doubloons else ()
    )


def key(state: State, seat: int, richest: int) -> tuple[bool, int, int]:
    """The higher, the better."""
    wins = bool(state.victors[seat]) and state.doubloons[seat] == richest
    return wins, state.bought[seat].bit_count(), state.doubloons[seat]


def standing(state: State, seat: int, place: int) -> Standing:
    """Points are doubloons: those paid for cards, and those left."""
    catalog = state.catalog
    owned = state.developments[RANKS * seat : RANKS * seat + RANKS]
    paid = sum(catalog.developments[card].price for rank, card in enumerate(owned) if state.bought[seat] >> rank & 1)
    won = catalog.victory[state.victory[seat]].price if state.victors[seat] else 0
    left = state.doubloons[seat]
    scores = (Score("victory_card", won), Score("developments", paid), Score("doubloons", left))
    return Standing(seat, place, won + paid + left, scores)


def outcome(state: State) -> Outcome | None:
    """The result, once it stands."""
    return state.outcome
