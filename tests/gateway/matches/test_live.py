import asyncio

import msgspec
import pytest
from prometheus_client import REGISTRY

from gateway.callers.identity import Caller
from gateway.matches.live import LiveMatches
from gateway.matches.onlooker import Onlooker
from gateway.matches.outbox import Outbox
from gateway.matches.past import PastMatches
from gateway.matches.shown import Shown
from gateway.matches.situation import Audience
from gateway.matches.timer import StoreTimer
from gateway.streams.following import bring_up
from services.common.refusals import Reason, Refused
from services.eventlog.commands import Claim
from services.eventlog.entries import START, Entry
from services.eventlog.loading import Loader
from services.eventlog.memory import MemoryLog
from services.eventlog.port import StoreAway
from tests.gateway.played import ANN, PlayedMatch
from tests.metered import Metered
from tidelog.v1.engine_pb2 import AppendedEntry, EngineAnswer
from tidelog.v1.matches_pb2 import Receipt
from tidelog.v1.payload_pb2 import PAYLOAD_FORM_JSON
from tidelog.v1.updates_pb2 import Update

CALLER = Caller(ANN, "Ann", admin=False, expires_at=0)


class CountingLog(MemoryLog):
    """Counts the reads of logs; `away` makes them fail, and `held` keeps what was read of a whole one back."""

    reads = 0
    away = False
    held = None

    def __init__(self):
        super().__init__()
        self.read_whole = asyncio.Event()

    async def read(self, match, after=0, limit=None):
        self.reads += 1
        if self.away:
            raise StoreAway("away")
        found = await super().read(match, after, limit)
        if self.held is not None and (after, limit) == (0, None):
            self.read_whole.set()
            await self.held.wait()
        return found


class Ears(Outbox):
    """An outbox that remembers what is put in."""

    def __init__(self, limit=1 << 20):
        super().__init__(limit)
        self.news = []

    def wrap(self, piece):
        self.news.append(Update.FromString(piece.update))
        return piece.watch

    def versions(self):
        return [update.entry.version for update in self.news if update.HasField("entry")]

    def ends(self):
        return [update.end for update in self.news if update.HasField("end")]


@pytest.fixture
def log():
    return CountingLog()


@pytest.fixture
def matches(log):
    return LiveMatches(log, Loader(log))


@pytest.fixture
async def played(log):
    return await PlayedMatch(log, "MATCH").started()


async def listen(matches, log, match_id="MATCH", seat=0, after=START, ears=None):
    """The news that an onlooker is told, past and live."""
    ears = ears or Ears()
    who = Audience(seat, PAYLOAD_FORM_JSON)
    shown = Shown(matches, log, PastMatches(log, Loader(log)), StoreTimer(log))
    await bring_up(Onlooker(match_id, who, CALLER, after, ears, ears.wrap), shown)
    return ears


def answer_of(entries):
    """The engine's answer to the command that appended them."""
    first, last = entries[0].version, entries[-1]
    receipt = Receipt(match_id="MATCH", cursor=str(last.cursor), first_version=first, last_version=last.version)
    told = [
        AppendedEntry(version=entry.version, header=entry.header, body=entry.body, leaf=entry.leaf, hash=entry.hash)
        for entry in entries
    ]
    return EngineAnswer(receipt=receipt, entries=told)


async def settled(matches):
    while matches._tasks:
        await asyncio.gather(*matches._tasks)


async def test_an_entry_is_told_once_whichever_path_brings_it_first(matches, log, played):
    ears = await listen(matches, log)
    start = played.aggregate.facts.version
    reads = log.reads
    for link_first in (True, False, True, False):
        entries = await played.move()
        if link_first:
            matches.learn(answer_of(entries))
        matches.offer("MATCH", entries, whole=True)
        if not link_first:
            matches.learn(answer_of(entries))
    assert ears.versions() == list(range(1, played.aggregate.facts.version + 1))
    assert played.aggregate.facts.version > start
    assert log.reads == reads


async def test_a_gap_is_filled_from_the_log(matches, log, played):
    ears, metered = await listen(matches, log), Metered()
    await played.move()
    matches.offer("MATCH", await played.move(), whole=True)
    await settled(matches)
    assert metered.since("tidelog_gateway_gaps_total") == 1
    assert ears.versions() == list(range(1, played.aggregate.facts.version + 1))


async def test_a_command_cut_by_the_feed_is_read_whole(matches, log):
    played = await PlayedMatch(log, "MATCH").create()
    ears = await listen(matches, log)
    await played.join()
    matches.offer("MATCH", played.entries[2:4], whole=False)
    assert ears.versions() == [1, 2]
    await settled(matches)
    assert ears.versions() == list(range(1, 8))


async def test_a_gap_while_the_store_is_away_is_filled_later(matches, log, played):
    ears = await listen(matches, log)
    await played.move()
    log.away = True
    matches.offer("MATCH", await played.move(), whole=True)
    await settled(matches)
    log.away = False
    matches.offer("MATCH", await played.move(), whole=True)
    await settled(matches)
    assert ears.versions() == list(range(1, played.aggregate.facts.version + 1))


async def test_a_match_that_nobody_watches_is_not_kept_up_with_and_catches_up_when_asked(matches, log, played):
    await matches.get("MATCH")
    for _ in range(3):
        matches.offer("MATCH", await played.move(), whole=True)
    assert (await matches.get("MATCH")).version < played.aggregate.facts.version
    reads = log.reads
    assert (await matches.current("MATCH")).cursor == played.aggregate.cursor
    assert log.reads == reads + 1


async def test_one_load_serves_all_who_ask_at_once(matches, played):
    found = await asyncio.gather(*(matches.current("MATCH") for _ in range(20)))
    assert len({id(live) for live in found}) == 1
    assert found[0].cursor == played.aggregate.cursor
    assert matches._loader.entries_read == played.aggregate.facts.version


async def test_who_asks_while_a_match_is_loaded_is_not_behind_what_the_log_held_then(matches, log, played):
    log.held = asyncio.Event()
    loading = asyncio.create_task(matches.current("MATCH"))
    await log.read_whole.wait()
    await played.move()
    asked = asyncio.create_task(matches.current("MATCH"))
    log.held.set()
    assert (await asked).cursor == played.aggregate.cursor
    await loading


async def test_an_unknown_match_is_refused(matches):
    with pytest.raises(Refused) as raised:
        await matches.current("NONE")
    assert raised.value.reason is Reason.UNKNOWN_MATCH


async def test_the_least_recently_used_leave_and_the_watched_stay(log):
    matches = LiveMatches(log, Loader(log), limit=3)
    for name in "ABCDEF":
        await PlayedMatch(log, name).started()
    await listen(matches, log, "A")
    for name in "BCDEF":
        await matches.current(name)
    assert len(matches) == 3
    assert matches.held("A") is not None
    assert matches.held("F") is not None
    assert matches.held("B") is None


def corrupt(entry: Entry) -> Entry:
    """The same entry with a body that does not fold; its chain is that of the header and leaf."""
    return Entry(entry.version, entry.header, b'{"draws":[],"payload":{"kind":"gone"},"req":null,"req_digest":null}',
                 entry.leaf, entry.hash)  # fmt: skip


async def test_a_log_that_does_not_fold_ends_what_is_told_and_stays_readable_before(matches, log, played):
    ears = await listen(matches, log)
    good = played.aggregate.facts.version
    bad = corrupt(played.decide(*played.next_move())[0])
    await played.append((bad,))
    matches.offer("MATCH", [bad], whole=True)
    (end,) = ears.ends()
    assert end.cursor == str(played.entries[good - 1].cursor)
    assert "can't be folded" in end.refusal.message
    live = await matches.current("MATCH")
    assert live.version == good
    assert live.broken is not None
    assert live.broken.reason is Reason.QUARANTINED
    later = await listen(matches, log)
    assert later.versions() == list(range(1, good + 1))
    assert len(later.ends()) == 1


async def test_a_broken_match_disturbs_no_other(matches, log, played):
    other = await PlayedMatch(log, "OTHER").started()
    ears = await listen(matches, log, "OTHER")
    await listen(matches, log)
    matches.offer("MATCH", [corrupt(played.decide(*played.next_move())[0])], whole=True)
    matches.offer("OTHER", await other.move(), whole=True)
    assert ears.versions()[-1] == other.aggregate.facts.version


async def test_a_log_that_went_back_ends_what_is_told_with_the_heads_cursor(matches, log, played):
    before = REGISTRY.get_sample_value("tidelog_log_rewound_total")
    moved = await played.move()
    ears = await listen(matches, log)
    del log._logs["MATCH"][-len(moved) :]
    assert (await matches.current("MATCH")).version == moved[0].version - 1
    (end,) = ears.ends()
    head = str(log._logs["MATCH"][-1].cursor)
    assert end.refusal.cursor == head
    assert REGISTRY.get_sample_value("tidelog_log_rewound_total") == before + 1


async def test_an_entry_of_another_line_is_not_believed(matches, log, played):
    ears = await listen(matches, log)
    twin = await PlayedMatch(MemoryLog(), "MATCH", seed=2).started()
    matches.offer("MATCH", await twin.move(), whole=True)
    await settled(matches)
    assert ears.versions() == list(range(1, played.aggregate.facts.version + 1))
    assert ears.ends() == []


async def test_the_end_is_told_with_the_last_entry(matches, log, played):
    ears = await listen(matches, log)
    await played.finish()
    for command in played.commands():
        matches.offer("MATCH", command, whole=True)
    assert ears.versions() == list(range(1, played.aggregate.facts.version + 1))
    (end,) = ears.ends()
    assert end.cursor == str(played.aggregate.cursor)
    assert not end.HasField("refusal")
    assert not (await matches.get("MATCH")).watched


async def test_a_match_on_a_lost_line_is_not_where_a_receipt_says(matches, log, played):
    """Whether the lost line is as long as the log is now, or longer."""
    start = len(played.entries)
    for lost in (1, 3):
        twin = await PlayedMatch(MemoryLog(), "MATCH").started()
        twin.random.seed(lost)
        for _ in range(lost):
            await twin.move()
        log._logs["MATCH"] = list(twin.entries)
        assert (await matches.current("MATCH")).cursor == twin.aggregate.cursor
        log._logs["MATCH"] = played.entries[:start]
        entries = played.entries[start:] or await played.move()
        log._logs["MATCH"] = list(played.entries)
        receipt = answer_of(entries).receipt
        assert matches.at(receipt) is None
        assert (await matches.reach(receipt)).cursor == played.aggregate.cursor
        assert matches.at(receipt) is matches.held("MATCH")


async def test_a_match_that_was_made_through_this_gateway_is_held_without_asking_the_store(log):
    played = await PlayedMatch(log, "MATCH").create()
    matches = LiveMatches(log, Loader(log))
    matches.learn(answer_of(played.entries))
    live = matches.held("MATCH")
    assert (log.reads, live.cursor) == (0, played.aggregate.cursor)
    assert live.aggregate.facts.born == live.aggregate.facts.at > 0
    matches.learn(answer_of(await played.carry_out("tidelog|bob", Claim())))
    assert (log.reads, live.cursor) == (0, played.aggregate.cursor)


async def test_a_new_match_that_can_not_be_folded_from_its_answer_is_left_to_the_log(log):
    played = await PlayedMatch(log, "MATCH").create()
    for first in (with_edition(played.entries[0], "0" * 64), with_body(played.entries[0], b"{}")):
        matches = LiveMatches(log, Loader(log))
        matches.learn(answer_of([first, *played.entries[1:]]))
        assert matches.held("MATCH") is None
        assert (await matches.current("MATCH")).cursor == played.aggregate.cursor


def with_edition(entry, edition):
    body = msgspec.json.decode(entry.body)
    body["payload"]["edition"] = edition
    return with_body(entry, msgspec.json.encode(body))


def with_body(entry, body):
    return Entry(entry.version, entry.header, body, entry.leaf, entry.hash)
