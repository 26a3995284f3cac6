"""An append that fails leaves the log as the only truth: the host drops what it decided and folds the log again."""

from enum import StrEnum

import pytest

from engines.core.chance import SeededChance
from services.eventlog import deciding, snapshots
from services.eventlog.aggregate import Aggregate
from services.eventlog.checking import earlier
from services.eventlog.commands import Order
from services.eventlog.entries import START, Entry
from services.eventlog.loading import SNAPSHOT_EVERY, Loader
from services.eventlog.memory import MemoryLog
from services.eventlog.port import Append, Appended, Conflict, OutcomeUnknown, StoreAway
from tests.services.eventlog.given import EDITION, EDITION_HASH, MODES, NOON, SECRET, Hosted, next_order, started


class Fate(StrEnum):
    REFUSED = "refused"
    LOST = "lost on the way"
    UNANSWERED = "applied, its answer lost"


FATES = tuple(Fate)
COMMANDS = 1_000
LONG = 20_000


class FaultyLog(MemoryLog):
    """Its next append meets the fate that is set."""

    def __init__(self) -> None:
        super().__init__(lambda: NOON)
        self.fate: Fate | None = None

    async def append(self, append: Append) -> Appended | Conflict:
        fate, self.fate = self.fate, None
        if fate in {None, Fate.UNANSWERED}:
            done = await super().append(append)
        if fate is not None:
            raise (StoreAway if fate is Fate.REFUSED else OutcomeUnknown)(fate)
        return done


class Replica:
    """A host in short: one warm match, dropped whenever an append raises."""

    def __init__(self, log: FaultyLog, match: str, hosted: Hosted) -> None:
        self.log = log
        self.loader = Loader(log)
        self.match = match
        self.warm: Aggregate | None = hosted.aggregate
        self.hosted = hosted

    async def bring_up(self) -> Aggregate:
        if self.warm is None:
            self.warm = await self.loader.load(self.match)
        return self.warm

    async def append(self, order: Order) -> tuple[Entry, ...]:
        """The entries of a command that was not carried out before; raises what the store raises."""
        aggregate = await self.bring_up()
        if earlier(aggregate.facts, order) is not None:
            return ()
        after = aggregate.cursor
        self.warm = None
        entries = deciding.decide(aggregate, order, SECRET, NOON)
        assert isinstance(await self.log.append(Append(self.match, after, entries)), Appended)
        self.warm = aggregate
        return entries


async def begun(number: int) -> Replica:
    log = FaultyLog()
    hosted = started(2 + number % 3, list(MODES.values())[number % 3])
    match = hosted.facts.id
    await log.append(Append(match, START, tuple(hosted.entries), SECRET))
    await log.put_edition(EDITION_HASH, EDITION)
    return Replica(log, match, hosted)


async def fail_each(commands: int) -> None:
    number = done = 0
    while done < commands:
        done += await play_through(await begun(number), SeededChance(number))
        number += 1


async def play_through(replica: Replica, chance: SeededChance) -> int:
    """Plays the match to its end; how many commands failed and were sent again."""
    failed = 0
    while (aggregate := await replica.bring_up()).facts.owing:
        before = snapshots.dump(aggregate)
        replica.hosted.aggregate = aggregate
        order = next_order(replica.hosted, chance)
        fate = replica.log.fate = FATES[chance.draw("fate", len(FATES))]
        with pytest.raises((StoreAway, OutcomeUnknown)):
            await replica.append(order)
        assert replica.warm is None
        rebuilt = await replica.bring_up()
        applied = fate is Fate.UNANSWERED
        assert (snapshots.dump(rebuilt) == before) is not applied
        assert bool(await replica.append(order)) is not applied
        await compare(replica)
        failed += 1
    return failed


async def compare(replica: Replica) -> None:
    """The warm match is the fold of the log from its first entry."""
    aggregate = await replica.bring_up()
    entries = await replica.log.read(replica.match)
    fold = (await replica.loader.fresh(replica.match, entries[0])).apply_all(entries)
    assert snapshots.dump(fold) == snapshots.dump(aggregate)
    if aggregate.facts.version % SNAPSHOT_EVERY < 3:
        await replica.log.put_snapshot(replica.match, snapshots.dump(aggregate))


async def test_after_a_failed_append_the_match_is_what_the_log_says():
    await fail_each(COMMANDS)


@pytest.mark.soak
async def test_after_many_failed_appends_too():
    await fail_each(LONG)
