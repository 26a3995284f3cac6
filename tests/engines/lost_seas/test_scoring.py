from engines.core.outcome import Outcome, Score, Standing
from engines.lost_seas import ENGINE, scoring
from engines.lost_seas.board import Line
from engines.lost_seas.catalog import Demand, Element, Pattern
from engines.lost_seas.events import LaidExpedition, LaidLine, SidesRevealed
from tests.engines.lost_seas.scenario import CATALOG, EASY, HARD, given, mapped, revealed
from tests.rules import rule

KRAKEN, LEVIATHAN, MAELSTROM, ROCK, SANDBANK, SHIPWRECK = Element
MAP_OF_THE_EXAMPLE = (
    *("LS49", "LS33", "LS27", "LS47"),
    *("LS07", "LS02", "LS16", "LS16"),
    *("LS23", "LS38", "LS09", "LS29"),
    *("LS32", "LS22", "LS08", "LS26"),
)


def worth(demand, *, ties=False, **counts):
    """What a line with so many elements earns."""
    return scoring.worth(demand, [counts.get(element, 0) for element in Element], ties=ties)


def lay(*names_and_sides):
    return LaidLine(tuple(LaidExpedition(name, side) for name, side in names_and_sides))


@rule("LS-15")
def test_an_expedition_looks_at_its_own_line_only():
    # The columns of seat 0 want no kraken, leviathan, maelstrom, rock; the rows exact counts.
    position = given(revealed(), *mapped(0, ["LS01", "LS13", "LS04", "LS14"]))
    assert scoring.points(position.state, 0)[:4] == (0, 4, 4, 4)
    assert scoring.points(position.state, 1)[:4] == (4, 4, 0, 0)


@rule("LS-15")
def test_a_line_without_an_expedition_earns_nothing():
    assert scoring.points(given(*mapped(0, ["LS03"])).state, 0) == (0,) * 8


@rule("LS-16")
def test_exact_counts_each_element_shown():
    demand = Demand(Pattern.EXACT, 6, (SANDBANK, SANDBANK, SHIPWRECK))
    assert worth(demand, sandbank=2, shipwreck=1) == 6
    assert worth(demand, sandbank=2, shipwreck=1, kraken=9) == 6
    assert worth(demand, sandbank=2, shipwreck=2) == 0
    assert worth(demand, sandbank=1, shipwreck=1) == 0


@rule("LS-17")
def test_any_same_wants_one_element_exactly_so_often():
    demand = Demand(Pattern.EXACT_ANY, 12, number=7)
    assert worth(demand, rock=7, kraken=1) == 12
    assert worth(demand, rock=8) == 0
    assert worth(demand, rock=6) == 0


@rule("LS-18")
def test_total_counts_all_elements():
    demand = Demand(Pattern.TOTAL, 11, number=5)
    assert worth(demand, rock=2, kraken=3) == 11
    assert worth(demand, rock=2, kraken=4) == 0
    assert worth(demand, rock=2, kraken=2) == 0


@rule("LS-19")
def test_all_kinds_wants_exactly_so_many():
    everything = dict.fromkeys(Element, 1)
    six = Demand(Pattern.DIFFERENT, 5, number=6)
    assert worth(six, **everything) == 5
    assert worth(six, **everything | {KRAKEN: 0}) == 0
    three = Demand(Pattern.DIFFERENT, 7, number=3)
    assert worth(three, kraken=1, rock=4, sandbank=1) == 7
    assert worth(three, kraken=1, rock=4) == 0
    assert worth(three, kraken=1, rock=4, sandbank=1, shipwreck=1) == 0


@rule("LS-20")
def test_sets_are_paid_one_by_one():
    demand = Demand(Pattern.PER_SET, 4, (KRAKEN, MAELSTROM, ROCK))
    assert worth(demand, kraken=3, maelstrom=2, rock=2) == 8
    assert worth(demand, kraken=3, maelstrom=2) == 0
    pairs = Demand(Pattern.PER_SET, 3, (KRAKEN, KRAKEN, ROCK))
    assert worth(pairs, kraken=5, rock=9) == 6


@rule("LS-21")
def test_absent_wants_none_of_the_elements():
    demand = Demand(Pattern.ABSENT, 8, (SANDBANK, KRAKEN, ROCK))
    assert worth(demand, leviathan=4) == 8
    assert worth(demand, leviathan=4, rock=1) == 0


@rule("LS-22")
def test_majority_wants_strictly_the_most():
    demand = Demand(Pattern.MAJORITY, 4, (SHIPWRECK,))
    assert worth(demand, shipwreck=3, rock=2) == 4
    assert worth(demand, shipwreck=3, rock=3) == 0
    assert worth(demand, shipwreck=2, rock=3) == 0
    assert worth(demand) == 0


@rule("LS-22")
def test_with_the_option_a_majority_may_be_shared():
    demand = Demand(Pattern.MAJORITY, 4, (SHIPWRECK,))
    assert worth(demand, ties=True, shipwreck=3, rock=3) == 4
    assert worth(demand, ties=True, shipwreck=2, rock=3) == 0
    assert worth(demand, ties=True) == 0
    assert worth(Demand(Pattern.TOTAL, 5, number=2), ties=True, rock=2) == 5


def ranked(*lines, young_explorers=False, monkeypatch):
    """The result of seats whose eight lines earn this."""
    monkeypatch.setattr(scoring, "points", lambda _, seat: lines[seat])
    return scoring.result(given(seats=len(lines), young_explorers=young_explorers).state)


def places(outcome):
    return [(standing.seat, standing.place) for standing in outcome.ranking]


@rule("LS-23")
def test_the_highest_total_wins(monkeypatch):
    outcome = ranked((1, 0, 0, 0, 4, 0, 0, 0), (0, 6, 0, 0, 0, 0, 0, 0), monkeypatch=monkeypatch)
    assert outcome == Outcome(
        ranking=(
            Standing(1, 1, 6, (Score("columns", 6), Score("rows", 0))),
            Standing(0, 2, 5, (Score("columns", 1), Score("rows", 4))),
        )
    )


@rule("LS-23")
def test_ties_are_broken_by_expeditions_met_then_by_the_best_one(monkeypatch):
    outcome = ranked(
        (6, 6, 0, 0, 0, 0, 0, 0),
        (4, 4, 4, 0, 0, 0, 0, 0),
        (8, 4, 0, 0, 0, 0, 0, 0),
        (9, 1, 0, 0, 0, 0, 0, 0),
        monkeypatch=monkeypatch,
    )
    assert places(outcome) == [(1, 1), (2, 2), (0, 3), (3, 4)]
    assert outcome.tie_breaks == ("expeditions_met", "best_expedition")


@rule("LS-23")
def test_only_the_tie_breaks_that_decide_are_named(monkeypatch):
    fewer = ranked((6, 6, 0, 0, 0, 0, 0, 0), (4, 4, 4, 0, 0, 0, 0, 0), monkeypatch=monkeypatch)
    assert fewer.tie_breaks == ("expeditions_met",)
    smaller = ranked((6, 6, 0, 0, 0, 0, 0, 0), (8, 4, 0, 0, 0, 0, 0, 0), monkeypatch=monkeypatch)
    assert smaller.tie_breaks == ("best_expedition",)


@rule("LS-23")
def test_equals_in_all_share_a_place(monkeypatch):
    outcome = ranked(
        (2, 0, 0, 0, 0, 0, 0, 0),
        (5, 4, 0, 0, 0, 0, 0, 0),
        (4, 5, 0, 0, 0, 0, 0, 0),
        (0, 2, 0, 0, 0, 0, 0, 0),
        monkeypatch=monkeypatch,
    )
    assert places(outcome) == [(1, 1), (2, 1), (0, 3), (3, 3)]
    assert outcome.tie_breaks == ()


@rule("LS-24")
def test_the_example_of_the_rulebook_scores_43():
    columns = lay(("EX12", EASY), ("EX21", EASY), ("EX04", HARD), ("EX01", EASY))
    rows = lay(("EX38", HARD), ("EX33", HARD), ("EX15", EASY), ("EX42", EASY))
    position = given(
        SidesRevealed(Line.COLUMNS, (columns,)),
        SidesRevealed(Line.ROWS, (rows,)),
        *mapped(0, MAP_OF_THE_EXAMPLE),
    )
    assert scoring.points(position.state, 0) == (4, 6, 8, 4, 0, 11, 5, 5)
    (mine, _) = scoring.result(position.state).ranking
    assert mine == Standing(0, 1, 43, (Score("columns", 22), Score("rows", 21)))


@rule("LS-26")
def test_young_explorers_score_the_most_frequent_kind_of_a_line():
    # A row with 3 leviathans, 2 rocks and 2 shipwrecks earns 3 points.
    position = given(*mapped(0, ["LS06", "LS11", "LS17"]), young_explorers=True)
    row = 4
    assert scoring.line_points(position.state, 0, row) == 3
    assert scoring.points(position.state, 0) == (3, 2, 2, 0, 3, 0, 0, 0)


@rule("LS-26")
def test_equal_young_explorers_share_a_place(monkeypatch):
    outcome = ranked(
        (2, 2, 0, 0, 0, 0, 0, 0),
        (4, 0, 0, 0, 0, 0, 0, 0),
        (1, 0, 0, 0, 0, 0, 0, 0),
        young_explorers=True,
        monkeypatch=monkeypatch,
    )
    assert places(outcome) == [(0, 1), (1, 1), (2, 3)]
    assert outcome.tie_breaks == ()


@rule("LS-24")
def test_the_map_of_the_example_is_made_of_tiles_that_exist():
    for tile in set(MAP_OF_THE_EXAMPLE):
        row = CATALOG.tiles[CATALOG.tile_numbers[tile]]
        assert MAP_OF_THE_EXAMPLE.count(tile) <= row.copies


@rule("LS-23")
def test_there_is_no_result_before_the_end():
    assert ENGINE.outcome(given().state) is None
