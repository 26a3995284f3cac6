"""What holds of every game: laws of its types and of its matches, for our own tests and for games elsewhere."""
