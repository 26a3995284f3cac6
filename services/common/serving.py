"""A gRPC server's life: it listens, tells its health and its schema, drains, and ends."""

import asyncio
import signal
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any

import grpc
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from services.common.unreadable import Registry

MAX_MESSAGE = 256 * 1024
"""The published limit of a message in bytes (log_format, Limits)."""

DRAIN_SECONDS = 10.0

STORE = "tidelog.store"
"""Under this name a server's health tells whether its store takes appends."""

LIVENESS = (
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.http2.ping_timeout_ms", 10_000),
    ("grpc.http2.min_ping_interval_without_data_ms", 5000),
)
"""A client that has gone silent is given up; one may ask whether we are there as often as ours do."""


class AddressTaken(Exception):  # noqa: N818 - says what is wrong
    """The address can't be listened on."""


class GrpcServer:
    """One server. `services` are full names, for health and reflection; `address` is where it really listens."""

    def __init__(
        self,
        services: Sequence[str],
        interceptors: Sequence[grpc.aio.ServerInterceptor] = (),
        max_message: int = MAX_MESSAGE,
    ) -> None:
        # Without so_reuseport a second server on the port is an error, not a silent rival.
        options = (("grpc.max_receive_message_length", max_message), ("grpc.so_reuseport", 0), *LIVENESS)
        self.server = grpc.aio.server(interceptors=list(interceptors), options=options)
        self._health = health.aio.HealthServicer()
        self._services = tuple(services)
        self._draining = False
        self.address = ""
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self.server)
        names = (*self._services, health.SERVICE_NAME, reflection.SERVICE_NAME)
        reflection.enable_server_reflection(names, self.server)

    def add(self, register: Callable[[Any, Any], None], servicer: object) -> None:
        """Serves the rpcs that the generated `register` knows; a servicer looks first whether a request is readable."""
        register(servicer, Registry(self.server))

    async def start(self, listen: str) -> None:
        """Listens on HOST:PORT (port 0: any free one) and reports healthy. Raises AddressTaken."""
        host, _, _ = listen.rpartition(":")
        try:
            port = self.server.add_insecure_port(listen)
        except RuntimeError as error:
            raise AddressTaken(f"can't listen on {listen}: is the port taken?") from error
        self.address = f"{host}:{port}"
        await self.server.start()
        await self._tell(("", *self._services, STORE), serving=True)

    async def tell_store(self, *, there: bool, takes_appends: bool) -> None:
        """Services are unhealthy while their store is not there; the process, named "", is not: it needs no restart."""
        if not self._draining:
            await self._tell(self._services, serving=there)
            await self._tell((STORE,), serving=takes_appends)

    async def drain(self, finish: Callable[[], Awaitable[None]] | None = None) -> None:
        """Reports unhealthy, lets `finish` bring streams and commands to their end, then stops listening."""
        self._draining = True
        await self._tell(("", *self._services, STORE), serving=False)
        if finish is not None:
            await finish()
        await self.server.stop(DRAIN_SECONDS)

    async def _tell(self, names: Iterable[str], *, serving: bool) -> None:
        told = health_pb2.HealthCheckResponse
        status = told.SERVING if serving else told.NOT_SERVING
        for name in names:
            await self._health.set(name, status)


async def stopped() -> None:
    """Returns on SIGINT or SIGTERM."""
    event = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, event.set)
    await event.wait()
