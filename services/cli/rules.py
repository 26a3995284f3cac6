"""`tidelog rules`: the rules of a game by id."""

from engines.core import games
from services.cli.errors import UsageError
from services.cli.output import say, say_lines


def rules(game: str, rule: str = "") -> None:
    """Print a game's RULES.md, or the row of one rule.

    Parameters
    ----------
    game
        name of the game
    rule
        id of a rule
    """
    try:
        text = games.rules_text(game)
    except games.UnknownGame as error:
        raise UsageError(str(error)) from error
    if not rule:
        say_lines(text.rstrip())
        return
    tables = [line for line in text.splitlines() if line.startswith("|")]
    rows = [line for line in tables if line.split("|")[1].strip().lower() == rule.lower()]
    if not rows:
        raise UsageError(f"{game} has no rule {rule}")
    for row in rows:
        words, *rest = [cell.strip() for cell in row.strip("|").split("|")][1:]
        say(f"{rule}: {words}")
        for cell in rest:
            say(f"  {cell}")
