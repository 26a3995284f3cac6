"""The event log: its bytes, its port and adapters, what a log folds to, and how a command becomes entries."""
