"""GameService: what the installed games say of themselves."""

from functools import cache
from typing import Any

import msgspec

from engines.core import games
from gateway.api.calls import answering
from gateway.api.pages import page_size
from gateway.callers.call import Call
from gateway.limits import MAX_PAGE
from gateway.parts import Parts
from gateway.routing.commanding import policies
from services.common.codec import GameCodec
from services.common.refusals import Reason, Refused
from services.eventlog import words
from tidelog.v1.games_pb2 import (
    DescribeGameRequest,
    DescribeGameResponse,
    Edition,
    Game,
    GetMessagesRequest,
    GetMessagesResponse,
    GetRulesRequest,
    GetRulesResponse,
    ListGamesRequest,
    ListGamesResponse,
    Rule,
)
from tidelog.v1.games_pb2_grpc import GameServiceServicer

DIALECT = "https://json-schema.org/draft/2020-12/schema"


class GameServicer(GameServiceServicer):
    """The games that engines are configured for."""

    def __init__(self, parts: Parts) -> None:
        self.parts = parts

    @answering
    async def ListGames(self, request: ListGamesRequest, _call: Call) -> ListGamesResponse:  # noqa: N802
        size, served = page_size(request.page_size), self.parts.engines.games
        if request.page_token and request.page_token not in served:
            raise Refused(Reason.MALFORMED, "the page token is none of ours - at `$.page_token`")
        names = [name for name in served if name > request.page_token]
        token = names[size - 1] if len(names) > size else ""
        return ListGamesResponse(games=[_game(name) for name in names[:size]], next_page_token=token)

    @answering
    async def DescribeGame(self, request: DescribeGameRequest, _call: Call) -> DescribeGameResponse:  # noqa: N802
        self.parts.engines.check(request.game)
        return _described(request.game)

    @answering
    async def GetMessages(self, request: GetMessagesRequest, _call: Call) -> GetMessagesResponse:  # noqa: N802
        self.parts.engines.check(request.game)
        there = words.languages_of(request.game)
        wanted = request.language.lower().replace("_", "-").partition("-")[0]
        language = wanted if wanted in there else words.FALLBACK
        return GetMessagesResponse(language=language, languages=there, messages=words.catalogue(request.game, language))

    @answering
    async def GetRules(self, request: GetRulesRequest, _call: Call) -> GetRulesResponse:  # noqa: N802
        self.parts.engines.check(request.game)
        if len(request.ids) > MAX_PAGE:
            raise Refused(Reason.TOO_LARGE, f"at most {MAX_PAGE} rules are asked for - at `$.ids`")
        return GetRulesResponse(
            rules=[rule for rule in _rules(request.game) if not request.ids or rule.id in request.ids]
        )


def _game(name: str) -> Game:
    engine = games.engine(name)
    least, most = engine.seats
    return Game(
        name=name,
        title=engine.title,
        least_seats=least,
        most_seats=most,
        unofficial_seats=engine.unofficial_seats,
    )


@cache
def _rules(name: str) -> tuple[Rule, ...]:
    rows = ((rule, *cells, "", "") for rule, cells in games.rules(name).items())
    return tuple(Rule(id=rule, text=_plain(text), source=_plain(source)) for rule, text, source, *_ in rows)


def _plain(text: str) -> str:
    """Without the marks of Markdown that rules are written with."""
    return text.replace("*", "").replace("`", "")


@cache
def _described(name: str) -> DescribeGameResponse:
    engine = games.engine(name)
    return DescribeGameResponse(
        game=_game(name),
        rules=engine.rules,
        editions=[
            Edition(name=title, hash=games.edition_hash(games.edition(name, title))) for title in games.editions(name)
        ],
        default_edition=engine.edition,
        policies=policies(name),
        options_schema=_schema(engine.Options),
        move_schema=_schema(engine.Move),
        event_schema=_schema(engine.Event),
        view_schema=_schema(engine.View),
        proto_package=GameCodec.of(name).proto_package,
    )


def _schema(root: Any) -> str:
    return msgspec.json.encode({"$schema": DIALECT, **msgspec.json.schema(root)}).decode()
