"""Who asks: tokens and what they allow, of a match and at all."""
