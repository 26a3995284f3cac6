"""Processes of this machine, told apart from later ones with the same number."""

import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path


def started(pid: int) -> str | None:
    """When the living process began, in words that no later process of that number shares; None for a dead one."""
    if sys.platform == "linux":
        with suppress(OSError):
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            return None if fields[0] in "ZX" else f"{_boot()}/{fields[19]}"
        return None
    listed = subprocess.run(["ps", "-o", "lstart=", "-p", str(pid)], capture_output=True, text=True, check=False)  # noqa: S603, S607 - a number
    return listed.stdout.strip() or None


def is_same(pid: int, began: str | None) -> bool:
    """Whether the process that had this number and beginning is alive."""
    return began is not None and started(pid) == began


def signal(pid: int, number: int) -> None:
    """Sends a signal; a process already gone is no error."""
    with suppress(ProcessLookupError):
        os.kill(pid, number)


def _boot() -> str:
    with suppress(OSError):
        return Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    return ""
