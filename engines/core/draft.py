"""A decision in progress: the working state, the luck it may use, and the events emitted so far."""

from collections.abc import Callable
from typing import Any, Generic, NamedTuple, TypeVar

from engines.core.chance import Chance, Draw
from engines.core.errors import IllegalMove

StateT = TypeVar("StateT")
EventT = TypeVar("EventT")


class Emitted(NamedTuple, Generic[EventT]):
    """An event, and the draws made since the one before it."""

    event: EventT
    draws: tuple[Draw, ...]


class BrokenDraft(Exception):  # noqa: N818 - says what the draft is
    """An engine broke the protocol of drafts: a refusal after an emit or a draw, or a draw that no event records."""


class Draft(Generic[StateT, EventT]):
    """Emits events into a working state; nothing is computed twice.

    The state given belongs to the draft from then on: after an exception it is worth nothing. `events` counts those
    emitted; one draft may decide command after command.
    """

    __slots__ = ("_chance", "_evolve", "_pending", "emitted", "events", "state")

    def __init__(self, evolve: Callable[[StateT, EventT], None], state: StateT, chance: Chance) -> None:
        self.state = state
        self.emitted: list[Emitted[EventT]] = []
        self.events = 0
        self._evolve = evolve
        self._chance = chance
        self._pending: list[Draw] = []

    def draw(self, label: str, n: int) -> int:
        """A number in 0..n-1 from the match's luck; the event emitted next records it."""
        result = self._chance.draw(label, n)
        self._pending.append(Draw(label, n, result))
        return result

    def emit(self, event: EventT) -> None:
        self._evolve(self.state, event)
        self.events += 1
        self.emitted.append(Emitted(event, tuple(self._pending)))
        self._pending.clear()

    def play(self, decide: Callable[[Any, int, Any], None], seat: int, move: object) -> None:
        """Let `decide` judge the move and emit its events.

        Raises IllegalMove with the state untouched, or BrokenDraft where the engine breaks the protocol.
        """
        before = self.events
        try:
            decide(self, seat, move)
        except IllegalMove as refusal:
            if self._pending or self.events > before:
                raise BrokenDraft(f"{type(move).__name__} was refused ({refusal}) after an emit or a draw") from refusal
            raise
        if self.events == before:
            raise BrokenDraft(f"{type(move).__name__} was accepted without an event")
        self.close()

    def close(self) -> None:
        """Raises BrokenDraft where a draw was made after the last emit."""
        if self._pending:
            raise BrokenDraft(f"no event records the draws {self._pending}")


class BareDraft(Draft[StateT, EventT]):
    """A draft for whoever needs the state alone: it counts its events and keeps none."""

    __slots__ = ()

    def emit(self, event: EventT) -> None:
        self._evolve(self.state, event)
        self.events += 1
        if self._pending:
            self._pending.clear()


class _Accepted(Exception):  # noqa: N818 - a signal, not an error
    pass


class _Trial(Draft[StateT, EventT]):
    """A draft that stops at the first draw or emit: reaching either means that the move is legal."""

    __slots__ = ()

    def __init__(self, state: StateT) -> None:
        super().__init__(_stop, state, _NoChance())

    def emit(self, event: EventT) -> None:  # noqa: ARG002 - the event is not looked at
        raise _Accepted

    def draw(self, label: str, n: int) -> int:  # noqa: ARG002 - nothing is drawn
        raise _Accepted


class _NoChance:
    def draw(self, label: str, n: int) -> int:
        raise AssertionError((label, n))


def _stop(state: object, event: object) -> None:
    raise AssertionError((state, event))


def refusal(decide: Callable[[Any, int, Any], None], state: object, seat: int, move: object) -> IllegalMove | None:
    """Why `decide` would refuse the move, or None for a legal one. The state is not changed and nothing is drawn."""
    trial: _Trial[Any, Any] = _Trial(state)
    try:
        decide(trial, seat, move)
    except _Accepted:
        return None
    except IllegalMove as refused:
        return refused
    raise BrokenDraft(f"{type(move).__name__} was accepted without an event")
