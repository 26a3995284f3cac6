"""Benchmarks that run a store of their own: they come to their figures, and leave nothing behind."""

import json
import os
import signal
import subprocess

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
    assert [run["way"] for run in report["runs"]] == ["WatchMatch", "Play"]
    # Each move has at least one entry, and all who watch have heard it before the next.
    assert all(run["deliveries"] / report["watchers"] >= run["moves_per_s"] * 0.5 > 0 for run in report["runs"])
    assert [figure["id"] for figure in report["figures"]] == ["P7", "P7"]


def test_a_benchmark_that_is_told_to_end_stops_its_store(tmp_path):
    words = [TIDELOG, "bench", "log", "--reps", "1000"]
    with subprocess.Popen(words, env=environment() | {"TMPDIR": str(tmp_path)}, stderr=subprocess.DEVNULL) as process:
        while process.poll() is None and not any(tmp_path.glob("*/store/appendonlydir")):
            os.sched_yield()
        process.send_signal(signal.SIGTERM)
        assert process.wait(DRAIN_S) != 0
    assert not any(tmp_path.iterdir())
