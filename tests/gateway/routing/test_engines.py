import asyncio
from time import monotonic

import pytest

from gateway.routing.engines import BadEngines, Engines, read_places
from gateway.routing.links import CLUSTER_KEY
from services.common.refusals import Reason, Refused
from tests.gateway.engine import CLUSTER_KEY as KEY
from tests.gateway.played import GAME
from tests.gateway.scripted import ScriptedEngine
from tests.gateway.waiting import until
from tidelog.v1.engine_pb2 import EngineCommand


def command(match_id="M", request_id="1"):
    found = EngineCommand(match_id=match_id, player="tidelog|ann", request_id=request_id)
    found.start.SetInParent()
    return found


def question(match_id="M"):
    found = EngineCommand(match_id=match_id, player="tidelog|ann")
    found.validate.seat = 0
    return found


@pytest.fixture
async def replicas():
    found = [await ScriptedEngine().start() for _ in range(2)]
    yield found
    for replica in found:
        await replica.stop()


@pytest.fixture
async def one(replicas):
    return replicas[0]


@pytest.fixture
async def linked():
    """Makes engines whose links to all of the replicas given are up."""
    made = []

    async def link(*replicas):
        engines = begin({GAME: tuple(replica.address for replica in replicas)})
        await until(lambda: engines.counts.opened >= len(replicas))
        return engines

    def begin(places, key=KEY):
        engines = Engines(places, key, lambda _answer: None)
        engines.start()
        made.append(engines)
        return engines

    link.begin = begin
    yield link
    for engines in made:
        await engines.close()


async def ask(engines, found, timeout_s=20.0):
    return await engines.ask(GAME, found, timeout_s)


async def test_answers_are_matched_by_id_whatever_their_order(linked, one):
    engines = await linked(one)
    first, second = (asyncio.create_task(ask(engines, command(match))) for match in ("A", "B"))
    await one.has(2)
    one.commands.reverse()
    await one.answer()
    await one.answer()
    assert [(await task).receipt.match_id for task in (first, second)] == ["A", "B"]


async def test_commands_that_come_together_share_messages_of_one_stream(linked, one):
    engines = await linked(one)
    tasks = [asyncio.create_task(ask(engines, command(str(number)))) for number in range(64)]
    await one.has(64)
    assert (one.links, engines.counts.commands) == (1, 64)
    assert len(one.messages) == engines.counts.messages < 8
    for _ in tasks:
        await one.answer()
    await asyncio.gather(*tasks)
    assert engines.unanswered == 0


async def test_what_the_engine_refuses_is_raised(linked, one):
    engines = await linked(one)
    task = asyncio.create_task(ask(engines, command()))
    await one.refuse(Reason.SEATS_OPEN)
    with pytest.raises(Refused) as raised:
        await task
    assert raised.value.reason is Reason.SEATS_OPEN


async def test_a_match_stays_with_one_replica_and_matches_are_spread(linked, replicas):
    engines = await linked(*replicas)
    tasks = [asyncio.create_task(ask(engines, command(f"M{n % 64}", str(n)))) for n in range(128)]
    await until(lambda: sum(len(replica.commands) for replica in replicas) == 128)
    matches = [{found.match_id for found in replica.commands} for replica in replicas]
    assert min(len(found) for found in matches) >= 10
    assert not matches[0] & matches[1]
    for task in tasks:
        task.cancel()


async def test_unanswered_commands_go_to_another_replica_with_the_same_bytes(linked, replicas):
    engines = await linked(*replicas)
    asked = command()
    task = asyncio.create_task(ask(engines, asked))
    await until(lambda: any(replica.commands for replica in replicas))
    broken, other = sorted(replicas, key=lambda replica: len(replica.commands), reverse=True)
    await broken.stop()
    await other.answer()
    assert (await task).receipt.match_id == "M"
    assert broken.received == other.received == [asked]
    assert engines.counts.resent == 1


async def test_a_broken_link_is_opened_again_and_the_command_sent_again(linked, one):
    engines = await linked(one)
    task = asyncio.create_task(ask(engines, question()))
    await one.has(1)
    one.break_links()
    await one.answer()
    await task
    assert (one.links, len(one.received)) == (2, 2)


async def test_a_command_sent_and_never_answered_is_of_unknown_outcome(linked, one):
    engines = await linked(one)
    with pytest.raises(Refused) as raised:
        await ask(engines, command(), timeout_s=0.2)
    assert raised.value.reason is Reason.OUTCOME_UNKNOWN
    await one.answer()  # too late, and for nobody
    assert engines.unanswered == 0


async def test_a_question_never_answered_has_changed_nothing(linked, one):
    engines = await linked(one)
    with pytest.raises(Refused) as raised:
        await ask(engines, question(), timeout_s=0.2)
    assert raised.value.reason is Reason.ENGINE_AWAY
    assert raised.value.message.startswith("the engine did not answer in time")


async def test_a_command_lost_on_a_broken_link_stays_unknown_while_nobody_takes_over(linked, one):
    engines = await linked(one)
    task = asyncio.create_task(ask(engines, command(), timeout_s=0.5))
    await one.has(1)
    await one.stop()
    with pytest.raises(Refused) as raised:
        await task
    assert raised.value.reason is Reason.OUTCOME_UNKNOWN


JUDGED = (
    Reason.REQUEST_ID_REUSED,
    Reason.STALE,
    Reason.ILLEGAL_MOVE,
    Reason.NOT_YOUR_TURN,
    Reason.NOT_STARTED,
    Reason.ALREADY_STARTED,
    Reason.SEATS_OPEN,
    Reason.MATCH_OVER,
    Reason.OUT_OF_TIME,
    Reason.SEAT_TAKEN,
    Reason.MATCH_EXISTS,
    Reason.NOT_YOUR_SEAT,
    Reason.NOT_ALLOWED,
    Reason.UNKNOWN_MATCH,
    Reason.UNKNOWN_SEAT,
    Reason.EXPIRED,
)


async def refused_by_the_next(engines, replicas, asked, reason):
    """What the caller is told after one replica died with the command and the other refused it."""
    task = asyncio.create_task(ask(engines, asked))
    await until(lambda: any(replica.commands for replica in replicas))
    broken, other = sorted(replicas, key=lambda replica: len(replica.commands), reverse=True)
    await broken.stop()
    await other.refuse(reason)
    with pytest.raises(Refused) as raised:
        await task
    return raised.value


@pytest.mark.parametrize("reason", [reason for reason in Reason if reason is not Reason.DRAINING])
async def test_after_a_replica_was_lost_only_a_judgement_of_the_log_is_certain(linked, replicas, reason):
    refused = await refused_by_the_next(await linked(*replicas), replicas, command(), reason)
    assert refused.reason is (reason if reason in JUDGED else Reason.OUTCOME_UNKNOWN)
    assert (refused.message == "as scripted") is (reason in JUDGED)


async def test_after_a_replica_was_lost_the_refusal_of_a_question_is_what_the_next_says(linked, replicas):
    refused = await refused_by_the_next(await linked(*replicas), replicas, question(), Reason.STORE_AWAY)
    assert refused.reason is Reason.STORE_AWAY


@pytest.mark.parametrize("reason", [Reason.STORE_AWAY, Reason.TOO_MUCH, Reason.INTERNAL])
async def test_what_no_replica_was_lost_with_is_refused_as_the_engine_says(linked, one, reason):
    task = asyncio.create_task(ask(await linked(one), command()))
    await one.refuse(reason)
    with pytest.raises(Refused) as raised:
        await task
    assert raised.value.reason is reason


async def test_a_command_that_was_never_sent_has_changed_nothing(linked, one):
    engines = await linked(one)
    await one.tell_health(serving=False)
    await until(lambda: engines._games[GAME].choose("M") is None)
    started = monotonic()
    with pytest.raises(Refused) as raised:
        await ask(engines, command(), timeout_s=0.3)
    assert monotonic() - started < 5
    assert raised.value.reason is Reason.ENGINE_AWAY
    assert raised.value.retry_after_ms
    assert one.received == []


async def test_a_command_waits_for_a_replica_that_comes_soon(linked, one):
    engines = await linked(one)
    await one.tell_health(serving=False)
    await until(lambda: engines._games[GAME].choose("M") is None)
    task = asyncio.create_task(ask(engines, command()))
    await asyncio.sleep(0)
    await one.tell_health(serving=True)
    await one.answer()
    await task


async def test_a_draining_replica_hands_over(linked, replicas):
    engines = await linked(*replicas)
    task = asyncio.create_task(ask(engines, command()))
    await until(lambda: any(replica.commands for replica in replicas))
    draining, other = sorted(replicas, key=lambda replica: len(replica.commands), reverse=True)
    await draining.refuse(Reason.DRAINING)
    await other.answer()
    await task
    again = asyncio.create_task(ask(engines, command(request_id="2")))
    await other.answer()
    await again
    assert len(draining.received) == 1


async def test_a_link_without_the_cluster_key_carries_nothing(linked, one):
    engines = linked.begin({GAME: (one.address,)}, "another key")
    with pytest.raises(Refused) as raised:
        await ask(engines, command(), timeout_s=0.5)
    assert raised.value.reason in (Reason.OUTCOME_UNKNOWN, Reason.ENGINE_AWAY)
    assert (one.links, one.received) == (0, [])


async def test_a_game_that_is_not_configured_is_unknown(linked, one):
    engines = await linked(one)
    with pytest.raises(Refused) as raised:
        await engines.ask("chess", command(), 1.0)
    assert raised.value.reason is Reason.UNKNOWN_GAME


async def test_an_engine_may_listen_on_an_address_of_ipv6(linked):
    replica = await ScriptedEngine().start("[::1]:0")
    assert replica.address.startswith("[::1]:")
    assert read_places([f"{GAME}={replica.address}"]) == {GAME: (replica.address,)}
    engines = await linked(replica)
    task = asyncio.create_task(ask(engines, command()))
    await replica.answer()
    await task
    await replica.stop()


async def test_a_name_is_followed_to_all_of_its_addresses(linked, one):
    port = one.address.rpartition(":")[2]
    engines = linked.begin({GAME: (f"dns:127.0.0.1:{port}",)})
    await until(lambda: engines.counts.opened == 1)
    task = asyncio.create_task(ask(engines, command()))
    await one.answer()
    await task


def test_places_are_read_from_the_setting():
    assert read_places([f"{GAME}=a:1,b:2", f"{GAME}=dns:c:3"]) == {GAME: ("a:1", "b:2", "dns:c:3")}


@pytest.mark.parametrize("text", [GAME, f"{GAME}=", f"{GAME}=host", "chess=a:1", f"{GAME}=a:1,b"])
def test_places_that_can_not_be_read_are_refused(text):
    with pytest.raises(BadEngines):
        read_places([text])


def test_the_key_travels_under_its_published_name():
    assert CLUSTER_KEY == "tidelog-cluster-key"
