"""Matches folded from their logs, as each caller may see them, and those who are told what happens."""
