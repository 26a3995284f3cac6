"""Logs come in whole or not at all: as a copy to read under a new id, or restored to be played on."""

import asyncio

import grpc
import pytest

from services.common.refusals import Reason, Refused
from services.engine import importing, server
from services.engine.importing import Importer
from services.eventlog import keys
from services.eventlog.commands import Claim
from services.eventlog.export import export_full, export_redacted
from services.eventlog.memory import MemoryLog
from services.eventlog.reading import read
from services.eventlog.sealing import SecretKeeper
from tests.services.engine.given import Fate, FaultyLog, Party, by_then, fold, opened, told
from tests.services.engine.linked import Link, command_of, reason_of, serving
from tests.services.eventlog.forging import forged
from tests.services.eventlog.given import (
    EDITION,
    EVE,
    GAME,
    MATCH,
    NOON,
    SECRET,
    Hosted,
    creating,
    play_on,
    played,
    started,
)
from tidelog.v1.engine_pb2 import ImportLogRequest

COPY = "COPYOFTHEISLAND"
KEY = bytes(range(32, 64))
FINISHED = played("expeditions", 0)
UNFINISHED = play_on(started(), commands=20)


def exported(hosted, secret=None):
    return b"".join(export_full(hosted.entries, EDITION, secret))


FULL = exported(FINISHED)
LIVE = exported(UNFINISHED, SECRET)


def importer(log, game=GAME, key=None):
    return Importer(game, log, SecretKeeper(key))


async def refusal(asked):
    with pytest.raises(Refused) as refused:
        await asked
    return refused.value


@pytest.mark.parametrize("export", [FULL, LIVE], ids=["finished", "unfinished"])
async def test_an_import_is_a_copy_under_its_own_id_that_can_only_be_read(event_log, export):
    done = await importer(event_log).store([export], COPY)
    copy = await fold(event_log, COPY)
    assert (done.match, done.head, done.duplicate) == (COPY, copy.cursor, False)
    assert (copy.facts.imported, copy.facts.created.match) == (True, MATCH)
    assert await event_log.read(MATCH) == []
    host, party = await opened(event_log), Party(event_log, COPY)
    party.asked = 1_000
    order = party.order(EVE, Claim()) if copy.facts.over else await party.move()
    refused = await refusal(host.carry_out(COPY, order, by_then()))
    assert refused.reason is Reason.READ_ONLY
    assert "fork" in refused.message
    assert told(await fold(event_log, COPY))[1:] == told(copy)[1:]


@pytest.mark.parametrize("key", [None, KEY], ids=["plain", "sealed"])
async def test_a_restored_match_keeps_its_id_and_is_played_to_an_end_that_proves_it(event_log, key):
    done = await importer(event_log, key=key).store([LIVE], None)
    assert (done.match, done.duplicate) == (MATCH, False)
    assert await event_log.read(MATCH) == UNFINISHED.entries
    assert (await event_log.secret(MATCH) == SECRET) is (key is None)
    host, party = await opened(event_log, key=key), Party(event_log)
    party.asked = 1_000
    await party.plays(host)
    await host.finish()
    assert party.facts.over
    await party.agrees(host)
    export = read(export_full(await event_log.read(MATCH), EDITION, None))
    assert export.secret == SECRET


async def test_the_same_import_again_is_a_duplicate(event_log):
    for match in (COPY, None):
        first = await importer(event_log).store([FULL], match)
        again = await importer(event_log).store([FULL], match)
        assert (first.duplicate, again.duplicate) == (False, True)
        assert first.head == again.head
    assert len(await event_log.read(COPY)) == len(FINISHED.entries)


async def test_a_match_that_went_on_or_another_under_this_id_is_not_overwritten(event_log):
    await importer(event_log).store([LIVE], None)
    host, party = await opened(event_log), Party(event_log)
    party.asked = 1_000
    await party.plays(host, 3)
    before = await event_log.read(MATCH)
    for export in (LIVE, FULL):
        assert (await refusal(importer(event_log).store([export], None))).reason is Reason.MATCH_EXISTS
    assert await event_log.read(MATCH) == before


async def test_a_match_is_not_taken_in_under_its_own_id_but_by_an_admins_restore(event_log):
    assert (await refusal(importer(event_log).store([FULL], MATCH))).reason is Reason.REQUEST_ID_REUSED
    assert await event_log.read(MATCH) == []


def changed(export, place):
    return export[:place] + bytes([export[place] ^ 1]) + export[place + 1 :]


@pytest.mark.parametrize("export", [FULL, LIVE], ids=["finished", "unfinished"])
async def test_with_one_byte_changed_nothing_is_written(export):
    log = MemoryLog(lambda: NOON)
    places = [*range(0, len(export), len(export) // 60), len(export) - 1]
    for place in places:
        refused = await refusal(importer(log).store([changed(export, place)], COPY))
        assert refused.reason is Reason.CORRUPT_EXPORT, place
    assert (log._logs, log._secrets, log._editions) == ({}, {}, {})


@pytest.mark.parametrize(
    ("export", "why"),
    [
        (b"", "empty"),
        (b"\n", "closing line"),
        (b"not an export\n" * 3, "closing line"),
        (FULL[: len(FULL) // 2], "cut short"),
        (FULL[:-1], "cut short"),
        (FULL + FULL, "version 115"),
        (exported(UNFINISHED), "secret"),
        (b"".join(export_redacted(FINISHED.entries, EDITION, FINISHED.unborn(), None)), "full export"),
        (b"".join(export_redacted(UNFINISHED.entries, EDITION, UNFINISHED.unborn(), 1)), "full export"),
        (b"x" * (5 * 1024 * 1024), "too long"),
        (forged(FULL, SECRET, 3, lambda line: line["body"].update(payload={"kind": "finished"})), "version 3"),
    ],
    ids=["empty", "a newline", "no export", "half", "cut", "twice", "no secret", "told", "seat", "a line", "forged"],
)
async def test_what_is_no_full_export_is_refused_with_what_is_wrong_and_nothing_is_written(export, why):
    log = MemoryLog(lambda: NOON)
    chunks = [export[place : place + 1000] for place in range(0, len(export), 1000)]
    refused = await refusal(importer(log).store(chunks, COPY))
    assert refused.reason is Reason.CORRUPT_EXPORT
    assert why in refused.message
    assert (log._logs, log._secrets, log._editions) == ({}, {}, {})


async def test_another_games_match_is_refused():
    log = MemoryLog(lambda: NOON)
    refused = await refusal(importer(log, game="chess").store([FULL], COPY))
    assert refused.reason is Reason.UNKNOWN_GAME
    assert log._logs == {}


@pytest.mark.parametrize(
    ("fate", "reason"),
    [
        (Fate.REFUSED, Reason.STORE_AWAY),
        (Fate.LOST, Reason.OUTCOME_UNKNOWN),
        (Fate.UNANSWERED, Reason.OUTCOME_UNKNOWN),
        (Fate.CONFLICT, Reason.MATCH_EXISTS),
    ],
)
@pytest.mark.parametrize("appends", [0, 1, 7])
async def test_an_import_cut_short_goes_on_where_it_stopped(fate, reason, appends, monkeypatch):
    monkeypatch.setattr(importing, "MAX_APPEND_BYTES", 1)
    log = FaultyLog(MemoryLog(lambda: NOON))
    log.fates.extend([*[Fate.PASSES] * appends, fate])
    if appends and reason is Reason.STORE_AWAY:
        reason = Reason.OUTCOME_UNKNOWN  # what stands already is a change
    assert (await refusal(importer(log).store([LIVE], None))).reason is reason
    held = len(await log.read(MATCH))
    log.sent.clear()
    done = await importer(log).store([LIVE], None)
    assert not done.duplicate
    assert await log.read(MATCH) == UNFINISHED.entries
    assert log.sent[0].expected == held
    assert await log.secret(MATCH) == SECRET


@pytest.mark.parametrize("match", [COPY, None], ids=["copy", "restore"])
@pytest.mark.parametrize("fate", [Fate.REFUSED, Fate.LOST, Fate.UNANSWERED, Fate.CONFLICT])
async def test_a_log_is_there_whole_or_not_at_all(match, fate):
    log = FaultyLog(MemoryLog(lambda: NOON))
    log.fates.append(fate)
    await refusal(importer(log).store([LIVE], match))
    assert await log.read(match or MATCH) == (UNFINISHED.entries if fate is Fate.UNANSWERED else [])
    done = await importer(log).store([LIVE], match)
    assert done.duplicate is (fate is Fate.UNANSWERED)
    assert await log.read(match or MATCH) == UNFINISHED.entries


@pytest.mark.parametrize("bound", [1, 1_000, 3_000])
async def test_a_log_too_large_for_one_append_is_taken_in_by_whole_commands(bound, monkeypatch):
    monkeypatch.setattr(importing, "MAX_APPEND_BYTES", bound)
    log = FaultyLog(MemoryLog(lambda: NOON))
    await importer(log).store([FULL], COPY)
    assert await log.read(COPY) == FINISHED.entries
    for append in log.sent:
        commands = [n for n, entry in enumerate(append.entries) if b'"req":null' not in entry.body]
        assert commands[0] == 0
        size = sum(len(entry.header) + len(entry.body) for entry in append.entries)
        assert size <= bound or len(commands) == 1
    assert len(log.sent) > 3
    assert [append.secret is None for append in log.sent] == [False, *[True] * (len(log.sent) - 1)]


async def test_a_move_into_a_large_match_being_restored_ends_the_restore_and_stands_in_no_middle(monkeypatch):
    monkeypatch.setattr(importing, "MAX_APPEND_BYTES", 1)
    log = FaultyLog(MemoryLog(lambda: NOON))
    host, party = await opened(log._log), Party(log._log)
    party.asked = 1_000

    async def started_so_far():
        return bool((await log.read(MATCH)) and (await party.see()).facts.owing)

    async def moves():
        if await started_so_far():
            await party.plays(host, 1)
        else:
            log.before = moves

    log.before = moves
    assert (await refusal(importer(log).store([LIVE], None))).reason is Reason.MATCH_EXISTS
    held = await log.read(MATCH)
    shared = [ours == theirs for ours, theirs in zip(held, UNFINISHED.entries, strict=False)]
    assert shared.count(False) == len(shared) - shared.index(False)
    await party.plays(host)
    export = read(export_full(await log.read(MATCH), EDITION, None))
    assert export.secret == SECRET


async def test_two_imports_of_one_log_at_once_leave_it_whole(event_log):
    asked = [importer(event_log).store([LIVE], COPY) for _ in range(2)]
    answers = await asyncio.gather(*asked, return_exceptions=True)
    assert all(getattr(answer, "reason", Reason.MATCH_EXISTS) is Reason.MATCH_EXISTS for answer in answers)
    await importer(event_log).store([LIVE], COPY)
    assert await event_log.read(COPY) == UNFINISHED.entries


@pytest.fixture
async def service(clean_store):
    async with serving(clean_store) as service:
        yield service


@pytest.fixture
async def link(service):
    async with Link.to(service.address) as link:
        yield link


async def import_refusal(asked):
    with pytest.raises(grpc.aio.AioRpcError) as error:
        await asked
    return reason_of(error.value)


async def test_over_the_link_an_import_is_answered_with_a_receipt_of_all_its_entries(link, service):
    receipt = (await link.imports(FULL, COPY)).receipt
    assert (receipt.match_id, receipt.first_version, receipt.last_version) == (COPY, 1, len(FINISHED.entries))
    assert receipt.cursor == str(FINISHED.facts.cursor)
    assert (await link.imports(FULL, COPY)).receipt.duplicate
    refused = await link.refusal(command_of(Party(service.log).order(EVE, Claim()), COPY))
    assert refused.reason is Reason.READ_ONLY


async def test_over_the_link_an_admin_restores_a_match_that_goes_on(link, service):
    assert await import_refusal(link.imports(LIVE, restore=True)) is Reason.NOT_ALLOWED
    assert await service.log.read(MATCH) == []
    assert (await link.imports(LIVE, restore=True, admin=True)).receipt.match_id == MATCH
    party = Party(service.log)
    party.asked = 1_000
    (done,) = await link.carried_out(command_of(await party.move()))
    assert done.receipt.first_version == len(UNFINISHED.entries) + 1


async def test_over_the_link_a_match_lost_by_the_store_and_restored_goes_on_from_the_restored_log(link, service):
    """The host still holds the match as it was before the loss."""
    await link.imports(LIVE, restore=True, admin=True)
    party = Party(service.log)
    party.asked = 1_000
    await party.plays(service.host, 2)
    await service.log._client.delete(keys.match(MATCH), keys.secret(MATCH), keys.snapshot(MATCH))
    await link.imports(LIVE, restore=True, admin=True)
    (done,) = await link.carried_out(command_of(await party.move()))
    assert done.receipt.first_version == len(UNFINISHED.entries) + 1
    await party.agrees(service.host)


@pytest.mark.parametrize(
    "parts",
    [
        [],
        [ImportLogRequest(chunk=FULL)],
        [ImportLogRequest(start=ImportLogRequest.Start(match_id=COPY))] * 2,
        [ImportLogRequest()],
    ],
    ids=["nothing", "no start", "two starts", "an empty part"],
)
async def test_over_the_link_an_import_opens_with_what_it_is(link, parts):
    assert await import_refusal(link.stub.ImportLog(iter(parts), metadata=link.metadata)) is Reason.MALFORMED


async def test_over_the_link_an_import_has_a_size_limit(link, service, monkeypatch):
    monkeypatch.setattr(server, "MAX_IMPORT_BYTES", len(FULL) - 1)
    assert await import_refusal(link.imports(FULL, COPY)) is Reason.TOO_LARGE
    assert await service.log.read(COPY) == []


async def test_over_the_link_damage_is_named_by_its_version(link):
    lines = FULL.splitlines(keepends=True)
    lines[9] = lines[9].replace(b'"seat":', b'"seta":', 1)
    with pytest.raises(grpc.aio.AioRpcError, match="version 9") as error:
        await link.imports(b"".join(lines), COPY)
    assert error.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert reason_of(error.value) is Reason.CORRUPT_EXPORT


async def test_an_unstarted_match_is_restored_and_filled(event_log):
    hosted = Hosted(creating(own_seat=0))
    await importer(event_log).store([exported(hosted, SECRET)], None)
    host, party = await opened(event_log), Party(event_log)
    party.asked = 1_000
    await host.carry_out(MATCH, party.claims()[0], by_then())
    await party.plays(host, 3)
    await party.agrees(host)
