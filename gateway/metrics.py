"""What gateways alone count."""

from prometheus_client import Counter, Gauge

from services.common.latency import Latencies

CALL_SECONDS = Latencies(
    "tidelog_gateway_call_seconds",
    "Seconds from a call's arrival to its answer or refusal; for Play, from a move to its answer",
    "rpc",
)
LINK_SECONDS = Latencies(
    "tidelog_gateway_link_seconds",
    "Seconds from a command's handing over to the engine link to its answer, other replicas included",
    "game",
)
DELIVERY_SECONDS = Latencies(
    "tidelog_gateway_delivery_seconds",
    "Seconds that news and answers wait until the transport takes the message with them, by the oldest in it",
    "rpc",
)
HTTP_REFUSALS = Counter(
    "tidelog_gateway_http_refusals",
    "HTTP requests refused before a handler was asked; the rpc is empty where none was named",
    ["rpc", "status"],
)
STREAMS = Gauge("tidelog_gateway_streams", "Streams that are open", ["rpc"])
LIVE_MATCHES = Gauge("tidelog_gateway_live_matches", "Matches that the gateway holds in memory")
LIVE_EVICTED = Counter("tidelog_gateway_live_evicted", "Matches that left the gateway's memory because it was full")
SLOW_CONSUMERS = Counter(
    "tidelog_gateway_slow_consumers", "Followed matches and streams that ended because their client read too slowly"
)
FEED_BEHIND = Gauge("tidelog_gateway_feed_behind_entries", "Entries of the feeds that the gateway has not read")
FEED_BEHIND_SECONDS = Gauge("tidelog_gateway_feed_behind_seconds", "Age in seconds of the oldest of those entries")
PROJECTION_BEHIND = Gauge(
    "tidelog_gateway_projection_behind_entries", "Entries read from the feeds that the read models do not hold yet"
)
CURSOR_MISMATCH = Counter("tidelog_cursor_mismatch", "Cursors given by clients that are not of the log they name")
GAPS = Counter("tidelog_gateway_gaps", "Watched matches that had to read missing entries from their logs")
READ_MODEL_DIFFERENCES = Counter(
    "tidelog_read_model_differences", "Rows that were not what a rebuild made of the same facts", ["model"]
)
