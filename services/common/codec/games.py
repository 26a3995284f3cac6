"""The codec of one game: payloads in, structs out, and back, in either form."""

from enum import StrEnum
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from importlib.util import find_spec
from types import ModuleType
from typing import Any, Self

from engines.core import games
from services.common.codec.problems import Malformed
from services.common.codec.roots import RootCodec, encode
from services.common.refusals import Reason, Refused
from tidelog.v1.payload_pb2 import PAYLOAD_FORM_TYPED, Payload, PayloadForm

GROUP = "tidelog.protos"
TYPE_URL = "type.googleapis.com/"


class Root(StrEnum):
    """The four kinds of payload; each value names the engine's type and the schema's message."""

    OPTIONS = "Options"
    MOVE = "Move"
    EVENT = "Event"
    VIEW = "View"


class GameCodec:
    """Translates one game's payloads; what a caller sent wrongly is Refused(MALFORMED)."""

    __slots__ = ("_names", "_roots", "game", "proto_package")

    def __init__(self, game: str, schema: ModuleType | None) -> None:
        """Raises SchemaMismatch where the engine's types and the schema differ."""
        engine = games.engine(game)
        self.game = game
        self.proto_package: str = schema.DESCRIPTOR.package if schema else ""
        """Empty for a game without a schema."""
        self._names = {root: f"{self.proto_package}.{root}" for root in Root}
        self._roots: dict[Root, RootCodec[Any]] = {
            root: RootCodec(root.lower(), getattr(engine, root), getattr(schema, root) if schema else None)
            for root in Root
        }

    @classmethod
    def of(cls, game: str) -> Self:
        """The game's codec, made once; raises Refused(UNKNOWN_GAME)."""
        codec: Self = _codec(game)
        return codec

    @property
    def is_typed(self) -> bool:
        return bool(self.proto_package)

    def move(self, payload: Payload) -> Any:
        return self.read(Root.MOVE, payload)

    def options(self, payload: Payload) -> Any:
        """The game's Options, with defaults for what is absent; an empty payload is all defaults."""
        return self.read(Root.OPTIONS, payload if payload.WhichOneof("form") else Payload(json="{}"))

    def read(self, root: Root, payload: Payload) -> Any:
        form = payload.WhichOneof("form")
        if form == "json":
            return self._roots[root].from_json(payload.json)
        if form is None:
            raise Malformed("neither `json` nor `typed` is set").refused(root.lower())
        name = payload.typed.type_url.rpartition("/")[2]
        if name != self._names[root] or not self.is_typed:
            raise Malformed(f"holds {name!r} where {self._expected(root)} is expected", "typed").refused(root.lower())
        return self._roots[root].from_bytes(payload.typed.value)

    def payload(self, root: Root, data: bytes, form: "PayloadForm.ValueType") -> Payload:
        """The payload of canonical JSON that the platform has written; the JSON form holds these bytes."""
        if form != PAYLOAD_FORM_TYPED:
            return Payload(json=data.decode())
        return self._typed(root, self._roots[root].stored(data))

    def payload_of(self, root: Root, value: Any, form: "PayloadForm.ValueType") -> Payload:
        """The payload of a struct."""
        if form != PAYLOAD_FORM_TYPED:
            return Payload(json=encode(value).decode())
        return self._typed(root, value)

    def _typed(self, root: Root, value: Any) -> Payload:
        self.require(PAYLOAD_FORM_TYPED)
        payload = Payload()
        payload.typed.type_url = TYPE_URL + self._names[root]
        payload.typed.value = self._roots[root].to_message(value).SerializeToString()
        return payload

    def require(self, form: "PayloadForm.ValueType") -> None:
        """Raises Refused(MALFORMED) where the game does not have the form; call it before a stream begins."""
        if form == PAYLOAD_FORM_TYPED and not self.is_typed:
            raise Refused(Reason.MALFORMED, f"{self.game} has JSON payloads only - at `$.accept`")

    def _expected(self, root: Root) -> str:
        return repr(self._names[root]) if self.is_typed else "JSON"


@cache
def _codec(game: str) -> Any:
    try:
        return GameCodec(game, schema(game))
    except games.UnknownGame as error:
        raise Refused(Reason.UNKNOWN_GAME, str(error)) from error


def schema(game: str) -> ModuleType | None:
    """The module with the game's Options, Move, Event and View; None where there is none."""
    games.package(game)
    for point in entry_points(group=GROUP, name=game):
        return import_module(point.value)
    folder = f"tidelog.games.{game}"
    return import_module(f"{folder}.v1.{game}_pb2") if find_spec(folder) else None
