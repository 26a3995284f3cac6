"""Bytes that are nearly right: the same seed makes the same ones."""

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import islice

LARGEST = 48 * 1024
BAD_TEXT = (b"\xff\xfe", b"\xc0\x80", b"\xed\xa0\x80", b"\xf5\x80\x80\x80", b"\x00", b'\\ud800"', b"\xef\xbf\xbf")
HUGE = (
    *(b"\xff" * count + b"\x01" for count in (4, 8, 9, 10, 12)),
    *(b"\x0a\xff\xff\xff\xff\x07", b"\x12\x80\x80\x80\x80\x08", b"\x7f", b"\xf8\xff\xff\xff\x0f"),
    *(b"9" * count for count in (17, 20, 400, 5000)),
    *(b"-1", b"1e999", b"-0", b"0.5", b"NaN", b"Infinity", b"null", b"true", b"{}", b"[]", b'""'),
)
DEEP = (b"[" * 3000, b'{"a":' * 3000, b"(" * 100, b"\x0b" * 3000, b"\x00" * 200)

Change = Callable[[bytes, random.Random, Sequence[bytes]], bytes]


def flipped(data: bytes, rng: random.Random, _others: Sequence[bytes]) -> bytes:
    place = rng.randrange(len(data) or 1)
    return data[:place] + bytes(byte ^ 1 << rng.randrange(8) for byte in data[place : place + 1]) + data[place + 1 :]


def replaced(data: bytes, rng: random.Random, _others: Sequence[bytes]) -> bytes:
    place = rng.randrange(len(data) + 1)
    return data[:place] + rng.randbytes(rng.randrange(1, 4)) + data[place + rng.randrange(4) :]


def truncated(data: bytes, rng: random.Random, _others: Sequence[bytes]) -> bytes:
    return data[: rng.randrange(len(data) + 1)]


def without(data: bytes, rng: random.Random, _others: Sequence[bytes]) -> bytes:
    place = rng.randrange(len(data) + 1)
    return data[:place] + data[place + rng.randrange(1, 20) :]


def repeated(data: bytes, rng: random.Random, _others: Sequence[bytes]) -> bytes:
    start, end = sorted(rng.randrange(len(data) + 1) for _ in range(2))
    return data[:end] + data[start:end] * rng.choice((1, 2, 50)) + data[end:]


def spliced(data: bytes, rng: random.Random, others: Sequence[bytes]) -> bytes:
    other = rng.choice(others)
    return data[: rng.randrange(len(data) + 1)] + other[rng.randrange(len(other) + 1) :]


def inserted(data: bytes, rng: random.Random, _others: Sequence[bytes]) -> bytes:
    place = rng.randrange(len(data) + 1)
    return data[:place] + rng.choice(rng.choice((BAD_TEXT, HUGE, HUGE, DEEP))) + data[place + rng.randrange(3) :]


def nested(data: bytes, rng: random.Random, _others: Sequence[bytes]) -> bytes:
    """Inside itself, as a message in a message: deeper than a parser follows, or just as deep."""
    for _ in range(rng.choice((2, 20, 99, 150))):
        size, length = len(data), b""
        while size > 0x7F:
            length += bytes([size & 0x7F | 0x80])
            size >>= 7
        data = rng.choice((b"\x0a", b"\x12", b"\x1a", b"\x22")) + length + bytes([size]) + data
    return data


CHANGES: tuple[Change, ...] = (flipped, replaced, truncated, without, repeated, spliced, inserted)
RARE = 0.03


def mutated(corpus: Sequence[bytes], seed: int) -> Iterator[bytes]:
    """Without end."""
    rng = random.Random(seed)
    while True:
        data = rng.choice(corpus)
        for _ in range(rng.choice((1, 1, 1, 2, 4))):
            data = rng.choice(CHANGES)(data, rng, corpus)
        if rng.random() < RARE:
            data = nested(data, rng, corpus)
        yield data[:LARGEST]


def survived(
    decode: Callable[[bytes], object], typed: type[Exception] | tuple[type[Exception], ...], inputs: Iterator[bytes]
) -> Counter[str]:
    """How many inputs were taken, and how many refused with an error of the types; any other is a fault."""
    seen: Counter[str] = Counter()
    for data in inputs:
        try:
            decode(data)
        except typed:
            seen["refused"] += 1
        except Exception as error:
            raise AssertionError(f"{type(error).__name__}: {str(error)[:200]} of {data[:400]!r}") from error
        else:
            seen["taken"] += 1
    return seen


def some(corpus: Sequence[bytes], count: int, seed: int) -> Iterator[bytes]:
    """So many, the corpus itself first."""
    yield from corpus
    yield from islice(mutated(corpus, seed), max(count - len(corpus), 0))
