"""A store that goes back under gateways that know more: by older files, or within a living process."""

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest
from prometheus_client import REGISTRY

from gateway import rewinds
from gateway.rewinds import Rewind
from services.common.refusals import Reason
from services.eventlog import hashes
from services.eventlog.entries import Entry
from services.eventlog.memory import MemoryLog
from services.eventlog.port import EventLog
from services.eventlog.redis_log import RedisLog
from tests.gateway.floor import Floor, refusal, started_match
from tests.gateway.played import PlayedMatch
from tests.gateway.waiting import until
from tests.gateway.watching import Watching
from tests.rewinding import ReplacedStore, RestoredStore, Rewindable
from tidelog.v1.updates_pb2 import INCLUDE_VIEW

LOST_MOVES = 4
NEIGHBOUR = next(name for n in range(999) if hashes.shard(name := f"OTHER{n}") == hashes.shard("MATCH"))
FAR = next(name for n in range(999) if hashes.shard(name := f"FAR{n}") != hashes.shard("MATCH"))


@pytest.fixture(params=["restored", "replaced"])
async def store(request, clean_store) -> AsyncIterator[Rewindable]:
    if request.param == "replaced":
        yield ReplacedStore(clean_store)
    else:
        async with RestoredStore.serving() as found:
            yield found


@pytest.fixture
async def log(store):
    log = await RedisLog.open(store.url)
    yield log
    await log.close()


def rewound() -> float:
    return REGISTRY.get_sample_value("tidelog_log_rewound_total")


async def begun(log: EventLog, name: str, moves: int = 0, seed: int = 1) -> PlayedMatch:
    played = await PlayedMatch(log, name, seed).started()
    for _ in range(moves):
        await played.move()
    return played


async def another_way(moves: int, count: int) -> PlayedMatch:
    """The match as it stood after so many moves, and what it might have become: entries that no store holds."""
    twin = await begun(MemoryLog(), "MATCH", moves)
    twin.random = random.Random(99)
    kept = len(twin.entries)
    while len(twin.entries) < kept + count:
        await twin.move()
    del twin.entries[kept + count :]
    return twin


def growing(twin: PlayedMatch, kept: int) -> Callable[[str], Awaitable[None]]:
    """Appends the twin's entries beyond those kept, one by one."""

    async def grow(url: str) -> None:
        log = await RedisLog.open(url)
        twin.log = log
        for entry in twin.entries[kept:]:
            await twin.append((entry,))
        await log.close()

    return grow


@pytest.mark.parametrize("more", [None, 0, 3], ids=["shorter", "of the same length", "longer"])
async def test_who_watches_is_told_that_the_log_went_back_also_while_nothing_happens(tmp_path, store, log, more):
    async with Floor(log, tmp_path) as floor:
        gateway = await floor.gateway()
        ann = await floor.client(gateway, "ann")
        played, neighbour, far = await begun(log, "MATCH", 2), await begun(log, NEIGHBOUR), await begun(log, FAR)
        kept = len(played.entries)
        await store.keep_copy()
        for _ in range(LOST_MOVES):
            await played.move()
        known, before = played.aggregate.cursor, rewound()
        watching = Watching(ann, "MATCH")
        others = [Watching(ann, NEIGHBOUR, seat=0), Watching(ann, FAR, seat=0)]
        await watching.heard(known.version)

        twin = None if more is None else await another_way(2, known.version - kept + more)
        await store.go_back(None if twin is None else growing(twin, kept))
        line = played.entries[:kept] if twin is None else twin.entries

        end = await watching.ended()
        assert (end.cursor, end.refusal.cursor) == (str(known), str(line[-1].cursor))
        assert "went back" in end.refusal.message
        assert await told(ann, "MATCH", line)
        for other, match in zip(others, (neighbour, far), strict=True):
            moved = await match.move()
            await other.heard(moved[-1].version)
            await other.stop()
            assert other.end is None
        await listed(ann, {"MATCH": line, NEIGHBOUR: neighbour.entries, FAR: far.entries})
        assert rewinds.noted(gateway.settings.projections_file)[0][0] == Rewind("MATCH", known, line[-1].cursor)
        assert rewound() > before


@pytest.mark.parametrize("anew", [False, True], ids=["vanished", "made anew"])
async def test_who_watches_is_told_that_the_match_is_another_or_none(tmp_path, store, log, anew):
    async with Floor(log, tmp_path) as floor:
        gateway = await floor.gateway()
        ann = await floor.client(gateway, "ann")
        far = await begun(log, FAR)
        await store.keep_copy()
        played = await begun(log, "MATCH", 2)
        watching = Watching(ann, "MATCH")
        await watching.heard(played.aggregate.facts.version)
        other = await begun(MemoryLog(), "MATCH", 3, seed=2)

        async def make_anew(url: str) -> None:
            log = await RedisLog.open(url)
            again = await begun(log, "MATCH", 3, seed=2)
            assert again.entries == other.entries
            await log.close()

        await store.go_back(make_anew if anew else None)
        end = await watching.ended()
        assert end.refusal.cursor == (str(other.aggregate.cursor) if anew else "0-0")
        if anew:
            assert await told(ann, "MATCH", other.entries)
            await listed(ann, {"MATCH": other.entries, FAR: far.entries})
        else:
            assert (await refusal(ann.call("GetMatch", match_id="MATCH"))).reason is Reason.UNKNOWN_MATCH
            await listed(ann, {FAR: far.entries})


async def told(client, match: str, entries: list[Entry]) -> bool:
    """Who begins anew is told the log as it is."""
    found = [update.entry.cursor async for update in bounded(client.updates(match)) if update.HasField("entry")]
    return found == [str(entry.cursor) for entry in entries]


async def bounded(updates):
    """Up to the present."""
    async for update in updates:
        yield update
        if update.HasField("caught_up"):
            return


async def listed(client, wanted: dict[str, list[Entry]]) -> None:
    """Returns once the list of matches says what the logs do."""
    heads = {match: str(entries[-1].cursor) for match, entries in wanted.items()}
    async with asyncio.timeout(60):
        while True:
            page = await client.call("ListMatches")
            if {match.match_id: match.cursor for match in page.matches} == heads:
                return


async def test_a_gateway_that_was_down_finds_a_feed_that_grew_again_beyond_its_place(tmp_path, store, log):
    """Numbers alone would let it read on where another line goes on."""
    async with Floor(log, tmp_path) as floor:
        played, neighbour = await begun(log, "MATCH", 2), await begun(log, NEIGHBOUR)
        kept, untouched = len(played.entries), list(neighbour.entries)
        await store.keep_copy()
        for _ in range(LOST_MOVES):
            await played.move()
            await neighbour.move()
        gateway = await floor.gateway(data_dir=tmp_path / "kept")
        await asyncio.wait_for(gateway.parts.follower.aligned(), 30)
        await gateway.parts.matches.settled()
        await gateway.stop()
        twin = await another_way(2, len(played.entries) + len(neighbour.entries))
        file = gateway.settings.projections_file
        assert await rewinds.unseen(file, log) == []
        await store.go_back(growing(twin, kept))
        lost = {
            Rewind("MATCH", played.aggregate.cursor, twin.entries[-1].cursor),
            Rewind(NEIGHBOUR, neighbour.aggregate.cursor, untouched[-1].cursor),
        }
        assert set(await rewinds.unseen(file, log)) == lost
        assert rewinds.noted(file) == []
        again = await floor.gateway(data_dir=tmp_path / "kept")
        await listed(await floor.client(again, "ann"), {"MATCH": twin.entries, NEIGHBOUR: untouched})
        assert {rewind for rewind, _ in rewinds.noted(file)} == lost
        assert await rewinds.unseen(file, log) == []
        assert rewinds.noted(tmp_path / "none.sqlite") == []


async def test_play_goes_on_on_the_log_as_it_is(tmp_path, store, log):
    """A player whose match went back is told so, is seated again, and moves."""
    async with Floor(log, tmp_path) as floor:
        gateway = await floor.gateway()
        ann, bob = await floor.client(gateway, "ann"), await floor.client(gateway, "bob")
        match = await started_match(ann, bob)
        await store.keep_copy()
        head = await log.head(match)
        watching = Watching(ann, match, seat=0)
        await move(ann, bob, match)
        await watching.heard(head.version + 1)
        await store.go_back()
        assert (await watching.ended()).refusal.cursor == str(head)
        receipt = await move(ann, bob, match)
        assert receipt.first_version == head.version + 1
        entries = await log.read(match)
        assert entries[head.version - 1].cursor == head
        assert str(entries[-1].cursor) == receipt.cursor


async def test_a_move_is_answered_with_the_situation_of_its_own_line(tmp_path, store, log):
    """Nobody watches, and the gateway holds the match further than the move comes to."""
    async with Floor(log, tmp_path) as floor:
        gateway = await floor.gateway()
        ann, bob = await floor.client(gateway, "ann"), await floor.client(gateway, "bob")
        match = await started_match(ann, bob)
        turn = (await ann.call("GetMatch", match_id=match)).turns[0]
        player = (ann, bob)[turn.seat]
        legal = (await player.call("ListLegalMoves", match_id=match, seat=turn.seat)).legal.moves
        await store.keep_copy()
        for _ in range(LOST_MOVES):
            await move(ann, bob, match)
        lost = (await ann.call("GetView", match_id=match)).version
        await store.go_back()
        fields = {"match_id": match, "seat": turn.seat, "move": legal[-1], "decision": turn.decision}
        answer = await player.call("SubmitMove", request_id="anew", include=(INCLUDE_VIEW,), **fields)
        assert answer.receipt.last_version < lost
        assert answer.situation.cursor == answer.receipt.cursor


async def test_what_is_held_of_a_shard_whose_feed_went_back_is_dropped(tmp_path, store, log):
    async with Floor(log, tmp_path) as floor:
        live = (await floor.gateway()).parts.live
        played, far = await begun(log, "MATCH", 2), await begun(log, FAR)
        await store.keep_copy()
        await played.move()
        await live.current("MATCH")
        await live.current(FAR)
        await store.go_back()
        await until(lambda: live.held("MATCH") is None)
        assert live.held(FAR).cursor == far.aggregate.cursor


async def move(ann, bob, match: str):
    turn = (await ann.call("GetMatch", match_id=match)).turns[0]
    player = (ann, bob)[turn.seat]
    legal = await player.call("ListLegalMoves", match_id=match, seat=turn.seat)
    fields = {"match_id": match, "seat": turn.seat, "move": legal.legal.moves[0], "decision": turn.decision}
    return (await player.call("SubmitMove", request_id=f"{legal.cursor} {rewound()}", **fields)).receipt
