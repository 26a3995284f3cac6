"""What a gateway is told when it starts."""

from pathlib import Path

from msgspec import Struct

from gateway import limits
from gateway.callers.issuers import Issuer

GUEST_LIFETIME_S = 7 * 24 * 3600

GUEST_RENEWAL_S = 90 * 24 * 3600
"""How long after its end a guest's token can be renewed: as long as a match without a clock waits."""

PROJECTIONS = "gateway.sqlite"
"""The file of read models in a gateway's data directory."""


class GatewaySettings(Struct, frozen=True, kw_only=True):
    """`engines` holds texts `GAME=PLACE[,PLACE...]`, each place HOST:PORT, or dns:HOST:PORT for all of its addresses.

    `secret_key` (32 bytes) opens match secrets sealed at rest, for full exports of matches that are not over. A player
    makes no more than `waiting_matches` that have not started, and holds `seats` in matches that are not over.
    `http` is where JSON and pages are served, empty: nowhere; `http_hosts` under which names, beside the one that it
    listens at, addresses and localhost (`*`: under any). `trusted_proxies` are addresses and networks of those
    who say in X-Forwarded-For whom an HTTP request comes from.
    `log_patience_s` is how long a reader of all logs who reads nothing is waited for.
    """

    redis_url: str
    engines: tuple[str, ...]
    cluster_key: str
    data_dir: Path
    listen: str = "127.0.0.1:0"
    http: str = ""
    http_hosts: tuple[str, ...] = ()
    trusted_proxies: tuple[str, ...] = ()
    issuers: tuple[Issuer, ...] = ()
    secret_key: bytes | None = None
    guest_lifetime_s: int = GUEST_LIFETIME_S
    guest_renewal_s: int = GUEST_RENEWAL_S
    guest_burst: int = 100
    guests_per_second: float = 1.0
    command_timeout_s: float = 10.0
    checkpoint_s: float = 15.0
    log_patience_s: float = 30.0
    live_matches: int = limits.LIVE_MATCHES
    outbox_bytes: int = limits.OUTBOX_BYTES
    projection_pause_s: float = 0.05
    waiting_matches: int = limits.WAITING_MATCHES
    seats: int = limits.SEATS

    @property
    def projections_file(self) -> Path:
        return self.data_dir / PROJECTIONS
