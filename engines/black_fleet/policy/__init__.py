"""A greedy player: trades, robs, buries, sinks and buys."""

from engines.black_fleet.policy.choosing import choose

__all__ = ["choose"]
