"""The rules of the games: pure values, no I/O, no clock, no luck of their own."""
