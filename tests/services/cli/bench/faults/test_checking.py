"""The checker finds each kind of loss in a record, or a log, that was doctored; and nothing in a true one."""

import msgspec
import pytest
from msgspec.structs import replace

from engines.core.chance import SeededChance
from services.cli.bench.faults.checking import Held, Kind, losses
from services.cli.bench.faults.record import Acknowledged, Record, Told
from services.common.codec import encode
from services.eventlog import hashes
from services.eventlog.entries import Entry
from tests.services.eventlog.given import EDITION, ENGINE, GAME, MATCH, PLAYERS, SECRET, next_order, started
from tidelog.client.answers import Entry as ToldEntry
from tidelog.client.answers import Situation

MOVES = 12


class Truth:
    """A match of two, what its clients were told of it, and what the store holds: all as it should be."""

    def __init__(self):
        self.hosted = started(2)
        self.record = Record(MATCH, GAME)
        chance = SeededChance(3)
        for _ in range(MOVES):
            order = next_order(self.hosted, chance)
            before = self.hosted.facts.version
            self.hosted.carry_out(order)
            self.record.acknowledged.append(Acknowledged(order.key, before + 1, str(self.hosted.facts.cursor)))
        self.record.joined.append(self.record.acknowledged[0].key)
        self.record.refused.append(hashes.request_key(PLAYERS[0], "refused"))
        for seat in (0, 1, None):
            told = Told(f"seat {seat}", seat)
            for entry in self.hosted.entries:
                told.hear(told_entry(entry))
            told.see(self.situation(seat))
            told.asked = self.situation(seat, self.hosted.facts.version - 3)
            self.record.told.append(told)

    def situation(self, seat, version=None):
        fold = self.hosted.fold(version)
        view = msgspec.json.decode(encode(ENGINE.view(fold.state, seat)))
        return Situation(str(fold.cursor), view)

    def found(self, entries=None):
        held = Held(tuple(self.hosted.entries if entries is None else entries), EDITION, SECRET)
        return [loss.kind for loss in losses(self.record, held)]


def told_entry(entry: Entry) -> ToldEntry:
    return ToldEntry(str(entry.cursor), entry.version, 0, None, "", None, None)


@pytest.fixture
def truth():
    return Truth()


def test_nothing_is_wrong_with_what_is_true(truth):
    assert truth.found() == []


def test_an_acknowledged_command_that_is_not_in_the_log_is_missing(truth):
    acknowledged = truth.record.acknowledged[3]
    truth.record.acknowledged[3] = replace(acknowledged, key=hashes.request_key(PLAYERS[0], "never sent"))
    assert truth.found() == [Kind.MISSING]


@pytest.mark.parametrize("change", [{"first": 1}, {"cursor": "9-0000000000000000"}, {"cursor": "999-0000000000000000"}])
def test_a_command_that_stands_elsewhere_than_it_was_acknowledged_is_missing(truth, change):
    truth.record.acknowledged[3] = replace(truth.record.acknowledged[3], **change)
    assert truth.found() == [Kind.MISSING]


def test_a_request_with_two_commands_in_the_log_is_doubled(truth):
    hosted, chance = truth.hosted, SeededChance(5)
    first = next_order(hosted, chance)
    hosted.carry_out(hosted.order(first.player, first.command, "one request"))
    while (order := next_order(hosted, chance)).player != first.player:
        hosted.carry_out(order)
    hosted.facts.requests.clear()  # a host that has forgotten what it carried out
    hosted.carry_out(hosted.order(order.player, order.command, "one request"))
    assert set(truth.found()) == {Kind.DOUBLED, Kind.BEHIND}


def test_a_refused_request_that_stands_in_the_log_is_found(truth):
    truth.record.refused.append(truth.record.acknowledged.pop().key)
    assert truth.found() == [Kind.REFUSED]


def test_an_entry_told_that_is_not_in_the_log_is_foreign(truth):
    told = truth.record.told[0]
    told.hashes[8 * 4] ^= 1
    assert truth.found() == [Kind.FOREIGN]


def test_entries_told_beyond_the_log_are_foreign(truth):
    kinds = truth.found(truth.hosted.entries[:-1])
    assert kinds.count(Kind.FOREIGN) == 3
    assert Kind.MISSING in kinds
    assert kinds.count(Kind.VIEW) == 3


@pytest.mark.parametrize("version", [5, 8])
def test_an_entry_told_again_or_before_its_turn_is_a_break(truth, version):
    told = truth.record.told[0] = Told("seat 0", 0)
    for entry in truth.hosted.entries:
        told.hear(told_entry(entry))
        if entry.version == 6:
            told.hear(told_entry(truth.hosted.entries[version - 1]))
    assert truth.found() == [Kind.BROKEN]


def test_who_was_not_told_the_whole_log_is_behind(truth):
    del truth.record.told[1].hashes[-8:]
    truth.record.told[2].ended = "internal: it broke"
    assert truth.found() == [Kind.BEHIND, Kind.BEHIND]


@pytest.mark.parametrize("which", ["seen", "asked"])
def test_a_view_that_the_log_does_not_fold_to_is_found(truth, which):
    told = truth.record.told[0]
    situation = getattr(told, which)
    setattr(told, which, replace(situation, view=truth.situation(1).view))
    assert truth.found() == [Kind.VIEW]
    setattr(told, which, replace(situation, cursor="8-0000000000000000"))
    assert truth.found() == [Kind.VIEW]


def test_a_hole_in_the_log_is_found(truth):
    entries = truth.hosted.entries
    assert Kind.SPARSE in truth.found([*entries[:6], *entries[7:]])
    assert Kind.SPARSE in truth.found([])


def test_a_log_that_does_not_verify_is_found(truth):
    entries = truth.hosted.entries
    changed = replace(entries[6], body=entries[6].body.replace(b"0", b"1", 1))
    assert Kind.UNSOUND in truth.found([*entries[:6], changed, *entries[7:]])
    wrong = replace(entries[6], leaf=bytes(32))
    assert truth.found([*entries[:6], wrong, *entries[7:]]) == [Kind.UNSOUND]


def test_a_join_that_was_answered_and_does_not_stand(truth):
    truth.record.joined.append(hashes.request_key(PLAYERS[1], "lost"))
    assert truth.found() == [Kind.MISSING]
