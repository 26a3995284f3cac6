"""The Engine record: a game as a pure value of functions over plain structs."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from engines.core.chance import Chance
from engines.core.draft import Draft
from engines.core.outcome import Outcome
from engines.core.words import Tell

CatalogT = TypeVar("CatalogT")
OptionsT = TypeVar("OptionsT")
StateT = TypeVar("StateT")
MoveT = TypeVar("MoveT")
EventT = TypeVar("EventT")
ViewT = TypeVar("ViewT")


class Family(Protocol[MoveT]):
    """Moves too many to list (trade offers, discards, orders): known by a test and by samples."""

    @property
    def name(self) -> str: ...

    def contains(self, move: MoveT) -> bool:
        """Whether the move belongs to the family; every one that does is legal."""
        ...

    def sample(self, chance: Chance) -> MoveT:
        """A member drawn at random; each has a positive chance."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Engine(Generic[CatalogT, OptionsT, StateT, MoveT, EventT, ViewT]):
    """One game. Every function is pure but `evolve`, which changes the state it is given and nothing else.

    `seats` is (least, most), `unofficial_seats` those among them that the printed rules do not foresee; `rules` lists
    rules numbers, oldest first, and new matches take the last; `state_format` counts changes of the stored state's
    shape; `edition` names the one that new matches take unless told otherwise.
    `Move` and `Event` are tagged unions, `Options` and `View` single structs.
    """

    name: str
    title: str
    seats: tuple[int, int]
    rules: tuple[int, ...]
    Options: type[OptionsT]
    Move: Any
    Event: Any
    State: type[StateT]
    View: type[ViewT]
    state_format: int = 1
    edition: str = "house"
    unofficial_seats: tuple[int, ...] = ()

    catalog: Callable[[bytes], CatalogT]
    """The edition's components, checked; raises InvalidEdition. Cached by hash."""

    initial: Callable[[CatalogT, OptionsT, int, int], StateT]
    """(catalog, options, seats, rules number): the state before any event; raises IllegalOptions."""

    setup: Callable[[Draft[StateT, EventT]], None]
    """Emits the first events of the game, in the command that starts the match."""

    decide: Callable[[Draft[StateT, EventT], int, MoveT], None]
    """(draft, seat, move): raises IllegalMove before the first emit or draw, else emits at least one event."""

    evolve: Callable[[StateT, EventT], None]
    """Writes one event into the state: total on recorded events, draws nothing, judges nothing."""

    to_act: Callable[[StateT], tuple[int, ...]]
    """The seats that owe a move, ascending; several at once where the rules say so."""

    may_act: Callable[[StateT], tuple[int, ...]]
    """The seats that may move though they owe nothing, ascending."""

    legal_moves: Callable[[StateT, int], Iterator[MoveT]]
    """Complete moves in a fixed order; at most 200 for a duty whose moves form a family; none for a seat in neither."""

    families: Callable[[StateT, int], tuple[Family[MoveT], ...]]
    """The open families of the seat's duty."""

    autopilot: Callable[[StateT, int], MoveT]
    """A legal, harmless move for an absent player who owes one."""

    view: Callable[[StateT, int | None], ViewT]
    """What the seat (None: a spectator) may see, built up field by field."""

    redact: Callable[[EventT, int | None], EventT]
    """The event as the seat (None: a spectator) is told it; secrets become None."""

    determinize: Callable[[StateT, int | None, Chance], StateT]
    """A new state that the seat (None: a spectator) can't tell from this one, its secrets drawn anew."""

    turns: Callable[[StateT], int]
    """How many turns have begun: 0 before the first; it never falls, and a command begins one at most."""

    outcome: Callable[[StateT], Outcome | None]
    """The ranking, once the game is over."""

    scores: Callable[[ViewT], tuple[int, ...]] | None = None
    """(view): by seat, what each would have if the match ended now, as far as the view tells; after the end the
    ranking's points. None, for a game that counts nothing on its way."""

    tell: Tell | None = None
    """(catalog, redacted event): the sentence for it, whose key is in the game's catalogues `messages/`.

    None, for a game that has no words: then its events are told by their kinds and fields.
    """


AnyEngine = Engine[Any, Any, Any, Any, Any, Any]
