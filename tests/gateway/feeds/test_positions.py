"""Positions of WatchLog: what is written is read again, and nothing else is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.feeds.positions import Positions, ShardPlace, parse, text
from services.common.refusals import Reason, Refused

HASHES = st.text("0123456789abcdef", min_size=16, max_size=16)
MATCHES = st.text("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", min_size=1, max_size=24)
PLACES = st.one_of(
    st.none(),
    st.just(ShardPlace()),
    st.builds(ShardPlace, st.integers(1, 10**14), HASHES, st.none(), st.integers(0, 10_000)),
    st.builds(ShardPlace, st.integers(1, 10**14), HASHES, MATCHES, st.integers(0, 10_000)),
)
SHARDS = st.lists(PLACES, min_size=16, max_size=16)
OURS = Positions(b"k" * 32)


@given(SHARDS)
def test_a_position_is_read_as_it_was_written(places):
    assert parse(text(places)) == places
    assert OURS.read(OURS.write(places, b"asked"), b"asked") == places


@given(SHARDS, SHARDS)
def test_neither_text_nor_length_tell_places_apart(one, other):
    sealed = [OURS.write(places, b"asked") for places in (one, other, one)]
    assert len(set(sealed)) == 3
    if len(text(one)) <= 512 and len(text(other)) <= 512:
        assert len(set(map(len, sealed))) == 1


@given(SHARDS, st.integers(0), st.integers(1, 255))
def test_a_changed_one_is_refused(places, place, change):
    position = OURS.write(places, b"asked")
    place %= len(position) - 2
    other = chr(33 + (ord(position[place]) - 33 + change) % 94)
    forged = position[:place] + other + position[place + 1 :]
    if forged != position:
        with pytest.raises(Refused) as raised:
            OURS.read(forged, b"asked")
        assert raised.value.reason is Reason.MALFORMED


@pytest.mark.parametrize(
    "part", ["", "1", "-1-" + "0" * 16, "0-" + "0" * 16, "1-xyz", "0-0@~4", "0-0@A,B", "0-0~0", "0-0@A~", "*~1", "0-0 "]
)
def test_a_text_of_another_shape_is_refused(part):
    parse(",".join(["0-0"] * 16))
    with pytest.raises(Refused):
        parse(",".join(["0-0"] * 15 + [part]))
    with pytest.raises(Refused):
        parse(",".join(["0-0"] * 17))


def test_a_position_of_another_store_or_filter_is_refused():
    position = OURS.write([ShardPlace()] * 16, b"asked")
    for reader, asked in ((Positions(b"x" * 32), b"asked"), (OURS, b"other")):
        with pytest.raises(Refused):
            reader.read(position, asked)
