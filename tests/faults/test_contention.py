"""One match served by two replicas at once: one winner, one effect, and nobody in another's way who need not be."""

import asyncio
from contextlib import AsyncExitStack
from functools import partial

import pytest
from msgspec.structs import replace

from engines.core import games
from services.common import metrics
from services.eventlog.entries import header_of
from tests.faults.course import SEATS, course, next_move
from tests.faults.ledger import Ledger
from tests.integration.table import HOARD, seated
from tidelog.client import Refused, connect
from tidelog.v1.matches_pb2 import BotSeat
from tidelog.v1.payload_pb2 import Payload

GAMES = games.names()
ARRANGED, DISCARDS = "lost_seas", "catan_fishermen"
RACERS = 4
TOO_LATE = {"seat_taken", "already_started"}
OVERTAKEN = {"stale", "illegal_move", "not_your_turn", "match_over"}


async def two_ways(world):
    """Two gateways, each of which has a replica of its own for every match."""
    for _ in range(2):
        await world.door(await world.replica())


def conflicts(game):
    return metrics.conflicts.labels(game)._value.get()


async def feed_both(world, matches, moves):
    await two_ways(world)
    people, ledger = await world.people(SEATS), Ledger(world)

    async def play():
        async for asked in course(ledger, people, moves):
            if asked.move is None:
                await ledger.ask(asked, 2)
            else:
                await rival(ledger, asked)

    await asyncio.gather(*(play() for _ in range(matches)))
    await ledger.check()


@pytest.mark.parametrize("game", GAMES)
async def test_matches_fed_to_two_replicas_at_once_have_each_request_once(world_of, game):
    before = conflicts(game)
    await feed_both(await world_of(game), matches=4, moves=8)
    assert conflicts(game) > before


@pytest.mark.soak
@pytest.mark.parametrize("game", GAMES)
async def test_many_long_matches_fed_to_two_replicas_at_once_have_each_request_once(world_of, game):
    await feed_both(await world_of(game), matches=50, moves=60)


async def rival(ledger, asked):
    """The request at both doors, and beside it another one of the same seat at each."""
    match, seat = asked.fields["match_id"], asked.fields["seat"]
    others = [ledger.asked(asked.person, "SubmitMove", move=asked.move, match_id=match, seat=seat) for _ in range(2)]
    sent = [asked.unary(0), others[0].unary(0), asked.streamed(1), others[1].streamed(1)]
    found = await asyncio.gather(*sent, return_exceptions=True)
    for request, answer in zip((asked, others[0], asked, others[1]), found, strict=True):
        if isinstance(answer, Refused):
            assert answer.reason in OVERTAKEN
        else:
            assert ledger.answers.setdefault(request, answer[0]) == answer[0]
    assert any(not isinstance(answer, Refused) for answer in found)


async def race(ledger, racers, match, **seat):
    """All ask for the seat at once, every other one at the other gateway; who got it, and the seat."""
    joins = [
        ledger.asked(racer, "JoinMatch", match_id=match, **(seat if number % 3 else {}))
        for number, racer in enumerate(racers)
    ]
    doors = [number % 2 for number in range(len(racers))]
    ledger.world.random.shuffle(doors)
    found = await asyncio.gather(
        *(join.unary(door) for join, door in zip(joins, doors, strict=True)), return_exceptions=True
    )
    (won,) = [number for number, answer in enumerate(found) if not isinstance(answer, Refused)]
    assert {answer.reason for answer in found if isinstance(answer, Refused)} <= TOO_LATE
    ledger.answers[joins[won]], duplicate = found[won]
    assert not duplicate
    return racers[won], ledger.answers[joins[won]].seat


async def matches_with_one_seat_left(ledger, owner, count, *, auto_start):
    """Their last seat is open; bots hold those between."""
    for number in range(count):
        seats = 2 + number % 3
        bots = [BotSeat(seat=seat) for seat in range(1, seats - 1)]
        create = ledger.asked(
            owner, "CreateMatch", game=ledger.world.game, seats=seats, own_seat=0, bots=bots, auto_start=auto_start
        )
        yield (await ledger.ask(create)).match, seats - 1


async def race_for_last_seats(world, matches, rounds):
    """So many races in each match: the winner leaves until the last race, which starts the match."""
    await two_ways(world)
    (owner, *racers), ledger = await world.people(1 + RACERS), Ledger(world)

    async def races(match, seat):
        for left in reversed(range(rounds)):
            winner, won = await race(ledger, racers, match, seat=seat)
            assert won == seat
            if left:
                await ledger.ask(ledger.asked(winner, "LeaveMatch", match_id=match, seat=seat))
        await ledger.ask(ledger.asked(owner, "StartMatch", match_id=match))

    async def one_race(match, seat):
        assert (await race(ledger, racers, match, seat=seat))[1] == seat

    async with asyncio.TaskGroup() as running:
        async for match, seat in matches_with_one_seat_left(ledger, owner, matches, auto_start=False):
            running.create_task(races(match, seat))
        async for match, seat in matches_with_one_seat_left(ledger, owner, matches, auto_start=True):
            running.create_task(one_race(match, seat))
    for log in (await ledger.check()).values():
        assert log.aggregate.facts.status == "running"
        assert_none_oversold(log)


def assert_none_oversold(log):
    """A seat is claimed only while nobody has it."""
    held = set()
    for entry in log.entries:
        kind, seat = header_of(entry).type, header_of(entry).seat
        if kind == "match.seat_claimed":
            assert seat not in held
            held.add(seat)
        elif kind == "match.seat_released":
            held.remove(seat)
    assert held == set(range(len(log.aggregate.facts.seats)))


async def test_five_hundred_races_for_last_seats_have_one_winner_each(world_of):
    world, before = await world_of(GAMES[0], seed=8), conflicts(GAMES[0])
    await race_for_last_seats(world, matches=20, rounds=24)
    assert conflicts(GAMES[0]) > before


@pytest.mark.soak
@pytest.mark.parametrize("game", GAMES)
async def test_ten_thousand_races_for_last_seats_have_one_winner_each(world_of, game):
    await race_for_last_seats(await world_of(game, seed=9), matches=50, rounds=199)


async def test_seats_that_arrange_at_the_same_time_through_two_replicas_are_all_accepted(world_of):
    """LS-3 and LS-4: four seats owe a move at once, twice."""
    world = await world_of(ARRANGED, seed=10)
    await two_ways(world)
    people, ledger = await world.people(4), Ledger(world)
    options = Payload(json='{"arrange_expeditions":true}')

    async def play(number):
        owner, *others = people
        create = ledger.asked(owner, "CreateMatch", game=ARRANGED, seats=4, own_seat=0, options=options)
        match = (await ledger.ask(create)).match
        for seat, person in enumerate(others, start=1):
            await ledger.ask(ledger.asked(person, "JoinMatch", match_id=match, seat=seat))
        for _ in range(2):
            moves = await decided(ledger, match, people)
            assert len(moves) == len(people)
            ways = [(move.streamed if (door + number) % 3 else move.unary)(door % 2) for door, move in enumerate(moves)]
            found = await asyncio.gather(*ways)
            assert len({answer.first for answer, _ in found}) == len(people)
            ledger.answers |= {move: answer for move, (answer, _) in zip(moves, found, strict=True)}

    await asyncio.gather(*map(play, range(12)))
    await ledger.ask_all_again()
    await ledger.check()


async def decided(ledger, match, people):
    """The move of every seat that owes one, under the decision that all have read before the first is made."""
    turns = [turn for turn in (await people[0].clients[0].match(match)).turns if turn.owed]
    moves = []
    for turn in turns:
        move = await next_move(ledger, match, people)
        while move.fields["seat"] != turn.seat:
            move = await next_move(ledger, match, people)
        moves.append(replace(move, fields=move.fields | {"decision": turn.decision}))
    return moves


def several_discard(table):
    last = table.told[None][-1]
    return last.type == f"{DISCARDS}.dice_rolled" and len(last.event["discards"]) > 1


async def test_seats_that_discard_at_the_same_time_through_two_replicas_are_all_accepted(world_of):
    """CA-11, three times in one match."""
    world = await world_of(DISCARDS, seed=11)
    await two_ways(world)
    async with seated(world.doors[0].address) as table, AsyncExitStack() as open_:
        elsewhere = [
            await open_.enter_async_context(connect(world.doors[1].address, token=token)) for token in table.tokens
        ]
        for _ in range(3):
            await table.play_until(partial(several_discard, table), HOARD)
            owing = await table.owing()
            found = await asyncio.gather(*map(table.situation, owing))
            rolled = table.told[None][-1].version
            assert {situation.decision for situation in found} == {rolled}
            answers = await asyncio.gather(
                *(
                    (elsewhere if number % 2 else table.clients)[seat].submit(
                        table.match, seat, each.legal.moves[-1], decision=rolled
                    )
                    for number, (seat, each) in enumerate(zip(owing, found, strict=True))
                )
            )
            versions = [answer.receipt.last_version for answer in answers]
            assert sorted(versions) == [rolled + 1 + number for number in range(len(owing))]
            await table.heard(max(versions))
            for told in table.told.values():
                discards = {entry.seat: entry.type for entry in told[rolled : max(versions)]}
                assert discards == dict.fromkeys(owing, f"{DISCARDS}.cards_discarded")
