"""Services move bytes and keep time; they know no rule of any game."""
