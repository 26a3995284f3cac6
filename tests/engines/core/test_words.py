from enum import StrEnum

from engines.core.outcome import Outcome, Score, Standing
from engines.core.shapes import Plain, Tagged
from engines.core.words import Place, Sentence, Teller, titled


class Colour(StrEnum):
    RED = "red"


class Marbles(Plain, frozen=True):
    small: int = 0
    large: int = 0


class Throw(Plain, frozen=True):
    seat: int
    far: int


class MarblesLaid(Tagged, frozen=True):
    seat: int
    onto: str
    colour: Colour
    marbles: Marbles
    throws: tuple[Throw, ...] = ()
    left: bool = False
    secret: int | None = None
    note: str = ""


tell = Teller(prefix="toy.", counts=(Marbles,), things={"onto": lambda board, name: titled(board.catalog, name)})


def laid(**fields):
    return MarblesLaid(**{"seat": 1, "onto": "Old Tom's Ring", "colour": Colour.RED, "marbles": Marbles()} | fields)


def test_a_sentence_has_the_fields_of_its_event():
    assert tell("ring", laid(note="x")) == Sentence(
        "toy.marbles_laid",
        {
            "seat": Place(1),
            "onto": Sentence("ring.old_toms_ring", text="Old Tom's Ring"),
            "colour": Sentence("colour.red"),
            "note": "x",
        },
    )


def test_fields_that_may_be_empty_and_are_not_are_in_its_key():
    full = tell("ring", laid(marbles=Marbles(large=2), throws=(Throw(0, 0),), left=True, secret=0))
    assert full.key == "toy.marbles_laid.marbles.throws.left.secret"
    assert full.args["marbles"] == (Sentence("marbles.large", {"count": 2}),)
    assert full.args["throws"] == (Sentence("throw", {"seat": Place(0), "far": 0}),)
    assert full.args["secret"] == 0
    assert "left" not in full.args


def test_fields_that_are_untold_are_left_out_and_special_values_told_in_their_own_way():
    told = Teller(
        untold=("onto", "colour", "marbles", "note"),
        special={
            Throw: lambda _, throw: throw.far,
            MarblesLaid: lambda telling, event: telling.phrase(event, more="!"),
        },
    )(None, laid(throws=(Throw(0, 7),)))
    assert told == Sentence("marbles_laid.throws", {"seat": Place(1), "throws": (7,), "more": "!"})


def test_results_are_told_alike_in_every_game():
    class Ended(Tagged, frozen=True):
        outcome: Outcome

    told = Teller()(None, Ended(Outcome((Standing(0, 1, 3, (Score("rows", 3),)),), ("rows",)))).args["outcome"]
    assert told.key == "outcome.ranking.tie_breaks"
    assert told.args["tie_breaks"] == (Sentence("tie_break.rows"),)
    (standing,) = told.args["ranking"]
    assert standing.key == "standing.scores"
    assert standing.args["scores"] == (Sentence("score", {"category": Sentence("category.rows"), "points": 3}),)
