"""Rules, tests and refusals are tied to each other: RULES.md, `@rule` and the ids in the sources agree."""

import ast
from collections import defaultdict
from pathlib import Path

import pytest

from engines.core import games
from tests.rules import ID, beyond_refusal, table

TESTS = Path(__file__).parent.parent / "engines"
NAMES = games.names()


def functions(game):
    for path in sorted((TESTS / game).glob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                yield path.name, node


def calls(node, name):
    """The string arguments of every call of a function or method of that name."""
    for call in ast.walk(node):
        if isinstance(call, ast.Call) and name == getattr(call.func, "attr", getattr(call.func, "id", None)):
            yield from (arg.value for arg in call.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str))


def cited(game):
    """Rule id -> the tests that carry it."""
    found = defaultdict(set)
    for file, node in functions(game):
        for decorator in node.decorator_list:
            for rule_id in calls(decorator, "rule"):
                found[rule_id].add(f"{file}::{node.name}")
    return found


def enforced(game):
    """The ids that stand in the engine's sources as strings of their own: those of refusals."""
    return {
        node.value
        for path in games.folder(game).glob("**/*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and ID.fullmatch(node.value)
    }


@pytest.mark.parametrize("game", NAMES)
def test_every_rule_has_a_test_and_every_cited_rule_exists(game):
    assert set(cited(game)) == set(table(game))


@pytest.mark.parametrize("game", NAMES)
def test_the_tests_named_in_the_rules_exist_and_carry_the_rule(game):
    carried = cited(game)
    for rule_id, row in table(game).items():
        named = row[-1].replace("`", "").split()
        assert named, rule_id
        for test in named:
            assert test in carried[rule_id], f"{rule_id} names {test}"


@pytest.mark.parametrize("game", NAMES)
def test_every_test_of_the_rules_of_play_carries_a_rule(game):
    judged = {"test_setup.py", "test_decide.py", "test_scoring.py"}
    carried = set().union(*cited(game).values())
    bare = {f"{file}::{node.name}" for file, node in functions(game) if file in judged} - carried
    assert not bare


@pytest.mark.parametrize("game", NAMES)
def test_a_rule_is_either_enforced_by_a_refusal_or_listed_as_beyond_it(game):
    assert enforced(game) | beyond_refusal(game) == set(table(game))
    assert not enforced(game) & beyond_refusal(game)


@pytest.mark.parametrize("game", NAMES)
def test_every_refusal_is_tested(game):
    refused = {rule_id for _, node in functions(game) for rule_id in calls(node, "refuses")}
    assert refused == enforced(game)


def test_rules_have_their_two_letters_to_themselves():
    prefixes = [{rule_id.split("-")[0] for rule_id in table(game)} for game in NAMES]
    assert all(len(one) == 1 for one in prefixes)
    assert len(set.union(*prefixes)) == len(NAMES)
