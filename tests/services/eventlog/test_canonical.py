import json
from enum import StrEnum

import msgspec
import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from services.eventlog import canonical
from services.eventlog.canonical import NotCanonical

INTEGERS = st.integers(-canonical.MAX_INTEGER, canonical.MAX_INTEGER)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
NAMES = st.from_regex(r"[a-z][a-z0-9_]{0,8}", fullmatch=True)
VALUES = st.recursive(
    st.none() | st.booleans() | INTEGERS | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES, inner, max_size=4),
    max_leaves=12,
)


class Fish(StrEnum):
    BOOT = "boot"


class Catch(msgspec.Struct, frozen=True, tag_field="kind", tag="caught"):
    weight: int = 0
    fish: Fish | None = None
    boats: tuple[int, ...] = ()


@given(VALUES)
def test_what_is_written_is_what_an_rfc_8785_library_writes(value):
    data = canonical.encode(value)
    assert data == rfc8785.dumps(value)
    assert canonical.strict(data) == value


def test_a_struct_is_written_with_every_field_sorted():
    assert canonical.encode(Catch()) == b'{"boats":[],"fish":null,"kind":"caught","weight":0}'
    assert canonical.encode(Catch(3, Fish.BOOT, (1,))) == b'{"boats":[1],"fish":"boot","kind":"caught","weight":3}'


@pytest.mark.parametrize("value", ["\ud800", {"name": "a\udfff"}, ["\ud83c"]])
def test_lone_surrogates_are_refused(value):
    with pytest.raises(NotCanonical, match="surrogate"):
        canonical.encode(value)


@pytest.mark.parametrize("value", [2**53, -(2**53), 2**63, [{"a": [2**53]}], Catch(weight=2**60)])
def test_integers_beyond_2_53_are_refused(value):
    with pytest.raises(NotCanonical, match=r"2\^53"):
        canonical.encode(value)


@pytest.mark.parametrize("value", [2**53 - 1, "9007199254740993", {"a": ["1234567890123456789"]}])
def test_the_largest_integer_and_texts_of_many_digits_are_written(value):
    assert canonical.strict(canonical.encode(value)) == value


def test_strict_refuses_nesting_that_no_stack_holds():
    with pytest.raises(NotCanonical):
        canonical.strict(b"[" * 100_000 + b"]" * 100_000)


def test_strict_refuses_an_integer_of_too_many_digits():
    with pytest.raises(NotCanonical):
        canonical.strict(b"1" * 10_000)


@given(VALUES, st.integers(0), st.sampled_from([b" ", b"\n", b"\t"]))
def test_strict_refuses_white_space_outside_texts(value, position, space):
    data = canonical.encode(value)
    place = position % (len(data) + 1)
    changed = data[:place] + space + data[place:]
    try:
        same = json.loads(changed) == value
    except ValueError:
        same = False
    if same:
        with pytest.raises(NotCanonical):
            canonical.strict(changed)


@given(st.binary(max_size=64))
def test_strict_raises_nothing_but_not_canonical(data):
    try:
        value = canonical.strict(data)
    except NotCanonical:
        return
    assert canonical.encode(value) == data
