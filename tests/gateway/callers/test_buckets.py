import pytest

from gateway.callers.buckets import Buckets, address_of
from services.common.refusals import Reason, Refused


class Clock:
    now = 100.0

    def __call__(self):
        return self.now


def test_an_address_has_a_burst_then_waits_for_the_next():
    clock = Clock()
    buckets = Buckets(2, 0.5, clock)
    buckets.take("a")
    buckets.take("a")
    with pytest.raises(Refused) as raised:
        buckets.take("a")
    assert raised.value.reason is Reason.TOO_MUCH
    assert raised.value.retry_after_ms == 2001
    buckets.take("b")
    clock.now += 2
    buckets.take("a")
    with pytest.raises(Refused):
        buckets.take("a")


def test_a_refused_request_takes_nothing():
    clock = Clock()
    buckets = Buckets(1, 1.0, clock)
    buckets.take("a")
    for _ in range(3):
        clock.now += 0.25
        with pytest.raises(Refused):
            buckets.take("a")
    clock.now += 0.25
    buckets.take("a")


@pytest.mark.parametrize(
    ("peer", "address"),
    [
        ("ipv4:10.0.0.7:50000", "10.0.0.7"),
        ("unix:/run/proxy", "unix:/run/proxy"),
        ("unix:", "unix:"),
    ],
)
def test_an_address_is_the_peer_without_its_port(peer, address):
    assert address_of(peer) == address


@pytest.mark.parametrize("kind", ["[{}]", "%5B{}%5D"], ids=["over HTTP", "over gRPC"])
@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("2001:db8:1:2::9", "2001:db8:1:2::"),
        ("2001:db8:1:3::9", "2001:db8:1:3::"),
        ("::1", "::"),
        ("::ffff:198.51.100.7", "198.51.100.7"),
        ("un:known", "un:known"),
    ],
)
def test_a_network_of_ipv6_is_one_address(kind, host, address):
    assert address_of(f"ipv6:{kind.format(host)}:50000") == address
