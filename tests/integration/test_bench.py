"""Benchmarks that run a store of their own: they come to their figures, and leave nothing behind."""

import json
import os
import signal
import subprocess
import sys

from engines.core import games
from tests.integration.platform import TIDELOG, environment, tidelog

DRAIN_S = 30


def test_the_log_is_measured_beside_two_xadds():
    report = json.loads(tidelog("bench", "log", "--reps", "1", "--json").stdout)
    assert report["p4"] > 0
    assert all(rates["least"] > 0 for rates in report["entries_per_s"].values())


def test_moves_are_measured_and_their_delays_at_half_the_rate():
    words = ("bench", "moves", "--matches", "2", "--seconds", "0.5", "--reps", "1", "--no-peer", "--json")
    report = json.loads(tidelog(*words).stdout)
    played, _, paced = report["rows"]
    assert [(row["way"], row["matches"]) for row in report["rows"]] == [("play", 2), ("unary", 2), ("play", 2)]
    assert paced["rate"] == round(played["middle"] / 2)
    assert all(row["middle"] > 0 and row["p50_ms"] > 0 and row["told_p50_ms"] > 0 for row in report["rows"])
    assert [figure["id"] for figure in report["figures"]] == ["P2a", "P2b", "P2c", "P3"]
    assert all(figure["middle"] > 0 for figure in report["figures"])


def test_deliveries_are_measured_on_streams_and_sessions():
    words = ("bench", "watch", "--matches", "2", "--watchers", "3", "--seconds", "0.5", "--reps", "1", "--json")
    report = json.loads(tidelog(*words).stdout)
    assert [run["way"] for run in report["runs"]] == ["WatchMatch", "Play", "WatchMatch by HTTP"]
    # Each move has at least one entry, and all who watch have heard it before the next.
    assert all(run["deliveries"] / report["watchers"] >= run["moves_per_s"] * 0.5 > 0 for run in report["runs"])
    assert [figure["id"] for figure in report["figures"]] == ["P7", "P7", "P7"]


def test_pages_of_the_list_are_measured_under_every_filter():
    report = json.loads(tidelog("bench", "lobby", "--matches", "60", "--calls", "2", "--json").stdout)
    assert len(report["rows"]) == 8
    assert all(0 < row["least"] <= row["most"] for row in report["rows"])
    assert report["figures"][0]["most"] == max(row["middle"] for row in report["rows"])


def script(name, *words):
    done = subprocess.run(
        [sys.executable, "-m", f"tests.bench.{name}", *words, "--json"], stdout=subprocess.PIPE, check=True, timeout=120
    )
    return json.loads(done.stdout)


def test_folds_are_measured_of_every_game_and_the_list_of_matches_built_anew():
    found = script("bench_fold", "--events", "200", "--rebuilt-events", "200", "--reps", "1")
    assert set(found["fold_ms"]) == set(games.names())
    assert all(row["min"] > 0 for row in (*found["fold_ms"].values(), found["rebuilt_events_per_s"]))


def test_moves_late_in_a_log_are_measured_beside_early_ones():
    found = script("bench_age", "--matches", "1", "--versions", "600", "--reps", "1")
    assert set(found["us_a_move"]) == {"10", "600"}
    assert all(row["moves"] > 0 and row["all"] > 0 for row in found["us_a_move"].values())
    assert found["ratio"]["median"] > 0


def test_the_memory_of_matches_is_measured_in_the_host_and_in_the_store():
    found = script("host_memory", "--matches", "100", "--moves", "2")
    assert found["store_bytes_a_match"]["median"] > 0
    assert found["host_bytes"] > 0


def test_a_benchmark_that_is_told_to_end_stops_its_store(tmp_path):
    words = [TIDELOG, "bench", "log", "--reps", "1000"]
    with subprocess.Popen(words, env=environment() | {"TMPDIR": str(tmp_path)}, stderr=subprocess.DEVNULL) as process:
        while process.poll() is None and not any(tmp_path.glob("*/store/appendonlydir")):
            os.sched_yield()
        process.send_signal(signal.SIGTERM)
        assert process.wait(DRAIN_S) != 0
    assert not any(tmp_path.iterdir())
