"""Roads, settlements, cities and the purchase of developments: CA-13 to CA-15, CA-19, CA-23."""

from engines.catan_fishermen.board import EDGES, VERTICES
from engines.catan_fishermen.cards import kind_at
from engines.catan_fishermen.catalog import CITY, DEVELOPMENT, DEVELOPMENTS, NOTHING, ROAD, SETTLEMENT, Cards
from engines.catan_fishermen.decide.guards import (
    CatanDraft,
    Decisions,
    award_longest_road,
    end_if_won,
    require_building,
    require_distance,
    require_price,
)
from engines.catan_fishermen.events import CityBuilt, DevelopmentBought, FreeRoadsLapsed, RoadBuilt, SettlementBuilt
from engines.catan_fishermen.moves import BuildCity, BuildRoad, BuildSettlement, BuyDevelopment
from engines.catan_fishermen.state import Phase, State
from engines.core.errors import IllegalMove


def build_road(draft: CatanDraft, seat: int, move: BuildRoad) -> None:
    state = draft.state
    free = state.phase is Phase.BUILDING_FREE_ROADS and state.seat == seat
    if not free:
        require_building(state, seat)
    if not 0 <= move.edge < EDGES:
        raise IllegalMove("CA-14", f"the paths are 0 to {EDGES - 1}")
    if not state.open_edges >> move.edge & 1:
        raise IllegalMove("CA-14", "a road lies there")
    if not state.frontier[seat] >> move.edge & 1:
        raise IllegalMove(
            "CA-14", "a road goes on from an own building, or from an own road that no opponent's building ends"
        )
    if not state.supply[3 * seat]:
        raise IllegalMove("CA-23", "no road piece is left")
    if not free:
        require_price(state, seat, ROAD)
    draft.emit(RoadBuilt(seat, move.edge, NOTHING if free else ROAD))
    award_longest_road(draft)
    end_if_won(draft)
    if state.free_roads and not can_lay_road(state, seat):
        draft.emit(FreeRoadsLapsed(seat))


def can_lay_road(state: State, seat: int) -> bool:
    """Whether there is a piece and a place for it: CA-14, CA-23."""
    return bool(state.supply[3 * seat] and state.frontier[seat] & state.open_edges)


def build_settlement(draft: CatanDraft, seat: int, move: BuildSettlement) -> None:
    state = draft.state
    require_building(state, seat)
    if not 0 <= move.vertex < VERTICES:
        raise IllegalMove("CA-15", f"the intersections are 0 to {VERTICES - 1}")
    require_distance(state, move.vertex)
    if not state.touched[seat] >> move.vertex & 1:
        raise IllegalMove("CA-15", "a settlement adjoins an own road")
    if not state.supply[3 * seat + 1]:
        raise IllegalMove("CA-23", "no settlement piece is left")
    require_price(state, seat, SETTLEMENT)
    draft.emit(SettlementBuilt(seat, move.vertex, SETTLEMENT))
    award_longest_road(draft)
    end_if_won(draft)


def build_city(draft: CatanDraft, seat: int, move: BuildCity) -> None:
    state = draft.state
    require_building(state, seat)
    if not (0 <= move.vertex < VERTICES and state.towns[seat] >> move.vertex & 1):
        raise IllegalMove("CA-13", "a city replaces an own settlement")
    if not state.supply[3 * seat + 2]:
        raise IllegalMove("CA-23", "no city piece is left")
    require_price(state, seat, CITY)
    draft.emit(CityBuilt(seat, move.vertex, CITY))
    end_if_won(draft)


def buy_development(draft: CatanDraft, seat: int, move: BuyDevelopment) -> None:  # noqa: ARG001 - it has no choices
    state = draft.state
    require_building(state, seat)
    require_pile(state)
    require_price(state, seat, DEVELOPMENT)
    draw_development(draft, seat, DEVELOPMENT)


def require_pile(state: State) -> None:
    """CA-19."""
    if not any(state.pile):
        raise IllegalMove("CA-19", "the pile of development cards is empty")


def draw_development(draft: CatanDraft, seat: int, paid: Cards) -> None:
    """The next card, and the victory if it brings that."""
    pile = draft.state.pile
    card = DEVELOPMENTS[kind_at(pile, draft.draw("development", sum(pile)))]
    draft.emit(DevelopmentBought(seat, paid, card))
    end_if_won(draft)


DECISIONS: Decisions = {
    BuildRoad: build_road,
    BuildSettlement: build_settlement,
    BuildCity: build_city,
    BuyDevelopment: buy_development,
}
