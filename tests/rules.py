"""Ties tests to the numbered rules of a game's RULES.md."""

import re

import pytest

from engines.core import games

ID = re.compile(r"[A-Z]{2}-\d+(\.\d+)?[a-z]?")


def rule(*ids: str) -> pytest.MarkDecorator:
    """Marks a test with the rules that it checks."""
    return pytest.mark.rule(*ids)


def table(game: str) -> dict[str, list[str]]:
    """RULES.md by rule id: our words, where in the rulebook, tests."""
    rows = (line.strip().strip("|").split("|") for line in games.rules_text(game).splitlines() if line.startswith("|"))
    cells = ([cell.strip() for cell in row] for row in rows)
    return {row[0]: row[1:] for row in cells if ID.fullmatch(row[0])}


def beyond_refusal(game: str) -> set[str]:
    """The rules that RULES.md lists as impossible to break."""
    section = games.rules_text(game).split("## What can't be refused")[1]
    return {match.group() for match in ID.finditer(section.split("\n\n")[1])}
