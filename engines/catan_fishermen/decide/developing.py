"""Development cards in play: CA-18, CA-21."""

from engines.catan_fishermen.catalog import (
    DEVELOPMENTS,
    KINDS,
    KNIGHT,
    MONOPOLY,
    RESOURCES,
    ROAD_BUILDING,
    YEAR_OF_PLENTY,
)
from engines.catan_fishermen.decide.building import can_lay_road
from engines.catan_fishermen.decide.guards import CatanDraft, Decisions, end_if_won, require_duty_done
from engines.catan_fishermen.events import (
    Due,
    KnightPlayed,
    LargestArmyMoved,
    MonopolyPlayed,
    RoadBuildingPlayed,
    YearOfPlentyPlayed,
)
from engines.catan_fishermen.moves import PlayKnight, PlayMonopoly, PlayRoadBuilding, PlayYearOfPlenty
from engines.catan_fishermen.scoring import takes_army
from engines.catan_fishermen.state import State
from engines.core.errors import IllegalMove

PLENTY = FREE_ROADS = 2


def play_knight(draft: CatanDraft, seat: int, move: PlayKnight) -> None:  # noqa: ARG001 - it has no choices
    require_playable(draft.state, seat, KNIGHT)
    draft.emit(KnightPlayed(seat))
    if takes_army(draft.state, seat):
        draft.emit(LargestArmyMoved(seat))
        end_if_won(draft)


def play_road_building(draft: CatanDraft, seat: int, move: PlayRoadBuilding) -> None:  # noqa: ARG001 - it has no choices
    state = draft.state
    require_playable(state, seat, ROAD_BUILDING)
    if not can_lay_road(state, seat):
        raise IllegalMove("CA-18", "there is no piece or no place for a road")
    draft.emit(RoadBuildingPlayed(seat, min(FREE_ROADS, state.supply[3 * seat])))


def play_year_of_plenty(draft: CatanDraft, seat: int, move: PlayYearOfPlenty) -> None:
    state = draft.state
    require_playable(state, seat, YEAR_OF_PLENTY)
    count = min(PLENTY, sum(state.bank))
    if not count:
        raise IllegalMove("CA-18", "the bank is empty")
    wanted = move.cards.counts()
    if min(wanted) < 0 or sum(wanted) != count:
        raise IllegalMove("CA-18", f"the card gives {count} of the bank's cards")
    if any(cards > left for cards, left in zip(wanted, state.bank, strict=True)):
        raise IllegalMove("CA-18", "the bank does not hold these cards")
    draft.emit(YearOfPlentyPlayed(seat, move.cards))


def play_monopoly(draft: CatanDraft, seat: int, move: PlayMonopoly) -> None:
    state = draft.state
    require_playable(state, seat, MONOPOLY)
    held = state.hands[RESOURCES.index(move.resource) :: KINDS]
    taken = tuple(Due(other, count) for other, count in enumerate(held) if count and other != seat)
    draft.emit(MonopolyPlayed(seat, move.resource, taken))


def require_playable(state: State, seat: int, card: int) -> None:
    """Raises IllegalMove unless the seat may play such a card now: CA-8, CA-18."""
    require_duty_done(state, seat)
    if state.development_played:
        raise IllegalMove("CA-18", "one development card is played a turn")
    held = state.developments[seat * KINDS + card]
    if not held:
        raise IllegalMove("CA-18", f"there is no {DEVELOPMENTS[card].replace('_', ' ')} card in the hand")
    if held == state.fresh[card]:
        raise IllegalMove("CA-18", "a card is not played in the turn in which it was bought")


DECISIONS: Decisions = {
    PlayKnight: play_knight,
    PlayRoadBuilding: play_road_building,
    PlayYearOfPlenty: play_year_of_plenty,
    PlayMonopoly: play_monopoly,
}
