"""Whom a request comes from: its connection says so, and a proxy that is trusted, nobody else."""

import httpx
import pytest

from services.common import config
from tests.gateway.web.browser import Browser

BURST = 2
PROXY, STRANGER = "127.0.0.2", "127.0.0.3"
"""Addresses of this machine that a client can come from."""


async def behind(floor, proxies=f"{PROXY}, 127.9.0.0/16", http="127.0.0.1:0"):
    trusted = config.proxy_addresses(proxies)
    return await floor.gateway(http=http, trusted_proxies=trusted, guest_burst=BURST, guests_per_second=0.0001)


async def signed_in(gateway, own, *forwarded):
    """The status of a sign-in from the address, with these headers X-Forwarded-For."""
    _, _, port = gateway.http_address.rpartition(":")
    transport = httpx.AsyncHTTPTransport(local_address=own, verify=False)
    headers = [("x-forwarded-for", each) for each in forwarded]
    async with httpx.AsyncClient(transport=transport) as http:
        place = f"http://127.0.0.1:{port}/api/v1/IdentityService/SignInAsGuest"
        return (await http.post(place, json={"name": "Ann"}, headers=headers)).status_code


async def used_up(gateway, own, *forwarded):
    """Whether the address had what a new one has, which it has not any more."""
    told = [await signed_in(gateway, own, *forwarded) for _ in range(BURST + 1)]
    assert told[-1] == 429
    return told == [*[200] * BURST, 429]


async def test_the_limit_is_for_each_client_of_a_trusted_proxy(floor):
    gateway = await behind(floor)
    assert await used_up(gateway, PROXY, "198.51.100.1")
    assert await used_up(gateway, PROXY, "198.51.100.2")
    assert await used_up(gateway, PROXY, "2001:db8::1")
    assert not await used_up(gateway, PROXY, "2001:db8::2"), "of the same client"
    assert await used_up(gateway, PROXY), "itself, where it names nobody"
    assert not await used_up(gateway, PROXY, "198.51.100.1")


async def test_a_trusted_network_hands_on_too(floor):
    gateway = await behind(floor)
    assert await used_up(gateway, "127.9.1.1", "198.51.100.1")
    assert not await used_up(gateway, "127.9.200.7", "198.51.100.1")
    assert await used_up(gateway, "127.9.200.7", "198.51.100.2")


async def test_who_is_not_trusted_can_not_choose_its_address(floor):
    gateway = await behind(floor)
    assert await used_up(gateway, STRANGER, "198.51.100.1")
    for chosen in ("198.51.100.2", PROXY, f"198.51.100.3, {PROXY}"):
        assert await signed_in(gateway, STRANGER, chosen) == 429
    assert await used_up(gateway, PROXY, "198.51.100.1"), "nobody used up what is another's"


async def test_a_client_of_a_trusted_proxy_can_not_choose_its_address(floor):
    """What it sends itself stands before what the proxy adds, in the same header or in one of its own."""
    gateway = await behind(floor)
    assert await used_up(gateway, PROXY, "198.51.100.1")
    for chosen in (["198.51.100.2, 198.51.100.1"], ["198.51.100.2", "198.51.100.1"], [f"{PROXY}, 198.51.100.1"]):
        assert await signed_in(gateway, PROXY, *chosen) == 429
    assert await signed_in(gateway, PROXY, "198.51.100.1, 127.9.0.1") == 429, "through two that are trusted"


async def test_without_the_option_nobody_is_trusted(floor):
    gateway = await behind(floor, "")
    assert await used_up(gateway, "127.0.0.1", "198.51.100.1")
    assert not await used_up(gateway, "127.0.0.1", "198.51.100.2")


async def test_a_variable_of_the_server_library_trusts_nobody(floor, monkeypatch):
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "*")
    gateway = await behind(floor)
    assert await used_up(gateway, STRANGER, "198.51.100.1")
    assert not await used_up(gateway, STRANGER, "198.51.100.2")


async def test_a_proxy_of_ipv4_is_known_where_ipv6_is_listened_to(floor):
    gateway = await behind(floor, http="[::]:0")
    assert await used_up(gateway, PROXY, "198.51.100.1")
    assert await used_up(gateway, "127.9.1.1", "198.51.100.2")
    assert await used_up(gateway, STRANGER, "198.51.100.3")
    assert not await used_up(gateway, STRANGER, "198.51.100.4")


async def test_a_proxy_may_say_odd_things(floor):
    gateway = await behind(floor)
    for odd in ("", ",", "unknown", "_hidden", "[", "x" * 10_000, "::1:::", "198.51.100.1:x", "\xff"):
        assert await signed_in(gateway, PROXY, odd.encode("latin-1")) == 200, odd


async def test_calls_go_on_behind_a_proxy(floor):
    gateway = await behind(floor, "127.0.0.1")
    ann = await floor.client(gateway, "ann")
    async with Browser(gateway, ann.token) as web:
        answer = await web.http.post("/api/v1/GameService/ListGames", json={}, headers={"x-forwarded-proto": "https"})
        assert answer.status_code == 200


@pytest.mark.parametrize("given", ["*", "proxy.test", "10.0.0.1/8", "10.0.0.0/33", "1.2.3", "127.0.0.1:80", "[::1]"])
def test_what_is_no_address_is_refused(given):
    with pytest.raises(config.BadSetting, match="is no address of a proxy"):
        config.proxy_addresses(f"127.0.0.1,{given}")


def test_addresses_and_networks_are_taken():
    assert config.proxy_addresses(" 127.0.0.1, ::1,10.0.0.0/8 ,") == ("127.0.0.1", "::1", "10.0.0.0/8")
