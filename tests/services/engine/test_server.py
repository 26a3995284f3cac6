"""The engine link over real gRPC: each command one answer, in batches, and none but to those with the cluster key."""

import asyncio

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from services.common import wire
from services.common.refusals import Reason
from services.common.serving import AddressTaken
from services.engine.main import SERVICE, EngineService, EngineSettings
from services.engine.server import LINK_MESSAGE_BYTES
from services.eventlog.commands import Claim, Leave, Start, Submit
from services.eventlog.port import WrongStore
from tests.services.engine.given import Fate, FaultyLog, Party, effects
from tests.services.engine.linked import KEY, Link, command_of, reason_of, serving, validating
from tests.services.eventlog.given import ANN, BEN, EASY, EDITION_HASH, EVE, GAME, MATCH, creating
from tidelog.v1.engine_pb2 import BotClaim, EngineCommand, LinkRequest
from tidelog.v1.payload_pb2 import Payload

NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING


@pytest.fixture
async def service(clean_store):
    async with serving(clean_store) as service:
        yield service


@pytest.fixture
def log(service):
    return service.log


@pytest.fixture
async def link(service):
    async with Link.to(service.address) as link:
        yield link


@pytest.fixture
def party(log):
    return Party(log)


async def parties_of(service, count):
    """Matches in play."""
    parties = [Party(service.log, f"{MATCH}-{n}", seed=n) for n in range(count)]
    await asyncio.gather(*(party.sits_down(service.host) for party in parties))
    return parties


def held(service):
    """Two events: an append has come as far as the store, and it may go on."""
    service.host._log = log = FaultyLog(service.log)
    reached, released = asyncio.Event(), asyncio.Event()

    async def hold():
        reached.set()
        await released.wait()

    log.before = hold
    return reached, released


@pytest.mark.parametrize("key", [None, "", "another key"])
async def test_without_the_clusters_key_nothing_is_served(service, key):
    async with Link.to(service.address, key) as link:
        assert await link.ended() is grpc.StatusCode.UNAUTHENTICATED
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await link.imports(b"")
        assert reason_of(refused.value) is Reason.UNAUTHENTICATED


async def test_a_match_is_played_through_the_link_and_its_answers_hold_the_logs_entries(link, party, log):
    first, *others = [command_of(order) for order in (party.creation(), *party.claims())]
    (made,) = await link.carried_out(first)
    (begun,) = await link.carried_out(*others)
    assert (made.HasField("seat"), begun.seat) == (False, 1)
    answers = [made, begun]
    while (await party.see()).facts.owing:
        answers += await link.carried_out(command_of(await party.move()))
    told = [(e.version, e.header, e.body, e.leaf, e.hash) for answer in answers for e in answer.entries]
    assert told == [(e.version, e.header, e.body, e.leaf, e.hash) for e in await log.read(MATCH)]
    receipts = [answer.receipt for answer in answers]
    assert [r.first_version for r in receipts] == [1, *(r.last_version + 1 for r in receipts[:-1])]
    assert receipts[-1].cursor == str(party.facts.cursor)
    (again,) = await link.ask(command_of(party.order(ANN, creating(own_seat=0, name="Ann"), "request-1")))
    assert (again.receipt.duplicate, list(again.entries)) == (True, [])
    assert again.receipt.cursor == made.receipt.cursor


async def test_moves_of_many_matches_share_pipelines_and_answers_come_together(service, link, log):
    parties = await parties_of(service, 64)
    orders = [await party.move() for party in parties]
    before = log.pipelines
    commands = [command_of(order, party.match) for party, order in zip(parties, orders, strict=True)]
    answers = await link.carried_out(*commands)
    assert log.pipelines - before <= 4
    assert len(link.messages) <= 8
    for party, answer in zip(parties, answers, strict=True):
        assert answer.receipt.match_id == party.match
        assert answer.receipt.first_version == party.facts.version + 1


async def test_commands_of_one_match_are_carried_out_in_the_order_given(link, party):
    leaves_and_claims = [Leave(0), Claim(0)] * 30
    orders = [party.creation(), *(party.order(ANN, command) for command in leaves_and_claims)]
    answers = await link.carried_out(*map(command_of, orders))
    assert [answer.receipt.first_version for answer in answers] == [1, *range(3, 63)]


async def test_a_verdict_says_whether_a_move_is_legal_and_on_which_version(link, service, party):
    await party.sits_down(service.host)
    order = await party.move()
    legal, illegal = await link.ask(validating(order), validating(party.order(EVE, order.command)))
    assert (legal.verdict.version, legal.verdict.HasField("refusal")) == (party.facts.version, False)
    assert wire.from_proto(illegal.verdict.refusal).reason is Reason.NOT_YOUR_SEAT
    elsewhere = await link.refusal(validating(order, "NOWHERE"))
    assert elsewhere.reason is Reason.UNKNOWN_MATCH


async def test_bots_sit_down_with_the_creation_and_the_match_begins(link, log):
    create = EngineCommand.Create(seats=3, auto_start=True, own_seat=1, name="Ann")
    create.bots.extend([BotClaim(seat=0, player="bot|1", name="One"), BotClaim(seat=2, player="bot|2", name="Two")])
    (made,) = await link.carried_out(EngineCommand(match_id=MATCH, player=ANN, request_id="r", create=create))
    aggregate = await Party(log).see()
    assert [(seat.player, seat.bot) for seat in aggregate.facts.seats] == [
        ("bot|1", True),
        (ANN, False),
        ("bot|2", True),
    ]
    assert aggregate.facts.owing == (0, 1, 2)
    assert made.receipt.last_version == aggregate.facts.version


@pytest.mark.parametrize("edition", ["", "house", EDITION_HASH])
async def test_an_edition_is_named_or_the_games_own(link, log, edition):
    create = EngineCommand.Create(seats=2, edition=edition)
    await link.carried_out(EngineCommand(match_id=MATCH, player=ANN, request_id="r", create=create))
    assert (await Party(log).see()).facts.created.edition == EDITION_HASH


@pytest.mark.parametrize(
    ("create", "reason"),
    [
        ({"edition": "unheard of"}, Reason.UNKNOWN_EDITION),
        ({"edition": "0" * 64}, Reason.UNKNOWN_EDITION),
        ({"seats": 1}, Reason.ILLEGAL_OPTIONS),
        ({"seats": 5}, Reason.ILLEGAL_OPTIONS),
        ({"seats": -1}, Reason.ILLEGAL_OPTIONS),
        ({"options": Payload(json='{"young_explorers":true,"majority_ties":true}')}, Reason.ILLEGAL_OPTIONS),
        ({"options": Payload(json='{"young_explorers":3}')}, Reason.MALFORMED),
        ({"own_seat": 2}, Reason.UNKNOWN_SEAT),
        ({"own_seat": 1, "bots": [BotClaim(seat=1, player="bot|1")]}, Reason.SEAT_TAKEN),
        ({"own_seat": 0, "name": "n" * 70_000}, Reason.TOO_LARGE),
    ],
)
async def test_a_creation_that_is_no_good_is_refused_and_leaves_nothing(link, log, create, reason):
    create = EngineCommand.Create(**{"seats": 2, **create})
    refused = await link.refusal(EngineCommand(match_id=MATCH, player=ANN, request_id="r", create=create))
    assert refused.reason is reason
    assert bool(refused.rule) is (reason is Reason.ILLEGAL_OPTIONS)
    assert await log.read(MATCH) == []
    assert await log.secret(MATCH) is None


async def test_an_empty_command_is_malformed_and_its_neighbours_are_carried_out(link, party):
    empty = EngineCommand(match_id=MATCH, player=ANN, request_id="r")
    made, nothing, claim = await link.ask(command_of(party.creation()), empty, *map(command_of, party.claims()))
    assert made.HasField("receipt")
    assert claim.HasField("receipt")
    assert wire.from_proto(nothing.refusal).reason is Reason.MALFORMED


@pytest.mark.parametrize(
    ("move", "place"),
    [
        (Payload(), "move"),
        (Payload(json="{"), "move"),
        (Payload(json='{"kind":"sail"}'), "$.kind"),
        (Payload(json='{"kind":"take_tile","tile":"LS01","cell":"one"}'), "$.cell"),
        (Payload(json='{"kind":"choose_sides","sides":["easy","upside down"]}'), "$.sides"),
    ],
)
async def test_a_move_that_does_not_decode_is_malformed_where_it_is_wrong(link, service, party, move, place):
    await party.sits_down(service.host)
    submit = EngineCommand.Submit(seat=0, move=move)
    validate = EngineCommand.Validate(seat=0, move=move)
    for asked in ({"submit": submit}, {"validate": validate}):
        refused = await link.refusal(EngineCommand(match_id=MATCH, player=ANN, request_id="r", **asked))
        assert refused.reason is Reason.MALFORMED
        assert place in refused.message


async def test_an_illegal_move_names_its_rule(link, service, party):
    await party.sits_down(service.host)
    await party.plays_to(service.host, 20)
    order = await party.move()
    refused = await link.refusal(command_of(party.order(order.player, Submit(order.command.seat, EASY))))
    assert refused.reason is Reason.ILLEGAL_MOVE
    assert refused.rule.startswith("LS-")
    assert refused.version == party.facts.version


async def test_a_message_over_the_limit_ends_its_stream_and_no_other(service, link, party):
    async with Link.to(service.address) as large:
        await large.call.write(LinkRequest(commands=[EngineCommand(player="x" * (LINK_MESSAGE_BYTES + 1))]))
        assert await large.ended() is grpc.StatusCode.RESOURCE_EXHAUSTED
    await link.carried_out(command_of(party.creation()))


async def test_a_caller_in_a_hurry_is_told_in_time_that_the_outcome_is_unknown(service, link, party):
    await party.sits_down(service.host)
    order = await party.move()
    service.host._log = log = FaultyLog(service.log)
    log.fates.extend([Fate.UNANSWERED] * 1_000)
    refused = await link.refusal(command_of(order, timeout_ms=300))
    assert refused.reason is Reason.OUTCOME_UNKNOWN
    log.fates.clear()
    (done,) = await link.carried_out(command_of(order))
    assert (done.receipt.first_version, done.receipt.duplicate) == (party.facts.version + 1, True)


@pytest.mark.parametrize("moment", ["before", "after"])
async def test_a_fault_while_appending_costs_one_command_its_answer_and_nothing_else(service, link, log, moment):
    parties = await parties_of(service, 3)
    orders = [await party.move() for party in parties]
    commands = [command_of(order, party.match) for party, order in zip(parties, orders, strict=True)]
    service.host._log = faulty = FaultyLog(log)
    setattr(faulty, moment, broken)
    answers = await link.ask(*commands)
    failed = [answer for answer in answers if answer.HasField("refusal")]
    assert [wire.from_proto(answer.refusal).reason for answer in failed] == [Reason.OUTCOME_UNKNOWN]
    assert [answer.HasField("receipt") for answer in await link.ask(*commands)] == [True] * 3
    for party, order in zip(parties, orders, strict=True):
        assert await effects(log, order, party.match) == 1


async def test_a_fault_before_anything_was_sent_is_internal(service, link, log, monkeypatch):
    (party,) = await parties_of(service, 1)
    order = await party.move()
    with monkeypatch.context() as patch:
        patch.setattr(service.host, "_decided", None)
        refused = await link.refusal(command_of(order, party.match))
    assert refused.reason is Reason.INTERNAL
    assert await effects(log, order, party.match) == 0


async def broken():
    raise RuntimeError("broken for the test")


async def test_another_store_than_the_one_opened_is_told_as_away(service, link, monkeypatch):
    (party,) = await parties_of(service, 1)
    order = await party.move()

    async def another(_append):
        raise WrongStore("another store")

    monkeypatch.setattr(service.host, "_log", log := FaultyLog(service.log))
    monkeypatch.setattr(log, "append", another, raising=False)
    refused = await link.refusal(command_of(order, party.match))
    assert refused.reason is Reason.STORE_AWAY


async def test_a_gateway_that_has_sent_all_gets_its_answers_and_a_good_end(service, party):
    async with Link.to(service.address) as link:
        ids = await link.send(command_of(party.creation()), *map(command_of, party.claims()))
        await link.call.done_writing()
        assert all(answer.HasField("receipt") for answer in await link.answers(ids))
        assert await link.ended() is grpc.StatusCode.OK


async def test_a_gateway_that_has_sent_all_does_not_wait_for_anothers_commands(service, link, party):
    await party.sits_down(service.host)
    reached, released = held(service)
    ids = await link.send(command_of(await party.move()))
    await reached.wait()
    async with Link.to(service.address) as other:
        await other.call.done_writing()
        assert await other.ended() is grpc.StatusCode.OK
    released.set()
    await link.answers(ids)


async def test_a_command_that_has_begun_is_finished_though_its_stream_breaks(service, party, log):
    await party.sits_down(service.host)
    order = await party.move()
    reached, released = held(service)
    async with Link.to(service.address) as link:
        await link.send(command_of(order))
        await reached.wait()
        link.call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await link.ended()
    released.set()
    async with Link.to(service.address) as link:
        (done,) = await link.carried_out(command_of(order))
    assert done.receipt.first_version == party.facts.version + 1
    assert await effects(log, order) == 1


async def test_a_draining_host_answers_what_it_began_and_sends_the_rest_elsewhere(clean_store):
    service = EngineService(EngineSettings(game=GAME, redis_url=clean_store, cluster_key=KEY))
    await service.start()
    running, waiting = await parties_of(service, 2)
    orders = [await running.move(), await waiting.move()]
    reached, released = held(service)
    async with Link.to(service.address) as link, grpc.aio.insecure_channel(service.address) as channel:
        watch = health_pb2_grpc.HealthStub(channel).Watch(health_pb2.HealthCheckRequest(service=SERVICE))
        begun = await link.send(command_of(orders[0], running.match))
        await reached.wait()
        stopping = asyncio.create_task(service.stop())
        while (await watch.read()).status != NOT_SERVING:
            pass
        watch.cancel()
        refused = await link.refusal(command_of(orders[1], waiting.match))
        assert (refused.reason, refused.retry_after_ms) == (Reason.DRAINING, 100)
        with pytest.raises(grpc.aio.AioRpcError) as no_import:
            await link.imports(b"", "NEW")
        assert reason_of(no_import.value) is Reason.DRAINING
        released.set()
        (done,) = await link.answers(begun)
        assert done.receipt.first_version == running.facts.version + 1
        assert await link.ended() is grpc.StatusCode.UNAVAILABLE
        await stopping
    async with serving(clean_store) as other, Link.to(other.address) as link:
        (again, rest) = await link.carried_out(
            command_of(orders[0], running.match), command_of(orders[1], waiting.match)
        )
        assert (again.receipt.duplicate, rest.receipt.duplicate) == (True, False)


async def test_an_address_in_use_is_told_and_nothing_stays_open(service, clean_store):
    second = EngineService(EngineSettings(game=GAME, redis_url=clean_store, cluster_key=KEY, listen=service.address))
    with pytest.raises(AddressTaken, match=service.address):
        await second.start()


async def test_a_match_made_and_begun_by_its_creator_alone(link, party):
    """Start over the link, which needs a creator or an admin."""
    create, claim = command_of(party.creation(auto_start=False)), command_of(party.claims()[0])
    await link.carried_out(create, claim)
    assert (await link.refusal(command_of(party.order(BEN, Start())))).reason is Reason.NOT_ALLOWED
    (begun,) = await link.carried_out(command_of(party.order(EVE, Start(), admin=True)))
    assert begun.receipt.first_version == 4
