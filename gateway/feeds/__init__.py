"""The feeds of all shards: read once for everyone, and as one stream from a position on."""
