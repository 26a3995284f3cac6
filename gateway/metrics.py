"""What a gateway counts."""

from prometheus_client import Counter

CURSOR_MISMATCH = Counter("tidelog_cursor_mismatch", "Cursors given by clients that are not of the log they name")
LOG_REWOUND = Counter("tidelog_log_rewound", "Logs that went back behind what this gateway had seen")
QUARANTINED = Counter("tidelog_log_quarantined", "Logs with an entry that can't be folded")
GAPS = Counter("tidelog_gateway_gaps", "Watched matches that had to read missing entries from their logs")
