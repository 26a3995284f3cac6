"""What one client's stream follows, and how it is brought from a cursor to the present."""
