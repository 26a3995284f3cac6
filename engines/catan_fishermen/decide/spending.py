"""What fish pay for, and the old boot: CA-34, CA-35, CA-41 to CA-44, CA-62."""

from collections.abc import Callable

from engines.catan_fishermen.board import EMPTY
from engines.catan_fishermen.catalog import NOTHING, RESOURCES
from engines.catan_fishermen.decide.building import can_lay_road, draw_development, require_pile
from engines.catan_fishermen.decide.fishing import require_fishermen
from engines.catan_fishermen.decide.guards import (
    CatanDraft,
    Decisions,
    end_if_won,
    require_building,
    require_duty_done,
)
from engines.catan_fishermen.decide.turns import robbable_by, steal
from engines.catan_fishermen.events import BootPassed, CardTaken, FishSpent, RobberSentHome
from engines.catan_fishermen.fish import PRICES, Benefit, Fish, covers
from engines.catan_fishermen.moves import PassBoot, SpendFish
from engines.catan_fishermen.state import State
from engines.core.errors import IllegalMove


def spend_fish(draft: CatanDraft, seat: int, move: SpendFish) -> None:
    state = draft.state
    form = require_fishermen(state)
    require_building(state, seat)
    tokens = PAYING[form.open_piles](state, seat, move)
    if (move.victim is None) == (move.benefit is Benefit.STEAL):
        raise IllegalMove("CA-34", "a player is named to take a card from, and for nothing else")
    if (move.resource is None) == (move.benefit is Benefit.RESOURCE):
        raise IllegalMove("CA-34", "a resource is named to take it from the bank, and for nothing else")
    judge, grant = BENEFITS[move.benefit]
    judge(state, seat, move)
    draft.emit(FishSpent(seat, move.benefit, tokens))
    grant(draft, seat, move)


def tokens_named(state: State, seat: int, move: SpendFish) -> Fish:
    """CA-34, CA-35."""
    if not covers(state.tokens(seat), move.tokens):
        raise IllegalMove("CA-35", "only tokens of one's own are paid")
    price = PRICES[move.benefit]
    if move.tokens.total() < price:
        raise IllegalMove("CA-34", f"it costs {price} fish")
    return move.tokens


def exact_price(state: State, seat: int, move: SpendFish) -> Fish:
    """CA-62."""
    if any(move.tokens.counts()):
        raise IllegalMove("CA-62", "no tokens are named: the price is paid exactly")
    price = PRICES[move.benefit]
    if sum(state.tokens(seat)) < price:
        raise IllegalMove("CA-62", f"it costs {price} fish")
    return Fish(price)


PAYING: dict[bool, Callable[[State, int, SpendFish], Fish]] = {False: tokens_named, True: exact_price}
"""By whether the fish lie in open piles."""


def judge_robber(state: State, seat: int, move: SpendFish) -> None:  # noqa: ARG001 - whoever pays
    if state.robber == state.home():
        raise IllegalMove("CA-44", "the robber is where he would go")


def send_robber_home(draft: CatanDraft, seat: int, move: SpendFish) -> None:  # noqa: ARG001 - it has no choices
    home = draft.state.home()
    draft.emit(RobberSentHome(seat, None if home == EMPTY else home))


def judge_victim(state: State, seat: int, move: SpendFish) -> None:
    assert move.victim is not None
    if not (0 <= move.victim < state.seats and robbable_by(state, seat) >> move.victim & 1):
        raise IllegalMove("CA-34", "a card is taken from another player who has one")


def take_card(draft: CatanDraft, seat: int, move: SpendFish) -> None:
    assert move.victim is not None
    steal(draft, seat, move.victim)


def judge_bank(state: State, seat: int, move: SpendFish) -> None:  # noqa: ARG001 - whoever pays
    assert move.resource is not None
    if not state.bank[RESOURCES.index(move.resource)]:
        raise IllegalMove("CA-34", f"the bank has no {move.resource}")


def take_resource(draft: CatanDraft, seat: int, move: SpendFish) -> None:
    assert move.resource is not None
    draft.emit(CardTaken(seat, move.resource))


def judge_road(state: State, seat: int, move: SpendFish) -> None:  # noqa: ARG001 - the road is chosen next
    if not can_lay_road(state, seat):
        raise IllegalMove("CA-34", "there is no piece or no place for a road")


def owe_road(draft: CatanDraft, seat: int, move: SpendFish) -> None:
    """The spending says it: the road is built next."""


def judge_development(state: State, seat: int, move: SpendFish) -> None:  # noqa: ARG001 - whoever pays
    require_pile(state)


def take_development(draft: CatanDraft, seat: int, move: SpendFish) -> None:  # noqa: ARG001 - it has no choices
    draw_development(draft, seat, NOTHING)


BENEFITS: dict[Benefit, tuple[Callable[[State, int, SpendFish], None], Callable[[CatanDraft, int, SpendFish], None]]]
BENEFITS = {
    Benefit.ROBBER: (judge_robber, send_robber_home),
    Benefit.STEAL: (judge_victim, take_card),
    Benefit.RESOURCE: (judge_bank, take_resource),
    Benefit.ROAD: (judge_road, owe_road),
    Benefit.DEVELOPMENT: (judge_development, take_development),
}
"""When each can be had, and how it is given."""


def pass_boot(draft: CatanDraft, seat: int, move: PassBoot) -> None:
    state = draft.state
    if not require_fishermen(state).boots:
        raise IllegalMove("CA-60", "there is no boot")
    require_duty_done(state, seat)
    if seat != state.boot:
        raise IllegalMove("CA-41", "the boot is not there to be passed")
    if not (0 <= move.seat < state.seats and move.seat != seat):
        raise IllegalMove("CA-41", "the boot is passed to another player")
    if state.points[move.seat] < state.points[seat]:
        raise IllegalMove("CA-41", "the boot goes to nobody with fewer points")
    draft.emit(BootPassed(seat, move.seat))
    end_if_won(draft)


DECISIONS: Decisions = {SpendFish: spend_fish, PassBoot: pass_boot}
