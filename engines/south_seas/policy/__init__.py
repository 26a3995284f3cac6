"""A greedy player: makes the move after which its table is worth most. It sees what a client sees."""

from engines.south_seas.policy.choosing import choose

__all__ = ["choose"]
