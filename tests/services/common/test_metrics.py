import subprocess
import sys

from prometheus_client import REGISTRY, generate_latest

from services.common.refusals import Reason
from services.eventlog.memory import MemoryLog
from tests.services.engine.given import Fate, FaultyLog, Party, by_then, opened
from tests.services.engine.linked import Link, command_of, serving
from tests.services.eventlog.given import EVE, GAME, MATCH

SERVES = """
import socket, urllib.request
from services.common import metrics
with socket.create_server(("127.0.0.1", 0)) as free:
    port = free.getsockname()[1]
metrics.serve(port)
metrics.conflicts.labels("chess").inc()
print(urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics").read().decode())
"""


def value(name, **labels):
    return REGISTRY.get_sample_value(name, labels) or 0.0


def test_counts_are_served_in_the_form_that_prometheus_reads():
    done = subprocess.run([sys.executable, "-c", SERVES], capture_output=True, text=True, check=True)
    assert 'tidelog_conflicts_total{game="chess"} 1.0' in done.stdout


def test_all_services_can_count_in_one_process():
    """`up --together` is one."""
    everything = "import services.common.metrics, gateway.main, services.engine.main"
    subprocess.run([sys.executable, "-c", everything], check=True)


async def test_conflicts_and_appends_without_an_answer_are_counted():
    log = FaultyLog(MemoryLog())
    host, party = await opened(log), Party(log)
    await party.sits_down(host)
    unanswered, conflicts = (
        value("tidelog_appends_unanswered_total", game=GAME),
        value("tidelog_conflicts_total", game=GAME),
    )
    log.fates.extend([Fate.LOST, Fate.CONFLICT, Fate.UNANSWERED])
    await host.carry_out(MATCH, await party.move(), by_then())
    assert value("tidelog_appends_unanswered_total", game=GAME) == unanswered + 2
    assert value("tidelog_conflicts_total", game=GAME) == conflicts + 2


async def test_a_host_counts_commands_by_what_became_of_them_and_the_matches_it_holds(clean_store):
    carried_out, refused = ({"game": GAME, "outcome": outcome} for outcome in ("carried_out", Reason.NOT_YOUR_SEAT))
    before = value("tidelog_commands_total", **carried_out), value("tidelog_commands_total", **refused)
    async with serving(clean_store) as service, Link.to(service.address) as link:
        party = Party(service.log)
        await link.ask(command_of(party.creation()), *map(command_of, party.claims()))
        order = await party.move()
        await link.ask(command_of(order), command_of(party.order(EVE, order.command)))
        assert value("tidelog_warm_matches", game=GAME) == 1
    assert value("tidelog_commands_total", **carried_out) == before[0] + 3
    assert value("tidelog_commands_total", **refused) == before[1] + 1
    assert b"tidelog_store_may_lose_writes 0.0" in generate_latest()
