"""One event of each kind and version, as a log has it: kept for ever, never rewritten."""

from pathlib import Path

import msgspec
import pytest

from engines.core import games
from services.cli.laws.record import initial, members

HERE = Path(__file__).parent


def stored(game):
    return (HERE / game / "stored_events.jsonl").read_bytes().splitlines()


@pytest.mark.parametrize("game", games.names())
def test_every_kind_of_event_is_stored(game):
    engine = games.engine(game)
    kinds = {type(msgspec.json.decode(line, type=engine.Event)) for line in stored(game)}
    assert kinds == set(members(engine.Event))


@pytest.mark.parametrize("game", games.names())
def test_stored_events_still_fold(game):
    engine = games.engine(game)
    state = initial(game, "plain", engine.seats[0])
    for line in stored(game):
        event = msgspec.json.decode(line, type=engine.Event)
        engine.evolve(state, event)
        for seat in (*range(engine.seats[0]), None):
            engine.view(state, seat)
            engine.redact(event, seat)
    assert engine.outcome(state) is not None
