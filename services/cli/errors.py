"""How the command ends: one line on standard error, exit status 2 for bad usage, 1 for a failed check."""


class UsageError(Exception):
    """What was asked for makes no sense: exit status 2."""


class CheckFailed(Exception):  # noqa: N818 - says what happened
    """A check that the command was asked to make failed: exit status 1."""
