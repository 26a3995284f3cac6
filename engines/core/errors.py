"""What a game can say no to, each time with the id of the rule it enforces."""


class RuleError(Exception):
    """A request that a rule of the game forbids.

    `rule` is an id of the game's RULES.md; `message` is one sentence for the person who asked and names nothing hidden.
    """

    def __init__(self, rule: str, message: str) -> None:
        super().__init__(rule, message)
        self.rule = rule
        self.message = message

    def __str__(self) -> str:
        return f"{self.rule}: {self.message}"


class IllegalMove(RuleError):  # noqa: N818 - the field's name for it
    """A move that `decide` refuses; the state is unchanged."""


class IllegalOptions(RuleError):  # noqa: N818 - reads as its sibling
    """Options that `initial` refuses; no match is created."""


class InvalidEdition(Exception):  # noqa: N818 - reads as its siblings
    """An edition whose components fail a check on load; the message names the first one that does."""
