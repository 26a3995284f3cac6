"""Who takes fish, and how many: CA-32, CA-33, CA-37, CA-40, CA-41, CA-62."""

from collections.abc import Callable, Sequence

from engines.catan_fishermen.cards import kind_at
from engines.catan_fishermen.decide.guards import CatanDraft, Decisions
from engines.catan_fishermen.events import (
    BootDrawn,
    Catch,
    FishCaught,
    FishDrawn,
    FishReturned,
    FishSeen,
    FishShuffled,
)
from engines.catan_fishermen.fish import BOOT, Form
from engines.catan_fishermen.moves import KeepFish
from engines.catan_fishermen.state import Phase, State
from engines.core.errors import IllegalMove

Owed = Sequence[tuple[int, int]]
"""(seat, how many), in the order in which they take."""


def pay_fish(draft: CatanDraft, owed: Sequence[int]) -> None:
    """What each seat is owed, clockwise from the active one: CA-32."""
    first = draft.state.seat
    seats = [*range(first, len(owed)), *range(first)]
    take(draft, [(seat, owed[seat]) for seat in seats if owed[seat]])


def take(draft: CatanDraft, owed: Owed) -> None:
    form = draft.state.form
    assert form is not None, "fish are owed with the Fishermen alone"
    TAKING[form.open_piles](draft, owed)


def draw_tokens(draft: CatanDraft, owed: Owed) -> None:
    """One by one, until all have theirs or a seat has to choose: CA-32, CA-37, CA-40, CA-41."""
    for number, (seat, count) in enumerate(owed, 1):
        for _ in range(count):
            if not replenished(draft):
                return
            full = is_full(draft.state, seat)
            face = draw_token(draft)
            if face == BOOT:
                draft.emit(BootDrawn(seat))
            elif full:
                draft.emit(FishSeen(seat, tuple(Catch(*later) for later in owed[number:]), face + 1))
                return
            else:
                draft.emit(FishDrawn(seat, face + 1))
            if full:
                break


def replenished(draft: CatanDraft) -> bool:
    """Whether there is a token to draw, those spent shuffled if need be: CA-40."""
    if not any(draft.state.fish_supply) and any(draft.state.fish_spent):
        draft.emit(FishShuffled())
    return any(draft.state.fish_supply)


def draw_token(draft: CatanDraft) -> int:
    supply = draft.state.fish_supply
    return kind_at(supply, draft.draw("fish", sum(supply)))


def is_full(state: State, seat: int) -> bool:
    form = state.form
    return form is not None and sum(state.tokens(seat)) >= form.most


def take_from_piles(draft: CatanDraft, owed: Owed) -> None:
    """As many as there are and a seat may hold, one at a time in turn: CA-62."""
    state = draft.state
    taken = dict.fromkeys([seat for seat, _ in owed], 0)
    held = {seat: sum(state.tokens(seat)) for seat in taken}
    assert state.form is not None
    left, most = sum(state.fish_supply), state.form.most
    rounds = max((count for _, count in owed), default=0)
    for _ in range(rounds):
        for seat, count in owed:
            if left and taken[seat] < min(count, most - held[seat]):
                taken[seat] += 1
                left -= 1
    if any(taken.values()):
        draft.emit(FishCaught(tuple(Catch(seat, count) for seat, count in taken.items() if count)))


TAKING: dict[bool, Callable[[CatanDraft, Owed], None]] = {False: draw_tokens, True: take_from_piles}
"""By whether the fish lie in open piles."""


def keep_fish(draft: CatanDraft, seat: int, move: KeepFish) -> None:
    state = draft.state
    require_fishermen(state)
    if state.phase is not Phase.CHOOSING_FISH:
        raise IllegalMove("CA-37", "nobody has a token too many")
    if seat != state.chooser:
        raise IllegalMove("CA-37", f"it is for seat {state.chooser} to put a token back")
    if move.back not in to_put_back(state):
        raise IllegalMove("CA-37", "the token put back is the one seen, or one of those held")
    waiting = state.waiting
    draft.emit(FishReturned(seat, move.back))
    draw_tokens(draft, waiting)


def to_put_back(state: State) -> list[int]:
    """The faces that the chooser can put back, that of the token seen first: CA-37."""
    held = enumerate(state.tokens(state.chooser), 1)
    return [state.seen, *[face for face, count in held if count and face != state.seen]]


def require_fishermen(state: State) -> Form:
    """CA-70."""
    form = state.form
    if form is None:
        raise IllegalMove("CA-70", "the base game has no fish")
    return form


DECISIONS: Decisions = {KeepFish: keep_fish}
