"""After real play each metric has moved as it should, and none is forgotten."""

import asyncio
import re
from pathlib import Path

import pytest
from msgspec.structs import replace
from prometheus_client import REGISTRY

import gateway.main
import services.engine.main
from gateway.settings import GatewaySettings
from services.engine.main import EngineService, EngineSettings
from tests.gateway.waiting import until
from tests.integration.platform import SHORT
from tests.integration.serving import CLUSTER_KEY, serving
from tests.metered import Metered, now, samples
from tidelog.client import LEGAL, Refused, connect

TESTS = Path(__file__).parents[1]
HERE = Path(__file__)

ELSEWHERE = {
    "tidelog_appends_unanswered": "services/common/test_metrics.py",
    "tidelog_conflicts": "services/common/test_metrics.py",
    "tidelog_cursor_mismatch": "gateway/api/test_logs.py",
    "tidelog_expiries": "services/clock/test_main.py",
    "tidelog_gateway_feed_behind_entries": "gateway/feeds/test_feed.py",
    "tidelog_gateway_feed_behind_seconds": "gateway/feeds/test_feed.py",
    "tidelog_gateway_gaps": "gateway/matches/test_live.py",
    "tidelog_gateway_http_refusals": "gateway/web/test_turning_away.py",
    "tidelog_gateway_projection_behind_entries": "gateway/projections/test_matches.py",
    "tidelog_gateway_slow_consumers": "gateway/matches/test_outbox.py",
    "tidelog_log_quarantined": "gateway/test_poison.py",
    "tidelog_log_rewound": "gateway/test_rewound.py",
    "tidelog_read_model_differences": "gateway/projections/test_rebuilding.py: READ_MODEL_DIFFERENCES",
    "tidelog_store_may_lose_writes": "services/common/test_metrics.py",
    "tidelog_store_state": "faults/test_store_health.py",
    "tidelog_store_up": "faults/test_store_health.py",
}
"""What is moved by more than play, and the test that sees it, under that name or another."""


def families():
    return {family.name: family for family in REGISTRY.collect() if family.name.startswith("tidelog_")}


def test_every_metric_is_seen_to_move_by_some_test():
    assert {gateway.main, services.engine.main}, "they register what they count"
    here = set(re.findall(r'"(tidelog_\w+?)(?:_total|_count|_sum|_bucket)?"', HERE.read_text()))
    assert here >= set(families()), "name it here, where it moves, or in ELSEWHERE"
    for name, place in ELSEWHERE.items():
        file, _, word = place.partition(": ")
        assert (word or name) in (TESTS / file).read_text(), f"{place} does not look at {name}"


@pytest.mark.parametrize("name", families())
def test_a_help_text_says_what_is_counted_and_in_which_unit(name):
    told = families()[name].documentation
    assert 10 < len(told) < 120
    if name.endswith("_seconds"):
        assert "seconds" in told.lower()
    if name.endswith("_entries"):
        assert told.startswith("Entries")


async def test_a_played_match_is_counted_by_every_step(clean_store, tmp_path):
    async with serving(SHORT, clean_store, tmp_path) as (_, served):
        for rpc in ("WatchMatch", "Play", "WatchMatches", "WatchLog"):
            assert ("tidelog_gateway_streams", frozenset({("rpc", rpc)})) in samples(), "none is open, and that is told"
        metered = Metered()
        async with connect(served.address, guest="Ann") as ann, connect(served.address, guest="Bob") as bob:
            match = (await ann.create(SHORT, 2, own_seat=0)).match_id
            await bob.join(match, 1)
            unary, move = await plays_some(ann, bob, match)
            assert now("tidelog_gateway_streams", rpc="Play") == 0
            streamed = await plays_on(ann, bob, match)
            with pytest.raises(Refused):
                await ann.submit(match, 0, {"kind": "nonsense"})
            with pytest.raises(Refused):
                await ann.submit(match, 0, move)
        await until(lambda: now("tidelog_gateway_streams", rpc="Play") == 0)

        commands, moves = 2 + unary + streamed + 2, unary + streamed
        assert unary > 2
        assert streamed > 10
        assert metered.since("tidelog_moves_total", game=SHORT) == moves
        carried_out = metered.since("tidelog_commands_total", game=SHORT, outcome="carried_out")
        assert carried_out == moves + 2
        assert metered.since("tidelog_commands_total", game=SHORT, outcome="malformed") == 1
        assert metered.since("tidelog_commands_total", game=SHORT, outcome="match_over") == 1
        for name, times in {
            "tidelog_engine_command_seconds": commands,
            "tidelog_engine_decide_seconds": moves + 2,  # a join, and a refusal; creations are not decided on a log
            "tidelog_engine_append_seconds": moves + 2,
        }.items():
            assert metered.since(f"{name}_count", game=SHORT) == times, name
            assert metered.since(f"{name}_bucket", game=SHORT, le="+Inf") == times
            assert 0 < metered.since(f"{name}_sum", game=SHORT) < 60
        beats = metered.since("tidelog_gateway_link_seconds_count", game=SHORT) - commands
        assert 0 <= beats < commands, "the clock's go over the link too"
        assert metered.since("tidelog_gateway_call_seconds_count", rpc="SubmitMove") == unary + 2
        assert metered.since("tidelog_gateway_call_seconds_count", rpc="Play") == streamed
        assert metered.since("tidelog_gateway_call_seconds_count", rpc="JoinMatch") == 1
        for rpc in ("Play", "WatchMatch"):
            assert metered.since("tidelog_gateway_delivery_seconds_count", rpc=rpc) > 10
            assert metered.since("tidelog_gateway_delivery_seconds_sum", rpc=rpc) < 60
        assert now("tidelog_warm_matches", game=SHORT) == 1
        assert now("tidelog_gateway_live_matches") == 1


async def plays_some(ann, bob, match):
    """By unary calls; how many moves they were, and the last."""
    for _ in range(10):
        (turn, *_) = (await ann.match(match)).turns
        player = (ann, bob)[turn.seat]
        found = await player.legal_moves(match, turn.seat)
        await player.submit(match, turn.seat, found.legal.moves[0], decision=turn.decision)
    return 10, found.legal.moves[0]


async def plays_on(ann, bob, match):
    """To the end, each seat by a Play stream that follows it, while somebody watches; how many moves they were."""
    watching = asyncio.create_task(watched(ann, match))
    counts = await asyncio.gather(*(sits(player, match, seat) for seat, player in enumerate((ann, bob))))
    await watching
    return sum(counts)


async def watched(client, match):
    async for _ in client.watch(match):
        pass


async def sits(client, match, seat):
    count, done = 0, None
    async with client.play() as play:
        play.follow(match, seat=seat, include=(LEGAL,))
        async for news in play:
            assert now("tidelog_gateway_streams", rpc="Play") > 0
            found = getattr(news.update, "situation", None)
            if found is not None and found.legal and found.decision != done:
                done = found.decision
                await play.submit(match, seat, found.legal.moves[0], decision=done)
                count += 1
            if type(news.update).__name__ == "End":
                return count
    raise AssertionError("the stream ended before the match")


async def test_what_leaves_a_full_memory_is_counted(clean_store, tmp_path):
    host = EngineService(EngineSettings(game=SHORT, redis_url=clean_store, cluster_key=CLUSTER_KEY, warm_matches=2))
    await host.start()
    settings = GatewaySettings(
        redis_url=clean_store, engines=(f"{SHORT}={host.address}",), cluster_key=CLUSTER_KEY, data_dir=tmp_path
    )
    served = gateway.main.Gateway(replace(settings, live_matches=1))
    await served.start()
    metered = Metered()
    async with connect(served.address, guest="Ann") as ann:
        matches = [(await ann.create(SHORT, 2, own_seat=0)).match_id for _ in range(5)]
        for match in matches:
            await ann.match(match)
    assert metered.since("tidelog_warm_evicted_total") == 3
    made, asked_for = 4, 5  # each is held when it is made, and again when it is asked for
    assert metered.since("tidelog_gateway_live_evicted_total") == made + asked_for
    assert now("tidelog_gateway_live_matches") == 1
    await served.stop()
    await host.stop()
