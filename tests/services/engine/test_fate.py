"""An append that was applied, or may be, and then more trouble: nobody is told that nothing was changed."""

import asyncio

import pytest

from services.common.refusals import Reason, Refused
from services.eventlog.memory import MemoryLog
from services.eventlog.port import Conflict, OutcomeUnknown, StoreAway, WrongStore
from tests.services.engine.given import Fate, FaultyLog, Party, by_then, effects, opened
from tests.services.eventlog.given import EDITION, MATCH


class FailingLog(FaultyLog):
    """After a conflict, told `slow_s` late, reads fail with `away`; appends after the first fail with `wrong`."""

    def __init__(self, log):
        super().__init__(log)
        self.away = self.wrong = None
        self.slow_s = 0.0
        self.conflicts = 0

    async def append(self, append):
        if self.wrong is not None and self.sent:
            raise self.wrong
        answer = await super().append(append)
        if isinstance(answer, Conflict):
            self.conflicts += 1
            await asyncio.sleep(self.slow_s)
        return answer

    async def read(self, *args, **more):
        return await self._guarded(self._log.read(*args, **more))

    async def secure(self, match):
        return await self._guarded(self._log.secure(match))

    async def _guarded(self, asked):
        if self.away is not None and self.conflicts:
            asked.close()
            raise self.away
        return await asked

    def mended(self):
        self.away = self.wrong = None
        self.fates.clear()


@pytest.fixture
def log():
    return FailingLog(MemoryLog())


@pytest.fixture
async def host(log):
    return await opened(log)


@pytest.fixture
async def party(log, host):
    party = Party(log)
    await party.sits_down(host)
    log.sent.clear()
    return party


async def told(asked):
    with pytest.raises(Refused) as refused:
        await asked
    assert "nothing was changed" not in refused.value.message
    return refused.value.reason


FAILURES = [StoreAway("away"), OutcomeUnknown("silent"), WrongStore("another"), RuntimeError("a fault of ours")]


@pytest.mark.parametrize("failure", FAILURES, ids=lambda failure: type(failure).__name__)
async def test_a_log_that_can_not_be_read_after_the_conflict_leaves_a_move_unknown(log, host, party, failure):
    order = await party.move()
    log.fates.append(Fate.UNANSWERED)
    log.away = failure
    assert await told(host.carry_out(MATCH, order, by_then())) is Reason.OUTCOME_UNKNOWN
    assert log.conflicts == 1
    log.mended()
    assert (await host.carry_out(MATCH, order, by_then())).duplicate
    assert await effects(log, order) == 1


@pytest.mark.parametrize("failure", FAILURES, ids=lambda failure: type(failure).__name__)
async def test_a_log_that_can_not_be_read_after_the_conflict_leaves_a_creation_unknown(log, host, failure):
    order = Party(log).creation()
    log.fates.append(Fate.UNANSWERED)
    log.away = failure
    assert await told(host.create(MATCH, order, EDITION, by_then())) is Reason.OUTCOME_UNKNOWN
    assert log.conflicts == 1
    log.mended()
    assert (await host.create(MATCH, order, EDITION, by_then())).duplicate


async def test_a_deadline_that_passes_after_the_conflict_leaves_a_move_unknown(log, host, party):
    order = await party.move()
    log.fates.append(Fate.UNANSWERED)
    log.slow_s = 0.3
    assert await told(host.carry_out(MATCH, order, by_then(0.2))) is Reason.OUTCOME_UNKNOWN
    assert await effects(log, order) == 1


async def test_a_command_found_in_the_log_that_can_not_be_made_safe_is_unknown(log, host, party):
    order = await party.move()
    await host.carry_out(MATCH, order, by_then())
    log.conflicts, log.away = 1, StoreAway("away")
    assert await told(host.carry_out(MATCH, order, by_then())) is Reason.OUTCOME_UNKNOWN


async def test_another_store_met_after_an_append_without_answer_leaves_it_unknown(log, host, party):
    order = await party.move()
    log.fates.append(Fate.UNANSWERED)
    log.wrong = WrongStore("another")
    assert await told(host.carry_out(MATCH, order, by_then())) is Reason.OUTCOME_UNKNOWN


async def test_another_store_met_before_anything_was_sent_is_certain(log, host, party):
    order = await party.move()
    log.sent.append(order)
    log.wrong = WrongStore("another")
    with pytest.raises(Refused) as refused:
        await host.carry_out(MATCH, order, by_then())
    assert refused.value.reason is Reason.STORE_AWAY
    assert await effects(log, order) == 0


async def test_an_attempt_that_the_log_has_passed_is_known_not_to_stand(log, host, party):
    """Lost on the way and then beaten: what follows is certain again."""
    order = await party.move()
    log.fates.extend([Fate.LOST, Fate.CONFLICT, Fate.REFUSED])
    with pytest.raises(Refused) as refused:
        await host.carry_out(MATCH, order, by_then())
    assert refused.value.reason is Reason.STORE_AWAY
    assert await effects(log, order) == 0


async def test_a_fault_behind_the_append_leaves_it_unknown(log, host, party, monkeypatch):
    order = await party.move()

    def broken(*_args):
        raise RuntimeError("broken for the test")

    monkeypatch.setattr(host._saver, "save", broken)
    assert await told(host.carry_out(MATCH, order, by_then())) is Reason.OUTCOME_UNKNOWN
    assert await effects(log, order) == 1
