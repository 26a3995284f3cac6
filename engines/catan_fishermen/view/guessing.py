"""What a seat can't tell, drawn anew: a state that looks the same to it."""

from engines.catan_fishermen.cards import drawn, holds, kind_at
from engines.catan_fishermen.catalog import KINDS, VICTORY_POINT
from engines.catan_fishermen.decide.trading import agreed
from engines.catan_fishermen.fish import BOOT, FACES
from engines.catan_fishermen.state import NOBODY, OVER, State
from engines.catan_fishermen.view.seeing import known
from engines.core.chance import Chance


def determinize(state: State, seat: int | None, chance: Chance) -> State:
    """Cards of other hands that the seat can't tell dealt anew, and so their developments and fish, pile and supply."""
    while True:
        twin = state.copy()
        deal_hands(twin, seat, chance)
        if seat != state.seat or [closable(twin, other) for other in range(state.seats)] == [
            closable(state, other) for other in range(state.seats)
        ]:
            deal_developments(twin, seat, chance)
            deal_fish(twin, seat, chance)
            return twin


def closable(state: State, partner: int) -> bool:
    """Whether the partner still holds what the trade asks for: the active player is told."""
    terms = agreed(state, partner)
    return terms is not None and holds(state, partner, terms.take)


def deal_hands(twin: State, seat: int | None, chance: Chance) -> None:
    """What each hand is known to hold stays; the rest is dealt from all that is not known."""
    others = [other for other in range(twin.seats) if other != seat]
    certain = {other: known(twin, other, seat) for other in others}
    hidden = []
    for other in others:
        for kind, (held, sure) in enumerate(zip(twin.hand(other), certain[other], strict=True)):
            hidden += [kind] * (held - sure)
    width = twin.seats + 1
    for other in others:
        counts = list(certain[other])
        for _ in range(sum(twin.hand(other)) - sum(counts)):
            counts[hidden.pop(chance.draw("card", len(hidden)))] += 1
        for kind, count in enumerate(counts):
            at = other * KINDS + kind
            for place in range(at * width, at * width + width):
                # What the others can tell can't be more than there is now.
                twin.unknown[place] = max(count - (twin.hands[at] - twin.unknown[place]), 0)
            twin.unknown[at * width + other] = 0
            twin.hands[at] = count


def deal_developments(twin: State, seat: int | None, chance: Chance) -> None:
    """Victory points first, to those who can have them; after the end they are told."""
    start = {other: other * KINDS for other in range(twin.seats) if other != seat}
    own = {other: twin.developments[at : at + KINDS] for other, at in start.items()}
    left = [sum(kind) for kind in zip(twin.pile, *own.values(), strict=True)]
    if twin.phase is OVER:
        hidden = {other: cards[VICTORY_POINT] for other, cards in own.items()}
    else:
        hidden = dealt_points(twin, {other: sum(cards) for other, cards in own.items()}, left[VICTORY_POINT], chance)
    for other, at in start.items():
        others = [0 if kind == VICTORY_POINT else count for kind, count in enumerate(left)]
        dealt = bytearray(drawn(chance, others, sum(own[other]) - hidden[other]))
        dealt[VICTORY_POINT] = hidden[other]
        left = [count - taken for count, taken in zip(left, dealt, strict=True)]
        twin.developments[at : at + KINDS] = dealt
        if other == twin.seat:
            twin.fresh = bytearray(drawn(chance, dealt, sum(twin.fresh)))
    twin.pile = bytearray(left)


def dealt_points(twin: State, sizes: dict[int, int], number: int, chance: Chance) -> dict[int, int]:
    """So many victory point cards among hands of these sizes and the pile: how many each seat gets.

    Nobody gets so many that it had won by now (CA-22), unless there is no other place for them.
    """
    places = [NOBODY] * sum(twin.pile) + [seat for seat, size in sizes.items() for _ in range(size)]
    dealt = dict.fromkeys(sizes, 0)
    for _ in range(number):
        fitting = [seat for seat in places if seat == NOBODY or dealt[seat] < most_hidden(twin, seat)] or places
        taken = fitting[chance.draw("card", len(fitting))]
        places.remove(taken)
        if taken != NOBODY:
            dealt[taken] += 1
    return dealt


def most_hidden(state: State, seat: int) -> int:
    """How many victory point cards the seat can have, as all can tell."""
    most = state.most_hidden[seat]
    return min(most, state.needed(seat) - 1 - state.points[seat]) if seat == state.seat else most


def deal_fish(twin: State, seat: int | None, chance: Chance) -> None:
    """Tokens of other seats and of the supply, the boot apart: each seat as many as it had."""
    others = [other for other in range(twin.seats) if other != seat and any(twin.tokens(other))]
    left = list(twin.fish_supply[:BOOT])
    for other in others:
        left = [lying + held for lying, held in zip(left, twin.tokens(other), strict=True)]
    if twin.chooser not in {NOBODY, seat}:
        left[twin.seen - 1] += 1
        twin.seen = kind_at(left, chance.draw("token", sum(left))) + 1
        left[twin.seen - 1] -= 1
    fish = list(twin.fish)
    for other in others:
        dealt = drawn(chance, left, sum(twin.tokens(other)))
        fish[other * FACES : other * FACES + FACES] = dealt
        left = [lying - taken for lying, taken in zip(left, dealt, strict=True)]
    twin.fish = tuple(fish)
    twin.fish_supply = (*left, *twin.fish_supply[BOOT:])
