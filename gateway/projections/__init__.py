"""Read models in the gateway's own SQLite file: cache, rebuilt from the logs whenever it is missing."""
