"""How often one address may ask for what costs nothing to ask: a bucket that fills slowly."""

import time
from collections import OrderedDict
from collections.abc import Callable
from ipaddress import IPv6Address
from urllib.parse import unquote

from services.common.refusals import Reason, Refused

_ADDRESSES = 10_000
_HOST_BITS = 64


class Buckets:
    """`burst` requests at once, then `per_second`, for each address; the addresses seen last are remembered."""

    def __init__(self, burst: int, per_second: float, now: Callable[[], float] = time.monotonic) -> None:
        self._burst = burst
        self._per_second = per_second
        self._now = now
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, address: str) -> None:
        """Raises Refused(TOO_MUCH) with the time until the next is given."""
        now = self._now()
        left, seen = self._buckets.pop(address, (float(self._burst), now))
        left = min(left + (now - seen) * self._per_second, self._burst)
        self._buckets[address] = (left - 1 if left >= 1 else left, now)
        if len(self._buckets) > _ADDRESSES:
            self._buckets.popitem(last=False)
        if left < 1:
            wait_ms = int((1 - left) / self._per_second * 1000) + 1
            raise Refused(Reason.TOO_MUCH, "too many new guests from this address", retry_after_ms=wait_ms)


def address_of(peer: str) -> str:
    """The host of a gRPC peer such as ipv4:127.0.0.1:50000; without it the peer itself, a Unix socket's say.

    Of IPv6 it is the network of 64 bits: whoever has one has all of its addresses.
    """
    kind, _, place = peer.partition(":")
    host = unquote(place.rpartition(":")[0]).strip("[]")
    if kind == "ipv6":
        return _network(host)
    return host if kind == "ipv4" else peer


def _network(host: str) -> str:
    """What is no address is itself."""
    try:
        address = IPv6Address(host)
    except ValueError:
        return host
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(IPv6Address(int(address) >> _HOST_BITS << _HOST_BITS))
