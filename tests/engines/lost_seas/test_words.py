"""The log in words: tiles and expeditions by what is drawn on them."""

import pytest

from engines.core.words import Sentence
from engines.lost_seas.catalog import Demand, Element, Pattern, Side
from engines.lost_seas.events import ExpeditionsDealt, LaidExpedition, LaidLine, SidesChosen, TileReturned
from engines.lost_seas.words import _demand, tell
from tests.engines.lost_seas.scenario import CATALOG

KRAKEN, ROCK = Element.KRAKEN, Element.ROCK


def named(element):
    return Sentence(f"element.{element}")


def test_a_tile_is_told_by_its_elements():
    tile = next(row for row in CATALOG.tiles if len(row.elements) == 3 and len({*row.elements}) == 1)
    said = tell(CATALOG, TileReturned(seat=0, tile=tile.id)).args["tile"]
    counted = Sentence("counted", {"count": 3, "element": named(tile.elements[0])})
    assert said == Sentence("tile", {"elements": (counted,)})


def test_an_expedition_is_dealt_with_both_sides_and_laid_with_one():
    rows = CATALOG.expeditions[:4]
    dealt = tell(CATALOG, ExpeditionsDealt(seat=0, line="rows", expeditions=tuple(row.id for row in rows)))
    assert dealt.args["expeditions"] == tuple(
        Sentence("expedition", {"easy": _demand(row.easy), "hard": _demand(row.hard)}) for row in rows
    )
    laid = tuple(LaidExpedition(row.id, Side.HARD) for row in rows)
    chosen = tell(CATALOG, SidesChosen(seat=0, line="rows", laid=LaidLine(laid)))
    assert chosen.args["laid"] == tuple(
        Sentence("laid_expedition", {"demand": _demand(row.hard), "side": Sentence("side.hard")}) for row in rows
    )


@pytest.mark.parametrize("pattern", Pattern)
def test_a_demand_is_told_by_its_pattern_and_points(pattern):
    numbered = pattern in (Pattern.DIFFERENT, Pattern.EXACT_ANY, Pattern.TOTAL)
    content = {"number": 3} if numbered else {"elements": (ROCK, KRAKEN, ROCK)}
    said = _demand(Demand(pattern, points=7, **content))
    both = (named(KRAKEN), Sentence("counted", {"count": 2, "element": named(ROCK)}))
    assert said == Sentence(
        f"demand.{pattern}", {"number": 3, "points": 7} if numbered else {"elements": both, "points": 7}
    )
