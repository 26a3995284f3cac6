"""What a host answers: each command once, refusals without a trace, duplicates with the first answer."""

import asyncio
from dataclasses import replace

import msgspec
import pytest

from engines.lost_seas.moves import ReturnTile
from services.common.refusals import Reason, Refused
from services.engine.host import Done
from services.engine.warm import WAITING_COMMANDS
from services.eventlog import hashes
from services.eventlog.commands import Claim, Leave, Start, Submit
from services.eventlog.entries import START, Body, Header, Sealer, header_of
from services.eventlog.port import Append
from services.eventlog.sealing import SecretKeeper
from tests.services.engine.given import Party, believed, by_then, effects, fold, opened, told
from tests.services.eventlog.given import (
    ANN,
    BEN,
    CAT,
    EASY,
    EDITION,
    ENGINE,
    EVE,
    MATCH,
    NOON,
    SECRET,
    creating,
    started,
)

KEY = bytes(range(32, 64))
OTHER_KEY = bytes(range(64, 96))
WHY = [
    Reason.NOT_YOUR_SEAT,
    Reason.UNKNOWN_SEAT,
    Reason.STALE,
    Reason.STALE,
    Reason.ILLEGAL_MOVE,
    Reason.MALFORMED,
    Reason.ALREADY_STARTED,
    Reason.ALREADY_STARTED,
]


@pytest.fixture
async def host(event_log):
    return await opened(event_log)


@pytest.fixture
def party(event_log):
    return Party(event_log)


def comings_and_goings(party, count):
    """Leaves and claims of one seat: in any other order some would be refused."""
    return [party.order(ANN, Leave(0)) if n % 2 == 0 else party.order(ANN, Claim(0)) for n in range(count)]


async def refusal(asked):
    with pytest.raises(Refused) as refused:
        await asked
    return refused.value


async def packed(log):
    return told(await fold(log))[0]


async def test_a_match_is_created_claimed_and_played_to_its_end_as_its_log_says(host, party, event_log):
    created = await host.create(MATCH, party.creation(), EDITION, by_then())
    assert (created.first, created.cursor, created.seat) == (1, await event_log.head(MATCH), None)
    assert [header_of(entry).type for entry in created.entries] == ["match.created", "match.seat_claimed"]
    (claim,) = party.claims()
    begun = await host.carry_out(MATCH, claim, by_then())
    assert [header_of(entry).type for entry in begun.entries][:2] == ["match.seat_claimed", "match.started"]
    assert begun.seat == 1
    answers = await party.plays(host)
    told_entries = [entry for done in (created, begun, *(done for _, done in answers)) for entry in done.entries]
    assert told_entries == await event_log.read(MATCH)
    assert party.facts.over
    await party.agrees(host)
    await host.finish()


async def test_a_creator_starts_a_match_that_does_not_start_by_itself(host, party):
    await host.create(MATCH, party.creation(auto_start=False), EDITION, by_then())
    early = await refusal(host.carry_out(MATCH, party.order(ANN, Start()), by_then()))
    await host.carry_out(MATCH, party.claims()[0], by_then())
    others = await refusal(host.carry_out(MATCH, party.order(BEN, Start()), by_then()))
    assert (early.reason, others.reason) == (Reason.SEATS_OPEN, Reason.NOT_ALLOWED)
    start = party.order(ANN, Start())
    done = await host.carry_out(MATCH, start, by_then())
    assert header_of(done.entries[0]).type == "match.started"
    assert (await host.carry_out(MATCH, start, by_then())).cursor == done.cursor


async def test_an_admin_starts_a_match_once(host, party):
    await host.create(MATCH, party.creation(auto_start=False), EDITION, by_then())
    await host.carry_out(MATCH, party.claims()[0], by_then())
    start = party.order(EVE, Start(), admin=True)
    done = await host.carry_out(MATCH, start, by_then())
    again = await host.carry_out(MATCH, start, by_then())
    assert (again.duplicate, again.cursor) == (True, done.cursor)


async def test_a_seat_left_before_the_start_is_free_and_afterwards_resigned(host, party, event_log):
    await host.create(MATCH, party.creation(), EDITION, by_then())
    left = await host.carry_out(MATCH, party.order(ANN, Leave(0)), by_then())
    assert [header_of(entry).type for entry in left.entries] == ["match.seat_released"]
    await host.carry_out(MATCH, party.order(CAT, Claim()), by_then())
    await host.carry_out(MATCH, party.order(BEN, Claim()), by_then())
    resigned = await host.carry_out(MATCH, party.order(BEN, Leave(1)), by_then())
    types = [header_of(entry).type for entry in resigned.entries]
    assert types == ["match.resigned", "match.finished", "match.secret_revealed"]
    assert (await fold(event_log)).facts.over


async def test_validate_judges_on_the_logs_end_and_appends_nothing(host, party, event_log):
    await party.sits_down(host)
    order = await party.move()
    before = await event_log.read(MATCH)
    assert await host.validate(MATCH, order) == (party.facts.version, None)
    version, refused = await host.validate(MATCH, party.order(EVE, Submit(0, EASY)))
    assert (version, refused.reason) == (party.facts.version, Reason.NOT_YOUR_SEAT)
    assert await event_log.read(MATCH) == before
    await (await opened(event_log)).carry_out(MATCH, order, by_then())
    version, refused = await host.validate(MATCH, order)
    assert version == (await fold(event_log)).facts.version
    assert refused is not None


async def test_refused_commands_leave_no_trace(host, party, event_log):
    await party.sits_down(host)
    legal = await party.move()
    seat, owner = legal.command.seat, legal.player
    other = BEN if owner == ANN else ANN
    before, seen = await event_log.read(MATCH), await packed(event_log)
    asked = [
        party.order(EVE, legal.command),
        party.order(owner, Submit(7, legal.command.move)),
        party.order(owner, Submit(seat, legal.command.move, expected_version=1)),
        party.order(owner, Submit(seat, legal.command.move, decision=1)),
        party.order(owner, Submit(seat, ReturnTile("no tile"))),
        party.order(owner, legal.command, request_id="x" * 65),
        party.order(other, Claim()),
        party.order(ANN, Start()),
    ]
    reasons = [(await refusal(host.carry_out(MATCH, order, by_then()))).reason for order in asked]
    assert reasons == WHY
    assert await event_log.read(MATCH) == before
    assert told(await believed(host))[0] == seen
    assert len(host.warm) == 1
    assert (await host.carry_out(MATCH, legal, by_then())).first == len(before) + 1
    await party.agrees(host)


async def test_an_unknown_match_is_refused_and_not_remembered(host, party):
    for asked in (host.carry_out("NOWHERE", party.order(ANN, Claim()), by_then()), host.validate("NOWHERE", None)):
        assert (await refusal(asked)).reason is Reason.UNKNOWN_MATCH
    assert len(host.warm) == 0


@pytest.mark.parametrize("moment", ["at once", "after newer events", "after the match left memory", "after a restart"])
async def test_a_command_sent_again_gets_the_first_answer(host, party, event_log, moment):
    create, (claim,) = party.creation(), party.claims()
    first = [await host.create(MATCH, create, EDITION, by_then()), await host.carry_out(MATCH, claim, by_then())]
    ((move, moved),) = await party.plays(host, 1)
    if moment != "at once":
        await party.plays(host, 20)
    if moment == "after the match left memory":
        host.warm.forget(MATCH)
    elif moment == "after a restart":
        await host.finish()
        host = await opened(event_log)
    before = await event_log.read(MATCH)
    again = [
        await host.create(MATCH, create, EDITION, by_then()),
        await host.carry_out(MATCH, claim, by_then()),
        await host.carry_out(MATCH, move, by_then()),
    ]
    for done, repeated in zip([*first, moved], again, strict=True):
        assert repeated == Done(done.first, done.cursor, (), done.seat, duplicate=True)
    assert await event_log.read(MATCH) == before


async def test_a_request_id_used_again_for_another_body_is_refused(host, party, event_log):
    await party.sits_down(host)
    ((move, _),) = await party.plays(host, 1)
    create = party.order(ANN, creating(3), request_id="request-1")
    other = party.order(move.player, Submit(move.command.seat, EASY, decision=3), move.request_id)
    before = await event_log.read(MATCH)
    assert (await refusal(host.create(MATCH, create, EDITION, by_then()))).reason is Reason.REQUEST_ID_REUSED
    assert (await refusal(host.carry_out(MATCH, other, by_then()))).reason is Reason.REQUEST_ID_REUSED
    assert await event_log.read(MATCH) == before


async def test_another_players_match_is_not_taken_for_ones_own(host, party):
    await host.create(MATCH, party.creation(), EDITION, by_then())
    taken = await refusal(host.create(MATCH, party.order(EVE, creating()), EDITION, by_then()))
    assert taken.reason is Reason.MATCH_EXISTS


async def test_commands_that_come_together_are_carried_out_in_their_order(host, party):
    await host.create(MATCH, party.creation(), EDITION, by_then())
    orders = comings_and_goings(party, 41)
    answers = await asyncio.gather(*(host.carry_out(MATCH, order, by_then()) for order in orders))
    assert [done.first for done in answers] == list(range(3, 3 + len(orders)))
    await party.agrees(host)


async def test_one_command_too_many_is_told_to_come_back(redis_log):
    host, party = await opened(redis_log), Party(redis_log)
    await host.create(MATCH, party.creation(), EDITION, by_then())
    asked = [host.carry_out(MATCH, order, by_then()) for order in comings_and_goings(party, WAITING_COMMANDS + 2)]
    *answers, late, later = await asyncio.gather(*asked, return_exceptions=True)
    assert not any(isinstance(answer, Exception) for answer in answers)
    for refused in (late, later):
        assert (refused.reason, refused.retry_after_ms) == (Reason.TOO_MUCH, 100)
    assert len(await redis_log.read(MATCH)) == 2 + WAITING_COMMANDS


async def test_a_command_whose_turn_comes_too_late_is_not_carried_out(host, party, event_log):
    await party.sits_down(host)
    order = await party.move()
    assert (await refusal(host.carry_out(MATCH, order, by_then(0)))).reason is Reason.TOO_MUCH
    assert await effects(event_log, order) == 0
    await host.carry_out(MATCH, order, by_then())


async def test_with_room_for_two_matches_each_is_played_as_if_it_were_alone(event_log):
    host = await opened(event_log, warm_limit=2)
    parties = [Party(event_log, f"{MATCH}-{n}", seed=n) for n in range(5)]
    for party in parties:
        await party.sits_down(host)
    for _ in range(12):
        for party in parties:
            await party.plays(host, 1)
            assert len(host.warm) <= 2
    await asyncio.gather(*(party.plays(host, 10) for party in parties))
    assert len(host.warm) <= 2
    for party in parties:
        await party.agrees(host)
    await host.finish()


async def test_the_match_used_longest_ago_leaves_memory_first(event_log):
    host = await opened(event_log, warm_limit=2)
    parties = [Party(event_log, f"{MATCH}-{n}") for n in range(3)]
    for party in (*parties[:2], parties[0], parties[2]):
        if party.asked:
            await party.plays(host, 1)
        else:
            await party.sits_down(host)
    read = host.loader.entries_read
    await parties[0].plays(host, 1)
    assert host.loader.entries_read == read
    await parties[1].plays(host, 1)
    assert host.loader.entries_read > read


async def test_a_match_of_another_game_is_unknown_here(event_log, party):
    await party.sits_down(await opened(event_log))
    stranger = await opened(event_log, engine=replace(ENGINE, name="other", title="Other Seas"))
    refused = await refusal(stranger.carry_out(MATCH, await party.move(), by_then()))
    assert refused.reason is Reason.UNKNOWN_MATCH
    assert "Other Seas" in refused.message
    assert len(stranger.warm) == 0


async def test_a_match_of_rules_that_the_host_does_not_hold_is_left_to_others(event_log, party):
    await party.sits_down(await opened(event_log))
    newer = await opened(event_log, engine=replace(ENGINE, rules=(2, 3)))
    refused = await refusal(newer.carry_out(MATCH, await party.move(), by_then()))
    assert refused.reason is Reason.ENGINE_AWAY
    assert "rules 1" in refused.message


async def test_a_match_of_rules_newer_than_the_release_is_left_to_others_and_not_called_broken(event_log, party):
    """As while hosts are renewed one after another."""
    hosted = started()
    created = msgspec.structs.replace(hosted.facts.created, rules=ENGINE.rules[-1] + 1)
    head = Header(NOON, None, "match.created", 1)
    first = Sealer(SECRET, 0, hashes.genesis(MATCH)).seal(head, Body((), created, "00" * 16, "00" * 8))
    await event_log.append(Append(MATCH, START, (first,), SECRET))
    refused = await refusal((await opened(event_log)).carry_out(MATCH, party.order(ANN, Claim()), by_then()))
    assert refused.reason is Reason.ENGINE_AWAY
    assert f"rules {ENGINE.rules[-1] + 1}" in refused.message


@pytest.mark.parametrize("key", [None, KEY], ids=["plain", "sealed"])
async def test_a_secret_lies_in_the_store_sealed_where_there_is_a_key(event_log, party, key):
    host = await opened(event_log, key=key)
    await party.sits_down(host)
    stored = await event_log.secret(MATCH)
    assert (len(stored) == 32) is (key is None)
    restarted = await opened(event_log, key=key)
    await party.plays(restarted)
    assert bytes.fromhex(party.facts.secret) == SecretKeeper(key).open(MATCH, stored)


async def test_a_secret_from_before_there_was_a_key_still_opens(event_log, party):
    await party.sits_down(await opened(event_log))
    await party.plays(await opened(event_log, key=KEY), 3)
    await party.agrees(await opened(event_log))


@pytest.mark.parametrize("key", [None, OTHER_KEY], ids=["no key", "another key"])
async def test_a_host_that_cannot_open_the_secret_leaves_the_match_to_others(event_log, party, key):
    await party.sits_down(await opened(event_log, key=KEY))
    keyless = await opened(event_log, key=key)
    order = await party.move()
    refused = await refusal(keyless.carry_out(MATCH, order, by_then()))
    assert refused.reason is Reason.ENGINE_AWAY
    assert "secret" in refused.message
    assert await effects(event_log, order) == 0
    assert await keyless.validate(MATCH, order) == (party.facts.version, None)


async def test_a_match_whose_secret_is_gone_can_only_be_read(event_log, party):
    """An import does not bring one where its export holds none."""
    hosted = started()
    await event_log.put_edition(hosted.facts.created.edition, EDITION)
    await event_log.append(Append(MATCH, START, tuple(hosted.entries), SECRET))
    event_log.secret = no_secret
    host = await opened(event_log)
    assert (await refusal(host.carry_out(MATCH, await party.move(), by_then()))).reason is Reason.READ_ONLY


async def no_secret(_match):
    return None


async def test_an_event_over_the_limit_changes_nothing_also_in_memory(event_log, party, monkeypatch):
    host = await opened(event_log)
    await party.sits_down(host)
    order = await party.move()
    with monkeypatch.context() as patch:
        patch.setattr("services.eventlog.entries.MAX_ENTRY_BYTES", 64)
        assert (await refusal(host.carry_out(MATCH, order, by_then()))).reason is Reason.TOO_LARGE
    await party.agrees(host)
    await host.carry_out(MATCH, order, by_then())
    await party.agrees(host)
