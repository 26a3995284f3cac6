"""Every game here keeps every law; `tidelog check-game` holds games elsewhere to the same ones."""

import pytest

from engines.core import games
from services.cli.laws import book
from services.cli.laws.record import members


@pytest.mark.parametrize("law", book.OF_MATCHES, ids=book.title)
def test_matches_keep_the_law(matches, law):
    law(matches)


@pytest.mark.parametrize("game", games.names())
@pytest.mark.parametrize("law", book.OF_GAMES, ids=book.title)
def test_games_keep_the_law(game, law):
    law(game)


@pytest.mark.parametrize("game", games.names())
def test_the_tables_of_a_game_here_hold_every_kind(game):
    engine = games.engine(game)
    package = games.package(game)
    assert set(package.decide.DECIDE) == set(members(engine.Move))
    assert set(package.evolve.EVOLVE) == set(members(engine.Event))
    assert engine.tell is not None


def test_the_book_holds_every_law():
    """A law that is written and not in the book would never be held against anyone."""
    assert len(book.OF_MATCHES) == len(set(book.OF_MATCHES))
    assert {law.__module__.rpartition(".")[2] for law in book.OF_MATCHES} == {
        "shapes", "moves", "folds", "secrecy", "words",
    }  # fmt: skip
    assert len(book.OF_MATCHES) == 39
