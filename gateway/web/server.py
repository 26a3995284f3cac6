"""The HTTP server beside the gRPC one: the same process, the same loop, the same servicers."""

import asyncio
import socket
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from ipaddress import ip_network

import uvicorn

from gateway.web.app import application
from gateway.web.hosts import Hosts
from gateway.web.protocol import Protocol
from services.common.serving import DRAIN_SECONDS, AddressTaken

BACKLOG = 2048
CONNECTIONS = 10_000
"""More are told to come back later."""

SILENT_MS = 40_000
"""A client that no longer acknowledges what it is sent is given up, as over gRPC."""

IDLE_S = 75
"""How long a connection is kept without a request."""


class HttpServer:
    """`start` returns once it listens at `address`; `drain` takes no more connections and waits for open answers.

    `hosts` are the names that it is asked under, beside addresses and localhost. `proxies` are the addresses and
    networks of those who say in X-Forwarded-For whom a request comes from.
    """

    def __init__(self, servicers: Mapping[str, object], hosts: Iterable[str] = (), proxies: Sequence[str] = ()) -> None:
        self.address = ""
        config = uvicorn.Config(
            application(servicers, Hosts(hosts), self._crowded),
            http=Protocol,
            ws="none",
            lifespan="off",
            interface="asgi3",
            backlog=BACKLOG,
            timeout_keep_alive=IDLE_S,
            timeout_graceful_shutdown=int(DRAIN_SECONDS),
            log_config=None,
            log_level="critical",  # what clients send that is no HTTP is nobody's concern; our own faults we log
            access_log=False,
            server_header=False,
            proxy_headers=bool(proxies),  # else any client could say that it is another
            forwarded_allow_ips=[*proxies, *filter(None, map(_mapped, proxies))],
        )
        self._server = _Server(config)
        self._serving: asyncio.Task[None]

    async def start(self, listen: str) -> None:
        """Listens on HOST:PORT (port 0: any free one). Raises AddressTaken."""
        host, _, _ = listen.rpartition(":")
        taken = _bound(listen)
        self.address = f"{host}:{taken.getsockname()[1]}"
        self._serving = asyncio.create_task(self._server.serve([taken]))
        await self._server.listens

    def _crowded(self) -> bool:
        return len(self._server.server_state.connections) > CONNECTIONS

    async def drain(self) -> None:
        self._server.should_exit = True
        await self._serving


class _Server(uvicorn.Server):
    """One among other servers of its process: signals are not its own."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.listens: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.listens.set_result(None)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def _mapped(place: str) -> str:
    """An address or network of IPv4 as one who listens to IPv6 too sees it; empty for one of IPv6."""
    network = ip_network(place)
    return f"::ffff:{network.network_address}/{network.prefixlen + 96}" if network.version == 4 else ""


def _bound(listen: str) -> socket.socket:
    host, _, port = listen.rpartition(":")
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host.strip("[]"), int(port), type=socket.SOCK_STREAM)[0]
        found = socket.socket(family, kind, protocol)
        try:
            found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if hasattr(socket, "TCP_USER_TIMEOUT"):  # Linux; connections inherit it
                found.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, SILENT_MS)
            found.bind(address)
        except OSError:
            found.close()
            raise
    except (OSError, ValueError) as error:
        raise AddressTaken(f"can't listen on {listen}: {error}") from error
    return found
