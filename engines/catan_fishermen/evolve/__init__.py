"""Writes events into the state."""

from engines.catan_fishermen.events import Event
from engines.catan_fishermen.evolve import developing, fishing, laying, trading, turns
from engines.catan_fishermen.evolve.phases import Changes
from engines.catan_fishermen.state import State


def evolve(state: State, event: Event) -> None:
    EVOLVE[type(event)](state, event)


EVOLVE: Changes = {**laying.CHANGES, **turns.CHANGES, **developing.CHANGES, **trading.CHANGES, **fishing.CHANGES}
