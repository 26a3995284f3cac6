"""Lists show a match that keeps spectators behind as it was when it started, until it is over."""

import pytest

from services.eventlog.commands import Claim, Leave
from services.eventlog.terms import Delay, DelayUnit, Terms
from tests.gateway.played import BOB, PlayedMatch
from tidelog.v1.matches_pb2 import MATCH_STATUS_FINISHED, MATCH_STATUS_OPEN, MATCH_STATUS_RUNNING

DELAYED = Terms(spectator_delay=Delay(DelayUnit.TURN))
CAT = "tidelog|cat"


@pytest.fixture
async def listed(floor, gateway):
    stranger = await floor.client(gateway, "stranger")

    async def now(played, **filters):
        """The rows, once the list has heard of all that was played."""
        projection = gateway.parts.matches
        while True:
            row = await projection._database.run(
                lambda connection: connection.execute(
                    "SELECT version FROM matches WHERE id = ?", (played.id,)
                ).fetchone()
            )
            if row == (played.aggregate.facts.version,):
                return (await stranger.call("ListMatches", **filters)).matches
            await projection.settled()

    return now


async def test_only_the_start_is_shown_while_it_runs(log, listed):
    played = await PlayedMatch(log, "MATCH", seats=3).create(terms=DELAYED)
    other = await PlayedMatch(log, "OTHER").started()
    (row,) = await listed(played, status=MATCH_STATUS_OPEN)
    assert (row.version, row.status) == (2, MATCH_STATUS_OPEN)
    await played.carry_out(BOB, Claim(1, "Bob"))
    await played.carry_out(CAT, Claim(2, "Cat"))
    started = next(entry for entry in played.entries if b"match.started" in entry.header)
    (row,) = await listed(played, status=MATCH_STATUS_RUNNING, player=CAT)
    assert (row.cursor, row.version) == (str(started.cursor), started.version)
    await played.carry_out(CAT, Leave(2))
    for _ in range(3):
        await played.move()
    for _ in range(2):
        await other.move()
    await listed(other)
    again = await listed(played)
    assert again[0].match_id == "OTHER", "a move of the other changes its place, a hidden one does not"
    assert again[1] == row
    assert not any(seat.vacant for seat in again[1].seats)
    await played.finish()
    (over,) = await listed(played, status=MATCH_STATUS_FINISHED)
    assert over.cursor == str(played.aggregate.cursor)
    assert over.changed_at_ms > row.changed_at_ms
    assert over.seats[2].vacant
    assert over.outcome.ranking


async def test_so_it_is_where_the_list_is_made_anew(floor, log, listed):
    played = await PlayedMatch(log, "MATCH").started(terms=DELAYED)
    for _ in range(3):
        await played.move()
    (kept,) = await listed(played)
    late = await floor.client(await floor.gateway(), "stranger")
    (made,) = (await late.call("ListMatches")).matches
    assert made == kept


async def test_other_matches_are_shown_as_they_are(log, listed):
    played = await PlayedMatch(log, "MATCH").started(terms=Terms())
    await played.move()
    (row,) = await listed(played)
    assert row.cursor == str(played.aggregate.cursor)
    assert row.changed_at_ms == played.aggregate.facts.at


async def test_a_hidden_move_moves_it_to_no_other_place(log, listed):
    played = await PlayedMatch(log, "MATCH").started(terms=DELAYED)
    other = await PlayedMatch(log, "OTHER").started()
    await listed(played)
    await other.move()
    assert [row.match_id for row in await listed(other)] == ["OTHER", "MATCH"]
    for _ in range(3):
        await played.move()
        assert [row.match_id for row in await listed(played)] == ["OTHER", "MATCH"]
