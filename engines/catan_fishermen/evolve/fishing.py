"""Fish tokens on their way, what they are spent for, and the old boot."""

from collections.abc import Iterable

from engines.catan_fishermen.board import EMPTY
from engines.catan_fishermen.cards import alike
from engines.catan_fishermen.catalog import RESOURCES
from engines.catan_fishermen.events import (
    BootDrawn,
    BootPassed,
    CardTaken,
    FishCaught,
    FishDrawn,
    FishReturned,
    FishSeen,
    FishShuffled,
    FishSpent,
    GroundsLaid,
    RobberSentHome,
)
from engines.catan_fishermen.evolve.hands import receive
from engines.catan_fishermen.evolve.phases import Changes, cap_hidden, place_robber, resume
from engines.catan_fishermen.fish import BOOT, FACES, Benefit
from engines.catan_fishermen.state import NOBODY, Phase, State

TOLD = "a redacted event is told, never folded"


def grounds_laid(state: State, event: GroundsLaid) -> None:
    state.grounds = event.numbers
    state.waters = state.waters_laid()


def fish_drawn(state: State, event: FishDrawn) -> None:
    assert event.fish is not None, TOLD
    state.fish_supply = moved(state.fish_supply, [(event.fish - 1, -1)])
    state.fish = moved(state.fish, [(event.seat * FACES + event.fish - 1, 1)])


def boot_drawn(state: State, event: BootDrawn) -> None:
    if event.seat == state.seat and state.turn:
        cap_hidden(state)
    state.fish_supply = moved(state.fish_supply, [(BOOT, -1)])
    state.boot = event.seat


def fish_seen(state: State, event: FishSeen) -> None:
    assert event.fish is not None, TOLD
    state.fish_supply = moved(state.fish_supply, [(event.fish - 1, -1)])
    state.seen, state.chooser = event.fish, event.seat
    state.waiting = tuple((one.seat, one.count) for one in event.waiting)
    state.phase = Phase.CHOOSING_FISH
    state.owing = (event.seat,)


def fish_returned(state: State, event: FishReturned) -> None:
    assert event.fish is not None, TOLD
    start = event.seat * FACES - 1
    state.fish = moved(state.fish, [(start + state.seen, 1), (start + event.fish, -1)])
    state.fish_supply = moved(state.fish_supply, [(event.fish - 1, 1)])
    state.seen, state.chooser, state.waiting = 0, NOBODY, ()
    state.owing = (state.seat,)
    resume(state)


def fish_shuffled(state: State, event: FishShuffled) -> None:  # noqa: ARG001 - all of them
    state.fish_supply = moved(state.fish_supply, enumerate(state.fish_spent))
    state.fish_spent = (0,) * FACES


def fish_caught(state: State, event: FishCaught) -> None:
    state.fish = moved(state.fish, [(catch.seat * FACES, catch.count) for catch in event.catches])
    state.fish_supply = moved(state.fish_supply, [(0, -catch.count) for catch in event.catches])


def fish_spent(state: State, event: FishSpent) -> None:
    paid = list(enumerate(event.tokens.counts()))
    start = event.seat * FACES
    state.fish = moved(state.fish, [(start + face, -count) for face, count in paid])
    assert state.form is not None
    if state.form.open_piles:
        state.fish_supply = moved(state.fish_supply, paid)
    else:
        state.fish_spent = moved(state.fish_spent, paid)
    if event.benefit is Benefit.ROAD:
        state.free_roads = 1
        state.phase = Phase.BUILDING_FREE_ROADS


def robber_sent_home(state: State, event: RobberSentHome) -> None:
    place_robber(state, EMPTY if event.hex is None else event.hex)


def card_taken(state: State, event: CardTaken) -> None:
    receive(state, event.seat, alike(RESOURCES.index(event.resource), 1))


def boot_passed(state: State, event: BootPassed) -> None:
    state.boot = event.receiver


def moved(counts: tuple[int, ...], changes: Iterable[tuple[int, int]]) -> tuple[int, ...]:
    """The counts with each (place, number) added."""
    changed = list(counts)
    for at, number in changes:
        changed[at] += number
    return tuple(changed)


CHANGES: Changes = {
    GroundsLaid: grounds_laid,
    FishDrawn: fish_drawn,
    BootDrawn: boot_drawn,
    FishSeen: fish_seen,
    FishReturned: fish_returned,
    FishShuffled: fish_shuffled,
    FishCaught: fish_caught,
    FishSpent: fish_spent,
    RobberSentHome: robber_sent_home,
    CardTaken: card_taken,
    BootPassed: boot_passed,
}
