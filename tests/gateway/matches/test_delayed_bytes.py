"""A delayed spectator is answered alike, to the byte, in two worlds that differ only in what is kept back.

Over gRPC and over HTTP, whose headers and bodies count too.

Every rpc of the gateway's services is walked by its descriptor, so that a new one can't be forgotten here.
"""

import asyncio
from collections.abc import Callable
from typing import Any

import grpc
import pytest
from google.protobuf import symbol_database
from google.protobuf.message_factory import GetMessageClass
from msgspec import Struct

from gateway.main import SERVICES
from services.common.codec import encode
from services.eventlog.commands import Claim, Leave, Quarantine, Submit
from services.eventlog.memory import MemoryLog
from services.eventlog.terms import Delay, DelayUnit, Terms
from tests.gateway.floor import Floor
from tests.gateway.played import BOB, ENGINE, GAME, NOON, PlayedMatch
from tests.gateway.timers import TestsTimer
from tidelog.v1 import matches_pb2
from tidelog.v1.logs_pb2 import WatchLogResponse
from tidelog.v1.payload_pb2 import Payload
from tidelog.v1.updates_pb2 import INCLUDE_LEGAL, INCLUDE_VIEW

CAT, STRANGER = "cat", "stranger"
"""Cat has resigned, the stranger never had a seat."""

PLAYERS = ("tidelog|ann", BOB, f"tidelog|{CAT}")
BOTH = [INCLUDE_VIEW, INCLUDE_LEGAL]
ELSEWHERE = {
    "CreateMatch": "makes a match of the caller's own",
    "QuickMatch": "finds a match of the caller's own: test_delays.py asks for it after resigning",
    "ImportMatch": "takes a log that the caller has",
    "ListGames": "knows no match",
    "DescribeGame": "knows no match",
    "GetMessages": "knows no match",
    "GetRules": "knows no match",
    "RenewToken": "knows no match",
    "SignInAsGuest": "knows no match",
}
ADMINS = "AdminService"
"""Everything there is refused to others before anything is looked at."""

Enough = Callable[[Any], bool]


class Asked(Struct, frozen=True):
    """What came: messages as bytes, status, sentence, and metadata but for what transports add."""

    messages: tuple[bytes, ...]
    code: str
    details: str
    metadata: tuple[Any, ...]


def of_match(**fields):
    return {"match_id": "MATCH", **fields}


def caught_up(response):
    return any(update.HasField("caught_up") or update.HasField("end") for update in response.updates)


def questions(world) -> dict[str, list[Any]]:
    """By rpc, the requests' fields; of streams that go on with what is enough of them."""
    head, shown = world.head, world.shown
    versions = [{}, *({"version": version} for version in (-1, 0, 1, shown, shown + 1, head, head + 1))]
    seats = [{}, {"seat": 0}, {"seat": 2}, {"seat": 9}]
    forged = f"{shown + 1}-{'0' * 16}"
    cursors = [{}, *({"after": cursor} for cursor in (world.cursor(shown), world.ahead, forged, "no cursor"))]
    submit = of_match(request_id="late", move=world.move, include=BOTH)
    own = of_match(**world.own, include=BOTH, seat=2)
    follow = of_match(include=BOTH)
    return {
        "ListMatches": [{}, {"game": GAME, "status": 2}, {"player": BOB}, {"status": 3}, {"page_size": 1}],
        "GetMatch": [of_match(), of_match(accept=2)],
        "JoinMatch": [of_match(request_id="join"), of_match(request_id="join", seat=1)],
        "LeaveMatch": [of_match(request_id="leave", seat=seat) for seat in (0, 2, 9)],
        "StartMatch": [of_match(request_id="start")],
        "SubmitMove": [
            *({**submit, "seat": seat} for seat in (0, 2, 9)),
            {**submit, "seat": 2, "expected_version": head},
            {**submit, "seat": 2, "decision": head},
            own,
        ],
        "ValidateMove": [of_match(move=world.move, seat=seat) for seat in (0, 2, 9)],
        "ListLegalMoves": [of_match(seat=seat, **version) for seat in (0, 2, 9) for version in versions],
        "GetView": [of_match(**seat, **version) for seat in seats for version in versions],
        "ListScores": [of_match(**seat, **after) for seat in seats for after in cursors],
        "ReadLog": [
            of_match(**seat, **more)
            for seat in seats
            for more in (*cursors, {"from_version": shown}, {"from_version": shown + 1}, {"full": True})
        ]
        + [of_match(headers_only=True, **more) for more in (*cursors, {"from_version": head})],
        "ExportMatch": [of_match(**seat, **more) for seat in seats for more in ({}, {"full": True})],
        "WatchMatch": [
            (of_match(include=BOTH, **seat, **more), caught_up)
            for seat in seats
            for more in (*cursors, {"replay": {"situations": True}}, {"replay": {"until": head}})
        ],
        "WatchLog": [
            ({"from_start": True}, caught_up),
            ({"from_start": True, "full": True, "filter": {"matches": ["MATCH"], "players": [BOB]}}, caught_up),
            ({}, caught_up),
            ({"after": "none"}, caught_up),
        ],
        "WatchMatches": [
            ({}, present),
            ({"game": GAME, "status": 2, "player": BOB}, present),
            ({"status": 3}, present),
        ],
        "ListPlayerMatches": [{"player": player, **more} for player in PLAYERS for more in ({}, {"game": GAME})],
        "GetPlayerStatistics": [{"player": player} for player in PLAYERS],
        "GetHeadToHead": [{"player": PLAYERS[0], "other": BOB, "game": GAME}],
        "ListPlayerRatings": [{"player": player} for player in PLAYERS],
        "ListLeaderboard": [{"game": GAME}],
        "CreateInvitation": [of_match(), of_match(seat=2, player=BOB)],
        "Rematch": [of_match(request_id="again")],
        "CancelQuickMatch": [of_match(request_id="cancel")],
        "Play": [
            ([{"follow": follow}], followed),
            ([{"follow": {**follow, "seat": 2}}], followed),
            ([{"follow": {**follow, "after": world.cursor(shown)}}], followed),
            ([{"unfollow": of_match()}, {"submit": {**submit, "seat": 0}}], settled(1)),
            ([{"submit": {**submit, "seat": 0}}, {"submit": {**submit, "seat": 2}}, {"submit": own}], settled(3)),
            ([{"follow_mine": {}}, {"submit": {**submit, "seat": 0}}], settled(1)),
        ],
    }


def present(response):
    return any(news.HasField("present") for news in response.news)


def followed(response):
    return any(
        answer.followed.update.HasField("caught_up") or answer.HasField("refused") for answer in response.answers
    )


def settled(count):
    def enough(response):
        return sum(answer.HasField("refused") or answer.HasField("accepted") for answer in response.answers) >= count

    return enough


class World:
    """One gateway and engine with the match in it, `played` so far; what spectators see of it ends at `shown`."""

    def __init__(self, gateway, channel, floor, played, shown, head):
        self.gateway, self.channel, self.floor, self.played = gateway, channel, floor, played
        self.shown, self.head = shown, head

    def cursor(self, version):
        return str(self.played.entries[version - 1].cursor)

    @property
    def ahead(self):
        """The cursor of the first entry that is kept back, or one of none."""
        version, entries = self.shown + 1, self.played.entries
        return self.cursor(version) if version <= len(entries) else f"{version}-{'1' * 16}"

    @property
    def move(self):
        """One that was legal once."""
        fold = self.played.fresh().apply_all(self.played.entries[:7])
        return Payload(json=encode(next(ENGINE.legal_moves(fold.state, fold.facts.owing[0]))).decode())

    @property
    def own(self):
        """What Cat sent once, as it was, if anything."""
        sent = [order for order in self.played.orders if isinstance(order.command, Submit) and order.command.seat == 2]
        if not sent:
            return {"request_id": "own", "move": self.move}
        return {"request_id": sent[-1].request_id, "move": Payload(json=encode(sent[-1].command.move).decode())}

    def masked(self, text):
        """Without the cursor that the caller named itself."""
        if isinstance(text, str):
            return text.replace(self.ahead, "x" * len(self.ahead))
        return text.replace(self.ahead.encode(), b"x" * len(self.ahead))

    async def ask(self, method, subject, fields, enough=None) -> Asked:
        client = await self.floor.client(self.gateway, subject, lifetime_s=3600)
        path = f"/{method.containing_service.full_name}/{method.name}"
        if method.client_streaming:
            call = self.channel.stream_stream(path)(metadata=client.metadata)
            commands = [matches_pb2.PlayCommand(**command) for command in fields]
            await call.write(matches_pb2.PlayRequest(commands=commands).SerializeToString())
        else:
            request = GetMessageClass(method.input_type)(**fields).SerializeToString()
            kind = self.channel.unary_stream if method.server_streaming else self.channel.unary_unary
            call = kind(path)(request, metadata=client.metadata)
        messages = []
        try:
            async with asyncio.timeout(30):
                if method.server_streaming:
                    await self._read(call, GetMessageClass(method.output_type), messages, enough)
                else:
                    messages.append(await call)
        except grpc.aio.AioRpcError:
            pass
        return await self._asked(call, messages)

    async def _read(self, call, kind, messages, enough) -> None:
        """Messages joined to one: where streams are cut is a matter of moments."""
        whole = kind()
        while (data := await call.read()) is not grpc.aio.EOF:
            whole.MergeFromString(data)
            if enough is not None and enough(whole):
                break
        if kind is WatchLogResponse:
            _mask_positions(whole)
        messages.append(whole.SerializeToString(deterministic=True))
        if enough is not None and not call.done():
            call.cancel()

    async def _asked(self, call, messages) -> Asked:
        messages = tuple(map(self.masked, messages))
        if not call.done() or call.cancelled():
            return Asked(messages, "GOES ON", "", ())
        metadata = tuple((key, self.masked(value)) for key, value in await call.trailing_metadata())
        return Asked(messages, (await call.code()).name, self.masked(await call.details() or ""), metadata)


def _mask_positions(response):
    """Sealed, so another text each time; as long each time."""
    for update in response.updates:
        news = getattr(update, update.WhichOneof("update"))
        news.position = "x" * len(news.position)


UNITS = {
    "events": Delay(DelayUnit.EVENTS, 8),
    "seconds": Delay(DelayUnit.SECONDS, 600),
    "turn": Delay(DelayUnit.TURN),
}


@pytest.fixture(params=UNITS)
def unit(request):
    return request.param


@pytest.fixture(params=["grpc", "http"])
async def worlds(request, unit, tmp_path):
    """Two that hold the same match up to where its delay reaches."""
    keys: dict[str, bytes] = {}
    found, floors = [], []
    for name, goes_on in (("one", ONE[unit]), ("other", OTHER[unit])):
        log = MemoryLog()
        log._keys = keys
        floor = await Floor(log, tmp_path / name, over_http=request.param == "http").__aenter__()
        floors.append(floor)
        played = await PlayedMatch(log, "MATCH", seats=3).create(terms=Terms(spectator_delay=UNITS[unit]))
        await played.carry_out(BOB, Claim(1, "Bob"))
        await played.carry_out(f"tidelog|{CAT}", Claim(2, "Cat"))
        begun = unit == "turn"  # sides are chosen before the first turn
        await moves(played, 0 if begun else 5, seed=1)
        await played.carry_out(f"tidelog|{CAT}", Leave(2))
        await moves(played, 0 if begun else 6, seed=1)
        timer = TestsTimer(NOON + 600_000 + (played.aggregate.facts.at - NOON))
        await goes_on(played)
        gateway = await floor.gateway(timer)
        channel = await floor.channel(gateway)
        stranger = await floor.client(gateway, STRANGER)
        shown = (await stranger.call("GetMatch", match_id="MATCH")).match.version
        found.append(World(gateway, channel, floor, played, shown, played.aggregate.facts.version))
    for world in found:
        world.head = max(world.head for world in found)
    yield found
    for floor in floors:
        await floor.__aexit__()


async def moves(played, count, seed):
    played.random.seed(seed)
    for _ in range(count):
        await played.move()


async def one_way(played):
    await moves(played, 4, seed=2)


async def another_way(played):
    await moves(played, 4, seed=3)


async def far(played):
    await moves(played, 7, seed=2)
    await played.carry_out(BOB, Leave(1))
    await moves(played, 1, seed=2)
    await played.carry_out("tidelog|operator", Quarantine("looked into"), admin=True)


async def nowhere(played):
    pass


async def one_move(played):
    await moves(played, 1, seed=2)


ONE = {"events": one_way, "seconds": far, "turn": one_move}
OTHER = {"events": another_way, "seconds": nowhere, "turn": nowhere}


def methods():
    pool = symbol_database.Default().pool
    return [method for name in SERVICES for method in pool.FindServiceByName(name).methods]


async def test_what_is_kept_back_changes_no_byte_of_any_answer(worlds):
    one, other = worlds
    assert one.shown == other.shown < one.head == other.head
    assert one.cursor(one.shown) == other.cursor(other.shown)
    assert one.played.aggregate.cursor != other.played.aggregate.cursor
    asked = [questions(world) for world in worlds]
    answered = 0
    for method in methods():
        if method.name in ELSEWHERE or method.containing_service.name == ADMINS:
            continue
        assert method.name in asked[0], f"say how a delayed spectator asks {method.full_name}"
        for pair in zip(*(listing[method.name] for listing in asked), strict=True):
            for subject in (STRANGER, CAT):
                here, there = await both(worlds, method, subject, pair)
                assert here == there, (method.name, subject, pair)
                answered += here.code in ("OK", "GOES ON")
    assert answered > 60


async def both(worlds, method, subject, pair):
    with_ends = [question if isinstance(question, tuple) else (question,) for question in pair]
    return await asyncio.gather(
        *(world.ask(method, subject, *question) for world, question in zip(worlds, with_ends, strict=True))
    )


async def test_who_plays_is_answered_otherwise_in_each(worlds):
    """So the comparison above compares something."""
    answers = [
        await world.ask(next(method for method in methods() if method.name == rpc), "ann", {"match_id": "MATCH"})
        for rpc in ("GetMatch", "GetView", "ReadLog", "ExportMatch")
        for world in worlds
    ]
    for here, there in zip(answers[::2], answers[1::2], strict=True):
        assert here.code == there.code == "OK"
        assert here != there
