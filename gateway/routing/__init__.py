"""Commands on their way to the engine service of their game, and the answers back."""
