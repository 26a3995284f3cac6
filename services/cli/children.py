"""The roles that `up` runs as processes of their own: started, watched, restarted with a pause, drained."""

import asyncio
import os
import shutil
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO

from services.cli import ready
from services.cli.errors import CheckFailed
from services.common.logs import logger
from services.common.tasks import cancelled

FIRST_PAUSE_S = 0.1
LONGEST_PAUSE_S = 5.0
LONG_LIFE_S = 30.0

log = logger()


def program() -> str:
    """The console script, which alone starts processes."""
    beside = Path(sys.executable).with_name("tidelog")
    found = str(beside) if beside.exists() else shutil.which("tidelog")
    if found is None:
        raise CheckFailed("the `tidelog` command is not installed beside this Python")
    return found


class Child:
    """One role. `address` is where it serves, and where a role that listens serves again after a restart.

    `http` is where it serves HTTP, likewise; empty for nowhere. `metrics` is the port of its metrics, likewise: 0
    before the start for any free one, None for none.
    `listen` is None for a role that serves no address of its own. What it logs goes to `errors`, by default to ours.
    """

    def __init__(  # noqa: PLR0913 - one parameter an option
        self,
        name: str,
        words: Sequence[str],
        environment: dict[str, str],
        listen: str | None,
        errors: BinaryIO | None = None,
        *,
        metrics: int | None = None,
        http: str = "",
    ) -> None:
        self.name = name
        self.address = ""
        self.metrics = metrics
        self.http = http
        self._listen = listen
        self._words = list(words)
        self._environment = {**os.environ, **environment, ready.CHILD: "1"}
        self._errors = errors
        self._up = asyncio.Event()
        self._process: asyncio.subprocess.Process
        self._watch: asyncio.Task[None]

    @property
    def pid(self) -> int:
        return self._process.pid

    async def start(self) -> None:
        """Returns once it serves. Raises CheckFailed where it ends before."""
        await self._spawn()
        self._watch = asyncio.create_task(self._keep_alive())

    def kill(self) -> None:
        """Ends it as a crash would; it starts again by itself."""
        self._up.clear()
        self._process.kill()

    async def until_up(self) -> None:
        """It serves; after `kill`, again."""
        await self._up.wait()

    async def stop(self) -> None:
        """Drains it; returns when it has ended."""
        await cancelled(self._watch)
        if self._process.returncode is None:
            self._process.send_signal(signal.SIGTERM)
        await self._process.wait()

    async def _spawn(self) -> None:
        words = list(self._words)
        if self._listen is not None:
            words += ["--listen", self._listen]
        if self.http:
            words += ["--http", self.http]
        if self.metrics is not None:
            words += ["--metrics", str(self.metrics)]
        # A session of its own: a Ctrl-C is for `up`, which drains in order.
        self._process = await asyncio.create_subprocess_exec(
            program(),
            *words,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=self._errors,
            env=self._environment,
            start_new_session=True,
        )
        assert self._process.stdout is not None
        while line := await self._process.stdout.readline():
            found = ready.parse(line)
            if found is not None:
                self.address, self.http, self.metrics = found.address, found.http, found.metrics
                self._listen = None if self._listen is None else found.address
                self._up.set()
                return
        raise CheckFailed(f"{self.name} ended before it served, status {await self._process.wait()}")

    async def _keep_alive(self) -> None:
        loop = asyncio.get_running_loop()
        pause = FIRST_PAUSE_S
        while True:
            born = loop.time()
            status = await self._process.wait()
            self._up.clear()
            if loop.time() - born > LONG_LIFE_S:
                pause = FIRST_PAUSE_S
            log.warning("role ended, starts again", name=self.name, status=status, pause_s=pause)
            pause = await self._revive(pause)

    async def _revive(self, pause: float) -> float:
        while True:
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE_S)
            try:
                await self._spawn()
            except CheckFailed as error:
                log.warning("role did not start", name=self.name, error=str(error))
            else:
                return pause
