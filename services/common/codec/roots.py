"""One root type (a game's moves, say) in all its forms: struct, canonical JSON, message."""

from typing import Any, Generic, TypeVar

import msgspec
from google.protobuf.descriptor import Descriptor
from google.protobuf.message import DecodeError, Message

from services.common.codec.bounds import checker
from services.common.codec.keys import check_keys
from services.common.codec.parity import SchemaMismatch, differences
from services.common.codec.problems import Malformed
from services.common.codec.reading import struct_reader, union_reader
from services.common.codec.shapes import members
from services.common.codec.writing import struct_writer, union_writer
from services.common.refusals import Reason, Refused

RootT = TypeVar("RootT")

encode = msgspec.json.Encoder(order="sorted").encode
"""A struct in canonical JSON, as the log holds it."""


class RootCodec(Generic[RootT]):
    """Compiled once; a call looks nothing up but values. `message` is None for a game without a schema."""

    __slots__ = ("_check", "_json", "_read", "_write", "message", "name")

    def __init__(self, name: str, root: Any, message: type[Message] | None) -> None:
        """Raises SchemaMismatch where root and message differ."""
        self.name = name
        self.message: Any = message
        self._json: msgspec.json.Decoder[RootT] = msgspec.json.Decoder(root, strict=True)
        descriptor: Any = message and message.DESCRIPTOR
        if descriptor is not None:
            self._compile(root, descriptor)
        self._check = checker(root, descriptor)

    def _compile(self, root: Any, descriptor: Descriptor) -> None:
        if found := differences(root, descriptor):
            raise SchemaMismatch(self.name, found)
        kinds = members(root)
        if kinds is None:
            self._read: Any = struct_reader(root, descriptor)
            self._write: Any = struct_writer(root, descriptor)
        else:
            self._read = union_reader(kinds, descriptor)
            self._write = union_writer(kinds, descriptor)

    def from_json(self, data: bytes | str) -> RootT:
        """The struct; raises Refused(MALFORMED) with the path of what is wrong.

        Of a key named twice msgspec takes the last. Bytes that are as we would write them, as those of clients that
        send back what they were told, name none twice, and need no second reading.
        """
        try:
            value = self._json.decode(data)
            if encode(value) != (data.encode() if isinstance(data, str) else data):
                check_keys(data)
            if self._check is not None:
                self._check(value)
        except (msgspec.DecodeError, RecursionError) as error:
            raise Refused(Reason.MALFORMED, f"{self.name}: {error}") from None
        except Malformed as problem:
            raise problem.refused(self.name) from None
        return value

    def from_bytes(self, data: bytes) -> RootT:
        """The struct of a serialised message; raises Refused(MALFORMED) with the path of what is wrong."""
        try:
            message = self.message.FromString(data)
            _require_known_fields(message)
            value: RootT = self._read(message)
        except DecodeError as error:
            raise Malformed(str(error)).refused(self.name) from None
        except Malformed as problem:
            raise problem.refused(self.name) from None
        return value

    def stored(self, data: bytes) -> RootT:
        """The struct of bytes that this platform has written."""
        return self._json.decode(data)

    def to_message(self, value: RootT) -> Any:
        return self.message(**self._write(value))


def _require_known_fields(message: Message) -> None:
    """A field that this release does not have may change what the sender means, so it is not passed over."""
    size = message.ByteSize()
    message.DiscardUnknownFields()
    if message.ByteSize() != size:
        raise Malformed(f"holds a field that {message.DESCRIPTOR.full_name} does not have here")
