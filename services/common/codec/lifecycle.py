"""The codec of the platform's own events."""

from typing import Any

from services.common.codec.games import TYPE_URL, GameCodec, Root
from services.common.codec.roots import RootCodec
from services.common.refusals import Refused
from tidelog.v1.lifecycle_pb2 import MatchEvent
from tidelog.v1.payload_pb2 import PAYLOAD_FORM_TYPED, Payload, PayloadForm


class MatchEventCodec:
    """Puts stored `match.*` events into payloads. The union of their structs is given, for it belongs to the log."""

    __slots__ = ("_root",)

    def __init__(self, union: Any) -> None:
        self._root: RootCodec[Any] = RootCodec("match event", union, MatchEvent)

    def payload(self, data: bytes, form: "PayloadForm.ValueType") -> Payload:
        """The JSON form holds the bytes themselves; the typed one a MatchEvent, with typed options where there are."""
        if form != PAYLOAD_FORM_TYPED:
            return Payload(json=data.decode())
        message = self._root.to_message(self._root.stored(data))
        if message.WhichOneof("event") == "created":
            _type_options(message.created)
        payload = Payload()
        payload.typed.type_url = TYPE_URL + MatchEvent.DESCRIPTOR.full_name
        payload.typed.value = message.SerializeToString()
        return payload


def _type_options(created: Any) -> None:
    """The options stay JSON where the game is not installed here, or has no schema."""
    try:
        codec = GameCodec.of(created.game)
    except Refused:
        return
    if codec.is_typed:
        created.options.CopyFrom(codec.payload(Root.OPTIONS, created.options.json.encode(), PAYLOAD_FORM_TYPED))
