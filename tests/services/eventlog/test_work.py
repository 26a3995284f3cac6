from dataclasses import replace

import pytest

from engines.core.chance import MatchChance
from engines.core.draft import BrokenDraft
from engines.core.errors import IllegalMove
from engines.lost_seas.events import RoundBegun
from services.common.refusals import Reason, Refused
from services.eventlog import hashes
from services.eventlog.commands import Claim, Submit
from services.eventlog.entries import MAX_COMMAND_EVENTS, Sealer
from services.eventlog.work import Work
from tests.services.eventlog.given import (
    ANN,
    BEN,
    EASY,
    ENGINE,
    MATCH,
    NOON,
    SECRET,
    Hosted,
    creating,
    play_on,
    started,
)


def working(hosted: Hosted) -> Work:
    return Work(hosted.aggregate, hosted.order(ANN, Submit(0, EASY)), SECRET, NOON)


def test_a_command_goes_on_from_the_logs_head():
    hosted = play_on(started(), commands=4)
    resumed = Sealer(SECRET, hosted.facts.version, hosted.entries[-1].hash)
    play_on(hosted, seed=2, commands=1)
    for entry in hosted.entries[-1:]:
        assert resumed.seal(*hosted.event(entry.version)) == entry


def test_the_first_entry_alone_carries_the_request():
    hosted = play_on(started(), commands=4)
    before = hosted.facts.version
    play_on(hosted, seed=2, commands=6)
    marked = [hosted.event(version)[1] for version in range(before + 1, hosted.facts.version + 1)]
    assert sum(body.req is not None for body in marked) == 6
    assert all((body.req is None) == (body.req_digest is None) for body in marked)
    assert len(bytes.fromhex(marked[0].req)) == 16


def test_the_draws_of_a_command_are_those_of_the_version_decided_on():
    hosted = Hosted(creating(own_seat=0))
    before = hosted.facts.version
    hosted.do(BEN, Claim(1))
    chance = MatchChance(hashes.draw_key(SECRET), before)
    drawn = [draw for version in range(before + 1, hosted.facts.version + 1) for draw in hosted.event(version)[1].draws]
    assert len(drawn) == 8
    assert [chance.draw(draw.label, draw.n) for draw in drawn] == [draw.result for draw in drawn]


def test_a_command_of_too_many_events_is_refused():
    def endless(draft, _seat, _move):
        for number in range(MAX_COMMAND_EVENTS + 1):
            draft.emit(RoundBegun(number, 0))

    hosted = started()
    hosted.aggregate.engine = replace(ENGINE, decide=endless)
    with pytest.raises(Refused) as refused:
        hosted.do(ANN, Submit(0, EASY))
    assert refused.value.reason is Reason.TOO_LARGE


def refuses_late(draft, _seat, _move):
    draft.emit(RoundBegun(1, 0))
    raise IllegalMove("LS-1", "too late")


def draws_for_nothing(draft, _seat, _move):
    draft.emit(RoundBegun(1, 0))
    draft.draw("tile", 3)


@pytest.mark.parametrize("decide", [refuses_late, draws_for_nothing, lambda _draft, _seat, _move: None])
def test_an_engine_that_breaks_the_protocol_of_drafts_is_no_refusal(decide):
    hosted = started()
    hosted.aggregate.engine = replace(ENGINE, decide=decide)
    with pytest.raises(BrokenDraft):
        hosted.do(ANN, Submit(0, EASY))


def test_nothing_is_written_by_a_command_that_did_nothing():
    assert working(started()).done() == ()


def test_a_log_begins_with_its_matchs_genesis():
    first = Hosted().entries[0]
    assert hashes.entry(hashes.genesis(MATCH), first.header, first.leaf) == first.hash
