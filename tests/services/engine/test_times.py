"""The host as the judge of time: by its own fold and the store's clock, whoever asks."""

import pytest

from services.common.refusals import Reason, Refused
from services.engine.importing import Importer
from services.eventlog.commands import Claim, Leave
from services.eventlog.entries import header_of
from services.eventlog.export import export_full
from services.eventlog.outages import OUTAGE_MS
from services.eventlog.port import StoreAway
from services.eventlog.sealing import SecretKeeper
from services.eventlog.terms import DAY_MS, Terms
from services.eventlog.timetable import Due, Waiting
from services.eventlog.verify import check_log
from tests.services.engine.given import Fate, FaultyLog, Party, by_then, fold
from tests.services.engine.hours import Hours
from tests.services.eventlog.given import ANN, BEN, EDITION, GAME, MATCH, NOON
from tests.services.eventlog.timed import BANK, MINUTE, terms

OUT = "match.timed_out"


@pytest.fixture
def hours() -> Hours:
    return Hours()


async def types(log) -> list[str]:
    return [header_of(entry).type for entry in await log.read(MATCH)]


async def begun(hours, host, *, given: Terms | None = None, seats: int = 3) -> Party:
    party = Party(hours.memory, seats=seats, mode="young")
    await host.create(MATCH, party.creation(terms=given or terms()), EDITION, by_then())
    for order in party.claims():
        await host.carry_out(MATCH, order, by_then())
    await party.see()
    return party


async def refusal(asked) -> Refused:
    with pytest.raises(Refused) as refused:
        await asked
    return refused.value


async def test_a_proposal_before_the_deadline_is_refused_and_says_when(hours):
    host = await hours.host()
    await begun(hours, host)
    await hours.pass_by(MINUTE - 1, host)
    before = await types(hours.memory)
    refused = await refusal(host.expire(MATCH, by_then()))
    assert (refused.reason, refused.retry_after_ms) == (Reason.NOT_DUE, 1)
    assert await types(hours.memory) == before


async def test_at_the_deadline_it_is_carried_out_once(hours):
    host = await hours.host()
    await begun(hours, host)
    await hours.pass_by(MINUTE, host)
    done = await host.expire(MATCH, by_then())
    assert header_of(done.entries[0]).type == OUT
    assert (await refusal(host.expire(MATCH, by_then()))).reason is Reason.NOT_DUE
    assert (await types(hours.memory)).count(OUT) == 1


async def test_a_move_behind_the_deadline_finds_that_the_time_has_run_out(hours):
    host = await hours.host()
    party = await begun(hours, host)
    order = await party.move()
    await hours.pass_by(MINUTE, host)
    assert (await refusal(host.carry_out(MATCH, order, by_then()))).reason is Reason.OUT_OF_TIME
    assert (await types(hours.memory)).count(OUT) == 1
    assert (await party.see()).facts.left == [0]
    await party.agrees(host)


async def test_another_seats_command_finds_it_too_and_is_carried_out(hours):
    host = await hours.host()
    party = await begun(hours, host)
    await hours.pass_by(MINUTE, host)
    done = await host.carry_out(MATCH, party.order(BEN, Leave(1)), by_then())
    assert header_of(done.entries[0]).type == "match.resigned"
    assert (await party.see()).facts.left == [0, 1]


async def test_a_move_that_was_in_time_is_told_again_behind_the_deadline(hours):
    host = await hours.host()
    party = await begun(hours, host)
    order = await party.move()
    first = await host.carry_out(MATCH, order, by_then())
    await hours.pass_by(3 * MINUTE, host)
    again = await host.carry_out(MATCH, order, by_then())
    assert (again.duplicate, again.cursor) == (True, first.cursor)


async def test_a_question_behind_the_deadline_changes_nothing(hours):
    host = await hours.host()
    party = await begun(hours, host)
    order = await party.move()
    assert (await host.validate(MATCH, order))[1] is None
    await hours.pass_by(MINUTE, host)
    _, refused = await host.validate(MATCH, order)
    assert refused.reason is Reason.OUT_OF_TIME
    assert OUT not in await types(hours.memory)


async def test_two_hosts_to_whom_it_is_proposed_at_once_carry_it_out_once(hours):
    log = FaultyLog(hours.memory)
    one, other = await hours.host(log), await hours.host()
    await begun(hours, other)
    await hours.pass_by(MINUTE, one, other)
    told = []

    async def meanwhile() -> None:
        told.append(await other.expire(MATCH, by_then()))

    log.before = meanwhile
    done = await one.expire(MATCH, by_then())
    assert (done.duplicate, told[0].duplicate) == (True, False)
    assert done.cursor == told[0].cursor
    assert (await types(hours.memory)).count(OUT) == 1


@pytest.mark.parametrize("fate", [Fate.UNANSWERED, Fate.LOST, Fate.CONFLICT])
async def test_whatever_befalls_the_append_it_is_carried_out_once(hours, fate):
    log = FaultyLog(hours.memory)
    host = await hours.host(log)
    party = await begun(hours, host)
    await hours.pass_by(MINUTE, host)
    log.fates.append(fate)
    await host.expire(MATCH, by_then())
    assert (await types(hours.memory)).count(OUT) == 1
    await party.agrees(host)


@pytest.mark.parametrize("fate", [Fate.UNANSWERED, Fate.LOST, Fate.CONFLICT, Fate.REFUSED])
async def test_whatever_befalls_it_before_a_late_move_the_move_is_late(hours, fate):
    log = FaultyLog(hours.memory)
    host = await hours.host(log)
    party = await begun(hours, host)
    order = await party.move()
    await hours.pass_by(MINUTE, host)
    log.fates.append(fate)
    reason = (await refusal(host.carry_out(MATCH, order, by_then()))).reason
    assert reason is (Reason.STORE_AWAY if fate is Fate.REFUSED else Reason.OUT_OF_TIME)
    assert (await refusal(host.carry_out(MATCH, order, by_then()))).reason is Reason.OUT_OF_TIME
    assert (await types(hours.memory)).count(OUT) == 1


async def test_a_move_that_loses_to_the_timeout_of_another_host_is_late(hours):
    """It was decided in time, but the log went on before it was appended: the log's time decides."""
    log = FaultyLog(hours.memory)
    one, other = await hours.host(log), await hours.host()
    party = await begun(hours, other)
    order = await party.move()
    await hours.pass_by(MINUTE - 1, one, other)

    async def meanwhile() -> None:
        hours.now += 1
        await other.expire(MATCH, by_then())

    log.before = meanwhile
    assert (await refusal(one.carry_out(MATCH, order, by_then()))).reason is Reason.OUT_OF_TIME
    assert (await types(hours.memory)).count(OUT) == 1


class TestOutages:
    async def test_while_nobody_is_served_nobody_runs_out_of_time(self, hours):
        host = await hours.host()
        await begun(hours, host)
        hours.now += 10 * MINUTE
        refused = await refusal(host.expire(MATCH, by_then()))
        assert (refused.reason, refused.retry_after_ms) == (Reason.NOT_DUE, 2000)
        assert OUT not in await types(hours.memory)

    async def test_the_first_beat_after_it_puts_the_deadline_off(self, hours):
        host = await hours.host()
        party = await begun(hours, host)
        hours.now += 10 * MINUTE
        assert await host.beat() == hours.now
        done = await host.expire(MATCH, by_then())
        assert [header_of(entry).type for entry in done.entries] == ["match.time_compensated"]
        assert (await party.see()).facts.clocks[0].deadline == hours.now + MINUTE
        await hours.pass_by(MINUTE, host)
        await host.expire(MATCH, by_then())
        assert (await party.see()).facts.left == [0]

    async def test_the_first_command_after_it_is_a_beat_too(self, hours):
        host = await hours.host()
        party = await begun(hours, host, given=terms(BANK))
        order = await party.move()
        hours.now += 10 * MINUTE
        await host.carry_out(MATCH, order, by_then())
        facts = (await party.see()).facts
        assert facts.clocks[0].left_ms == BANK.bank_ms + BANK.increment_ms
        assert (await hours.memory.timetable.beats(GAME)).last == hours.now

    async def test_an_outage_that_another_host_learnt_of_counts_here(self, hours):
        one, other = await hours.host(), await hours.host()
        party = await begun(hours, one, given=terms(BANK))
        order = await party.move()
        await hours.pass_by(10_000, one)
        hours.now += OUTAGE_MS + 1
        await other.beat()
        await one.carry_out(MATCH, order, by_then())
        assert (await party.see()).facts.clocks[0].left_ms == BANK.bank_ms + BANK.increment_ms - 10_000

    async def test_a_short_gap_is_charged(self, hours):
        host = await hours.host()
        party = await begun(hours, host, given=terms(BANK))
        await hours.pass_by(10_000, host)
        hours.now += OUTAGE_MS
        order = await party.move()
        await host.carry_out(MATCH, order, by_then())
        assert (await party.see()).facts.clocks[0].left_ms == BANK.bank_ms + BANK.increment_ms - 10_000 - OUTAGE_MS

    async def test_a_store_that_does_not_tell_of_outages_refuses_the_command(self, hours, monkeypatch):
        host = await hours.host()
        party = await begun(hours, host)
        order = await party.move()
        hours.now += MINUTE

        async def away(_game):
            raise StoreAway("gone")

        monkeypatch.setattr(hours.memory.timetable, "beats", away)
        before = await types(hours.memory)
        assert (await refusal(host.carry_out(MATCH, order, by_then()))).reason is Reason.STORE_AWAY
        assert await types(hours.memory) == before


class TestTimetable:
    async def due(self, hours) -> list[Waiting]:
        return await hours.memory.timetable.due(NOON + 1000 * DAY_MS, 9)

    async def test_it_follows_the_match_from_creation_to_end(self, hours):
        host = await hours.host()
        party = Party(hours.memory, mode="young")
        await host.create(MATCH, party.creation(terms=terms()), EDITION, by_then())
        assert await self.due(hours) == [Waiting(MATCH, GAME, NOON + DAY_MS)]
        await hours.pass_by(5000, host)
        await host.carry_out(MATCH, party.claims()[0], by_then())
        assert await self.due(hours) == [Waiting(MATCH, GAME, NOON + 5000 + MINUTE)]
        await hours.pass_by(5000, host)
        await party.plays(host, 1)
        assert await self.due(hours) == [Waiting(MATCH, GAME, NOON + 10_000 + MINUTE)]
        await party.plays(host)
        assert await self.due(hours) == []

    async def test_moves_of_a_match_without_a_clock_leave_it_until_it_is_looked_at(self, hours):
        host = await hours.host()
        party = await begun(hours, host, given=Terms())
        first = [Waiting(MATCH, GAME, NOON + 90 * DAY_MS)]
        hours.now += MINUTE
        await party.plays(host, 1)
        assert await self.due(hours) == first
        hours.now = NOON + 90 * DAY_MS
        assert (await refusal(host.expire(MATCH, by_then()))).reason is Reason.NOT_DUE
        assert await self.due(hours) == [Waiting(MATCH, GAME, NOON + MINUTE + 90 * DAY_MS)]
        hours.now += MINUTE
        await host.expire(MATCH, by_then())
        assert await self.due(hours) == []
        assert (await types(hours.memory))[-2:] == ["match.expired", "match.secret_revealed"]

    async def test_a_match_that_is_over_is_taken_off(self, hours):
        host = await hours.host()
        party = await begun(hours, host)
        await party.plays(host)
        head = await hours.memory.head(MATCH)
        await hours.memory.timetable.set(MATCH, head, Due(GAME, NOON))
        assert (await refusal(host.expire(MATCH, by_then()))).reason is Reason.MATCH_OVER
        assert await self.due(hours) == []

    async def test_a_match_that_is_not_there_is_refused(self, hours):
        host = await hours.host()
        assert (await refusal(host.expire("NOWHERE", by_then()))).reason is Reason.UNKNOWN_MATCH

    async def test_a_held_seat_is_released_in_time(self, hours):
        host = await hours.host()
        party = Party(hours.memory)
        await host.create(MATCH, party.creation(auto_start=False), EDITION, by_then())
        await host.carry_out(MATCH, party.order(BEN, Claim(1, until=NOON + 10_000)), by_then())
        assert await self.due(hours) == [Waiting(MATCH, GAME, NOON + 10_000)]
        hours.now += 10_000
        await host.expire(MATCH, by_then())
        assert [seat.player for seat in (await fold(hours.memory)).facts.seats] == [ANN, None]
        assert await self.due(hours) == [Waiting(MATCH, GAME, NOON + DAY_MS)]


async def exported(hours) -> bytes:
    secret = await hours.memory.secret(MATCH)
    return b"".join(export_full(await hours.memory.read(MATCH), EDITION, secret))


async def test_a_restored_match_has_the_time_that_it_had_when_it_was_taken_out(hours):
    host = await hours.host()
    party = await begun(hours, host, given=terms(BANK))
    await hours.pass_by(10_000, host)
    await party.plays(host, 1)
    taken, left = await exported(hours), (await party.see()).facts.clocks[1].left_ms
    there = Hours()
    there.now = hours.now + 3 * DAY_MS
    other = await there.host()
    await Importer(GAME, there.memory, SecretKeeper()).store([taken], None)
    assert await there.memory.timetable.due(there.now, 9) == []
    await other.come_back(MATCH, by_then())
    facts = (await fold(there.memory)).facts
    assert facts.clocks[1].deadline == there.now + left
    assert (await types(there.memory))[-1] == "match.time_compensated"
    assert await there.memory.timetable.due(there.now + left, 9) == [Waiting(MATCH, GAME, there.now + left)]
    secret = await there.memory.secret(MATCH)
    check_log(await there.memory.read(MATCH), EDITION, MATCH, secret)


async def test_a_restored_match_without_a_clock_gets_nothing(hours):
    await begun(hours, await hours.host(), given=Terms())
    taken, there = await exported(hours), Hours()
    other = await there.host()
    await Importer(GAME, there.memory, SecretKeeper()).store([taken], None)
    before = await types(there.memory)
    await other.come_back(MATCH, by_then())
    assert await types(there.memory) == before


async def test_terms_that_can_not_be_are_refused_and_nothing_is_written(hours):
    host = await hours.host()
    party = Party(hours.memory)
    ten_years = Terms(clock=type(BANK)(move_ms=3650 * DAY_MS))
    for given in (Terms(clock=type(BANK)()), ten_years):
        refused = await refusal(host.create(MATCH, party.creation(terms=given), EDITION, by_then()))
        assert refused.reason is Reason.MALFORMED
    assert await hours.memory.read(MATCH) == []
