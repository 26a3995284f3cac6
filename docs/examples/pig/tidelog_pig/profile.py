"""What `tidelog check-game` needs to know of Pig."""

from tidelog_pig.game import Options

VARIANTS = {"long": Options(goal=100)}
"""Options that are worth a look; each value of a choice or a truth is found by itself."""
