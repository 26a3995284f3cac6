"""Processes of a benchmark: their CPU time, as the kernel counts it, and their end."""

import asyncio
import os
import resource
import signal
from collections.abc import Callable, Coroutine, Mapping
from pathlib import Path
from typing import Any, TypeVar

Result = TypeVar("Result")


def measured(work: Coroutine[Any, Any, Result], run: Callable[..., Any] = asyncio.run) -> Result:
    """Its result, on a loop of `run`; SIGTERM stops what it has started, as Ctrl-C does."""

    async def running() -> Result:
        task = asyncio.current_task()
        assert task is not None
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
        return await work

    try:
        result: Result = run(running())
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None
    return result


def own_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def seconds(pids: Mapping[str, int]) -> dict[str, float]:
    """User and system seconds of each process since it began; empty where there is no /proc."""
    found: dict[str, float] = {}
    for name, pid in pids.items():
        try:
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        found[name] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return found
