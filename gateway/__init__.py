"""The public API: identity, read models, live streams and replays. Reads logs; passes moves on."""
