"""Who owes a move, and which moves there are."""

from engines.catan_fishermen.legal.families import families
from engines.catan_fishermen.legal.listing import MOST_LISTED, autopilot, legal_moves, may_act, to_act, turns

__all__ = ["MOST_LISTED", "autopilot", "families", "legal_moves", "may_act", "to_act", "turns"]
