"""What gateways alone count."""

from prometheus_client import Counter

CURSOR_MISMATCH = Counter("tidelog_cursor_mismatch", "Cursors given by clients that are not of the log they name")
GAPS = Counter("tidelog_gateway_gaps", "Watched matches that had to read missing entries from their logs")
READ_MODEL_DIFFERENCES = Counter(
    "tidelog_read_model_differences", "Rows that were not what a rebuild made of the same facts", ["model"]
)
