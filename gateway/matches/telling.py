"""One entry as its audiences are told it."""

from typing import Any

import msgspec

from gateway.matches.situation import Audience, Form
from services.common.codec import GameCodec, MatchEventCodec, Root, encode
from services.eventlog import words
from services.eventlog.aggregate import Aggregate, told
from services.eventlog.entries import PLATFORM, Entry, Header, body_of, header_of
from services.eventlog.lifecycle import Lifecycle
from tidelog.v1.payload_pb2 import Payload
from tidelog.v1.updates_pb2 import Sentence, ToldEntry

_platform = MatchEventCodec(Lifecycle)


class Telling:
    """One entry, decoded once. What several audiences are told alike is encoded once for them."""

    __slots__ = ("_aggregate", "_encoded", "_event", "cursor", "header")

    def __init__(self, aggregate: Aggregate, entry: Entry, header: Header, event: Any) -> None:
        self.header = header
        self._aggregate = aggregate
        self.cursor = str(entry.cursor)
        self._event = event
        self._encoded: dict[tuple[int, Form, bool], tuple[Any, bytes]] = {}

    @classmethod
    def of(cls, aggregate: Aggregate, entry: Entry) -> "Telling":
        """An entry of the past. Raises BrokenLog."""
        header = header_of(entry)
        return cls(aggregate, entry, header, body_of(aggregate.engine, header, entry.body).payload)

    def to(self, who: Audience) -> bytes:
        """A serialised ToldEntry."""
        event = told(self._aggregate.engine, self._aggregate.facts, self._event, who.seat)
        key = (id(event), who.form, who.sentence)
        found = self._encoded.get(key)
        if found is None:
            # The event is kept beside its bytes, so that its id stays its own.
            found = self._encoded[key] = (event, self._encode(event, who))
        return found[1]

    def _encode(self, event: Any, who: Audience) -> bytes:
        header = self.header
        return ToldEntry(
            cursor=self.cursor,
            version=header.version,
            at_ms=header.at,
            seat=header.seat,
            type=header.type,
            event=self._payload(event, who.form),
            sentence=self._sentence(event) if who.sentence else None,
        ).SerializeToString()

    def _sentence(self, event: Any) -> Sentence:
        said = words.sentence(self._aggregate.engine, self._aggregate.catalog, event)
        return Sentence(key=said.key, args=msgspec.json.encode(said.args).decode(), text=said.text)

    def _payload(self, event: Any, form: Form) -> Payload:
        if self.header.type.startswith(PLATFORM):
            return _platform.payload(encode(event), form)
        return GameCodec.of(self._aggregate.facts.created.game).payload_of(Root.EVENT, event, form)
