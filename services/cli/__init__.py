"""The `tidelog` command: composition of everything else, no rule of its own."""
