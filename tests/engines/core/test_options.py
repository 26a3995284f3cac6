from enum import StrEnum
from types import SimpleNamespace
from typing import ClassVar

import msgspec
import pytest

from engines.core.errors import IllegalOptions
from engines.core.options import read_options
from engines.core.shapes import GameOptions


class Wind(StrEnum):
    CALM = "calm"
    FRESH = "fresh"


class Options(GameOptions, frozen=True):
    defined_by: ClassVar = {"wind": "X-1", "ships": "X-2", "ports": "X-3"}

    wind: Wind = Wind.CALM
    ships: int = 3
    ports: tuple[int, ...] = ()


ENGINE = SimpleNamespace(Options=Options)


def test_options_are_read_from_their_values():
    assert read_options(ENGINE, {}) == Options()
    assert read_options(ENGINE, {"wind": "fresh", "ships": 4}) == Options(Wind.FRESH, 4)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"wind": "storm"}, "X-1: wind: one of calm, fresh, not 'storm'"),
        ({"wind": 3}, "X-1: wind: one of calm, fresh, not 3"),
        ({"ships": "many"}, "X-2: ships: Expected `int`, got `str`"),
        ({"ports": 3}, "X-3: ports: Expected `array`, got `int`"),
    ],
)
def test_a_value_that_an_option_does_not_have_is_refused_by_its_rule(values, message):
    with pytest.raises(IllegalOptions) as refused:
        read_options(ENGINE, values)
    assert str(refused.value) == message


def test_no_rule_defines_what_is_no_option():
    with pytest.raises(msgspec.ValidationError, match="unknown field `sails`"):
        read_options(ENGINE, {"sails": 2})
