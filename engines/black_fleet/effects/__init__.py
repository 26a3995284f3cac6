"""The one interpreter of what cards do; the kinds of effects are those of the catalog."""
