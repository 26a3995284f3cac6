"""`replicated(1)`: what a replica has not on its disk is not acknowledged, however it is asked for."""

import asyncio

import pytest
import pytest_asyncio
from redis.asyncio import Redis

from services.common.refusals import Reason, Refused
from services.engine.importing import Importer
from services.eventlog import keys, replication
from services.eventlog.embedded import EmbeddedStore
from services.eventlog.export import export_full
from services.eventlog.port import Appended, Conflict, OutcomeUnknown, StoreReadOnly, WrongStore
from services.eventlog.redis_facts import StoreFacts
from services.eventlog.redis_log import RedisLog
from services.eventlog.replication import Replication
from services.eventlog.sealing import SecretKeeper
from tests.replicated import replicated_store
from tests.services.engine.given import Party, by_then, effects, opened
from tests.services.eventlog.given import EDITION, GAME, MATCH, SECRET, play_on, started
from tests.services.eventlog.logs import MatchLog, first

SHORT_S = 0.6


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def replicated(tmp_path_factory):
    async with replicated_store(tmp_path_factory.mktemp("replicated")) as store:
        yield store


@pytest.fixture
async def store(replicated):
    """Empty, and whatever a test has frozen goes on."""
    async with Redis.from_url(replicated.primary.url) as client:
        await client.flushdb()
    yield replicated
    replicated.thaw()


@pytest.fixture
async def log(store):
    log = await RedisLog.open(store.primary.url, replicas=1, timeout_s=SHORT_S)
    await log.append(first("warm"))
    yield log
    await log.close()


async def waits(url: str) -> int:
    async with Redis.from_url(url) as client:
        return int((await client.info("commandstats"))["cmdstat_waitaof"]["calls"])


async def test_an_append_counts_once_a_replica_has_it_on_its_disk(store, log):
    match = MatchLog()
    assert isinstance(await log.append(match.command()), Appended)
    store.freeze()
    command = match.command()
    with pytest.raises(OutcomeUnknown, match="an append"):
        await log.append(command)
    store.thaw()
    assert await log.append(command) == Conflict(command.entries[-1].cursor)
    await log.secure(match.match)
    copy = await RedisLog.open(store.replica.url)
    assert await copy.read(match.match) == match.entries
    await copy.close()


async def test_what_is_found_in_the_log_is_not_safe_before_a_replica_has_it(store, log):
    other = await RedisLog.open(store.primary.url)
    store.freeze()
    await other.append(first("island-42"))
    for _ in range(2):
        with pytest.raises(OutcomeUnknown, match="has not replicated the log: 0 of 1 replicas"):
            await log.secure("island-42")
    await other.secure("island-42")  # its own durability is local
    store.thaw()
    await log.secure("island-42")
    await other.close()


class Told:
    """Answers to WAITAOF, one after another; `asked` holds how long each was to wait, and it did."""

    def __init__(self, *answers):
        self.answers, self.asked, self.now = list(answers), [], 0.0

    async def __call__(self, *words):
        assert words[:3] == ("WAITAOF", 1, 2)
        self.asked.append(words[3])
        self.now += words[3] / 1000
        return self.answers.pop(0)


@pytest.mark.parametrize(
    ("told", "missing", "asked"),
    [
        (Told([1, 2]), "", [1]),
        (Told([1, 3]), "", [1]),
        (Told([0, 0], [1, 1], [1, 2]), "", [1, 2, 4]),
        (Told([1, 1], [1, 1], [1, 1], [1, 1]), "1 of 2 replicas had it on disk in 10 ms", [1, 2, 4, 3]),
        (Told([0, 2], [0, 2], [0, 2], [0, 2]), "the store had it not on its own disk in 10 ms", [1, 2, 4, 3]),
        (Told([1, 0], "UNBLOCKED"), "the store answers WAITAOF: UNBLOCKED", [1, 2]),
    ],
)
async def test_replicas_are_asked_ever_more_patiently_until_the_time_is_up(monkeypatch, told, missing, asked):
    monkeypatch.setattr(replication, "monotonic", lambda: told.now)
    assert (await Replication(2, 10).wait(told), told.asked) == (missing, asked)


async def test_a_whole_pipeline_is_waited_for_once(store, log):
    before, sent = await waits(store.primary.url), log.pipelines
    await asyncio.gather(*(log.append(first(f"match-{n}")) for n in range(100)))
    pipelines = log.pipelines - sent
    assert pipelines < 5
    assert await waits(store.primary.url) - before <= pipelines * int(SHORT_S * 500).bit_length()


async def test_an_append_that_was_refused_stays_refused_when_the_replica_is_away(store, log):
    async with Redis.from_url(store.primary.url) as client:
        await client.set(keys.match("no log"), "text")
    store.freeze()
    asked = log.append(first("no log")), log.append(first("island-42"))
    answers = await asyncio.gather(*asked, return_exceptions=True)
    assert [type(answer) for answer in answers] == [WrongStore, OutcomeUnknown]


async def test_a_move_that_is_not_replicated_is_unknown_to_every_host_that_is_asked(store, log):
    host, party = await opened(log), Party(log)
    await party.sits_down(host)
    order = await party.move()
    store.freeze()
    cold = await opened(log)
    for asked in (host, host, cold):
        with pytest.raises(Refused) as refused:
            await asked.carry_out(MATCH, order, by_then(0.1))
        assert refused.value.reason is Reason.OUTCOME_UNKNOWN
        assert await effects(log, order) == 1
    store.thaw()
    done = await cold.carry_out(MATCH, order, by_then())
    assert done.duplicate
    assert await host.carry_out(MATCH, order, by_then()) == done
    await party.agrees(host)


async def test_a_creation_that_is_not_replicated_is_unknown_until_it_is(store, log):
    host, party = await opened(log), Party(log)
    order = party.creation()
    await log.put_edition(order.command.edition, EDITION)
    store.freeze()
    for _ in range(2):
        with pytest.raises(Refused) as refused:
            await host.create(MATCH, order, EDITION, by_then(0.1))
        assert refused.value.reason is Reason.OUTCOME_UNKNOWN
    store.thaw()
    assert (await host.create(MATCH, order, EDITION, by_then())).duplicate


async def test_an_import_that_is_not_replicated_is_unknown_until_it_is(store, log):
    hosted = play_on(started(), commands=20)
    export = b"".join(export_full(hosted.entries, EDITION, SECRET))
    importer = Importer(GAME, log, SecretKeeper(None))
    store.freeze()
    for _ in range(2):
        with pytest.raises(Refused) as refused:
            await importer.store([export], None)
        assert refused.value.reason is Reason.OUTCOME_UNKNOWN
    store.thaw()
    assert (await importer.store([export], None)).duplicate


@pytest.mark.parametrize(
    ("settings", "reason"),
    [({"appendonly": "no"}, "appendonly is off"), ({"appendfsync": "no"}, "appendfsync is `no`")],
)
async def test_a_store_that_never_says_what_is_on_its_disk_is_refused_by_name(tmp_path, settings, reason):
    store = await EmbeddedStore.start(tmp_path, settings=settings)
    with pytest.raises(WrongStore, match=rf"can't keep durability replicated\(2\): {reason}"):
        await RedisLog.open(store.url, replicas=2)
    await (await RedisLog.open(store.url)).close()
    await store.stop()


async def test_a_store_that_hides_its_settings_is_asked_for_the_command_itself(own_store):
    async with Redis.from_url(own_store.url) as client:
        await client.config_set("appendonly", "no")
        await client.execute_command("ACL SETUSER default -config")
    with pytest.raises(WrongStore, match="appendonly is disabled"):
        await RedisLog.open(own_store.url, replicas=1)
    async with Redis.from_url(own_store.url) as client:
        await client.execute_command("ACL SETUSER default -waitaof")
    with pytest.raises(WrongStore, match="waitaof"):
        await RedisLog.open(own_store.url, replicas=1)


@pytest.mark.parametrize("compatible", [(7, 0), (7, 1)])
async def test_a_store_older_than_the_command_is_refused_by_its_version(compatible):
    old = StoreFacts("Redis", "7.0.15", compatible, "always")
    with pytest.raises(WrongStore, match=r"Redis 7\.0\.15 has no WAITAOF: Redis 7\.2 or Valkey has"):
        await Replication(1, 100).check(None, old, "here")


async def test_a_replica_is_read_only_for_whoever_wants_replication_too(store):
    with pytest.raises(StoreReadOnly):
        await RedisLog.open(store.replica.url, replicas=1)
