"""A primary that dies for good, and the replica that takes its place at another address."""

import asyncio
from contextlib import suppress

from services.eventlog.entries import START
from services.eventlog.port import Appended, OutcomeUnknown, StoreAway
from services.eventlog.redis_log import RedisLog
from services.eventlog.verify import check_log
from tests.faults.persistent import Persistent
from tests.proxy import Proxy
from tests.replicated import replicated_store
from tests.services.engine.given import Party, by_then, effects, opened
from tests.services.eventlog.given import EDITION, MATCH
from tests.services.eventlog.logs import MatchLog, check_chain

PARTIES = 8
PATIENCE_S = 60


async def has_answered(players, moves):
    async with asyncio.timeout(PATIENCE_S):
        while sum(len(player.answered) for player in players) < moves:  # noqa: ASYNC110 - a turn, not a time
            await asyncio.sleep(0)


async def replica_has(store, heads, parties):
    copy = await RedisLog.open(store.replica.url)
    async with asyncio.timeout(PATIENCE_S):
        while [await copy.head(party.match) for party in parties] != heads:
            pass
    await copy.close()


async def answers(log):
    """Its connections lead to the store that is there now."""
    async with asyncio.timeout(PATIENCE_S):
        while True:
            with suppress(StoreAway, OutcomeUnknown):
                await log.append(MatchLog("any").command())
                return


async def verify(log, match):
    """Chain, fold, and every draw drawn again."""
    entries = await log.read(match)
    check_chain(entries, match)
    check_log(entries, EDITION, match, await log.secret(match))


async def test_with_replication_no_acknowledged_move_is_lost_with_the_primary(tmp_path):
    """The hosts live on: what stands between them and the store leads them to its new place."""
    async with (
        replicated_store(tmp_path / "store") as store,
        Proxy(store.primary.url, tmp_path / "proxy").serving() as proxy,
    ):
        log = await RedisLog.open(proxy.url, replicas=1, timeout_s=2.0)
        host, taken_over = await opened(log), asyncio.Event()
        players = [Persistent(Party(log, f"{MATCH}-{n}", seed=n), host, taken_over.wait) for n in range(PARTIES)]
        for player in players:
            await player.party.sits_down(host)
        playing = [asyncio.create_task(player.plays(24)) for player in players]
        await has_answered(players, 6 * PARTIES)
        store.kill_primary()
        await store.promote()
        proxy.lead_to(store.primary.url)
        taken_over.set()
        async with asyncio.timeout(PATIENCE_S):
            await asyncio.gather(*playing)
        for player in players:
            await player.finds_every_answer_in_the_log()
            await verify(log, player.party.match)
        await host.finish()
        await log.close()


async def test_roles_started_again_on_the_new_address_go_on_where_the_replica_stood(tmp_path):
    async with replicated_store(tmp_path) as store:
        log = await RedisLog.open(store.primary.url, replicas=1)
        host, party = await opened(log), Party(log)
        await party.sits_down(host)
        answered = await party.plays(host, 10)
        store.kill_primary()
        await store.promote()
        await log.close()
        log = await RedisLog.open(store.primary.url, replicas=1)
        host, party.log = await opened(log), log
        for order, done in answered:
            again = await host.carry_out(MATCH, order, asyncio.get_running_loop().time() + PATIENCE_S)
            assert (again.first, again.cursor, again.duplicate) == (done.first, done.cursor, True)
        await party.plays(host, 10)
        await party.agrees(host)
        await verify(log, MATCH)
        await log.close()


async def test_without_replication_what_is_lost_is_seen_and_no_chain_is_false(tmp_path):
    """The replica is cut off while the primary goes on: those moves were acknowledged, and are gone."""
    async with replicated_store(tmp_path) as store:
        log = await RedisLog.open(store.primary.url)
        host, parties = await opened(log), [Party(log, f"{MATCH}-{n}", seed=n) for n in range(4)]
        for party in parties:
            await party.sits_down(host)
            await party.plays(host, 5)
        await replica_has(store, [await log.head(party.match) for party in parties], parties)
        await store.cut_off()
        lost = [await party.plays(host, 3) for party in parties]
        told = [await log.head(party.match) for party in parties]
        await host.finish()
        store.kill_primary()
        await log.close()
        await store.promote()
        log = await RedisLog.open(store.primary.url)
        host = await opened(log)
        for party, answered, known in zip(parties, lost, told, strict=True):
            party.log = log
            head = await log.head(party.match)
            assert START.version < head.version < known.version
            assert await log.read(party.match, known.version - 1) == []
            assert [await effects(log, order, party.match) for order, _ in answered] == [0, 0, 0]
            await verify(log, party.match)
            await party.plays(host, 6)
            assert (await log.read(party.match, known.version - 1, 1))[0].cursor != known
            await party.agrees(host)
            await verify(log, party.match)
        await host.finish()
        await log.close()


async def test_of_appends_cut_off_from_the_replica_none_is_acknowledged(tmp_path):
    async with replicated_store(tmp_path) as store:
        log = await RedisLog.open(store.primary.url, replicas=1, timeout_s=0.6)
        logs = [MatchLog(f"match-{n}") for n in range(20)]
        for answer in await asyncio.gather(*(log.append(match.command()) for match in logs)):
            assert isinstance(answer, Appended)
        await store.cut_off()
        unknown = [match.command() for match in logs]
        for answer in await asyncio.gather(*map(log.append, unknown), return_exceptions=True):
            assert isinstance(answer, OutcomeUnknown)
        store.kill_primary()
        await store.promote()
        await log.close()
        log = await RedisLog.open(store.primary.url, replicas=1)
        for match, command in zip(logs, unknown, strict=True):
            assert await log.read(match.match) == match.entries[:1]
            assert isinstance(await log.append(command), Appended)
        await log.close()


async def test_a_host_that_lives_on_confirms_no_move_that_was_lost(tmp_path):
    """It still holds the match as the old primary had it; asked again, a lost move is decided anew."""
    async with (
        replicated_store(tmp_path / "store") as store,
        Proxy(store.primary.url, tmp_path / "proxy").serving() as proxy,
    ):
        log = await RedisLog.open(proxy.url)
        host, party = await opened(log), Party(log)
        await party.sits_down(host)
        await party.plays(host, 5)
        await replica_has(store, [await log.head(MATCH)], [party])
        await store.cut_off()
        lost = await party.plays(host, 3)
        await store.promote()
        proxy.lead_to(store.primary.url)
        await answers(log)
        for order, _ in lost:
            done = await host.carry_out(MATCH, order, by_then())
            assert not done.duplicate
            assert await effects(log, order) == 1
        await party.agrees(host)
        await verify(log, MATCH)
        await host.finish()
        await log.close()
