"""The matches that operators keep out of service, as the list of matches knows of them."""

import sqlite3

import msgspec

from services.eventlog.lifecycle import Quarantined

# The facts of a row are JSON. All rows are looked at: an operator asks now and then, and every move would pay an index.
QUESTION = (
    "SELECT id, json_extract(CAST(facts AS TEXT), '$.quarantine') FROM matches"
    " WHERE json_extract(CAST(facts AS TEXT), '$.quarantine') IS NOT NULL AND status IN ('open', 'running')"
)

_decode = msgspec.json.Decoder(Quarantined).decode


def noted(connection: sqlite3.Connection) -> dict[str, Quarantined]:
    """By match, as far as the feed has been read; one that is over needs nobody's care."""
    return {match: _decode(word) for match, word in connection.execute(QUESTION)}
