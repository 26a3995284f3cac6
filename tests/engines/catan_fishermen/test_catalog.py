import json
from collections import Counter

import pytest

from engines.catan_fishermen import ENGINE
from engines.catan_fishermen.catalog import CITY, DEVELOPMENT, ROAD, SETTLEMENT, Cards, Resource, load
from engines.core import games
from engines.core.errors import InvalidEdition
from tests.engines.catan_fishermen.scenario import CATALOG
from tests.rules import rule


def loaded(change):
    """The house edition with a change, loaded."""
    edition = json.loads(games.edition("catan_fishermen"))
    change(edition)
    return load(json.dumps(edition).encode())


def refused(change, words):
    with pytest.raises(InvalidEdition, match=words):
        loaded(change)


def replaced(rows, old, new):
    """Every number `old` among the rows becomes `new`."""
    for row in rows:
        row[:] = [new if one == old else one for one in row]


def swapped(row, one, other):
    row[one], row[other] = row[other], row[one]


@rule("CA-1", "CA-5")
def test_letters_and_beginners_tokens_are_the_same_18():
    assert CATALOG.letters == (5, 2, 6, 3, 8, 10, 9, 12, 11, 4, 8, 10, 9, 4, 5, 6, 3, 11)
    assert Counter(CATALOG.letters) == Counter(filter(None, CATALOG.beginner.numbers))


@rule("CA-13")
def test_prices():
    assert Cards(lumber=1, brick=1) == ROAD
    assert Cards(lumber=1, brick=1, wool=1, grain=1) == SETTLEMENT
    assert Cards(ore=3, grain=2) == CITY
    assert Cards(ore=1, wool=1, grain=1) == DEVELOPMENT
    assert CITY.total() == 5


def test_cards_are_counted_in_the_order_of_the_resources():
    assert Cards.__struct_fields__ == tuple(Resource)
    assert Cards(1, 2, 3, 4, 5).counts() == (1, 2, 3, 4, 5)


def test_one_edition_is_one_catalog():
    assert ENGINE.catalog(games.edition("catan_fishermen")) is CATALOG


def test_what_is_no_edition_of_this_game_is_refused():
    refused(lambda edition: edition.update(game="chess"), "'chess'")
    refused(lambda edition: edition.update(colour="blue"), "not an edition of Catan")
    refused(lambda edition: edition["beginner"]["terrain"].append("swamp"), "not an edition of Catan")
    with pytest.raises(InvalidEdition, match="not an edition"):
        load(b"\xff")


def test_hexes_and_paths_that_are_no_island_are_refused():
    refused(lambda edition: edition["hexes"].pop(), "18 hexes, not 19")
    refused(lambda edition: edition["hexes"][0].update(vertices=[4, 4, 8, 12, 7, 3]), "six different vertices")
    refused(lambda edition: edition["hexes"][0].update(vertices=[4, 8, 12, 7, 3]), "six different vertices")
    refused(lambda edition: edition["edges"].pop(), "71 edges, not 72")
    refused(lambda edition: edition["edges"][0].update(ends=[0, 5]), "not the sides of the hexes")


def test_intersections_are_numbered_without_a_gap():
    def renumber(edition):
        replaced([row["vertices"] for row in edition["hexes"]], 53, 54)
        replaced([row["ends"] for row in edition["edges"]], 53, 54)

    refused(renumber, "the vertices are not 0 to 53")


def test_a_path_between_three_hexes_is_refused():
    def fold(edition):
        # The southernmost corner is folded over the middle: its three inner sides lie on paths of two other hexes.
        edition["hexes"][18]["vertices"] = [18, 50, 53, 35, 30, 24]
        new = {(46, 50): [18, 50], (49, 53): [35, 53]}
        for row in edition["edges"]:
            row["ends"] = new.get(tuple(row["ends"]), row["ends"])

    refused(fold, "33 coastal edges, not 30")


def test_a_frame_that_does_not_fit_is_refused():
    def exchange(edition):
        edition["ring"][0]["coast"], edition["ring"][1]["coast"] = [0, 1], [2]

    refused(lambda edition: edition["ring"].pop(), "17 places of the frame, not 18")
    refused(lambda edition: edition["ring"][0].update(coast=[1]), "does not name each coastal edge once")
    refused(exchange, "place 0 of the frame has 2 coastal edges")
    refused(lambda edition: edition["ring"][0].update(q=5), "the places of the frame are not neighbours")


@pytest.mark.parametrize(
    ("coasts", "words"),
    [
        ({1: [2, 9], 4: [17, 1]}, "a fishing ground has three vertices"),
        ({17: [6, 0], 0: [10]}, "two fishing grounds share a vertex"),
        ({2: [4, 5], 3: [3]}, "the nine harbours do not serve 18 vertices"),
    ],
)
@rule("CA-5")
def test_coasts_that_spoil_grounds_or_harbours_are_refused(coasts, words):
    def move(edition):
        for place, coast in coasts.items():
            edition["ring"][place]["coast"] = coast

    refused(move, words)


@rule("CA-1", "CA-2", "CA-3", "CA-4")
def test_other_components_are_refused():
    refused(lambda edition: edition["terrain"].update(hills=4), "the terrain is")
    refused(lambda edition: edition["harbours"].pop("any"), "the harbours are")
    refused(lambda edition: edition["developments"].update(knight=13), "the cards are")
    refused(lambda edition: edition["letters"].pop(), "the 18 numbers")
    refused(lambda edition: edition.update(cards=20), r"\(20, 15, 5, 4\)")
    refused(lambda edition: edition.update(roads=14), r"\(19, 14, 5, 4\)")
    refused(lambda edition: edition.update(settlements=6), r"\(19, 15, 6, 4\)")
    refused(lambda edition: edition.update(cities=3), r"\(19, 15, 5, 3\)")
    refused(lambda edition: edition["pieces"].append("single"), "three double and three single")
    refused(lambda edition: edition["pieces"].__setitem__(0, "single"), "three double and three single")


@rule("CA-5")
def test_spirals_that_are_none_are_refused():
    astray = [1, 0, 3, 7, 12, 16, 17, 18, 15, 11, 6, 2, 5, 4, 8, 13, 14, 10, 9]
    refused(lambda edition: edition["spirals"].pop(), "six corners")
    refused(lambda edition: edition["spirals"][0].clear(), "six corners")
    refused(lambda edition: edition["spirals"][0].__setitem__(-1, 5), "each hex once")
    refused(lambda edition: swapped(edition["spirals"][0], 5, 6), "from neighbour to neighbour")
    refused(lambda edition: edition["spirals"].__setitem__(0, astray), "starts in a corner")


@rule("CA-5")
def test_a_beginners_board_that_breaks_the_rules_is_refused():
    def of_beginners(name, change):
        return lambda edition: change(edition["beginner"][name])

    refused(of_beginners("terrain", lambda row: row.__setitem__(0, "desert")), "terrain is not")
    refused(of_beginners("numbers", list.pop), "a number, or 0, for each hex")
    refused(of_beginners("numbers", lambda row: row.__setitem__(0, 9)), "tokens are not")
    refused(of_beginners("terrain", lambda row: swapped(row, 9, 10)), "the desert alone")
    refused(of_beginners("harbours", list.pop), "harbours are not")
    refused(of_beginners("numbers", lambda row: swapped(row, 5, 11)), "bear a 6 or an 8")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"grounds": [4, 5, 6, 8, 9, 9]}, "grounds' numbers"),
        ({"lake": [2, 3, 12]}, "lake's numbers"),
        ({"lake_hexes": [4, 5, 8, 9, 10, 13, 18]}, "inner hexes"),
        ({"tokens": [11, 10, 9]}, "fish tokens"),
        ({"boots": 2}, "one old boot"),
    ],
)
def test_other_fish_are_refused(change, words):
    refused(lambda edition: edition["fishermen"].update(change), words)


@rule("CA-50")
@pytest.mark.parametrize("at", [0, 8])
def test_a_beginners_desert_from_which_the_lake_would_not_lie_in_the_centre_is_refused(at):
    def moved(edition):
        for row in (edition["beginner"]["terrain"], edition["beginner"]["numbers"]):
            swapped(row, at, 9)

    refused(moved, "beginner's desert is the centre")
