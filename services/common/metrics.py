"""Counts for Prometheus, kept whether or not anybody asks for them. Gateways count more: gateway/metrics.py."""

from prometheus_client import Counter, Gauge, start_http_server

from services.common.latency import Latencies

commands = Counter("tidelog_commands_total", "Commands by what became of them", ["game", "outcome"])
moves = Counter("tidelog_moves_total", "Moves appended to logs; one that was sent again counts once", ["game"])
command_seconds = Latencies(
    "tidelog_engine_command_seconds", "Seconds from a command's arrival at its engine to its answer", "game"
)
decide_seconds = Latencies(
    "tidelog_engine_decide_seconds", "Seconds to judge, decide and seal a command; refused ones too", "game"
)
append_seconds = Latencies(
    "tidelog_engine_append_seconds", "Seconds until the store said what became of an append, retries included", "game"
)
appends_unanswered = Counter("tidelog_appends_unanswered_total", "Appends whose answer did not come", ["game"])
expiries = Counter("tidelog_expiries_total", "What time brought about, as a clock proposed it", ["game", "outcome"])
conflicts = Counter("tidelog_conflicts_total", "Appends that met another head", ["game"])
log_rewound = Counter("tidelog_log_rewound_total", "Logs that went back behind what was known of them here")
log_quarantined = Counter("tidelog_log_quarantined_total", "Logs with an entry that can't be folded")
warm_matches = Gauge("tidelog_warm_matches", "Matches that a host holds in memory", ["game"])
warm_evicted = Counter("tidelog_warm_evicted_total", "Matches that left a host's memory because it was full")
fsync_weak = Gauge("tidelog_store_may_lose_writes", "1 where the store's appendfsync is not `always`")
store_up = Gauge("tidelog_store_up", "1 where the store is there, is the one that was opened, and takes appends")
store_state = Gauge("tidelog_store_state", "1 for the state that the store is in", ["state"])


def count_store(state: str, *, takes_appends: bool) -> None:
    """The store's state from here on, and no other."""
    store_state.clear()
    store_state.labels(state).set(1)
    store_up.set(takes_appends)


def serve(port: int, host: str = "127.0.0.1") -> int:
    """Answers GET /metrics; the port, which is a free one for 0."""
    server, _ = start_http_server(port, host.strip("[]"))
    return server.server_port
