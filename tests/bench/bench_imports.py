"""What a service costs before it does anything: CPU time and memory of its imports, of new processes.

`python -m tests.bench.bench_imports [--runs 5] [--json]`
"""

import argparse
import json
import subprocess
import sys
from statistics import median

BUDGET = {"services.engine.main": (400, 70), "gateway.main": (550, 90)}
"""Milliseconds of CPU and MB of memory, by module."""

SCRIPT = """
import resource, sys, {module}
used = resource.getrusage(resource.RUSAGE_SELF)
scale = 2**20 if sys.platform == "darwin" else 2**10
print((used.ru_utime + used.ru_stime) * 1000, used.ru_maxrss / scale)
"""


def measured(module: str) -> tuple[float, float]:
    done = subprocess.run([sys.executable, "-c", SCRIPT.format(module=module)], capture_output=True, check=True)
    cpu_ms, memory_mb = map(float, done.stdout.split())
    return cpu_ms, memory_mb


def row(module: str, runs: int) -> dict[str, object]:
    found = [measured(module) for _ in range(runs)]
    cpu, memory = zip(*found, strict=True)
    most_ms, most_mb = BUDGET[module]
    return {
        "module": module,
        "cpu_ms": [round(value) for value in (min(cpu), median(cpu), max(cpu))],
        "cpu_budget_ms": most_ms,
        "memory_mb": [round(value, 1) for value in (min(memory), median(memory), max(memory))],
        "memory_budget_mb": most_mb,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    rows = [row(module, arguments.runs) for module in BUDGET]
    if arguments.json:
        sys.stdout.write(json.dumps(rows) + "\n")
        return
    for found in rows:
        sys.stdout.write(
            f"{found['module']:<24} CPU {found['cpu_ms']} ms (budget {found['cpu_budget_ms']}), "
            f"memory {found['memory_mb']} MB (budget {found['memory_budget_mb']}); min, median, max\n"
        )


if __name__ == "__main__":
    main()
