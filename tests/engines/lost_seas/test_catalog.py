import json
from collections import Counter

import pytest

from engines.core import games
from engines.core.errors import InvalidEdition
from engines.lost_seas import ENGINE
from engines.lost_seas.catalog import Element, Pattern
from tests.engines.lost_seas.scenario import CATALOG
from tests.rules import rule


def loaded(change):
    """The house edition with a change, loaded."""
    edition = json.loads(games.edition("lost_seas"))
    change(edition)
    return ENGINE.catalog(json.dumps(edition).encode())


def refused(change, words):
    with pytest.raises(InvalidEdition, match=words):
        loaded(change)


@rule("LS-1")
def test_there_are_65_tiles_and_44_expeditions_with_two_sides():
    assert len(CATALOG.pile) == 65
    assert len(CATALOG.expeditions) == 44
    assert len(CATALOG.demands) == 88
    assert {demand.pattern for demand in CATALOG.demands} == set(Pattern)


@rule("LS-2")
def test_a_tile_carries_one_to_three_elements():
    assert {len(tile.elements) for tile in CATALOG.tiles} == {1, 2, 3}
    assert Counter(element for tile in CATALOG.tiles for element in tile.elements * tile.copies) == dict.fromkeys(
        Element, 24
    )
    refused(lambda edition: edition["tiles"][0]["elements"].clear(), "LS01 carries 0 elements")
    refused(lambda edition: edition["tiles"][2]["elements"].append("rock"), "LS03 carries 4 elements")


def test_one_edition_is_one_catalog():
    assert ENGINE.catalog(games.edition("lost_seas")) is CATALOG


def test_wrong_totals_are_refused():
    refused(lambda edition: edition["tiles"].pop(), "64 tiles, not 65")
    refused(lambda edition: edition["expeditions"].pop(), "43 expeditions, not 44")
    refused(lambda edition: edition["tiles"][0].update(elements=["rock"]), "kraken is drawn 22 times, not 24")
    refused(lambda edition: edition["tiles"][0].update(copies=0), "LS01 has 0 copies")


def test_an_id_is_used_once():
    refused(lambda edition: edition["tiles"][1].update(id="LS01"), "LS01 is used 2 times")
    refused(lambda edition: edition["expeditions"][1].update(id="LS01"), "LS01 is used 2 times")


def test_what_is_no_edition_of_this_game_is_refused():
    refused(lambda edition: edition.update(game="chess"), "'chess'")
    refused(lambda edition: edition.update(colour="blue"), "not an edition of Lost Seas")
    refused(lambda edition: edition["expeditions"][0]["easy"].update(pattern="nearly"), "not an edition")
    with pytest.raises(InvalidEdition):
        ENGINE.catalog(b"\xff")


@pytest.mark.parametrize(
    ("demand", "words"),
    [
        ({"pattern": "total", "points": 0, "number": 5}, "EX01 hard is worth 0 points, not 1 to 99"),
        ({"pattern": "total", "points": 2**60, "number": 5}, "EX01 hard is worth 1152921504606846976 points"),
        ({"pattern": "total", "points": 5, "number": 13}, "EX01 hard asks for 13, not for 1 to 12"),
        ({"pattern": "different", "points": 5, "number": 7}, "asks for 7, not for 1 to 6"),
        ({"pattern": "total", "points": 5, "number": 5, "elements": ["rock"]}, "elements and a number"),
        ({"pattern": "exact", "points": 5}, "names no element"),
        ({"pattern": "exact", "points": 5, "elements": ["rock"], "number": 1}, "elements and a number"),
        ({"pattern": "majority", "points": 5, "elements": ["rock", "kraken"]}, "names 2 elements, not one"),
    ],
)
def test_a_demand_that_makes_no_sense_is_refused(demand, words):
    refused(lambda edition: edition["expeditions"][0].update(hard=demand), words)
