"""The client: one player's way to a Tidelog server."""

from collections.abc import AsyncIterator, Collection, Iterable, Mapping
from contextlib import asynccontextmanager
from typing import Any

import grpc

from tidelog.client import reading
from tidelog.client.admin import Admin
from tidelog.client.answers import (
    Accepted,
    Game,
    GameDetails,
    Guest,
    Match,
    MatchDetails,
    Messages,
    Receipt,
    Scored,
    Situation,
    Update,
    View,
)
from tidelog.client.calling import Caller, new_request_id
from tidelog.client.lobby import Filter, Lobby
from tidelog.client.log import Log, import_log
from tidelog.client.logs import LogNews, log_filter, watch_log
from tidelog.client.payloads import to_payload
from tidelog.client.play import Play
from tidelog.client.players import Players
from tidelog.client.refused import Refused, from_refusal
from tidelog.client.terms import Terms
from tidelog.client.trail import Trail
from tidelog.client.turns import Turn, turns
from tidelog.client.watching import watch
from tidelog.client.wording import Wording
from tidelog.v1 import games_pb2, identity_pb2, matches_pb2
from tidelog.v1.games_pb2_grpc import GameServiceStub
from tidelog.v1.identity_pb2_grpc import IdentityServiceStub
from tidelog.v1.lifecycle_pb2 import LogAfterEnd
from tidelog.v1.logs_pb2 import WatchLogRequest
from tidelog.v1.matches_pb2_grpc import MatchServiceStub
from tidelog.v1.payload_pb2 import PAYLOAD_FORM_JSON, PAYLOAD_FORM_TYPED
from tidelog.v1.updates_pb2 import INCLUDE_LEGAL, INCLUDE_VIEW, Replay

MAX_MESSAGE = 4 * 1024 * 1024
OPTIONS = (
    ("grpc.max_receive_message_length", MAX_MESSAGE),
    # By itself gRPC looks for a server that is back up to two minutes later.
    ("grpc.initial_reconnect_backoff_ms", 50),
    ("grpc.min_reconnect_backoff_ms", 50),
    ("grpc.max_reconnect_backoff_ms", 1000),
    # A connection that has gone silent is given up.
    ("grpc.keepalive_time_ms", 10_000),
    ("grpc.http2.ping_timeout_ms", 10_000),
)


@asynccontextmanager
async def connect(
    address: str,
    *,
    token: str = "",
    guest: str | None = None,
    typed: bool = False,
    credentials: grpc.ChannelCredentials | None = None,
    deadline_s: float = 30.0,
) -> AsyncIterator["Client"]:
    """A client of the server at `address`, as the player of `token` or as a new guest of that name.

    The address is HOST:PORT or any other of gRPC's: of `ipv4:10.0.0.1:50051,10.0.0.2:50051`, and of a name that has
    several addresses, the first one that serves is used, and the next once it is away.
    `typed` asks for payloads as messages of the game's schema instead of decoded JSON. A call that meets a passing
    failure is sent again, a mutation with the same request id, until `deadline_s`.
    """
    if credentials is None:
        channel = grpc.aio.insecure_channel(address, options=OPTIONS)
    else:
        channel = grpc.aio.secure_channel(address, credentials, options=OPTIONS)
    async with channel:
        client = Client(Caller(channel, token, deadline_s), typed=typed)
        if guest is not None:
            await client.sign_in_as_guest(guest)
        yield client


class Client:
    """Every call raises Refused. Mutations take a `request_id` of the caller's where it must outlive this process."""

    def __init__(self, caller: Caller, *, typed: bool = False) -> None:
        self._caller = caller
        self._matches = MatchServiceStub(caller.channel)
        self._games = GameServiceStub(caller.channel)
        self._identity = IdentityServiceStub(caller.channel)
        self._accept = PAYLOAD_FORM_TYPED if typed else PAYLOAD_FORM_JSON
        self._trail = Trail()

    async def sign_in_as_guest(self, name: str = "") -> Guest:
        """A new player; the client acts as that one from now on."""
        request = identity_pb2.SignInAsGuestRequest(name=name)
        answer = await self._caller.ask(self._identity.SignInAsGuest, request)
        self._caller.token = answer.token
        return Guest(answer.token, answer.player, answer.expires_at_ms)

    async def games(self) -> list[Game]:
        games: list[Game] = []
        request = games_pb2.ListGamesRequest()
        while True:
            page = await self._caller.ask(self._games.ListGames, request)
            games.extend(map(reading.game, page.games))
            if not page.next_page_token:
                return games
            request = games_pb2.ListGamesRequest(page_token=page.next_page_token)

    async def describe(self, game: str) -> GameDetails:
        answer = await self._caller.ask(self._games.DescribeGame, games_pb2.DescribeGameRequest(game=game))
        return reading.game_details(answer)

    async def messages(self, game: str, language: str = "") -> Messages:
        """The texts of the game's log in that language, or in English where there are none."""
        request = games_pb2.GetMessagesRequest(game=game, language=language)
        return reading.messages(await self._caller.ask(self._games.GetMessages, request))

    async def wording(self, match_id: str, language: str = "") -> Wording:
        """What puts the sentences of the match into words: `wording.say(entry.sentence)`."""
        match = (await self.match(match_id)).match
        wanted, english = await self.messages(match.game, language), await self.messages(match.game)
        names = {seat.seat: seat.name for seat in match.seats}
        return Wording(wanted.language, {each.language: each.texts for each in (english, wanted)}, names)

    async def create(  # noqa: PLR0913 - the request's own fields
        self,
        game: str,
        seats: int,
        *,
        options: object | None = None,
        edition: str = "",
        auto_start: bool = True,
        log_after_end: str = "open",
        own_seat: int | None = None,
        bots: Mapping[int, str] | None = None,
        terms: Terms | None = None,
        request_id: str = "",
    ) -> Receipt:
        """`bots` maps seats to policies; the receipt names the match."""
        request = matches_pb2.CreateMatchRequest(
            request_id=request_id or new_request_id(),
            game=game,
            options=None if options is None else to_payload(options),
            seats=seats,
            edition=edition,
            auto_start=auto_start,
            log_after_end=LogAfterEnd.Value(f"LOG_AFTER_END_{log_after_end.upper()}"),
            own_seat=own_seat,
            bots=[matches_pb2.BotSeat(seat=seat, policy=policy) for seat, policy in (bots or {}).items()],
            terms=None if terms is None else terms.message(),
        )
        return await self._change(self._matches.CreateMatch, request)

    async def matches(
        self,
        wanted: Filter | None = None,
        *,
        game: str = "",
        status: str = "unspecified",
        player: str = "",
        page_size: int = 0,
    ) -> AsyncIterator[Match]:
        """All matches that fit, in the order wanted, fetched page by page: of a Filter, or of what is named here."""
        asked, token = (wanted or Filter(game=game, status=status, player=player)).fields(), ""
        while True:
            request = matches_pb2.ListMatchesRequest(page_size=page_size, page_token=token, **asked)
            page = await self._caller.ask(self._matches.ListMatches, request)
            for match in page.matches:
                yield reading.match(match)
            token = page.next_page_token
            if not token:
                return

    async def match(self, match_id: str, *, invitation: str | None = None) -> MatchDetails:
        request = matches_pb2.GetMatchRequest(match_id=match_id, accept=self._accept, invitation=invitation)
        answer = await self._caller.ask(self._matches.GetMatch, request)
        return reading.match_details(answer)

    async def join(
        self, match_id: str, seat: int | None = None, *, invitation: str | None = None, request_id: str = ""
    ) -> int:
        """The seat claimed: the given one, or the first free one."""
        request = matches_pb2.JoinMatchRequest(
            request_id=request_id or new_request_id(), match_id=match_id, seat=seat, invitation=invitation
        )
        answer = await self._caller.ask(self._matches.JoinMatch, request)
        claimed: int = answer.seat
        return claimed

    async def leave(self, match_id: str, seat: int, *, request_id: str = "") -> Receipt:
        request = matches_pb2.LeaveMatchRequest(request_id=request_id or new_request_id(), match_id=match_id, seat=seat)
        return await self._change(self._matches.LeaveMatch, request)

    async def start(self, match_id: str, *, request_id: str = "") -> Receipt:
        request = matches_pb2.StartMatchRequest(request_id=request_id or new_request_id(), match_id=match_id)
        return await self._change(self._matches.StartMatch, request)

    async def submit(  # noqa: PLR0913 - the request's own fields
        self,
        match_id: str,
        seat: int,
        move: object,
        *,
        decision: int | None = None,
        expected_version: int | None = None,
        include: Collection[Any] = (),
        request_id: str = "",
    ) -> Accepted:
        """`move` is a message of the game's schema, JSON text, or anything that msgspec writes as JSON."""
        request = matches_pb2.SubmitMoveRequest(
            request_id=request_id or new_request_id(),
            match_id=match_id,
            seat=seat,
            move=to_payload(move),
            decision=decision,
            expected_version=expected_version,
            accept=self._accept,
            include=include,
        )
        answer = await self._caller.ask(self._matches.SubmitMove, request)
        return reading.accepted(answer)

    async def validate(self, match_id: str, seat: int, move: object) -> Refused | None:
        """Why the move would be refused now; None for a legal one."""
        request = matches_pb2.ValidateMoveRequest(match_id=match_id, seat=seat, move=to_payload(move))
        answer = await self._caller.ask(self._matches.ValidateMove, request)
        return from_refusal(answer.refusal) if answer.HasField("refusal") else None

    async def legal_moves(self, match_id: str, seat: int, *, version: int | None = None) -> Situation:
        """The seat's legal moves and its decision, now or at a version; both None while it has nothing to decide."""
        request = matches_pb2.ListLegalMovesRequest(match_id=match_id, seat=seat, version=version, accept=self._accept)
        answer = await self._caller.ask(self._matches.ListLegalMoves, request)
        return reading.legal_situation(answer)

    async def view(self, match_id: str, *, seat: int | None = None, version: int | None = None) -> View:
        request = matches_pb2.GetViewRequest(match_id=match_id, seat=seat, version=version, accept=self._accept)
        answer = await self._caller.ask(self._matches.GetView, request)
        return reading.view(answer)

    async def scores(self, match_id: str, *, seat: int | None = None) -> tuple[Scored, ...]:
        """What each seat had scored, in order: after each command, and within one where the turn or a score changed.

        As far as the audience's views of those versions tell. Raises Refused.
        """
        found: list[Scored] = []
        request = matches_pb2.ListScoresRequest(match_id=match_id, seat=seat)
        while True:
            answer = await self._caller.ask(self._matches.ListScores, request)
            found += map(reading.scored, answer.scored)
            if not answer.more:
                return tuple(found)
            request.after = answer.cursor

    async def watch(  # noqa: PLR0913 - the request's own fields
        self,
        match_id: str,
        *,
        seat: int | None = None,
        after: str = "",
        include: Collection[Any] = (),
        speed: float = 0,
        longest_pause_ms: int = 0,
        until: int = 0,
        situations: bool = False,
    ) -> AsyncIterator[Update]:
        """The match from `after` on, live until it is over; a broken stream is resumed without gap or repeat.

        The past comes at once or, with a `speed`, so many times faster than it happened, with pauses of at most
        `longest_pause_ms`; with `situations` what is included comes after each command of the past too. It ends with
        version `until`, if one is given.
        Refused with `log_rewound` once the store went back behind what was told: `log(match_id).last_common()` is where
        to go on.
        """
        request = matches_pb2.WatchMatchRequest(
            match_id=match_id,
            seat=seat,
            after=after,
            accept=self._accept,
            include=include,
            replay=Replay(speed=speed, longest_pause_ms=longest_pause_ms, until=until, situations=situations),
        )
        async for update in watch(self._caller, self._matches.WatchMatch, request):
            self._trail.note(match_id, update.cursor)
            yield update

    def turns(self, match_id: str, seat: int) -> AsyncIterator[Turn]:
        """The seat's decisions until the match is over: `async for turn in client.turns(match_id, 0)`.

        Each comes once, and again where what the seat sees or may play has changed: an offer to answer, the answers to
        an offer of its own. Whoever plays at each of them, and waits for nobody, gets each once.
        """

        async def submit(move: object, decision: int) -> Accepted:
            return await self.submit(match_id, seat, move, decision=decision)

        return turns(self.watch(match_id, seat=seat, include=(INCLUDE_VIEW, INCLUDE_LEGAL)), submit)

    def watch_log(  # noqa: PLR0913 - the request's own fields
        self,
        *,
        after: str | None = None,
        from_start: bool = False,
        game: str = "",
        types: Collection[str] = (),
        matches: Collection[str] = (),
        players: Collection[str] = (),
        full: bool = False,
    ) -> AsyncIterator[LogNews]:
        """The logs of all matches, from a position, from the start or from now; for others than admins of those over.

        A broken stream is resumed without gap or repeat. Refused with `cursor_expired` where the position is too old.
        """
        request = WatchLogRequest(filter=log_filter(game, types, matches, players), full=full)
        if after is not None:
            request.after = after
        elif from_start:
            request.from_start = True
        return watch_log(self._caller, request)

    def lobby(self) -> Lobby:
        return Lobby(self._caller)

    def admin(self) -> Admin:
        """For a token with the admin scope."""
        return Admin(self._caller)

    def players(self) -> Players:
        """Histories, statistics, ratings and leaderboards."""
        return Players(self._caller)

    def log(self, match_id: str) -> Log:
        return Log(self._caller, self._matches, match_id, self._trail)

    async def import_log(self, chunks: Iterable[bytes], *, restore: bool = False, request_id: str = "") -> Receipt:
        """Stores a full export under a new id; with `restore`, for admins, under its own."""
        start = matches_pb2.ImportMatchRequest.Start(request_id=request_id or new_request_id(), restore=restore)
        return await import_log(self._caller, self._matches.ImportMatch, start, list(chunks))

    def play(self) -> Play:
        """A session for many matches at once: `async with client.play() as play`."""
        return Play(self._caller, self._matches.Play, accept=self._accept, trail=self._trail)

    async def _change(self, method: Any, request: Any) -> Receipt:
        return reading.receipt((await self._caller.ask(method, request)).receipt)
