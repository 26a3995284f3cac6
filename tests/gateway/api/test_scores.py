"""What was scored on the way: after every entry what the view of that version says, in as many pieces as it takes."""

from itertools import pairwise

import msgspec
import pytest

from gateway.matches import scores
from gateway.matches.match import LiveMatch
from services.common.refusals import Reason
from services.eventlog.commands import Leave
from services.eventlog.entries import START
from services.eventlog.lifecycle import LogAfterEnd
from services.eventlog.terms import Delay, DelayUnit, Terms
from tests.gateway.floor import refusal
from tests.gateway.played import ANN, ENGINE, PlayedMatch
from tidelog.v1.lifecycle_pb2 import DELAY_UNIT_EVENTS


async def told(client, **fields):
    """All the pieces: what they hold together, and the last one."""
    found, after = [], ""
    while True:
        piece = await client.call("ListScores", match_id="MATCH", after=after, **fields)
        found += piece.scored
        assert (piece.cursor != after) is bool(piece.scored), "a piece that tells nothing is the last"
        if not piece.more:
            return found, piece
        after = piece.cursor


def at_each(scored):
    """(turn, scores) after every entry, those that were left out too, and the versions that end commands."""
    rows = {}
    for earlier, each in pairwise([*scored, None]):
        for version in range(earlier.version, each.version if each else earlier.version + 1):
            rows[version] = earlier.turn, tuple(earlier.scores)
    return rows, [each.version for each in scored if not each.goes_on]


def folded(played, seat):
    """The same by the engine."""
    fold, rows = played.fresh(), {}
    for entry in played.entries:
        fold.apply(entry)
        rows[entry.version] = ENGINE.turns(fold.state), ENGINE.scores(ENGINE.view(fold.state, seat))
    return rows, [command[-1].version for command in played.commands()]


@pytest.fixture
async def running(log):
    """Fifteen moves in, without an end to what the seats don't know of each other."""
    played = await PlayedMatch(log, "MATCH").started()
    for _ in range(15):
        await played.move()
    return played


@pytest.fixture
async def finished(running):
    return await running.finish()


@pytest.mark.parametrize("seat", [None, 0, 1])
async def test_they_are_what_the_views_of_their_versions_say(ann, finished, seat):
    scored, last = await told(ann, seat=seat)
    assert at_each(scored) == folded(finished, seat)
    assert last.cursor == str(finished.entries[-1].cursor)
    outcome = finished.aggregate.facts.outcome
    assert dict(enumerate(scored[-1].scores)) == {each.seat: each.points for each in outcome.ranking}
    for each in scored[:: max(1, len(scored) // 9)]:
        found = await ann.call("GetView", match_id="MATCH", seat=seat, version=each.version)
        view = msgspec.json.decode(found.view.json, type=ENGINE.View)
        assert tuple(each.scores) == ENGINE.scores(view)


@pytest.mark.parametrize("page", [1, 2, 7, 50])
async def test_pieces_are_of_whole_commands_and_together_all_of_it(ann, finished, monkeypatch, page):
    monkeypatch.setattr(scores, "PAGE", page)
    monkeypatch.setattr(scores, "MAX_COMMAND_EVENTS", max(map(len, finished.commands())))
    scored, _ = await told(ann)
    assert at_each(scored) == folded(finished, None)


async def test_a_command_goes_on_behind_what_this_gateway_has_folded(gateway, finished):
    fold, [first, *_] = finished.fresh(), next(command for command in finished.commands() if len(command) > 1)
    fold.apply_all(finished.entries[: first.version])
    found = await scores.scores(LiveMatch(fold), gateway.parts.shown, None, START)
    assert (found.scored[-1].version, found.scored[-1].goes_on, found.more) == (first.version, True, False)


async def test_what_comes_later_is_told_behind_the_last_piece(ann, running):
    first, last = await told(ann, seat=0)
    assert (await ann.call("ListScores", match_id="MATCH", seat=0, after=last.cursor)).scored == []
    await running.move()
    more = await ann.call("ListScores", match_id="MATCH", seat=0, after=last.cursor)
    assert at_each([*first, *more.scored]) == folded(running, 0)


async def test_a_match_that_has_not_begun_has_its_commands_too(ann, log):
    await PlayedMatch(log, "MATCH").create()
    scored, _ = await told(ann)
    assert at_each(scored) == ({1: (0, (0, 0)), 2: (0, (0, 0))}, [2])


@pytest.mark.usefixtures("running")
async def test_of_a_seat_they_are_its_players_while_it_plays(ann, bob):
    assert (await refusal(bob.call("ListScores", match_id="MATCH", seat=0))).reason is Reason.NOT_YOUR_SEAT
    assert (await refusal(bob.call("ListScores", match_id="MATCH", seat=7))).reason is Reason.UNKNOWN_SEAT
    assert (await told(ann, seat=0))[0]


async def test_a_log_that_stays_closed_keeps_them_to_their_seats(ann, bob, log):
    played = await (await PlayedMatch(log, "MATCH").started(after_end=LogAfterEnd.CLOSED)).finish()
    assert (await refusal(bob.call("ListScores", match_id="MATCH", seat=0))).reason is Reason.NOT_YOUR_SEAT
    assert at_each((await told(ann, seat=0))[0]) == folded(played, 0)


@pytest.mark.usefixtures("running")
@pytest.mark.parametrize(
    ("after", "reason"), [("9-0000000000000000", Reason.LOG_REWOUND), ("no cursor", Reason.MALFORMED)]
)
async def test_a_cursor_of_another_log_is_refused(ann, running, after, reason):
    refused = await refusal(ann.call("ListScores", match_id="MATCH", after=after))
    assert refused.reason is reason
    if reason is Reason.LOG_REWOUND:
        assert refused.cursor == str(running.entries[-1].cursor)


async def test_who_is_kept_behind_is_told_no_more_than_they_may_see(ann, floor, gateway, log):
    terms = Terms(spectator_delay=Delay(DelayUnit.EVENTS, 5))
    played = await PlayedMatch(log, "MATCH").started(terms=terms)
    for _ in range(9):
        await played.move()
    stranger = await floor.client(gateway, "stranger")
    scored, last = await told(stranger)
    reached = (await stranger.call("GetMatch", match_id="MATCH")).match.version
    assert reached < played.aggregate.facts.version
    assert scored[-1].version == reached
    assert (last.delay.unit, last.delay.count) == (DELAY_UNIT_EVENTS, 5)
    ahead = str(played.entries[reached].cursor)
    refused = await refusal(stranger.call("ListScores", match_id="MATCH", after=ahead))
    assert (refused.reason, refused.cursor) == (Reason.LOG_REWOUND, last.cursor)
    assert (await told(ann, seat=0))[0][-1].version == played.aggregate.facts.version


async def test_a_match_that_was_given_up_has_them_to_its_end(ann, running):
    await running.carry_out(ANN, Leave(0))
    scored, _ = await told(ann)
    assert at_each(scored) == folded(running, None)
    assert scored[-1].version == running.aggregate.facts.version
