"""Bad usage of the commands that need a platform: one line that names what is wrong, exit status 2."""

import pytest
import structlog

LINES = {
    "up --port 0 --http 0 --redis elsewhere": "redis://",
    "up --port 70000": "70000",
    "up --host=": "host",
    "up --http-host https://games.test": "https://games.test",
    "up --trusted-proxy proxy.test": "proxy.test",
    "up --log loud": "debug, info, warning, error",
    "serve gateway --redis redis://127.0.0.1:1 --log loud": "debug, info, warning, error",
    "up --durability twice": "replicated(N)",
    "up --durability replicated(1)": "embedded store has no replicas",
    "serve": "role",
    "serve juggler": "juggler",
    "serve engine --redis redis://127.0.0.1:1": "GAME",
    "serve engine lost_seas --redis redis://127.0.0.1:1 --durability replicated(0)": "replicated(N)",
    "serve engine chess --redis redis://127.0.0.1:1": "chess",
    "serve gateway --redis elsewhere": "redis://",
    "serve gateway --redis redis://127.0.0.1:1 --engine chess=127.0.0.1:1": "chess",
    "serve gateway --redis redis://127.0.0.1:1 --engine nonsense": "GAME=HOST:PORT",
    "serve gateway --redis redis://127.0.0.1:1 --http-host games.test:80": "games.test:80",
    "serve gateway --redis redis://127.0.0.1:1 --trusted-proxy *": "'*'",
    "serve bots --redis redis://127.0.0.1:1": "--gateway",
    "token --redis elsewhere": "redis://",
    "doctor --redis elsewhere": "redis://",
    "export ABC --seat nowhere": "nowhere",
    "export ABC": "nothing is up",
    "import nowhere.jsonl": "nowhere.jsonl",
    "admin abort ABC": "--reason",
    "admin quarantine ABC": "--reason",
    "admin quarantine ABC --lift": "--reason",
    "admin list everything": "quarantined, rewound",
    "admin inspect": "--match",
    "admin inspect ABC": "nothing is up",
    "rebuild matches": "nothing is up",
    "watch ABC": "nothing is up",
    "watch ABC --seat nowhere": "nowhere",
    "watch ABC --speed 0": "speed",
    "watch ABC --speed nan": "speed",
    "watch ABC --until 0": "from 1",
    "show ABC": "nothing is up",
    "show ABC@head": "head",
    "show ABC --seat all": "all",
    "bench moves --matches none --no-peer": "none",
    "bench moves --seconds 0 --no-peer": "seconds",
    "bench moves --game chess --no-peer": "chess",
    "bench moves --seconds nan --no-peer": "seconds",
    "bench faults chess": "chess",
    "bench faults --minutes 0": "minutes",
    "bench faults --minutes nan": "minutes",
    "bench faults --tables 0": "table",
    "bench moves --rate -1 --no-peer": "rate",
    "bench watch --seconds inf": "seconds",
    "bench watch --watchers 0": "watcher",
    "bench lobby --matches 0": "match",
    "bench log --reps 0": "run",
}


@pytest.fixture(autouse=True)
def nothing_is_up(tmp_path, monkeypatch):
    monkeypatch.setenv("TIDELOG_DATA", str(tmp_path))
    monkeypatch.setenv("TIDELOG_CLUSTER_KEY", "key")
    for name in ("TIDELOG_REDIS", "TIDELOG_GATEWAY", "TIDELOG_TOKEN", "TIDELOG_DURABILITY"):
        monkeypatch.delenv(name, raising=False)
    yield
    structlog.reset_defaults()  # `serve` and `up` write logs to the standard error of this test
    structlog.contextvars.clear_contextvars()


@pytest.mark.parametrize("line", LINES)
def test_bad_usage_is_one_line_that_names_it(tidelog, line):
    assert LINES[line] in tidelog.refuses(*line.split())


@pytest.mark.parametrize("role", ["engine lost_seas", "gateway", "bots --gateway 127.0.0.1:1"])
def test_a_role_whose_store_is_not_there_says_so_and_ends(tidelog, role):
    told = tidelog.refuses("serve", *role.split(), "--redis", "redis://127.0.0.1:1", status=1)
    assert "the store at redis://127.0.0.1:1 can't be reached" in told


def test_a_peer_that_is_missing_fails_the_bench(tidelog, tmp_path):
    assert "peer" in tidelog.refuses("bench", "moves", "--peer", tmp_path, status=1)
