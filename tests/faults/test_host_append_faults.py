"""A host whose appends fail at every step: the log is the only truth, each command has one effect and one answer."""

import asyncio
from typing import NamedTuple

import pytest

from engines.core.chance import SeededChance
from services.common.refusals import Reason, Refused
from services.engine import host as hosting
from services.eventlog.commands import Create, Leave
from services.eventlog.memory import MemoryLog
from tests.services.engine.given import PATIENCE_S, Fate, FaultyLog, Party, by_then, effects, opened
from tests.services.eventlog.given import EDITION, MATCH, MODES, PLAYERS

COMMANDS = 120
MANY = 1_000


class Trouble(NamedTuple):
    """What befalls the attempts to append one command, and how the caller learns of it.

    `reason` None: the command is carried out nevertheless. `given_up` ends it at the first unknown answer.
    """

    fates: tuple[Fate, ...] = ()
    reason: Reason | None = None
    given_up: bool = False
    cancelled: str = ""

    def __str__(self):
        name = " then ".join(fate.name.lower() for fate in self.fates) or f"cancelled {self.cancelled}"
        return f"{name}, given up" if self.given_up else name


UNKNOWN = Reason.OUTCOME_UNKNOWN
TROUBLES = (
    Trouble((Fate.REFUSED,), Reason.STORE_AWAY),
    Trouble((Fate.LOST,)),
    Trouble((Fate.UNANSWERED,)),
    Trouble((Fate.CONFLICT,)),
    Trouble((Fate.CONFLICT, Fate.CONFLICT, Fate.UNANSWERED)),
    Trouble((Fate.LOST, Fate.LOST, Fate.UNANSWERED, Fate.LOST)),
    Trouble((Fate.LOST, Fate.REFUSED, Fate.REFUSED)),
    Trouble((Fate.UNANSWERED, Fate.REFUSED, Fate.UNANSWERED)),
    Trouble((Fate.LOST,), UNKNOWN, given_up=True),
    Trouble((Fate.UNANSWERED,), UNKNOWN, given_up=True),
    Trouble(cancelled="before"),
    Trouble(cancelled="after"),
)

CREATION_TROUBLES = [trouble for trouble in TROUBLES if Fate.CONFLICT not in trouble.fates]
"""A conflict over version 1 shows a match that exists."""


class Sufferer:
    """A party at a host whose log fails as it is told."""

    def __init__(self, log, host, party, monkeypatch):
        self.log, self.host, self.party, self.monkeypatch = log, host, party, monkeypatch

    async def ask(self, order):
        if isinstance(order.command, Create):
            return await self.host.create(MATCH, order, EDITION, by_then())
        return await self.host.carry_out(MATCH, order, by_then())

    async def suffer(self, order, trouble):
        """The command in trouble, and again without: one effect, one answer, and the match as the log has it."""
        self.monkeypatch.setattr(hosting, "FIRST_RETRY_S", 2 * PATIENCE_S if trouble.given_up else 0)
        self.log.fates.extend(trouble.fates)
        self.log.sent.clear()
        first = await (self.cut_short(order, trouble) if trouble.cancelled else self.answered(order, trouble))
        self.log.fates.clear()
        assert unknown_is_sent_again(self.log.sent, trouble)
        if await effects(self.log, order):
            await self.party.agrees(self.host)
        again = await self.ask(order)
        assert await effects(self.log, order) == 1
        if first is not None:
            assert again == type(first)(first.first, first.cursor, (), first.seat, duplicate=True)
        await self.party.agrees(self.host)
        await self.is_what_stands(order, again)

    async def answered(self, order, trouble):
        if trouble.reason is None:
            return await self.ask(order)
        with pytest.raises(Refused) as refused:
            await self.ask(order)
        assert refused.value.reason is trouble.reason
        return None

    async def cut_short(self, order, trouble):
        """The caller leaves while the append is under way."""
        reached = asyncio.Event()

        async def hold():
            reached.set()
            await asyncio.Event().wait()

        setattr(self.log, trouble.cancelled, hold)
        asking = asyncio.create_task(self.ask(order))
        await reached.wait()
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking

    async def is_what_stands(self, order, done):
        """The answer names the entries that the log holds of the command."""
        entries = await self.log.read(MATCH)
        first = next(entry for entry in entries if order.key.hex().encode() in entry.body)
        later = [entry.version for entry in entries[first.version :] if b'"req":"' in entry.body]
        last = later[0] - 1 if later else len(entries)
        assert (done.first, done.cursor) == (first.version, entries[last - 1].cursor)


def unknown_is_sent_again(sent, trouble):
    """Whether all attempts since the last conflict before an unknown answer carried the same bytes."""
    decided = [number for number, fate in enumerate(trouble.fates) if fate is Fate.CONFLICT]
    attempts = sent[decided[-1] + 1 if decided else 0 :]
    return all(attempt == attempts[0] for attempt in attempts[: len(trouble.fates)])


async def sufferer(number, monkeypatch):
    log = FaultyLog(MemoryLog())
    party = Party(log, seats=2 + number % 3, mode=list(MODES)[number % 3], seed=number)
    return Sufferer(log, await opened(log), party, monkeypatch)


async def play_in_trouble(number, monkeypatch):
    """A match in which every command fails in some way; how many there were."""
    suffering, chance = await sufferer(number, monkeypatch), SeededChance(number)
    party = suffering.party

    async def suffer(order):
        await suffering.suffer(order, TROUBLES[chance.draw("trouble", len(TROUBLES))])

    await suffering.suffer(party.creation(), CREATION_TROUBLES[number % len(CREATION_TROUBLES)])
    for order in party.claims():
        await suffer(order)
    done = party.seats
    while (await party.see()).facts.owing:
        leaves = party.seats > 2 and party.facts.version > 40 and not party.facts.left
        await suffer(party.order(PLAYERS[0], Leave(0)) if leaves else await party.move())
        done += 1
    await suffering.host.finish()
    return done


async def play_many_in_trouble(commands, monkeypatch):
    number = done = 0
    while done < commands:
        done += await play_in_trouble(number, monkeypatch)
        number += 1


async def test_after_a_failed_append_the_next_answer_and_view_are_the_logs(monkeypatch):
    await play_many_in_trouble(COMMANDS, monkeypatch)


@pytest.mark.soak
async def test_after_failed_appends_at_every_step_of_many_commands_too(monkeypatch):
    await play_many_in_trouble(MANY, monkeypatch)


@pytest.mark.parametrize("trouble", TROUBLES, ids=str)
async def test_each_trouble_befalls_a_creation_a_claim_and_a_move(monkeypatch, trouble):
    suffering = await sufferer(0, monkeypatch)
    party = suffering.party
    await suffering.suffer(party.creation(), trouble if trouble in CREATION_TROUBLES else Trouble())
    for order in party.claims():
        await suffering.suffer(order, trouble)
    for _ in range(20):  # past a snapshot
        await suffering.suffer(await party.move(), trouble)
    await suffering.host.finish()


async def test_past_its_deadline_a_command_is_unknown_and_its_match_is_forgotten(monkeypatch):
    suffering = await sufferer(0, monkeypatch)
    log, host, party = suffering.log, suffering.host, suffering.party
    await party.sits_down(host)
    order = await party.move()
    log.fates.extend([Fate.LOST] * 1_000_000)
    with pytest.raises(Refused) as refused:
        await host.carry_out(MATCH, order, by_then(0.5))
    assert refused.value.reason is UNKNOWN
    assert "same request id" in refused.value.message
    assert len(host.warm) == 0
    attempts = [append for append in log.sent if append.expected == party.facts.version]
    assert len(attempts) > 1
    assert all(append == attempts[0] for append in attempts)
    log.fates.clear()
    assert not (await host.carry_out(MATCH, order, by_then())).duplicate


async def test_commands_that_wait_behind_a_failed_one_are_judged_on_the_log(monkeypatch):
    """The first is in trouble while the others stand in the queue; the order of the rest is kept."""
    suffering = await sufferer(0, monkeypatch)
    log, host, party = suffering.log, suffering.host, suffering.party
    await party.sits_down(host)
    await party.see()
    released = asyncio.Event()
    log.before = released.wait
    log.fates.append(Fate.REFUSED)
    order = await party.move()
    asked = [asyncio.create_task(host.carry_out(MATCH, order, by_then())) for _ in range(5)]
    asked[0].add_done_callback(lambda _: None)
    released.set()
    failed, done, *again = await asyncio.gather(*asked, return_exceptions=True)
    assert failed.reason is Reason.STORE_AWAY
    assert (done.duplicate, done.first) == (False, party.facts.version + 1)
    assert [answer.cursor for answer in again] == [done.cursor] * 3
    assert all(answer.duplicate for answer in again)
    await party.agrees(host)
