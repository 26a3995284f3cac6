"""The fold of a log is the aggregate that decided it, at every version."""

import re

import msgspec
import pytest

from engines.core.chance import SeededChance
from engines.lost_seas.events import LaidExpedition, LaidLine, SidesChosen
from services.eventlog import canonical, snapshots
from services.eventlog.aggregate import Aggregate, created_of, told
from services.eventlog.commands import Claim, Leave
from services.eventlog.entries import BrokenLog, Entry, header_of
from services.eventlog.lifecycle import LogAfterEnd, SeatClaimed, SecretRevealed
from tests.services.eventlog.given import (
    BEN,
    CASES,
    EDITION,
    ENGINE,
    MATCH,
    MODES,
    PLAYERS,
    SECRET,
    Hosted,
    creating,
    next_order,
    play_on,
    played,
    started,
)
from tests.services.eventlog.logs import check_chain

SIDES = SidesChosen(0, "columns", LaidLine((LaidExpedition("EX01", "easy"),)))


def compare_step_by_step(hosted: Hosted, seed: int) -> None:
    """Plays to the end, and folds each command's entries into an aggregate that only reads."""
    chance = SeededChance(seed)
    reader = hosted.fold()
    while hosted.facts.owing:
        known = len(hosted.entries)
        hosted.carry_out(next_order(hosted, chance))
        reader.apply_all(hosted.entries[known:])
        assert snapshots.dump(reader) == hosted.packed
    assert reader.facts.over


@pytest.mark.parametrize(("mode", "number"), CASES)
def test_the_fold_is_the_aggregate_after_every_command(mode, number):
    compare_step_by_step(started(2 + number % 3, MODES[mode]), number)


@pytest.mark.parametrize("seats", [3, 4])
def test_also_with_seats_that_were_left(seats):
    hosted = play_on(started(seats), commands=7)
    hosted.do(BEN, Leave(1))
    hosted.do(PLAYERS[seats - 1], Leave(seats - 1))
    assert snapshots.dump(hosted.fold()) == hosted.packed
    if seats == 4:
        compare_step_by_step(hosted, 3)


@pytest.mark.parametrize(("mode", "number"), CASES[::5])
def test_the_entries_of_a_match_chain(mode, number):
    hosted = played(mode, number)
    check_chain(hosted.entries, MATCH)
    assert hosted.aggregate.cursor == hosted.entries[-1].cursor


def test_a_fold_stops_at_any_version_and_goes_on():
    hosted = played("expeditions", 0)
    for version in range(1, len(hosted.entries), 7):
        assert snapshots.dump(hosted.fold(version).apply_all(hosted.entries[version:])) == hosted.packed


@pytest.mark.parametrize("skip", [0, 2])
def test_an_entry_that_does_not_follow_is_refused(skip):
    hosted = started()
    reader = hosted.fold(2)
    with pytest.raises(BrokenLog, match="does not follow version 2"):
        reader.apply(hosted.entries[1 + skip])


@pytest.mark.parametrize(
    "body",
    [
        {"draws": [], "payload": {"kind": "tile_taken", "seat": 0, "tile": "LS99", "cell": 0}},
        {"draws": [], "payload": {"kind": "tile_taken", "seat": 9, "tile": "LS01", "cell": 0}},
        {"draws": [], "payload": {"kind": "sides_chosen", "seat": 0, "line": "columns", "laid": None}},
        {"draws": [], "payload": {"kind": "no_such_event"}},
        {"draws": [], "payload": {"kind": "started"}},
        {"payload": {"kind": "tile_taken"}},
        [],
    ],
)
def test_an_entry_that_does_not_fold_names_its_version(body):
    hosted = started()
    reader = hosted.fold()
    version = reader.facts.version + 1
    if isinstance(body, dict):
        body |= {"req": None, "req_digest": None}
    header = msgspec.structs.replace(header_of(hosted.entries[-1]), version=version)
    with pytest.raises(BrokenLog) as broken:
        reader.apply(Entry(version, canonical.encode(header), canonical.encode(body), b"", b""))
    assert broken.value.version == version
    assert not {"LS99", "no_such_event"} & set(re.findall(r"\w+", str(broken.value))), "it could be a hidden tile"


@pytest.mark.parametrize(
    "change",
    [
        {"game": "no_such_game"},
        {"seats": 5},
        {"options": msgspec.Raw(b'{"no_such_option":true}')},
        {"options": msgspec.Raw(b'{"young_explorers":true,"majority_ties":true}')},
    ],
)
def test_a_log_that_this_code_can_not_serve_is_broken_at_version_1(change):
    created = msgspec.structs.replace(started().facts.created, **change)
    with pytest.raises(BrokenLog, match="version 1"):
        Aggregate.recorded(MATCH, created, EDITION)
    with pytest.raises(BrokenLog, match="version 1"):
        Aggregate.recorded(MATCH, started().facts.created, b"{}")


def test_a_log_begins_with_its_creation():
    hosted = Hosted(creating(own_seat=0))
    assert created_of(hosted.entries[0]) == hosted.facts.created
    for entry in (hosted.entries[1], msgspec.structs.replace(hosted.entries[1], version=1)):
        with pytest.raises(BrokenLog, match="begins with"):
            created_of(entry)


@pytest.mark.parametrize("after_end", list(LogAfterEnd))
def test_the_secret_of_a_closed_log_is_told_to_admins_alone(after_end):
    hosted = Hosted(creating(own_seat=0, log_after_end=after_end))
    hosted.do(BEN, Claim(1))
    hosted.do(BEN, Leave(1))
    event = hosted.event(hosted.facts.version)[1].payload
    closed = after_end is LogAfterEnd.CLOSED
    for seat in (None, 0, 1):
        expected = SecretRevealed() if closed else SecretRevealed(SECRET.hex())
        assert told(ENGINE, hosted.facts, event, seat) == expected
        assert told(ENGINE, hosted.facts, event, seat, admin=True) == event
    assert hosted.facts.opened is not closed


@pytest.mark.parametrize("after_end", list(LogAfterEnd))
def test_what_was_secret_is_told_once_the_match_is_over_and_open(after_end):
    hosted = Hosted(creating(own_seat=0, log_after_end=after_end))
    hosted.do(BEN, Claim(1))
    assert told(ENGINE, hosted.facts, SIDES, 0) == SIDES
    assert told(ENGINE, hosted.facts, SIDES, 1).laid is None
    hosted.do(BEN, Leave(1))
    opened = after_end is LogAfterEnd.OPEN
    assert (told(ENGINE, hosted.facts, SIDES, 1).laid is not None) is opened
    assert (told(ENGINE, hosted.facts, SIDES, None).laid is not None) is opened


def test_the_platforms_events_are_told_to_everybody():
    claimed = SeatClaimed(1, BEN, "Ben")
    assert told(ENGINE, started().facts, claimed, None) == claimed
