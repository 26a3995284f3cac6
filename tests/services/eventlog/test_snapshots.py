import msgspec
import pytest

from services.eventlog import snapshots
from services.eventlog.aggregate import Aggregate
from services.eventlog.commands import Leave
from services.eventlog.snapshots import BadSnapshot
from tests.services.eventlog.given import BEN, EDITION, ENGINE, MODES, YOUNG, Hosted, played, started


def loaded(data: bytes, hosted: Hosted) -> Aggregate:
    return snapshots.load(snapshots.parse(data), hosted.unborn())


@pytest.mark.parametrize("mode", MODES)
def test_a_snapshot_of_every_version_loads_and_goes_on(mode):
    hosted = played(mode, 1)
    aggregate = hosted.unborn()
    for entry in hosted.entries:
        aggregate.apply(entry)
        data = snapshots.dump(aggregate)
        found = loaded(data, hosted)
        assert (found.facts, found.state) == (aggregate.facts, aggregate.state)
        assert snapshots.dump(found) == data
    found = loaded(snapshots.dump(hosted.fold(20)), hosted)
    assert snapshots.dump(found.apply_all(hosted.entries[20:])) == hosted.packed


def test_a_snapshot_remembers_who_left_and_what_was_asked():
    hosted = started(3)
    hosted.do(BEN, Leave(1))
    found = loaded(hosted.packed, hosted)
    assert found.facts.left == [1]
    assert found.facts.requests == hosted.facts.requests


def test_what_is_derived_is_not_stored():
    hosted = played("young", 0)
    derived = bytes(hosted.state.counts)
    assert len(derived) > 48
    assert derived not in hosted.packed
    assert loaded(hosted.packed, hosted).state.counts == derived


def test_a_snapshot_shares_nothing_with_what_it_was_taken_of():
    hosted = started(2)
    found = loaded(hosted.packed, hosted)
    found.state.face_up.append(1)
    found.facts.decisions[0] = 99
    assert snapshots.dump(hosted.fold()) == hosted.packed


def test_a_snapshot_of_another_match_is_refused():
    hosted, imported = started(2), started(2)
    imported.facts.id = "ANOTHERISLANDANOTHERISLA"
    for other in (imported, Hosted(match="ANOTHERISLANDANOTHERISLA"), started(2, YOUNG), started(3)):
        with pytest.raises(BadSnapshot, match="another match"):
            loaded(other.packed, hosted)


def test_a_snapshot_of_another_state_format_is_refused():
    hosted = started(2)
    found = snapshots.parse(hosted.packed)
    for changed in (ENGINE.state_format - 1, ENGINE.state_format + 1):
        with pytest.raises(BadSnapshot, match="state format"):
            snapshots.load(msgspec.structs.replace(found, state_format=changed), hosted.unborn())


@pytest.mark.parametrize("state", [b"", b"\x80", b"\xc0", msgspec.msgpack.encode({"seats": 2})])
def test_a_snapshot_of_other_fields_is_refused(state):
    hosted = started(2)
    found = msgspec.structs.replace(snapshots.parse(hosted.packed), state=msgspec.Raw(state))
    with pytest.raises(BadSnapshot):
        snapshots.load(found, hosted.unborn())


def test_a_truncated_snapshot_is_refused():
    data = started(2).packed
    for length in range(len(data)):
        with pytest.raises(BadSnapshot):
            snapshots.parse(data[:length])


@pytest.mark.parametrize("bit", [0x01, 0x10, 0x80])
def test_a_snapshot_with_any_byte_changed_is_refused(bit):
    data = bytearray(played("expeditions", 0).packed)
    for place in range(len(data)):
        data[place] ^= bit
        with pytest.raises(BadSnapshot):
            snapshots.parse(bytes(data))
        data[place] ^= bit


def test_a_fresh_match_has_the_edition_that_the_snapshot_was_taken_with():
    hosted = played("expeditions", 0)
    assert loaded(hosted.packed, hosted).catalog is ENGINE.catalog(EDITION)
