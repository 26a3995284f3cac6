"""Hosts before a store that loses requests and answers on the way: one effect, the first answer."""

import asyncio

import pytest

from services.eventlog.redis_log import RedisLog
from tests.proxy import Fault
from tests.services.engine.given import Party, by_then, effects, opened
from tests.services.eventlog.given import EDITION, MATCH

LOSSES = (Fault.DROP_REQUEST, Fault.DROP_ANSWER)


@pytest.fixture
async def log(proxy):
    log = await RedisLog.open(proxy.url)
    yield log
    await log.close()


@pytest.fixture
async def host(log):
    """Its script is loaded: the first append meets no fault."""
    host = await opened(log)
    await Party(log, "warm").sits_down(host)
    return host


async def asked_in_trouble(asked, happened):
    done = await asked
    assert happened.is_set()
    return done


@pytest.mark.parametrize("fault", LOSSES)
async def test_a_command_lost_on_the_way_or_back_has_one_effect_and_one_answer(proxy, log, host, fault):
    party = Party(log)
    create = party.creation()
    orders = party.claims()
    applied = fault is Fault.DROP_ANSWER
    done = await asked_in_trouble(host.create(MATCH, create, EDITION, by_then()), proxy.arm(fault))
    assert (done.first, done.cursor.version, done.duplicate) == (1, 2, applied)
    for number in range(12):
        order = orders[number] if number < len(orders) else await party.move()
        before = len(await log.read(MATCH))
        done = await asked_in_trouble(host.carry_out(MATCH, order, by_then()), proxy.arm(fault))
        assert (done.first, done.cursor) == (before + 1, await log.head(MATCH))
        assert done.duplicate is applied
        assert bool(done.entries) is not applied
        again = await host.carry_out(MATCH, order, by_then())
        assert (again.first, again.cursor, again.seat) == (done.first, done.cursor, done.seat)
        assert await effects(log, order) == 1
        await party.agrees(host)


@pytest.mark.parametrize("fault", [*LOSSES, Fault.HALF_ANSWER])
async def test_what_shares_the_pipeline_of_a_lost_command_is_answered_too(proxy, log, host, fault):
    parties = [Party(log, f"{MATCH}-{n}", seed=n) for n in range(24)]
    for party in parties:
        await party.sits_down(host)
    orders = [await party.move() for party in parties]
    happened = proxy.arm(fault)
    asked = [host.carry_out(party.match, order, by_then()) for party, order in zip(parties, orders, strict=True)]
    answers = await asyncio.gather(*asked)
    assert happened.is_set()
    for party, order, done in zip(parties, orders, answers, strict=True):
        assert done.first == party.facts.version + 1
        assert await effects(log, order, party.match) == 1
        await party.agrees(host)


@pytest.mark.parametrize("marker", [b"XRANGE", b"GET", b"SET"])
async def test_a_lost_read_is_refused_and_a_lost_snapshot_missed_by_nobody(proxy, log, host, marker):
    party = Party(log)
    await party.sits_down(host)
    await party.plays_to(host, 40)
    host.warm.forget(MATCH)
    order = await party.move()
    happened = proxy.arm(Fault.DROP_REQUEST, on=marker)
    answers = await asyncio.gather(host.carry_out(MATCH, order, by_then()), return_exceptions=True)
    if happened.is_set() and isinstance(answers[0], Exception):
        assert "nothing was changed" in str(answers[0])
    await host.carry_out(MATCH, order, by_then())
    await party.plays(host)
    await host.finish()
    await party.agrees(host)
    assert await effects(log, order) == 1
