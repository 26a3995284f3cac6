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
    found = {each.lower(): cells for each, cells in games.rules(game).items()}.get(rule.lower())
    if found is None:
        raise UsageError(f"{game} has no rule {rule}")
    words, *rest = found
    say(f"{rule}: {words}")
    for cell in rest:
        say(f"  {cell}")
