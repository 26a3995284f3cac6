# ruff: noqa: ARG002, N802 - names and signatures are those of gRPC
"""A small real server: one log a match in memory, and faults on demand. It stands where the gateway will."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import grpc

from services.common import wire
from services.common.refusals import Reason, Refused
from tidelog.v1 import games_pb2, identity_pb2, matches_pb2, updates_pb2
from tidelog.v1.games_pb2_grpc import GameServiceServicer, add_GameServiceServicer_to_server
from tidelog.v1.identity_pb2_grpc import IdentityServiceServicer, add_IdentityServiceServicer_to_server
from tidelog.v1.matches_pb2_grpc import MatchServiceServicer, add_MatchServiceServicer_to_server
from tidelog.v1.payload_pb2 import Payload

LOST = grpc.StatusCode.UNAVAILABLE
Answer = matches_pb2.PlayAnswer


@dataclass
class Log:
    """A match: every move appends one entry; `line` goes into the hashes, so that two logs can differ."""

    line: str = "aaaa"
    moves: list[Payload] = field(default_factory=list)
    grown: asyncio.Condition = field(default_factory=asyncio.Condition)
    over: bool = False
    situation: updates_pb2.Situation | None = None

    def cursor(self, version: int) -> str:
        return f"{version}-{self.line}{version:012x}" if version else "0-0"

    @property
    def head(self) -> str:
        return self.cursor(len(self.moves))

    async def append(self, move: Payload) -> int:
        async with self.grown:
            self.moves.append(move)
            self.grown.notify_all()
        return len(self.moves)

    async def end(self) -> None:
        async with self.grown:
            self.over = True
            self.grown.notify_all()

    def start(self, after: str) -> int:
        version = int(after.partition("-")[0] or 0)
        if version > len(self.moves) or (after and after != self.cursor(version)):
            raise Refused(Reason.LOG_REWOUND, "the cursor is not of this log", cursor=self.head)
        return version

    async def updates(self, after: str) -> AsyncIterator[updates_pb2.Update]:
        """Entries, CaughtUp, live entries, End."""
        told, caught_up = self.start(after), False
        while True:
            while told < len(self.moves):
                told += 1
                yield updates_pb2.Update(entry=self.entry(told))
            if not caught_up:
                caught_up = True
                yield updates_pb2.Update(caught_up={"cursor": self.cursor(told), "situation": self.situation})
            if self.over:
                yield updates_pb2.Update(end={"cursor": self.cursor(told)})
                return
            async with self.grown:
                await self.grown.wait_for(lambda: self.over or told < len(self.moves))  # noqa: B023 - awaited here

    def entry(self, version: int) -> updates_pb2.ToldEntry:
        return updates_pb2.ToldEntry(
            cursor=self.cursor(version), version=version, type="test.moved", event=self.moves[version - 1]
        )


class Server(MatchServiceServicer, GameServiceServicer, IdentityServiceServicer):
    """`faults` are taken one a call: each is a status, a refusal or None for no answer, after the effect if
    `after_effect`; the others are those of a Play stream's commands.
    """

    def __init__(self) -> None:
        self.logs: dict[str, Log] = {}
        self.applied: dict[str, matches_pb2.Receipt] = {}
        self.faults: list[grpc.StatusCode | Refused | None] = []
        self.submit_faults: list[Refused] = []
        self.follow_faults: list[Refused] = []
        self.mine_faults: list[Refused] = []
        self.seat_faults: list[Refused] = []
        self.after_effect = False
        self.break_after: list[int] = []
        self.requests: list[object] = []
        self.tokens: list[str] = []
        self.imported = b""
        self.mine: list[tuple[str, int]] = []
        self.games: dict[str, str] = {}

    def log(self, match_id: str = "m") -> Log:
        return self.logs.setdefault(match_id, Log())

    async def fail(self, context) -> None:
        self.tokens.append(dict(context.invocation_metadata()).get("authorization", ""))
        if self.faults:
            fault = self.faults.pop(0)
            if fault is None:
                await asyncio.Event().wait()
            if isinstance(fault, Refused):
                await wire.abort(context, fault)
            await context.abort(fault, "lost")

    async def apply(self, request) -> matches_pb2.Receipt:
        """One effect for each request id."""
        if request.request_id in self.applied:
            receipt = matches_pb2.Receipt()
            receipt.CopyFrom(self.applied[request.request_id])
            receipt.duplicate = True
            return receipt
        log = self.log(request.match_id)
        if request.move.json == '"illegal"':
            raise Refused(Reason.ILLEGAL_MOVE, "no", rule="XX-1", version=len(log.moves), cursor=log.head)
        version = await log.append(request.move)
        receipt = matches_pb2.Receipt(
            match_id=request.match_id, cursor=log.head, first_version=version, last_version=version
        )
        self.applied[request.request_id] = receipt
        return receipt

    async def SignInAsGuest(self, request, context):
        await self.fail(context)
        return identity_pb2.SignInAsGuestResponse(token=f"token-of-{request.name}", player="g|1", expires_at_ms=9)

    async def ListGames(self, request, context):
        await self.fail(context)
        first = not request.page_token
        game = games_pb2.Game(
            name="one" if first else "two", title="T", least_seats=2, most_seats=4, unofficial_seats=[2]
        )
        return games_pb2.ListGamesResponse(games=[game], next_page_token="more" if first else "")

    async def DescribeGame(self, request, context):
        await self.fail(context)
        schemas = dict.fromkeys(("options_schema", "move_schema", "event_schema", "view_schema"), '{"type":"object"}')
        return games_pb2.DescribeGameResponse(
            game={"name": request.game}, editions=[{"name": "house", "hash": "ff"}], rules=[1], **schemas
        )

    async def CreateMatch(self, request, context):
        await self.fail(context)
        self.requests.append(request)
        return matches_pb2.CreateMatchResponse(receipt={"match_id": "m", "cursor": self.log().head})

    async def JoinMatch(self, request, context):
        await self.fail(context)
        return matches_pb2.JoinMatchResponse(seat=request.seat if request.HasField("seat") else 1)

    async def LeaveMatch(self, request, context):
        await self.fail(context)
        return matches_pb2.LeaveMatchResponse(receipt={"match_id": request.match_id})

    async def StartMatch(self, request, context):
        await self.fail(context)
        return matches_pb2.StartMatchResponse(receipt={"match_id": request.match_id})

    async def ListMatches(self, request, context):
        await self.fail(context)
        self.requests.append(request)
        first = not request.page_token
        match = matches_pb2.Match(match_id="m" if first else "n", status=matches_pb2.MATCH_STATUS_RUNNING)
        return matches_pb2.ListMatchesResponse(matches=[match], next_page_token="more" if first else "")

    async def GetMatch(self, request, context):
        await self.fail(context)
        outcome = {"ranking": [{"seat": 1, "place": 1, "points": 3, "scores": [{"category": "c", "points": 3}]}]}
        match = matches_pb2.Match(
            match_id=request.match_id, status=matches_pb2.MATCH_STATUS_FINISHED, seats=[{"seat": 0}], outcome=outcome
        )
        turns = [{"seat": 1, "decision": 0, "owed": True}]
        clocks = [{"seat": 0, "left_ms": 7}, {"seat": 1, "left_ms": 5, "deadline_ms": 9}]
        return matches_pb2.GetMatchResponse(match=match, options=Payload(json='{"a":1}'), turns=turns, clocks=clocks)

    async def SubmitMove(self, request, context):
        self.requests.append(request)
        if self.after_effect:
            await self.apply(request)
        await self.fail(context)
        try:
            receipt = await self.apply(request)
        except Refused as refused:
            await wire.abort(context, refused)
        return matches_pb2.SubmitMoveResponse(receipt=receipt, situation={"view": request.move, "decision": 0})

    async def ValidateMove(self, request, context):
        await self.fail(context)
        if request.move.json == '"illegal"':
            return matches_pb2.ValidateMoveResponse(refusal=wire.to_proto(Refused(Reason.ILLEGAL_MOVE, "no")))
        return matches_pb2.ValidateMoveResponse(version=1)

    async def ListLegalMoves(self, request, context):
        await self.fail(context)
        if request.seat:
            return matches_pb2.ListLegalMovesResponse(cursor=self.log().head)
        legal = updates_pb2.LegalMoves(moves=[Payload(json='"a"')], families=["f"])
        return matches_pb2.ListLegalMovesResponse(cursor=self.log().head, legal=legal, decision=0)

    async def GetView(self, request, context):
        await self.fail(context)
        self.requests.append(request)
        log = self.log(request.match_id)
        return matches_pb2.GetViewResponse(cursor=log.head, version=len(log.moves), view=log.moves[-1])

    async def WatchMatch(self, request, context):
        await self.fail(context)
        self.requests.append(request.after)
        left = self.break_after.pop(0) if self.break_after else -1
        try:
            async for update in self.log(request.match_id).updates(request.after):
                if not left:
                    await context.abort(LOST, "lost")
                left -= 1
                yield matches_pb2.WatchMatchResponse(updates=[update])
        except Refused as refused:
            await wire.abort(context, refused)

    async def ReadLog(self, request, context):
        await self.fail(context)
        log = self.log(request.match_id)
        first = log.start(request.after) + 1 if request.WhichOneof("start") == "after" else request.from_version
        last = min(len(log.moves), first + request.limit - 1) if request.limit else len(log.moves)
        for version in range(max(first, 1), last + 1):
            entry = matches_pb2.StoredEntry(cursor=log.cursor(version), header=b"{}", leaf=b"l")
            if not request.headers_only:
                entry.payload = log.moves[version - 1].json.encode()
            yield matches_pb2.ReadLogResponse(entries=[entry])

    async def ExportMatch(self, request, context):
        await self.fail(context)
        for chunk in (b"one\n", b"two\n"):
            yield matches_pb2.ExportMatchResponse(chunk=chunk)

    async def ImportMatch(self, request_iterator, context):
        parts = [part async for part in request_iterator]
        self.requests.append(parts[0].start)
        await self.fail(context)
        self.imported = b"".join(part.chunk for part in parts[1:])
        return matches_pb2.ImportMatchResponse(receipt={"match_id": "imported"})

    async def Play(self, request_iterator, context):
        await self.fail(context)
        await Session(self, context).run(request_iterator)


class Session:
    """One Play stream; it is broken off when the next number of `break_after` commands has come."""

    def __init__(self, server: Server, context) -> None:
        self.server = server
        self.context = context
        self.left = server.break_after.pop(0) if server.break_after else -1
        self.tasks: dict[tuple, asyncio.Task] = {}
        self.writing = asyncio.Lock()

    async def run(self, requests) -> None:
        try:
            async for request in requests:
                self.server.requests.append(request)
                for command in request.commands:
                    if not self.left:
                        await self.context.abort(LOST, "lost")
                    self.left -= 1
                    await getattr(self, command.WhichOneof("command"))(command)
        finally:
            for task in self.tasks.values():
                task.cancel()

    async def answer(self, answer: matches_pb2.PlayAnswer) -> None:
        async with self.writing:
            await self.context.write(matches_pb2.PlayResponse(answers=[answer]))

    async def submit(self, command) -> None:
        request_id = command.submit.request_id
        try:
            if faults := self.server.submit_faults or self.server.faults:
                fault = faults.pop(0)
                if fault is None:
                    return
                raise fault
            receipt = await self.server.apply(command.submit)
        except Refused as refused:
            refusal = Answer.Refused(request_id=request_id, refusal=wire.to_proto(refused))
            await self.answer(Answer(refused=refusal))
            return
        await self.answer(Answer(accepted={"request_id": request_id, "receipt": receipt}))

    async def follow(self, command) -> None:
        follow = command.follow
        seat = follow.seat if follow.HasField("seat") else None
        self.begin(follow.match_id, seat, follow.after)

    def begin(self, match_id: str, seat: int | None, after: str) -> None:
        earlier = self.tasks.pop((match_id, seat), None)
        if earlier:
            earlier.cancel()
        self.tasks[match_id, seat] = asyncio.create_task(self.tell(match_id, seat, after))

    async def tell(self, match_id: str, seat: int | None, after: str) -> None:
        try:
            if self.server.follow_faults:
                raise self.server.follow_faults.pop(0)
            async for update in self.server.log(match_id).updates(after):
                await self.answer(Answer(followed={"match_id": match_id, "seat": seat, "update": update}))
        except Refused as refused:
            self.tasks.pop((match_id, seat), None)
            await self.refuse_follow(refused, match_id, seat)

    async def refuse_follow(self, refused: Refused, match_id: str = "", seat: int | None = None) -> None:
        refusal = Answer.Refused(match_id=match_id, seat=seat, refusal=wire.to_proto(refused))
        await self.answer(Answer(refused=refusal))

    async def unfollow(self, command) -> None:
        self.tasks.pop((command.unfollow.match_id, None)).cancel()
        end = updates_pb2.Update(end={})
        await self.answer(Answer(followed={"match_id": command.unfollow.match_id, "update": end}))

    async def follow_mine(self, command) -> None:
        await asyncio.sleep(0)
        if self.server.mine_faults:
            await self.refuse_follow(self.server.mine_faults.pop(0))
            return
        for match_id, seat in self.server.mine:
            if self.server.seat_faults:
                await self.refuse_follow(self.server.seat_faults.pop(0), match_id, seat)
            elif (match_id, seat) not in self.tasks:
                cursor = self.server.log(match_id).head
                seated = {
                    "match_id": match_id,
                    "game": self.server.games.get(match_id, "test"),
                    "seat": seat,
                    "cursor": cursor,
                }
                await self.answer(Answer(seated=seated))
                self.begin(match_id, seat, cursor)


@asynccontextmanager
async def serving() -> AsyncIterator[tuple[Server, str]]:
    """The server, and its address."""
    servicer, server = Server(), grpc.aio.server()
    add: Callable
    for add in (
        add_MatchServiceServicer_to_server,
        add_GameServiceServicer_to_server,
        add_IdentityServiceServicer_to_server,
    ):
        add(servicer, server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    yield servicer, f"127.0.0.1:{port}"
    await server.stop(None)
