"""A match as one audience finds it after one entry: view and legal moves in the audience's form."""

from collections.abc import Iterable
from functools import cache
from typing import Any, NamedTuple, TypeAlias

from gateway.facts import clocks, has_decision
from gateway.framing import field
from services.common.codec import GameCodec, Root
from services.eventlog.aggregate import Aggregate
from tidelog.v1 import updates_pb2
from tidelog.v1.payload_pb2 import PAYLOAD_FORM_JSON, PAYLOAD_FORM_TYPED, PayloadForm

Form: TypeAlias = PayloadForm.ValueType

REMEMBERED_MOVES = 10_000

_LEGAL = updates_pb2.Situation.LEGAL_FIELD_NUMBER
_MOVES = updates_pb2.LegalMoves.MOVES_FIELD_NUMBER


class Audience(NamedTuple):
    """Who is told, in which form, and whether views, legal moves, sentences come with it; `seat` None: a spectator."""

    seat: int | None
    form: Form
    view: bool = False
    legal: bool = False
    sentence: bool = False

    @property
    def wants_situations(self) -> bool:
        return self.view or self.legal


def audience(seat: int | None, form: Form, include: Iterable[updates_pb2.Include.ValueType]) -> Audience:
    asked = set(include)
    typed = form == PAYLOAD_FORM_TYPED
    return Audience(
        seat,
        PAYLOAD_FORM_TYPED if typed else PAYLOAD_FORM_JSON,
        updates_pb2.INCLUDE_VIEW in asked,
        updates_pb2.INCLUDE_LEGAL in asked,
        updates_pb2.INCLUDE_SENTENCE in asked,
    )


def situation(aggregate: Aggregate, who: Audience) -> bytes:
    """A serialised Situation."""
    found = updates_pb2.Situation(cursor=str(aggregate.cursor))
    legal = b""
    if who.view:
        codec = GameCodec.of(aggregate.facts.created.game)
        view = aggregate.engine.view(aggregate.state, who.seat)
        found.view.CopyFrom(codec.payload_of(Root.VIEW, view, who.form))
    if who.legal and who.seat is not None and has_decision(aggregate, who.seat):
        found.decision = aggregate.facts.decisions[who.seat]
        legal = field(_LEGAL, legal_moves(aggregate, who.seat, who.form))
    found.clocks.extend(clocks(aggregate.facts))
    return found.SerializeToString() + legal


def legal_moves(aggregate: Aggregate, seat: int, form: Form) -> bytes:
    """What a seat that has something to decide may play: serialised LegalMoves."""
    engine, state = aggregate.engine, aggregate.state
    items = _MoveItems.of(engine.name, form)
    moves = b"".join([items[move] for move in engine.legal_moves(state, seat)])
    families = [family.name for family in engine.families(state, seat)]
    return moves + updates_pb2.LegalMoves(families=families).SerializeToString() if families else moves


class _MoveItems(dict[Any, bytes]):
    """Moves of one game in one form, as items of LegalMoves: the same ones are listed over and over."""

    def __init__(self, codec: GameCodec, form: Form) -> None:
        super().__init__()
        self._codec = codec
        self._form = form

    @classmethod
    @cache
    def of(cls, game: str, form: Form) -> "_MoveItems":
        return cls(GameCodec.of(game), form)

    def __missing__(self, move: Any) -> bytes:
        if len(self) >= REMEMBERED_MOVES:
            self.clear()
        payload = self._codec.payload_of(Root.MOVE, move, self._form)
        item = self[move] = field(_MOVES, payload.SerializeToString())
        return item
