"""Players over the public API: they see what a client sees."""
