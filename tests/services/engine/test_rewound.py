"""A store that went back under hosts that know more: they drop what they knew and go on with the log as it is."""

from contextlib import suppress

import pytest
from prometheus_client import REGISTRY

from services.common.refusals import Reason, Refused
from services.eventlog import hashes
from services.eventlog.commands import Submit
from services.eventlog.memory import MemoryLog
from services.eventlog.redis_log import RedisLog
from tests.rewinding import RestoredStore
from tests.services.engine.given import Party, believed, by_then, effects, fold, opened
from tests.services.eventlog.given import ANN, EASY, EDITION, EDITION_HASH, ENGINE, EVE, MATCH
from tests.services.eventlog.logs import check_chain

LOST_MOVES = 6


@pytest.fixture
async def store():
    async with RestoredStore.serving() as store:
        yield store


@pytest.fixture
async def log(store):
    log = await RedisLog.open(store.url, timeout_s=5.0)
    yield log
    await log.close()


def rewound():
    return REGISTRY.get_sample_value("tidelog_log_rewound_total")


async def known_beyond(log, store):
    """A host that knows a match further than the store holds it now; the moves that were lost."""
    host, party = await opened(log), Party(log)
    await party.sits_down(host)
    await party.plays(host, 2)
    await store.keep_copy()
    lost = await party.plays(host, LOST_MOVES)
    await store.go_back()
    return host, party, lost


async def regrown(log, until):
    """The match goes on at another host, in another way, to a version."""
    host, party = await opened(log), Party(log, seed=77)
    party.asked = 500
    await party.plays_to(host, until)
    await host.finish()
    return party


async def is_one_line(log):
    """The log is chained, every leaf opens with the stored secret, and no entry is of the lost line."""
    entries, secret = await log.read(MATCH), await log.secret(MATCH)
    check_chain(entries, MATCH)
    for entry in entries:
        assert hashes.leaf(hashes.salt(secret, entry.version), entry.body) == entry.leaf


@pytest.mark.parametrize("beyond", [None, 0, 5], ids=["shorter", "of the same length", "longer"])
async def test_a_command_is_decided_anew_on_the_log_as_it_is(log, store, beyond):
    host, party, lost = await known_beyond(log, store)
    known, before = lost[-1][1].cursor, rewound()
    if beyond is not None:
        party = await regrown(log, known.version + beyond)
    done = await host.carry_out(MATCH, await party.move(), by_then())
    assert done.first == party.facts.version + 1
    assert rewound() == before + 1
    await party.plays(host)
    await party.agrees(host)
    await is_one_line(log)
    assert rewound() == before + 1


async def test_a_log_that_grew_to_the_length_that_was_known_takes_nothing_of_the_other_line(log, store):
    """The next command is one that the host would carry out on what it knew."""
    host, party, lost = await known_beyond(log, store)
    known = await believed(host)
    seat = known.facts.owing[0]
    move = next(iter(ENGINE.legal_moves(known.state, seat)))
    stale = party.order(known.facts.seats[seat].player, Submit(seat, move, decision=known.facts.decisions[seat]))
    await regrown(log, lost[-1][1].cursor.version)
    with suppress(Refused):
        await host.carry_out(MATCH, stale, by_then())
    await party.agrees(host)
    await is_one_line(log)


async def test_a_lost_command_that_is_sent_again_has_its_effect_now(log, store):
    host, _, lost = await known_beyond(log, store)
    assert await effects(log, lost[0][0]) == 0
    done = await host.carry_out(MATCH, lost[0][0], by_then())
    assert not done.duplicate
    assert await effects(log, lost[0][0]) == 1
    assert (await fold(log)).cursor == done.cursor
    again = await host.carry_out(MATCH, lost[0][0], by_then())
    assert (again.duplicate, again.cursor) == (True, done.cursor)


async def test_a_command_that_was_not_lost_has_its_earlier_answer(log, store):
    host, party = await opened(log), Party(log)
    await party.sits_down(host)
    ((order, done),) = await party.plays(host, 1)
    await store.keep_copy()
    await party.plays(host, LOST_MOVES)
    await store.go_back()
    again = await host.carry_out(MATCH, order, by_then())
    assert (again.duplicate, again.cursor) == (True, done.cursor)


async def test_a_request_id_of_the_lost_line_may_name_another_command(log, store):
    host, party, lost = await known_beyond(log, store)
    order = await party.move()
    other = party.order(order.player, order.command, request_id=lost[-1][0].request_id)
    assert not (await host.carry_out(MATCH, other, by_then())).duplicate
    await is_one_line(log)


async def test_a_question_is_answered_from_the_log_as_it_is(log, store):
    host, party, _ = await known_beyond(log, store)
    before = rewound()
    assert await host.validate(MATCH, await party.move()) == (party.facts.version, None)
    assert rewound() == before + 1


async def test_a_refusal_rests_on_the_log_as_it_is(log, store):
    """On the line that was lost the match is over."""
    host, party = await opened(log), Party(log)
    await party.sits_down(host)
    await store.keep_copy()
    await party.plays(host)
    assert party.facts.over
    await store.go_back()
    done = await host.carry_out(MATCH, await party.move(), by_then())
    assert done.first == party.facts.version + 1
    refused = await refusal(host.carry_out(MATCH, party.order(EVE, Submit(0, EASY)), by_then()))
    assert refused.reason is Reason.NOT_YOUR_SEAT


async def vanished(log, store):
    """A host that knows a match of which the store holds nothing, and its creation."""
    host, party = await opened(log), Party(log)
    await store.keep_copy()
    creation = party.creation()
    await host.create(MATCH, creation, EDITION, by_then())
    for order in party.claims():
        await host.carry_out(MATCH, order, by_then())
    await party.plays(host, 2)
    await store.go_back()
    return host, party, creation


async def test_a_match_that_vanished_is_unknown(log, store):
    host, party, _ = await vanished(log, store)
    before = rewound()
    refused = await refusal(host.carry_out(MATCH, party.order(ANN, Submit(0, EASY)), by_then()))
    assert refused.reason is Reason.UNKNOWN_MATCH
    assert rewound() == before + 1


async def test_a_match_that_vanished_is_made_anew_by_its_creation(log, store):
    host, party, creation = await vanished(log, store)
    before = rewound()
    assert not (await host.create(MATCH, creation, EDITION, by_then())).duplicate
    assert rewound() == before + 1
    for order in party.claims():
        await host.carry_out(MATCH, order, by_then())
    await party.plays(host)
    await is_one_line(log)


async def test_a_match_made_after_the_rewind_has_its_edition_in_the_store(log, store):
    """The copy is from before the edition was first used, and the host has seen it since."""
    host = await opened(log)
    await store.keep_copy()
    for match in ("FIRST", "SECOND"):
        await host.create(match, Party(log, match).creation(), EDITION, by_then())
    await store.go_back()
    assert await log.edition(EDITION_HASH) is None
    await host.create(MATCH, Party(log).creation(), EDITION, by_then())
    assert await log.edition(EDITION_HASH) == EDITION


async def test_a_match_whose_edition_the_store_lost_is_read_by_the_one_installed():
    log = MemoryLog()
    host, party = await opened(log), Party(log)
    await party.sits_down(host)
    del log._editions[EDITION_HASH]
    await party.plays(await opened(log), 2)


async def test_a_match_made_anew_elsewhere_under_the_same_id_has_another_secret(log, store):
    host, _, _ = await vanished(log, store)
    other = await opened(log)
    party = Party(log, seed=5)
    party.asked = 500
    await party.sits_down(other)
    await party.plays(host)
    assert party.facts.over
    await is_one_line(log)
    assert party.facts.secret == (await log.secret(MATCH)).hex()


async def test_a_creation_meets_the_match_that_has_its_id_now(log, store):
    host, _, creation = await vanished(log, store)
    party = Party(log)
    party.asked = 500
    await party.sits_down(await opened(log))
    assert (await refusal(host.create(MATCH, creation, EDITION, by_then()))).reason is Reason.MATCH_EXISTS


async def test_a_conflict_with_a_log_that_only_grew_is_no_rewind():
    log = MemoryLog()
    host, other, party = await opened(log), await opened(log), Party(log)
    await party.sits_down(host)
    before = rewound()
    for replica in (other, host, other, host):
        await party.plays(replica, 2)
    assert rewound() == before


async def refusal(awaitable):
    with pytest.raises(Refused) as raised:
        await awaitable
    return raised.value
