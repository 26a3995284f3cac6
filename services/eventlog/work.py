"""A command in progress: events go into the aggregate, and become entries chained to the log's head."""

from typing import Any

from engines.core.chance import Draw, MatchChance
from engines.core.draft import Draft
from services.common.refusals import Reason, Refused
from services.eventlog import hashes
from services.eventlog.aggregate import Aggregate
from services.eventlog.commands import Order
from services.eventlog.entries import MAX_COMMAND_EVENTS, Body, Entry, Header, Sealer, type_of
from services.eventlog.lifecycle import Resigned, SeatClaimed, SeatReleased
from services.eventlog.match import note
from services.eventlog.requests import CLOCK


class _Luck:
    """The match's luck on one version; most commands draw nothing, so its key is made at the first draw."""

    __slots__ = ("_chance", "_secret", "_version")

    def __init__(self, secret: bytes, version: int) -> None:
        self._secret = secret
        self._version = version
        self._chance: MatchChance | None = None

    def draw(self, label: str, n: int) -> int:
        if self._chance is None:
            self._chance = MatchChance(hashes.draw_key(self._secret), self._version)
        return self._chance.draw(label, n)


class Work:
    """Draws, decisions and entries of one command, decided on the version that the aggregate stands at."""

    def __init__(self, aggregate: Aggregate, order: Order, secret: bytes, at: int) -> None:
        facts = aggregate.facts
        previous = facts.hash if facts.version else hashes.genesis(facts.created.match)
        self.aggregate = aggregate
        self.facts = facts
        self.order = order
        self.secret = secret
        self.at = at
        self._sealer = Sealer(secret, facts.version, previous)
        self._entries: list[Entry] = []
        self._owing: list[tuple[int, ...]] = []
        self._draft: Draft[Any, Any] = Draft(self._evolve, aggregate.state, _Luck(secret, facts.version))

    def write(self, event: object, seat: int | None = None) -> None:
        """One of the platform's events."""
        if isinstance(event, SeatClaimed | SeatReleased | Resigned) and self.order.player != CLOCK:
            seat = event.seat
        self._seal(event, (), seat, self.facts.owing)

    def setup(self) -> None:
        self.aggregate.engine.setup(self._draft)
        self._draft.close()
        self._collect(None)

    def play(self, seat: int, move: object) -> None:
        """Raises IllegalMove with nothing changed."""
        self._draft.play(self.aggregate.engine.decide, seat, move)
        self._collect(seat)

    def done(self) -> tuple[Entry, ...]:
        return tuple(self._entries)

    def _evolve(self, state: Any, event: object) -> None:
        self.aggregate.engine.evolve(state, event)
        self._owing.append(self.aggregate.engine.to_act(state))

    def _collect(self, seat: int | None) -> None:
        for emitted, owing in zip(self._draft.emitted, self._owing, strict=True):
            self._seal(emitted.event, emitted.draws, seat, owing)
        self._draft.emitted.clear()
        self._owing.clear()

    def _seal(self, event: object, draws: tuple[Draw, ...], seat: int | None, owing: tuple[int, ...]) -> None:
        if len(self._entries) == MAX_COMMAND_EVENTS:
            raise Refused(Reason.TOO_LARGE, f"the command needs more than {MAX_COMMAND_EVENTS} events")
        first = not self._entries
        body = Body(draws, event, self.order.key.hex() if first else None, self.order.digest.hex() if first else None)
        header = Header(self.at, seat, type_of(self.facts.created.game, event), self._sealer.version + 1)
        try:
            entry = self._sealer.seal(header, body)
        except ValueError as error:
            raise Refused(Reason.TOO_LARGE, str(error)) from error
        note(self.facts, header, body, owing)
        self.facts.hash = entry.hash
        self._entries.append(entry)
