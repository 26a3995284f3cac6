"""Development cards."""

from engines.catan_fishermen.catalog import (
    DEVELOPMENTS,
    KINDS,
    KNIGHT,
    MONOPOLY,
    RESOURCES,
    ROAD_BUILDING,
    YEAR_OF_PLENTY,
)
from engines.catan_fishermen.events import (
    DevelopmentBought,
    FreeRoadsLapsed,
    KnightPlayed,
    MonopolyPlayed,
    RoadBuildingPlayed,
    YearOfPlentyPlayed,
)
from engines.catan_fishermen.evolve.hands import lose, pay, receive
from engines.catan_fishermen.evolve.phases import Changes, resume
from engines.catan_fishermen.state import Phase, State


def development_bought(state: State, event: DevelopmentBought) -> None:
    assert event.card is not None, "a redacted event is told, never folded"
    pay(state, event.seat, event.paid)
    card = DEVELOPMENTS.index(event.card)
    state.pile[card] -= 1
    state.developments[event.seat * KINDS + card] += 1
    state.fresh[card] += 1
    state.most_hidden[event.seat] += 1


def knight_played(state: State, event: KnightPlayed) -> None:
    play_development(state, event.seat, KNIGHT)
    state.knights[event.seat] += 1
    state.phase = Phase.MOVING_ROBBER


def road_building_played(state: State, event: RoadBuildingPlayed) -> None:
    play_development(state, event.seat, ROAD_BUILDING)
    state.free_roads = event.roads
    state.phase = Phase.BUILDING_FREE_ROADS


def free_roads_lapsed(state: State, event: FreeRoadsLapsed) -> None:  # noqa: ARG001 - it is the active seat's
    state.free_roads = 0
    resume(state)


def year_of_plenty_played(state: State, event: YearOfPlentyPlayed) -> None:
    play_development(state, event.seat, YEAR_OF_PLENTY)
    receive(state, event.seat, event.cards)


def monopoly_played(state: State, event: MonopolyPlayed) -> None:
    play_development(state, event.seat, MONOPOLY)
    resource = RESOURCES.index(event.resource)
    for due in event.taken:
        lose(state, due.seat, resource, due.count)
        state.hands[event.seat * KINDS + resource] += due.count


def play_development(state: State, seat: int, card: int) -> None:
    state.developments[seat * KINDS + card] -= 1
    state.development_played = True


CHANGES: Changes = {
    DevelopmentBought: development_bought,
    KnightPlayed: knight_played,
    RoadBuildingPlayed: road_building_played,
    FreeRoadsLapsed: free_roads_lapsed,
    YearOfPlentyPlayed: year_of_plenty_played,
    MonopolyPlayed: monopoly_played,
}
