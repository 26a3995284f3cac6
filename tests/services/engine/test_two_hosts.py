"""Two replicas on one log: one winner a version, nothing lost, and no judgement on a position that has passed."""

import asyncio
from itertools import cycle

import pytest

from engines.core.chance import SeededChance
from services.common.refusals import Reason, Refused
from services.eventlog.commands import Claim, Leave, Submit
from services.eventlog.memory import MemoryLog
from tests.services.engine.given import Fate, FaultyLog, Party, by_then, effects, fold, opened
from tests.services.eventlog.given import ANN, BEN, EASY, EDITION, ENGINE, HARD, MATCH, PLAYERS, creating


@pytest.fixture
async def hosts(event_log):
    return await opened(event_log), await opened(event_log)


async def test_a_match_is_played_over_both_in_turn(event_log, hosts):
    party = Party(event_log, seats=3, mode="arranged")
    await party.sits_down(hosts[0])
    turns = cycle(hosts)
    while (await party.see()).facts.owing:
        await party.plays(next(turns), 1)
    for host in hosts:
        await party.agrees(host, behind=True)
        await host.finish()


async def test_a_move_is_judged_where_the_log_stands_and_not_where_a_host_left_it(event_log, hosts):
    """The second host knows a position in which it is the other player's turn."""
    ours, theirs = hosts
    party = Party(event_log)
    await party.sits_down(ours)
    await party.plays_to(ours, 20)
    for _ in range(8):
        held = await theirs.validate(MATCH, await party.move())
        assert held == (party.facts.version, None)
        owner = party.facts.owing
        while party.facts.owing == owner:
            await party.plays(ours, 1)
            await party.see()
        order = await party.move()
        assert (await theirs.carry_out(MATCH, order, by_then())).first == party.facts.version + 1
        await party.agrees(theirs)
    await ours.finish()


async def test_a_seat_released_through_one_host_can_be_claimed_through_the_other(event_log, hosts):
    ours, theirs = hosts
    party = Party(event_log)
    await ours.create(MATCH, party.creation(), EDITION, by_then())
    for _ in range(3):
        with pytest.raises(Refused) as refused:
            await theirs.carry_out(MATCH, party.order(BEN, Claim(0)), by_then())
        assert refused.value.reason is Reason.SEAT_TAKEN
        await ours.carry_out(MATCH, party.order(ANN, Leave(0)), by_then())
        await theirs.carry_out(MATCH, party.order(ANN, Claim(0)), by_then())
    assert len(await event_log.read(MATCH)) == 8


async def test_players_who_choose_at_the_same_time_do_not_disturb_each_other(event_log, hosts):
    party = Party(event_log, seats=4)
    await party.sits_down(hosts[0])
    await party.see()
    decisions = party.facts.decisions
    assert party.facts.owing == (0, 1, 2, 3)
    orders = [party.order(PLAYERS[seat], Submit(seat, EASY, decisions[seat])) for seat in range(4)]
    asked = [host.carry_out(MATCH, order, by_then()) for order, host in zip(orders, cycle(hosts), strict=False)]
    answers = await asyncio.gather(*asked)
    assert len({done.first for done in answers}) == 4
    for order in orders:
        assert await effects(event_log, order) == 1
    for host in hosts:
        await party.agrees(host, behind=True)


async def test_of_two_moves_for_one_decision_one_wins(event_log, hosts):
    party, chance = Party(event_log), SeededChance(3)
    await party.sits_down(hosts[0])
    won = [0, 0]
    for _ in range(12):
        await party.see()
        seat = party.facts.owing[0]
        legal = list(ENGINE.legal_moves(party.state, seat))
        moves = [legal[chance.draw("move", len(legal))] for _ in hosts]
        decision, player = party.facts.decisions[seat], party.facts.seats[seat].player
        orders = [party.order(player, Submit(seat, move, decision)) for move in moves]
        asked = [host.carry_out(MATCH, order, by_then()) for host, order in zip(hosts, orders, strict=True)]
        answers = await asyncio.gather(*asked, return_exceptions=True)
        (loser,) = [answer for answer in answers if isinstance(answer, Refused)]
        assert loser.reason is Reason.STALE
        won[answers.index(loser) - 1] += 1
        assert sum([await effects(event_log, order) for order in orders]) == 1
    assert sum(won) == 12
    for host in hosts:
        await party.agrees(host, behind=True)


async def test_one_request_sent_to_both_has_one_effect_and_one_answer(event_log, hosts):
    party = Party(event_log)
    create = party.creation()
    made = await asyncio.gather(*(host.create(MATCH, create, EDITION, by_then()) for host in hosts))
    for order in party.claims():
        made += await asyncio.gather(*(host.carry_out(MATCH, order, by_then()) for host in hosts))
    for _ in range(10):
        order = await party.move()
        made += await asyncio.gather(*(host.carry_out(MATCH, order, by_then()) for host in hosts))
        assert await effects(event_log, order) == 1
    for ours, theirs in zip(made[::2], made[1::2], strict=True):
        assert (ours.first, ours.cursor, ours.seat) == (theirs.first, theirs.cursor, theirs.seat)
        assert {ours.duplicate, theirs.duplicate} == {False, True}
    await party.agrees(hosts[0], behind=True)


class Beaten:
    """A host whose next append comes after another's."""

    def __init__(self, log, host, rival, party):
        self.log, self.host, self.rival, self.party = log, host, rival, party

    def by(self, order):
        async def overtake():
            await self.rival.carry_out(MATCH, order, by_then())

        self.log.before = overtake


@pytest.fixture
async def beaten():
    log = MemoryLog()
    faulty = FaultyLog(log)
    host, rival, party = await opened(faulty), await opened(log), Party(log)
    await party.sits_down(host)
    return Beaten(faulty, host, rival, party)


async def test_after_a_conflict_a_move_that_still_stands_is_decided_anew(beaten):
    party = beaten.party
    await party.see()
    beaten.by(party.order(BEN, Submit(1, EASY)))
    ours = party.order(ANN, Submit(0, HARD))
    done = await beaten.host.carry_out(MATCH, ours, by_then())
    assert done.first == party.facts.version + 2
    first, second = beaten.log.sent[-2:]
    assert (first.expected, second.expected) == (done.first - 2, done.first - 1)
    assert first.entries[0].hash != second.entries[0].hash
    await party.agrees(beaten.host)


async def test_after_a_conflict_a_move_that_no_longer_stands_is_refused(beaten):
    party = beaten.party
    beaten.by(party.order(ANN, Leave(0)))
    ours = party.order(ANN, Submit(0, EASY))
    with pytest.raises(Refused) as refused:
        await beaten.host.carry_out(MATCH, ours, by_then())
    assert refused.value.reason is Reason.MATCH_OVER
    assert await effects(beaten.log, ours) == 0
    await party.agrees(beaten.host)


async def test_after_a_conflict_with_its_own_request_a_command_has_the_first_answer(beaten):
    party = beaten.party
    ours = party.order(ANN, Submit(0, EASY))
    beaten.by(ours)
    done = await beaten.host.carry_out(MATCH, ours, by_then())
    assert (done.duplicate, done.entries) == (True, ())
    assert await effects(beaten.log, ours) == 1
    assert done.cursor == (await fold(beaten.log)).cursor


async def test_after_a_conflict_the_same_request_id_with_another_body_is_refused(beaten):
    party = beaten.party
    theirs = party.order(ANN, Submit(0, EASY))
    beaten.by(theirs)
    with pytest.raises(Refused) as refused:
        await beaten.host.carry_out(MATCH, party.order(ANN, Submit(0, HARD), theirs.request_id), by_then())
    assert refused.value.reason is Reason.REQUEST_ID_REUSED


async def test_of_two_creations_of_one_id_the_later_is_told_of_the_first(beaten):
    party = beaten.party
    with pytest.raises(Refused) as refused:
        await beaten.host.create(MATCH, party.order(BEN, creating()), EDITION, by_then())
    assert refused.value.reason is Reason.MATCH_EXISTS


async def test_conflicts_without_end_are_answered_at_the_deadline(beaten):
    party = beaten.party
    await party.see()
    beaten.log.fates.extend([Fate.CONFLICT] * 100_000)
    ours = party.order(ANN, Submit(0, EASY))
    with pytest.raises(Refused) as refused:
        await beaten.host.carry_out(MATCH, ours, by_then(0.05))
    assert refused.value.reason is Reason.TOO_MUCH
    beaten.log.fates.clear()
    assert (await beaten.host.carry_out(MATCH, ours, by_then())).first == party.facts.version + 1
