"""A seat's decision is tried until it is answered for good."""

import asyncio

import pytest

from services.bots import deciding
from services.bots.deciding import Deciding
from services.bots.occasions import Moment
from services.common.logs import logger
from tidelog.client import Refused
from tidelog.client.answers import LegalMoves, Situation
from tidelog.client.refused import TRANSIENT

DONE = "done"


def situation(version: int, decision: int | None, move: str = "a") -> Situation:
    legal = None if decision is None else LegalMoves((move,), ())
    return Situation(f"{version}-x", legal=legal, decision=decision)


async def owed(_: Situation) -> None:
    return None


class Moments:
    """A seat that may move, in one moment after another."""

    def __init__(self) -> None:
        self.now = ((0, 1),)

    async def __call__(self, _: Situation) -> Moment:
        return self.now


class Table:
    """Answers each submit with the next of `answers`: a reason, or `done`; then waits for more."""

    def __init__(self, *answers: str) -> None:
        self.answers: asyncio.Queue[str] = asyncio.Queue()
        self.sent: asyncio.Queue[tuple[str, int, str]] = asyncio.Queue()
        self.trying = 0
        self.answer(*answers)

    def answer(self, *answers: str) -> None:
        for answer in answers:
            self.answers.put_nowait(answer)

    def seat(self, retries: int = 9) -> Deciding:
        return self.with_room(asyncio.Semaphore(retries))

    def with_room(self, room: asyncio.Semaphore) -> Deciding:
        return Deciding(lambda found: found.legal.moves[0], self.submit, room, logger(), moment=owed)

    async def submit(self, move: str, decision: int, request_id: str) -> None:
        self.sent.put_nowait((move, decision, request_id))
        self.trying += 1
        try:
            answer = await self.answers.get()
        finally:
            self.trying -= 1
        if answer != DONE:
            raise Refused(answer, "so it is", retry_after_ms=1)

    async def next(self) -> tuple[str, int, str]:
        return await asyncio.wait_for(self.sent.get(), 60)


async def ended(seat: Deciding) -> None:
    """Nothing of the seat runs any more."""
    while seat._running is not None:
        await asyncio.wait([seat._running], timeout=5)


@pytest.mark.parametrize("reason", sorted(deciding.PASSING | TRANSIENT))
async def test_a_passing_refusal_is_tried_again_under_the_same_request_id(reason):
    table = Table(reason, reason, DONE)
    seat = table.seat()
    seat.hear(situation(3, 3))
    sent = [await table.next() for _ in range(3)]
    await ended(seat)
    assert sent[0][:2] == ("a", 3)
    assert len(set(sent)) == 1


@pytest.mark.parametrize("answer", [DONE, "stale", "match_over", "not_your_turn", "illegal_move", "closed"])
async def test_an_answer_for_good_is_the_last(answer):
    table = Table(answer)
    seat = table.seat()
    seat.hear(situation(3, 3))
    await table.next()
    await ended(seat)
    assert table.sent.empty()


async def test_newer_news_are_decided_anew_instead_of_the_old_move_again():
    table = Table()
    seat = table.seat()
    seat.hear(situation(3, 3, "old"))
    old = await table.next()
    seat.hear(situation(5, 5, "new"))
    table.answer("engine_away", DONE)
    new = await table.next()
    await ended(seat)
    assert (old[:2], new[:2]) == (("old", 3), ("new", 5))
    assert old[2] != new[2]


async def test_a_seat_with_nothing_to_decide_tries_no_more():
    table = Table()
    seat = table.seat()
    seat.hear(situation(3, 3))
    await table.next()
    seat.hear(situation(4, None))
    table.answer("engine_away")
    await ended(seat)
    assert table.sent.empty()


@pytest.mark.parametrize("answer", [DONE, "stale"])
async def test_news_of_a_decision_that_is_made_are_out_of_date(answer):
    table = Table()
    seat = table.seat()
    seat.hear(situation(3, 3))
    await table.next()
    seat.hear(situation(4, 3))
    table.answer(answer)
    await ended(seat)
    seat.hear(situation(4, 3))
    await ended(seat)
    assert table.sent.empty()


async def test_a_move_that_became_illegal_is_chosen_anew_from_newer_news():
    table = Table()
    seat = table.seat()
    seat.hear(situation(3, 3, "old"))
    await table.next()
    seat.hear(situation(4, 3, "new"))
    table.answer("illegal_move", DONE)
    assert (await table.next())[:2] == ("new", 3)
    await ended(seat)


@pytest.mark.parametrize(("stands_at", "faults"), [(3, 1), (None, 1), (4, 0)])
async def test_a_refusal_is_the_bots_fault_only_where_nothing_happened_meanwhile(monkeypatch, stands_at, faults):
    """Catan: an offer was replaced while it was answered. The answer is chosen anew from the news."""

    async def submit(move: str, _decision: int, _request_id: str) -> None:
        sent.append(move)
        if move == "old":
            raise Refused("illegal_move", "these are not the terms", rule="CA-17", version=stands_at)

    sent: list[str] = []
    warned: list[str] = []
    log = logger()
    monkeypatch.setattr(log, "warning", lambda event, **_: warned.append(event))
    seat = Deciding(lambda found: found.legal.moves[0], submit, asyncio.Semaphore(9), log, moment=Moments())
    seat.hear(situation(3, 3, "old"))
    await ended(seat)
    assert warned == ["bot refused"] * faults
    seat.hear(situation(4, 3, "new"))
    await ended(seat)
    assert sent == ["old", "new"]
    assert warned == ["bot refused"] * faults


async def test_the_same_news_again_keep_the_request_id():
    table = Table()
    seat = table.seat()
    seat.hear(situation(3, 3))
    first = await table.next()
    seat.hear(situation(3, 3))
    table.answer("outcome_unknown", DONE)
    assert await table.next() == first
    await ended(seat)


async def test_moves_are_sent_at_once_and_sent_again_a_few_at_a_time():
    table, room = Table(), asyncio.Semaphore(2)
    seats = [table.with_room(room) for _ in range(8)]
    for seat in seats:
        seat.hear(situation(3, 3))
    for _ in seats:
        await table.next()
    assert table.trying == 8
    table.answer(*["engine_away"] * 8)
    for place in range(8):
        await table.next()
        assert table.trying <= 2
        if place:
            table.answer(DONE)
    table.answer(DONE)
    await asyncio.gather(*map(ended, seats))


async def test_a_fault_of_the_policy_ends_its_move_only():
    table = Table(DONE)
    faults = [ValueError("a bug")]

    def choose(found: Situation) -> str:
        if faults:
            raise faults.pop()
        return found.legal.moves[0]

    seat = Deciding(choose, table.submit, asyncio.Semaphore(1), logger(), moment=owed)
    seat.hear(situation(3, 3))
    await ended(seat)
    seat.hear(situation(4, 4))
    assert (await table.next())[:2] == ("a", 4)
    await ended(seat)


async def test_a_seat_that_is_left_tries_no_more():
    table = Table()
    seat = table.seat()
    seat.hear(situation(3, 3))
    await table.next()
    seat.leave()
    await ended(seat)
    assert (table.trying, table.sent.empty()) == (0, True)


def opportune(table: Table, moments: Moments, *chosen: str | None) -> Deciding:
    choices = list(chosen)
    return Deciding(lambda _: choices.pop(0), table.submit, asyncio.Semaphore(1), logger(), moment=moments)


async def test_a_seat_that_only_may_move_is_asked_once_a_moment():
    table, moments = Table(DONE, DONE), Moments()
    seat = opportune(table, moments, "yes", "no")
    for version in (3, 4, 5):
        seat.hear(situation(version, version))
        await ended(seat)
    assert [sent[0] for sent in drained(table)] == ["yes"]
    moments.now = ((0, 6),)
    seat.hear(situation(6, 5))
    await ended(seat)
    assert [sent[0] for sent in drained(table)] == ["no"]


async def test_a_seat_that_lets_an_opportunity_pass_is_asked_at_the_next():
    table, moments = Table(DONE), Moments()
    seat = opportune(table, moments, None, "yes")
    seat.hear(situation(3, 1))
    await ended(seat)
    assert table.sent.empty()
    moments.now = ((0, 4),)
    seat.hear(situation(4, 1))
    await ended(seat)
    assert [sent[0] for sent in drained(table)] == ["yes"]


@pytest.mark.parametrize("answer", ["not_your_turn", "illegal_move"])
async def test_an_answer_that_came_too_late_is_thought_over_at_newer_news(answer):
    table = Table(answer, DONE)
    seat = opportune(table, Moments(), "yes", "no")
    for version in (3, 4):
        seat.hear(situation(version, 1))
        await ended(seat)
    assert [sent[0] for sent in drained(table)] == ["yes", "no"]


def drained(table: Table) -> list[tuple[str, int, str]]:
    return [table.sent.get_nowait() for _ in range(table.sent.qsize())]
