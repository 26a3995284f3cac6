"""CPU time of processes, as the kernel counts it."""

import os
import resource
from collections.abc import Mapping
from pathlib import Path


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
