"""The servicers of the public API: they check who asks, translate, and hand on."""
