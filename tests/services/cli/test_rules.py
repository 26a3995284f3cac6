import pytest

from engines.core import games
from tests.services.cli.command import GAME


@pytest.mark.parametrize("game", games.names())
def test_all_rules_of_a_game_are_printed(tidelog, game):
    assert tidelog("rules", game) == 0
    assert tidelog.out == games.rules_text(game).rstrip() + "\n"


@pytest.mark.parametrize(("game", "rule"), [(GAME, "LS-11"), ("catan_fishermen", "CA-10")])
def test_one_rule_is_printed_with_its_source_and_test(tidelog, game, rule):
    assert tidelog("rules", game, rule) == 0
    first, *rest = tidelog.out.splitlines()
    assert first.startswith(f"{rule}: ")
    assert rest
    assert "|" not in tidelog.out


def test_a_rule_that_there_is_not_is_said(tidelog):
    assert "no rule LS-1000" in tidelog.refuses("rules", GAME, "LS-1000")
    assert "no rule LS" in tidelog.refuses("rules", GAME, "LS")


def test_a_game_that_there_is_not_is_said(tidelog):
    assert GAME in tidelog.refuses("rules", "no_game")
