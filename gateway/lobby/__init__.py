"""How players are brought together, and what lists of matches are asked for."""
