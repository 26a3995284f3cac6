def choose(view, legal, chance):  # noqa: ARG001 - it knows what it wants
    """Offers, and accepts each offer once; what it has answered already it sees in the view."""
    return None if view.viewer and view.answers[view.viewer] else legal[0]
