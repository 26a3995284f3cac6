"""Serialised messages inside serialised messages: what is encoded once is never parsed or copied to be wrapped.

A field that holds a message is its number, its length and its bytes; fields may stand in any order, and messages joined
are one message with the items of both.
"""

from functools import lru_cache

_LENGTH_DELIMITED = 2


def field(number: int, data: bytes) -> bytes:
    """A message that has nothing but this field, with these bytes in it; numbers go up to 15."""
    return _begun(number, len(data)) + data


@lru_cache(maxsize=16_384)
def _begun(number: int, size: int) -> bytes:
    """What stands before the bytes; the same few numbers and sizes come again and again."""
    return bytes((number << 3 | _LENGTH_DELIMITED,)) + _varint(size)


def _varint(number: int) -> bytes:
    if number < 1 << 7:
        return bytes((number,))
    if number < 1 << 14:
        return bytes((number & 0x7F | 0x80, number >> 7))
    pieces = bytearray()
    while number >= 1 << 7:
        pieces.append(number & 0x7F | 0x80)
        number >>= 7
    pieces.append(number)
    return bytes(pieces)
