"""Ports of 127.0.0.1 that a test can leave and come back to.

They lie beyond those that the system itself gives to connections: one of these could be taken while a part is away,
even by the connection of a client that looks for it there. Processes that test side by side have lots of their own.
"""

import os
import random
import socket
from collections.abc import Iterator
from contextlib import suppress
from itertools import cycle

LISTENED = range(10_000, 32_000)


def _lot() -> list[int]:
    """This process's share, in an order of its own, as another run of tests may use the same."""
    number = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    count = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    lot = list(LISTENED[number::count])
    random.Random(os.getpid()).shuffle(lot)
    return lot


_ports: Iterator[int] = cycle(_lot())


def free_port() -> int:
    """Where nobody listens; it is given to nobody else here until all others were."""
    for port in _ports:
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    raise AssertionError("a cycle has no end")
