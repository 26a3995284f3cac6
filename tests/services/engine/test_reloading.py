"""A match that left memory comes back from its snapshot and the log's tail; a wrong snapshot is never believed."""

import msgspec
import pytest

from services.common.refusals import Reason, Refused
from services.eventlog import snapshots
from services.eventlog.entries import START
from services.eventlog.loading import SNAPSHOT_EVERY, Loader
from services.eventlog.memory import MemoryLog
from services.eventlog.port import Append, StoreFull
from tests.poison import POISONS, poison
from tests.services.engine.given import FaultyLog, Party, by_then, fold, opened, told
from tests.services.eventlog.given import EDITION, EDITION_HASH, ENGINE, MATCH


async def played(log, match=MATCH, version=60, seed=1):
    """A party whose match was played to about a version, and the host that did it."""
    host, party = await opened(log), Party(log, match, seats=4, seed=seed)
    await party.sits_down(host)
    await party.plays_to(host, version)
    await host.finish()
    return host, party


async def test_a_match_dropped_at_version_60_is_back_after_reading_a_few_entries(event_log):
    host, party = await played(event_log)
    assert party.facts.version >= 60
    host.warm.forget(MATCH)
    before = host.loader.entries_read
    done = await host.carry_out(MATCH, await party.move(), by_then())
    assert done.first == party.facts.version + 1
    assert host.loader.entries_read - before < SNAPSHOT_EVERY
    assert host.loader.snapshots_dropped == 0
    await party.agrees(host)


async def test_at_every_version_a_reload_reads_fewer_entries_than_two_snapshots_lie_apart(event_log):
    host, party = await opened(event_log), Party(event_log)
    await party.sits_down(host)
    while (await party.see()).facts.owing:
        await party.plays(host, 1)
        await host.finish()
        fresh = Loader(event_log)
        assert told(await fresh.load(MATCH)) == told(await fold(event_log))
        assert fresh.entries_read <= 2 * SNAPSHOT_EVERY


def changed_byte(data):
    place = len(data) // 2
    return data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]


def empty(_data):
    return b""


def cut_short(data):
    return data[:-1]


def not_even_packed(_data):
    return snapshots._check(b"text") + b"text"


@pytest.mark.parametrize("damage", [changed_byte, empty, cut_short, not_even_packed])
async def test_a_snapshot_with_other_bytes_is_dropped_and_the_state_is_the_same(event_log, damage):
    await played(event_log)
    await event_log.put_snapshot(MATCH, damage(await event_log.snapshot(MATCH)))
    await is_dropped(event_log)


async def test_a_snapshot_of_another_match_is_dropped(event_log):
    await played(event_log)
    await played(event_log, "ANOTHER", 40, seed=2)
    await event_log.put_snapshot(MATCH, await event_log.snapshot("ANOTHER"))
    await is_dropped(event_log)


async def test_a_snapshot_of_another_match_of_this_id_is_dropped(event_log):
    """As after a store was emptied and the id taken again: another secret, so another line."""
    elsewhere = MemoryLog()
    await played(elsewhere, seed=2)
    await played(event_log)
    await event_log.put_snapshot(MATCH, await elsewhere.snapshot(MATCH))
    await is_dropped(event_log)


@pytest.mark.parametrize("beyond", [False, True], ids=["of the same length", "beyond the head"])
async def test_a_snapshot_off_the_logs_line_is_dropped(event_log, beyond):
    """The other log begins as this one does, and goes on in another way."""
    _, party = await played(event_log, version=40)
    elsewhere = MemoryLog()
    await elsewhere.put_edition(EDITION_HASH, EDITION)
    await elsewhere.append(Append(MATCH, START, tuple(await event_log.read(MATCH)), await event_log.secret(MATCH)))
    other = Party(elsewhere, seats=4, seed=77)
    other.asked = 500
    host = await opened(elsewhere)
    await other.plays_to(host, party.facts.version + (30 if beyond else 8))
    if not beyond:
        ours = await opened(event_log)
        await party.plays_to(ours, other.facts.version)
        await ours.finish()
    await event_log.put_snapshot(MATCH, snapshots.dump(await fold(elsewhere)))
    await host.finish()
    await is_dropped(event_log)


async def test_a_snapshot_of_another_state_format_is_dropped(event_log):
    await played(event_log)
    aggregate = await fold(event_log)
    packed = repacked(snapshots.dump(aggregate), state_format=ENGINE.state_format + 1)
    await event_log.put_snapshot(MATCH, packed)
    await is_dropped(event_log)


def repacked(data, **changes):
    """The snapshot with something else in it, its check made to fit."""
    packed = msgspec.msgpack.decode(data[snapshots._CHECK_BYTES :], type=snapshots._Packed)
    packed = msgspec.msgpack.encode(msgspec.structs.replace(packed, **changes))
    return snapshots._check(packed) + packed


async def is_dropped(log):
    """A host goes on with the match as its log has it, and the snapshot is gone or another."""
    wrong, whole = await log.snapshot(MATCH), told(await fold(log))
    host = await opened(log)
    assert told(await host.loader.load(MATCH)) == whole
    assert host.loader.snapshots_dropped == 1
    assert await log.snapshot(MATCH) is None
    party = Party(log)
    party.asked = 900
    await party.plays(host, SNAPSHOT_EVERY)
    await host.finish()
    assert await log.snapshot(MATCH) not in {None, wrong}
    fresh = Loader(log)
    assert told(await fresh.load(MATCH)) == told(await fold(log))
    assert fresh.snapshots_dropped == 0


async def test_a_snapshot_that_cannot_be_written_is_done_without():
    log = FaultyLog(MemoryLog())
    log.put_snapshot = no_room
    host, party = await played(log)
    assert await log.snapshot(MATCH) is None
    await party.plays(host)
    await host.finish()
    await party.agrees(await opened(log))


async def no_room(_match, _data):
    raise StoreFull("used memory > 'maxmemory'")


async def test_a_log_that_does_not_fold_is_quarantined_and_written_no_more(event_log):
    """Its 61st entry is another's."""
    host, party = await played(event_log)
    await played(event_log, "ANOTHER", 70, seed=2)
    version = party.facts.version
    stray = (await event_log.read("ANOTHER"))[0]
    wrong = type(stray)(version + 1, stray.header, stray.body, stray.leaf, stray.hash)
    await event_log.append(Append(MATCH, party.aggregate.cursor, (wrong,)))
    order = await move_of(event_log, version)
    for replica in (host, await opened(event_log)):
        with pytest.raises(Refused) as refused:
            await replica.carry_out(MATCH, order, by_then())
        assert (refused.value.reason, refused.value.version) == (Reason.QUARANTINED, version)
    assert len(await event_log.read(MATCH)) == version + 1


async def test_a_log_that_does_not_fold_is_read_once_until_it_is_another():
    log = MemoryLog()
    _, party = await played(log)
    await poison(log, MATCH, POISONS[0])
    loader = Loader(log)
    read = []
    for _ in range(2):
        with pytest.raises(Refused) as refused:
            await loader.load(MATCH)
        assert (refused.value.reason, refused.value.version) == (Reason.QUARANTINED, party.facts.version)
        read.append(loader.entries_read)
    assert read[0] == read[1] > party.facts.version
    log._logs[MATCH].pop()
    assert told(await loader.load(MATCH)) == told(await fold(log))


async def move_of(log, version):
    """A legal move at the version."""
    party = Party(Until(log, version), seats=4)
    party.asked = 300
    return await party.move()


class Until:
    """A log that ends at a version."""

    def __init__(self, log, version):
        self._log, self._version = log, version

    def __getattr__(self, name):
        return getattr(self._log, name)

    async def read(self, match, after=0, limit=None):
        return (await self._log.read(match, after, limit))[: self._version - after]
