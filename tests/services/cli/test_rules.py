from engines.core import games
from tests.services.cli.command import GAME


def test_all_rules_of_a_game_are_printed(tidelog):
    assert tidelog("rules", GAME) == 0
    assert tidelog.out == games.rules_text(GAME).rstrip() + "\n"


def test_one_rule_is_printed_with_its_source_and_test(tidelog):
    assert tidelog("rules", GAME, "LS-11") == 0
    first, *rest = tidelog.out.splitlines()
    assert first.startswith("LS-11: ")
    assert rest
    assert "|" not in tidelog.out


def test_a_rule_that_there_is_not_is_said(tidelog):
    assert "no rule LS-1000" in tidelog.refuses("rules", GAME, "LS-1000")
    assert "no rule LS" in tidelog.refuses("rules", GAME, "LS")


def test_a_game_that_there_is_not_is_said(tidelog):
    assert GAME in tidelog.refuses("rules", "no_game")
