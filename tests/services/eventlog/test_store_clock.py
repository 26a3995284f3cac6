import pytest

from services.eventlog.port import StoreAway
from services.eventlog.store_clock import StoreClock

MS = 1_000_000


class Machine:
    """A monotonic clock and a store's, moved by hand; each question takes `trip` ms either way."""

    def __init__(self, store_ms: int, trip_ms: int = 0) -> None:
        self.monotonic = 5_000 * MS
        self.store = store_ms * MS
        self.trip = trip_ms * MS
        self.away = False

    def pass_ms(self, count: int) -> None:
        self.monotonic += count * MS
        self.store += count * MS

    def monotonic_ns(self) -> int:
        return self.monotonic

    async def time_ms(self) -> int:
        if self.away:
            raise StoreAway("gone")
        self.pass_ms(self.trip // MS)
        answer = self.store // MS
        self.pass_ms(self.trip // MS)
        return answer


async def learnt(machine: Machine) -> StoreClock:
    clock = StoreClock(machine.time_ms, machine.monotonic_ns)
    await clock.refresh()
    return clock


async def test_it_reads_what_the_store_would_answer():
    machine = Machine(1_700_000_000_000)
    clock = await learnt(machine)
    assert clock.now_ms() == 1_700_000_000_000
    machine.pass_ms(1234)
    assert clock.now_ms() == 1_700_000_001_234


async def test_the_answer_holds_at_the_middle_of_the_round_trip():
    machine = Machine(1_000_000, trip_ms=40)
    clock = await learnt(machine)
    assert clock.now_ms() == machine.store // MS


async def test_it_never_goes_backwards():
    machine = Machine(1_000_000)
    clock = await learnt(machine)
    before = clock.now_ms()
    machine.store -= 500 * MS
    await clock.refresh()
    assert clock.now_ms() == before
    machine.pass_ms(400)
    assert clock.now_ms() == before
    machine.pass_ms(101)
    assert clock.now_ms() == before + 1


async def test_a_store_that_is_away_leaves_the_old_offset():
    machine = Machine(1_000_000)
    clock = await learnt(machine)
    machine.away = True
    with pytest.raises(StoreAway):
        await clock.refresh()
    machine.pass_ms(7)
    assert clock.now_ms() == 1_000_007


async def test_it_follows_a_real_store(event_log):
    clock = StoreClock(event_log.time_ms)
    await clock.refresh()
    reading = clock.now_ms()
    assert abs(reading - await event_log.time_ms()) < 1_000
