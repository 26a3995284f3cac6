import json

import pytest

from engines.core import games
from engines.core.errors import InvalidEdition
from engines.south_seas import ENGINE
from engines.south_seas.catalog import Sail, Terrain, Wares
from tests.engines.south_seas.scenario import CATALOG
from tests.rules import rule


def refused(change, words):
    """The house edition with a change is not loaded."""
    edition = json.loads(games.edition("south_seas", "house"))
    change(edition)
    with pytest.raises(InvalidEdition, match=words):
        ENGINE.catalog(json.dumps(edition).encode())


def changed(number, **fields):
    """A tile's fields are changed, those of a feature where it is named."""

    def change(edition):
        tile = next(tile for tile in edition["tiles"] if tile["id"] == f"SS{number:02}")
        name = fields.pop("feature", None)
        target = tile if name is None else next(one for one in tile["features"] if one["id"] == name)
        target.update(fields)

    return change


def ship(place, **fields):
    return lambda edition: edition["ships"][place - 1].update(fields)


@pytest.mark.parametrize("name", games.editions("south_seas"))
@rule("SS-1")
def test_every_edition_has_the_official_counts(name):
    catalog = ENGINE.catalog(games.edition("south_seas", name))
    assert len(catalog.pile) == 72
    assert len(catalog.ships) == 24
    assert {one.sail for one in catalog.ships} == set(Sail)
    boats = [one for tile in catalog.tiles for one in tile.features * tile.copies if one.boat]
    assert len(boats) == 19


@pytest.mark.parametrize("name", games.editions("south_seas"))
def test_each_half_edge_is_in_exactly_one_feature_and_bridges_have_two_ends(name):
    for tile in ENGINE.catalog(games.edition("south_seas", name)).tiles:
        halves = [half for one in tile.features for half in one.half_edges]
        assert len(halves) == len(set(halves)) == 8
        assert {len(one.ends) for one in tile.features if one.terrain is Terrain.BRIDGE} <= {2}


def test_one_edition_is_one_catalog():
    assert ENGINE.catalog(games.edition("south_seas", "house")) is CATALOG


def test_wrong_totals_are_refused():
    refused(lambda edition: edition["tiles"].pop(), "72 tiles, not 73")
    refused(changed(1, copies=0), "SS01 has 0 copies")
    refused(lambda edition: edition["ships"].pop(), "23 ships, not 24")
    refused(changed(31, start=False), "0 start tiles, not 1")
    refused(changed(9, start=True), "3 start tiles, not 1")
    refused(changed(8, feature="S0", boat=False), "18 fishing boats, not 19")


def test_an_id_is_used_once():
    refused(changed(2, id="SS01"), "SS01 is used 2 times")
    refused(ship(2, id="SHIP01"), "SHIP01 is used 2 times")
    refused(changed(2, feature="M0", id="S0"), "SS02 has 2 features S0")


def test_what_is_no_edition_of_this_game_is_refused():
    refused(lambda edition: edition.update(game="chess"), "'chess'")
    refused(lambda edition: edition.update(colour="blue"), "not an edition of South Seas")
    refused(changed(1, sides=["sky"] * 4), "not an edition")
    with pytest.raises(InvalidEdition):
        ENGINE.catalog(b"\xff")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (changed(1, sides=["sea"] * 3), "SS01 has 3 sides, not 4"),
        (changed(1, features=[{"id": f"M{n}", "terrain": "market"} for n in range(17)]), "17 features, more than 16"),
        (changed(40, feature="S0", half_edges=["e0"]), "not every half-edge of tile SS40 is in exactly one"),
        (changed(40, feature="S0", half_edges=["e0", "e1", "w0"]), "not every half-edge of tile SS40"),
        (changed(40, sides=["island", "bridge", "island", "sea"]), "the east side of tile SS40"),
        (changed(40, sides=["sea", "sea", "island", "sea"]), "the north side of tile SS40"),
        (changed(40, sides=["island", "island", "island", "sea"]), "the east side of tile SS40"),
        (changed(9, sides=["sea", "sea", "bridge", "sea"]), "the north side of tile SS09"),
        (changed(9, feature="B0", ends=["north"]), "bridge SS09 B0 has not two ends"),
        (changed(9, feature="B0", ends=["north", "north"]), "bridge SS09 B0 has not two ends"),
        (changed(9, feature="B0", ends=["junction", "market"]), "bridge SS09 B0 has not two ends"),
        (changed(9, feature="B0", ends=["north", "island"]), "bridge SS09 B0 ends at no island"),
        (changed(9, feature="B0", ends=["north", "market"]), "bridge SS09 B0 ends at no market"),
        (changed(9, feature="B0", ends=["north", "junction"]), "a single arm meets at the junction of tile SS09"),
        (changed(9, feature="S0", ends=["north", "east"]), "SS09 S0 has ends, and is no bridge"),
        (changed(9, feature="B0", half_edges=["n0"]), "SS09 B0 has the half-edges of another kind"),
        (changed(9, feature="S0", half_edges=[]), "SS09 S0 has the half-edges of another kind"),
        (changed(9, feature="S0", symbols=-1), "SS09 S0 has -1 symbols, not 0 to 9"),
        (changed(9, feature="S0", symbols=2**31), "SS09 S0 has 2147483648 symbols, not 0 to 9"),
        (changed(9, feature="S1", doubles=10), "SS09 S1 has 10 symbols, not 0 to 9"),
        (changed(9, feature="B0", symbols=2**60), "SS09 B0 has 1152921504606846976 symbols"),
        (changed(9, feature="B0", doubles=1), "SS09 B0 has a boat or fish, and is no sea"),
        (changed(24, feature="I0", boat=True), "SS24 I0 has a boat or fish, and is no sea"),
        (changed(1, feature="M0", symbols=1), "market SS01 M0 has symbols"),
        (
            changed(
                7,
                features=[
                    {"id": "S0", "terrain": "sea", "half_edges": ["n0", "n1", "e0", "e1", "s0", "s1", "w0", "w1"]},
                    {"id": "M0", "terrain": "market"},
                    {"id": "M1", "terrain": "market"},
                ],
            ),
            "SS07 has 2 markets",
        ),
        (
            changed(
                7,
                features=[
                    {"id": "S0", "terrain": "sea", "half_edges": ["n0", "e0", "e1", "s0", "s1", "w0", "w1"]},
                    {"id": "S1", "terrain": "sea", "half_edges": ["n1"]},
                ],
            ),
            "the north side of tile SS07",
        ),
        (ship(1, points=0), "SHIP01 is worth 0 points, not 1 to 99"),
        (ship(1, points=2**60), "SHIP01 is worth 1152921504606846976 points"),
        (ship(1, wares={"shell": 100}), "SHIP01 does not ask for a combination of 1 to 99 wares"),
        (ship(1, number=2), "SHIP01 does not ask for a combination"),
        (ship(1, wares={}), "SHIP01 does not ask for a combination"),
        (ship(1, wares={"shell": 3, "fish": -1}), "SHIP01 does not ask for a combination"),
        (ship(4, number=0), "SHIP04 asks for 0 wares, not 1 to 8"),
        (ship(10, number=9), "SHIP10 asks for 9 wares, not 1 to 8"),
        (ship(10, wares={"fish": 1}), "SHIP10 asks for wares of its own and for any"),
    ],
)
def test_what_makes_no_sense_is_refused(change, words):
    refused(change, words)


def test_wares_are_counted_by_kind():
    assert Wares(1, 2, 3).counts() == (1, 2, 3)
    assert Wares(1, 2, 3).total() == 6
