"""What a table notes of the answers to its requests, each of which the checker then looks for in the log."""

import pytest

from engines.core import games
from services.cli.bench.faults.player import Player
from services.cli.bench.faults.record import Record
from services.cli.bench.faults.room import Room
from services.cli.bench.faults.world import World
from services.common.refusals import Reason, Refused
from tests.protos.server import serving
from tidelog.client import Refused as Told
from tidelog.client import connect
from tidelog.client.answers import LegalMoves, Situation

GAME = games.names()[0]


@pytest.fixture
async def place():
    async with serving() as place:
        yield place


@pytest.fixture
def server(place):
    return place[0]


@pytest.fixture
async def table(place, tmp_path):
    """One whose match has been made, and that plays by unary calls: its session is never opened."""
    async with connect(place[1], token="t", deadline_s=5) as client:
        table = Room([Player(client, client.play(), "ann")], World(tmp_path, (GAME,)), 1, 1).tables[0]
        table.unary = True
        table._record = Record("m", GAME)
        yield table


def soon(reason):
    return Refused(reason, "so it is", retry_after_ms=1)


async def move(table):
    situation = Situation("0-0", None, legal=LegalMoves(("1",), ()), decision=0)
    return await table._move(table._player(0), 0, situation)


@pytest.mark.parametrize("reason", [Reason.TOO_MUCH, Reason.INTERNAL])
async def test_a_move_after_a_passing_refusal_is_another_request_and_the_refused_one_is_looked_for(
    table, server, reason
):
    server.faults = [soon(reason)]
    assert await move(table) == 1
    refused, stood = (table._player(0).key(request.request_id) for request in server.requests)
    assert refused != stood
    assert table._record.refused == [refused]
    assert [told.key for told in table._record.acknowledged] == [stood]
    assert table._room.in_flight == 0


async def test_a_move_whose_outcome_is_unknown_is_the_same_request_until_it_is_known(table, server):
    server.faults = [soon(Reason.OUTCOME_UNKNOWN)]
    assert await move(table) == 1
    assert len({request.request_id for request in server.requests}) == 1
    assert table._record.refused == []


async def test_a_join_is_looked_for_whether_it_was_answered_or_refused(table, server):
    await table._join(1)
    server.faults = [soon(Reason.SEAT_TAKEN)]
    with pytest.raises(Told):
        await table._join(1)
    assert (len(table._record.joined), len(table._record.refused)) == (1, 1)
