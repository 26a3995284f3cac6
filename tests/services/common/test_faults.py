import pytest

from services.common import faults

GAME = "lost_seas"


def raised(call) -> Exception:
    with pytest.raises(Exception) as found:  # noqa: PT011 - whichever it is
        call()
    return found.value


def in_a_game() -> Exception:
    """What the code of a game raises where it looks for a hidden tile that is not there."""
    source = compile("def evolve(hand):\n    return hand['TILE 17']\n", "evolve.py", "exec")
    room = {"__name__": f"engines.{GAME}.evolve"}
    exec(source, room)
    return raised(lambda: room["evolve"]({}))


def test_the_text_of_what_a_game_raised_is_not_told():
    told = faults.told(in_a_game())
    assert "TILE 17" not in told
    assert "evolve.py" in told
    assert told.endswith("KeyError: ...")


def test_nor_where_it_is_the_cause_of_another_or_one_of_several():
    def fails():
        raise RuntimeError("the store is away") from in_a_game()

    for error in (raised(fails), ExceptionGroup("several failed", [in_a_game(), raised(fails)])):
        told = faults.told(error)
        assert "the store is away" in told
        assert "TILE 17" not in told
        assert "KeyError: ..." in told


def test_other_exceptions_are_told_whole():
    def fails():
        raise ValueError("broken")

    assert faults.told(raised(fails)).endswith("ValueError: broken")
    assert faults.told(ValueError("never raised")) == "ValueError: never raised"


def test_a_place_is_a_type_and_a_line_of_code():
    assert faults.place(in_a_game()) == "KeyError at evolve.py:2"
    assert faults.place(KeyError("TILE 17")) == "KeyError"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Invalid enum value 'TILE 17' - at `$.payload.tile`", "Invalid enum value - at `$.payload.tile`"),
        ("Invalid enum value 17", "Invalid enum value"),
        ("Invalid value 'TILE\n17'", "Invalid value"),
        ("Expected `int`, got `str` - at `$.at`", "Expected `int`, got `str` - at `$.at`"),
    ],
)
def test_a_value_that_could_not_be_read_is_not_told(text, told):
    assert faults.unread(ValueError(text)) == told
