"""The game's greedy player."""

from engines.catan_fishermen.policy.choosing import choose

__all__ = ["choose"]
