import msgspec
import pytest

from engines.core.shapes import GameState, Plain, Tagged, snake_case


class RollDice(Tagged, frozen=True):
    times: int = 1


class Table(Plain, frozen=True):
    name: str


def test_a_tag_is_the_name_in_snake_case():
    assert snake_case("PlaceOpeningRoad") == "place_opening_road"
    assert msgspec.json.encode(RollDice(2)) == b'{"kind":"roll_dice","times":2}'


@pytest.mark.parametrize(("kind", "text"), [(RollDice, b'{"kind":"roll_dice","x":1}'), (Table, b'{"name":"a","x":1}')])
def test_unknown_fields_are_refused(kind, text):
    with pytest.raises(msgspec.ValidationError, match="unknown field"):
        msgspec.json.decode(text, type=kind)


def test_moves_and_rows_are_frozen():
    with pytest.raises(AttributeError):
        Table("a").name = "b"


def test_a_state_says_how_it_is_copied():
    with pytest.raises(NotImplementedError):
        GameState(catalog=None, rules=1).copy()


def test_a_state_without_derived_fields_has_nothing_to_rederive():
    state = GameState(catalog=None, rules=1)
    state.rederive()
    assert state.derived == ()
