"""The whole platform as its users run it: `tidelog up` as a process, and the command beside it."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

TIDELOG = Path(sys.executable).with_name("tidelog")
READY = re.compile(r"gRPC on (\S+); http://(\S+);")
DRAIN_S = 30

SHORT = "lost_seas"
"""A game whose matches of two are over soon."""


class Up(NamedTuple):
    """A living `up`: the address of gRPC, its data directory, the process, and where browsers are served."""

    address: str
    data: Path
    process: subprocess.Popen
    http: str


def environment() -> dict[str, str]:
    """Ours without anything that would steer the command, or hide that it does not flush."""
    unwanted = ("TIDELOG_", "PYTHONUNBUFFERED")
    return {key: text for key, text in os.environ.items() if not key.startswith(unwanted)}


@contextmanager
def up(data: Path, *words: str) -> Iterator[Up]:
    """Serves while the block lasts; then a Ctrl-C must drain it to exit status 0."""
    data.mkdir(parents=True, exist_ok=True)
    errors = data / "up.log"
    with errors.open("a") as log:
        process = subprocess.Popen(
            [TIDELOG, "up", "--data", data, "--port", "0", "--http", "0", *words],
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            env=environment(),
        )
    with process:
        try:
            line = process.stdout.readline()
            found = READY.search(line)
            assert found, f"no ready line: {line!r} {errors.read_text()}"
            yield Up(found[1], data, process, f"http://{found[2]}")
        finally:
            process.send_signal(signal.SIGINT)
            assert process.wait(DRAIN_S) == 0, errors.read_text()


def tidelog(*words: str | Path, status: int = 0) -> subprocess.CompletedProcess:
    """What the command writes; it must end with the status."""
    done = subprocess.run(
        [TIDELOG, *words], capture_output=True, text=True, check=False, env=environment(), timeout=120
    )
    assert done.returncode == status, done.stderr
    return done
