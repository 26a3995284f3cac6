"""The house edition's sea, and charts that are refused."""

from itertools import pairwise

import msgspec
import pytest

from engines.black_fleet import ENGINE
from engines.black_fleet.board import BY_LAIRS, OVER_ISLANDS, PLAIN, bits, mask, reached, way
from engines.core.errors import InvalidEdition
from tests.engines.black_fleet.scenario import BOARD, EDITION
from tests.rules import rule


def names(mask):
    return {BOARD.ids[place] for place in bits(mask)}


def place(name):
    return BOARD.numbers[name]


@rule("BF-1")
def test_the_sea_is_one_and_adjoins_both_ways():
    assert len(reached(BOARD, place("s0103"), 99, 0, PLAIN)) == BOARD.sea.bit_count() == 104
    for here in bits(BOARD.sea | BOARD.deep):
        assert all(here in BOARD.exits[there] for there in BOARD.exits[here])
    assert (len(BOARD.beaches), len(BOARD.lairs), len(BOARD.deep_seas), len(BOARD.navy_starts)) == (12, 2, 3, 2)


def test_nobody_sails_into_a_deep_sea():
    for steps in BOARD.steps:
        assert not any(BOARD.deep >> other & 1 for near in steps for other in near)


@pytest.mark.parametrize("steps", range(4))
@pytest.mark.parametrize("start", ["s0105", "s0308", "s0301", "deep_sw"])
def test_a_way_is_a_shortest_path(start, steps):
    around = reached(BOARD, place(start), 99, 0, steps)
    for end in around:
        path = way(BOARD, around, end)
        places = [place(start), *map(place, path)]
        assert all(b in BOARD.steps[steps][a] for a, b in pairwise(places))
        assert places[-1] == end
        longer = reached(BOARD, place(start), len(path) - 1, 0, steps)
        assert not path or end not in longer


def test_closed_places_are_gone_round():
    closed = mask([place("s0105")])
    around = reached(BOARD, place("s0104"), 99, closed, PLAIN)
    assert place("s0105") not in around
    assert len(way(BOARD, around, place("s0106"))) > 2


def test_islands_and_lairs_are_ways_of_their_own():
    assert place("l0205") in reached(BOARD, place("s0104"), 1, 0, OVER_ISLANDS)
    assert place("s0610") not in reached(BOARD, place("s0301"), 1, 0, PLAIN)
    assert place("s0610") in reached(BOARD, place("s0301"), 1, 0, BY_LAIRS)


def test_range_goes_over_deep_seas_and_not_from_lair_to_lair():
    assert names(BOARD.near[1][place("s0012")]) == {"deep_ne", "s0111", "s0112"}
    assert {"s0112", "s0113"} <= names(BOARD.near[2][place("s0012")])
    assert "deep_ne" in names(BOARD.near[1][place("deep_ne")])
    assert "s0610" not in names(BOARD.near[2][place("s0301")])


def changed(change):
    edition = msgspec.json.decode(EDITION)
    change(edition["chart"])
    return msgspec.json.encode(edition)


def at(chart, name):
    return next(place for place in chart["places"] if place["id"] == name)


def unlink(one, other):
    one["neighbours"].remove(other["id"])
    other["neighbours"].remove(one["id"])


def cut_off(chart):
    for name in list(at(chart, "s0105")["neighbours"]):
        unlink(at(chart, "s0105"), at(chart, name))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda chart: chart["places"].append(at(chart, "s0103")), "same id"),
        (lambda chart: at(chart, "s0103")["neighbours"].append("s0104"), "twice"),
        (lambda chart: at(chart, "s0103")["neighbours"].append("s9999"), "no other place"),
        (lambda chart: at(chart, "s0103")["neighbours"].append("s0109"), "not the other way round"),
        (cut_off, "no way by sea leads to s0105"),
        (lambda chart: [place.update(terrain="continent") for place in chart["places"]], "there is no sea"),
        (
            lambda chart: [at(chart, f"deep_{name}").update(terrain="sea") for name in ("ne", "sw", "se")],
            "no deep sea",
        ),
        (lambda chart: at(chart, "s0104").update(terrain="deep_sea"), "spaces of the sea alone"),
        (lambda chart: chart["ports"].pop(), "five ports"),
        (lambda chart: chart["ports"][0].update(id="verdemar"), "same id"),
        (lambda chart: chart["ports"][0].update(land="l0205"), "no port"),
        (lambda chart: chart["ports"][0].update(land="nowhere"), "no port"),
        (lambda chart: chart["ports"][0]["spaces"].pop(), "2 spaces, not 3"),
        (lambda chart: chart["ports"][0].update(spaces=["s0511", "s0202", "s0203"]), "one port at most"),
        (lambda chart: chart["ports"][0].update(spaces=["l0205", "s0202", "s0203"]), "not at sea"),
        (lambda chart: chart["ports"][0].update(buys=[]), "or none"),
        (lambda chart: chart["ports"][0]["buys"][0].update(colour="yellow"), "its own goods"),
        (lambda chart: chart["ports"][0]["buys"][0].update(price=4), "pays 4"),
        (lambda chart: chart["beaches"][0].update(space="l0205"), "beaches"),
        (lambda chart: chart["beaches"][0].update(value=0), "a beach is worth 1 to 99"),
        (lambda chart: chart["beaches"][0].update(value=2**53), "a beach is worth 1 to 99"),
        (lambda chart: chart["lairs"].pop(), "two lairs"),
        (lambda chart: chart["navy_starts"].pop(), "one start"),
        (lambda chart: chart["navy_starts"][0].update(space="s0707"), "two spaces"),
        (
            lambda chart: chart["places"].extend(
                {"id": f"x{n}", "terrain": "continent", "hexes": [], "neighbours": []} for n in range(200)
            ),
            "more than 250",
        ),
    ],
)
def test_a_chart_that_breaks_the_rules_is_not_loaded(change, message):
    with pytest.raises(InvalidEdition, match=message):
        ENGINE.catalog(changed(change))
