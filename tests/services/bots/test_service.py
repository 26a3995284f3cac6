"""The bots, against a small real server."""

import asyncio

import pytest

from engines.core import games
from services.bots import players, service
from services.bots.service import Bot, BotService
from services.common.refusals import Reason, Refused
from tests.protos.server import Server, serving
from tidelog.client import connect
from tidelog.v1.payload_pb2 import Payload
from tidelog.v1.updates_pb2 import Situation

GAME = "lost_seas"
MOVES = [f'{{"kind":"return_tile","tile":"LS{number:02}"}}' for number in range(32)]


@pytest.fixture
async def place():
    """(server, address); a bot is seated in one match and has a decision."""
    async with serving() as (server, address):
        server.games, server.mine = {"m": GAME}, [("m", 0)]
        server.log().situation = Situation(cursor="0-0", decision=1, legal={"moves": map(move, MOVES)})
        yield server, address


def move(json: str) -> Payload:
    return Payload(json=json)


def soon(reason: Reason) -> Refused:
    return Refused(reason, "so it is", retry_after_ms=1)


def submits(server: Server) -> list:
    commands = [c for r in server.requests for c in r.commands]
    return [command.submit for command in commands if command.HasField("submit")]


async def played(bot: Bot, place) -> str:
    """The move that the bot brings into the log."""
    server, address = place
    async with connect(address, token="t") as client:
        playing = asyncio.create_task(bot.play(client))
        await grown(server)
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)
    return server.log().moves[0].json


async def grown(server: Server) -> None:
    log = server.log()
    async with log.grown:
        await asyncio.wait_for(log.grown.wait_for(lambda: log.moves), 5)


async def test_a_bot_goes_on_with_its_decision_until_the_engine_is_back(place):
    server, _ = place
    reasons = (Reason.TOO_MUCH, Reason.STORE_FULL, Reason.INTERNAL, Reason.OUTCOME_UNKNOWN, Reason.ENGINE_AWAY)
    server.submit_faults = [soon(reason) for reason in reasons]
    await played(Bot("random"), place)
    assert len(submits(server)) == len(reasons) + 1
    assert len({(submit.request_id, submit.move.json, submit.decision) for submit in submits(server)}) == 1


async def test_a_bot_whose_match_could_not_be_followed_comes_back(place):
    server, _ = place
    server.seat_faults, server.follow_faults = [soon(Reason.STORE_AWAY)], [soon(Reason.LOG_REWOUND)]
    assert await played(Bot("random"), place) in MOVES


async def test_the_same_seed_plays_the_same_and_without_one_luck_differs(place):
    server, _ = place

    async def chosen(seed: bytes | None) -> str:
        server.logs["m"].moves.clear()
        return await played(Bot("random", seed=seed), place)

    assert await chosen(b"a") == await chosen(b"a")
    assert len({await chosen(None) for _ in range(8)}) > 1


async def test_there_is_one_session_for_each_policy_of_the_api(place):
    _, address = place
    asked = []
    bots = BotService(address, lambda policy: asked.append(policy) or "t")
    await bots.start()
    await grown(place[0])
    await bots.stop()
    assert asked == list(dict.fromkeys(policy for game in games.names() for policy in players.seated(game)))


async def test_after_its_token_expired_a_bot_comes_back_with_another(place, monkeypatch):
    server, address = place
    monkeypatch.setattr(service, "NEW_SESSION_S", 0)
    monkeypatch.setattr(players, "seated", lambda _: ("random",))
    server.faults = [Refused(Reason.UNAUTHENTICATED, "expired")]
    tokens = iter(["old", "new"])
    bots = BotService(address, lambda _: next(tokens))
    await bots.start()
    await grown(server)
    await bots.stop()
    assert server.tokens == ["Bearer old", "Bearer new"]


async def test_a_bot_leaves_alone_what_it_does_not_know(place):
    server, _ = place
    server.mine = [("n", 0), ("m", 0)]
    server.log("n").situation = server.log().situation
    await played(Bot("random"), place)
    assert {submit.match_id for submit in submits(server)} == {"m"}
