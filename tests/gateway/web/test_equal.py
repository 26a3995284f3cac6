"""Every rpc, found in the services' descriptors, answers over HTTP what it answers over gRPC."""

import json

import grpc
import pytest
from google.protobuf.message_factory import GetMessageClass
from jsonschema import Draft202012Validator

from gateway.web.app import DESCRIPTION
from services.common import wire
from services.eventlog.commands import Claim, Leave
from services.eventlog.memory import MemoryLog
from services.eventlog.terms import Delay, DelayUnit, Terms
from tests.gateway.floor import Floor
from tests.gateway.matches.test_delayed_bytes import CAT, World, methods, moves, questions
from tests.gateway.played import BOB, NOON, PlayedMatch
from tests.gateway.timers import TestsTimer

BOTH_WAYS = {"Play"}
FOR_ADMINS = {
    "InspectMatch": [{"match_id": "MATCH"}, {"match_id": "none"}],
    "ListQuarantined": [{}],
    "ListRewound": [{}],
    "QuarantineMatch": [{"match_id": "MATCH"}],
    "ReleaseMatch": [{"match_id": "MATCH", "reason": "looked into"}],
    "AbortMatch": [{"match_id": "none", "reason": "no use", "request_id": "abort"}],
    "RebuildReadModel": [{"name": "none"}],
}
OF_GAMES = {
    "ListGames": [{}, {"page_size": -1}, {"page_token": "none"}],
    "DescribeGame": [{"game": "lost_seas"}, {"game": "chess"}],
    "GetMessages": [{"game": "lost_seas", "language": "cs"}, {"game": "chess"}],
    "GetRules": [{"game": "lost_seas"}, {"game": "lost_seas", "ids": ["LS-4"]}, {"game": "chess"}],
}
ELSEWHERE = {
    "CreateMatch": [{"game": "chess", "request_id": "1"}, {"game": "lost_seas", "seats": 9, "request_id": "2"}],
    "QuickMatch": [{"game": "chess", "request_id": "3"}, {}],
    "SignInAsGuest": [{"name": "x" * 41}],
    "RenewToken": [{}],
    "ImportMatch": [],  # test_calls.py, test_refusals.py
}
SEALED = {"CreateInvitation", "RenewToken"}
"""What they answer is another text each time."""


@pytest.fixture
async def channels(tmp_path):
    """One match behind one gateway, over gRPC and over HTTP."""
    log = MemoryLog()
    async with Floor(log, tmp_path, over_http=True) as floor:
        terms = Terms(spectator_delay=Delay(DelayUnit.EVENTS, 8))
        played = await PlayedMatch(log, "MATCH", seats=3).create(terms=terms)
        await played.carry_out(BOB, Claim(1, "Bob"))
        await played.carry_out(f"tidelog|{CAT}", Claim(2, "Cat"))
        await moves(played, 5, seed=1)
        await played.carry_out(f"tidelog|{CAT}", Leave(2))
        await moves(played, 8, seed=1)
        gateway = await floor.gateway(TestsTimer(NOON + 600_000))
        over_http = await floor.channel(gateway)
        head = played.aggregate.facts.version
        async with grpc.aio.insecure_channel(gateway.address) as over_grpc:
            yield [World(gateway, channel, floor, played, head - 8, head) for channel in (over_grpc, over_http)]


async def test_every_rpc_answers_alike_over_both(channels):
    over_grpc = channels[0]
    asked = questions(over_grpc) | FOR_ADMINS | OF_GAMES | ELSEWHERE
    answered, refused = set(), set()
    for method in methods():
        if method.name in BOTH_WAYS:
            continue
        for question in asked[method.name]:
            for subject in ("ann", "stranger"):
                here, there = await both(channels, method, subject, question)
                assert here == there, (method.name, subject, question)
                (answered if here[0] in ("OK", "GOES ON") else refused).add(method.name)
    assert answered | refused == {method.name for method in methods()} - BOTH_WAYS - {"ImportMatch"}
    assert len(answered) >= 20
    assert len(refused) >= 20
    require_described(channels[1].channel.seen)


def require_described(seen):
    """What was asked and answered over HTTP is as its description says."""
    document = json.loads(DESCRIPTION.read_text())
    components = {"components": document["components"]}

    def checked(schema, value):
        Draft202012Validator(components | schema).validate(value)

    described = set()
    for exchange in seen:
        call = document["paths"][f"/api/v1/{exchange.rpc}"]["post"]
        if exchange.status != 200:
            checked(call["responses"]["default"]["content"]["application/json"]["schema"], exchange.answered)
            continue
        checked(call["requestBody"]["content"]["application/json"]["schema"], exchange.asked)
        answers = call["responses"]["200"]["content"]
        of_stream = "text/event-stream" in answers
        checked(
            answers["text/event-stream"]["x-data"] if of_stream else answers["application/json"]["schema"],
            exchange.answered,
        )
        described.add(exchange.rpc)
    assert len(described) >= 18


def ordered(method, message):
    """Maps have no order of their own."""
    return GetMessageClass(method.output_type).FromString(message).SerializeToString(deterministic=True)


async def both(channels, method, subject, question):
    """Code, sentence, refusal and messages over each. What is asked for the first time is asked once before."""
    fields = question if isinstance(question, tuple) else (question,)
    if "request_id" in fields[0]:
        await channels[0].ask(method, subject, *fields)
    found = [await channel.ask(method, subject, *fields) for channel in channels]
    return [
        (
            asked.code,
            asked.details,
            dict(asked.metadata).get(wire.DETAILS),
            () if method.name in SEALED else [ordered(method, message) for message in asked.messages],
        )
        for asked in found
    ]
