"""The embedded store: a server process of our own beside the data, started, watched, restarted and stopped by `up`."""

import asyncio
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Self
from urllib.parse import quote

from services.common.logs import logger
from services.common.tasks import cancelled
from services.eventlog import processes, store_server
from services.eventlog.data_directory import Claim
from services.eventlog.port import StoreAway
from services.eventlog.store_folder import StoreFolder, StoreProcess
from services.eventlog.store_probe import process_at, until_gone, until_ready

FIRST_PAUSE_S = 0.05
LONGEST_PAUSE_S = 5.0
LONG_LIFE_S = 30.0
STOP_TIMEOUT_S = 10.0

_CONFIGURATION = Path(__file__).parent / "redis.conf"
_LAUNCH = ("/bin/sh", "-c", """trap '' XFSZ; exec "$0" "$@\"""")
"""A file too large is a write error then, which the store's log names; no event loop hands on an ignored signal."""

_log = logger()


class EmbeddedStore:
    """A running store whose files and Unix socket lie in one data directory. Made by `start`.

    The store runs in a session of its own: a Ctrl-C is for `up`, which drains first. When it dies it is started
    again, with a pause that doubles, and `on_death` is told why in one line.
    """

    def __init__(self, claim: Claim, settings: dict[str, str], on_death: Callable[[str], None] | None) -> None:
        self._claim = claim
        self._folder = StoreFolder(claim.directory / "store")
        self._settings = settings
        self._on_death = on_death or _log_death
        self._child: asyncio.subprocess.Process | None = None
        self._running: StoreProcess | None = None
        self._server: store_server.StoreServer | None = None
        self._watch: asyncio.Task[None] | None = None
        self._up = asyncio.Event()
        self._said = 0
        """Bytes of its log when it began to serve."""

    @classmethod
    async def start(
        cls,
        data_dir: Path,
        *,
        settings: dict[str, str] | None = None,
        on_death: Callable[[str], None] | None = None,
    ) -> Self:
        """A store that answers: a new one, or one that outlived its `up`.

        `settings` go before our own configuration's. Raises AlreadyUp, or StoreAway with the tail of the store's log.
        """
        store = cls(Claim.take(data_dir), settings or {}, on_death)
        try:
            await store._adopt_or_spawn()
        except BaseException:
            if not store.adopted:
                store._folder.clear_away()
            store._claim.release()
            raise
        store._serves()
        store._watch = asyncio.create_task(store._keep_alive(), name="embedded store")
        return store

    @property
    def url(self) -> str:
        return f"unix://{quote(str(self._folder.socket))}"

    @property
    def pid(self) -> int:
        assert self._running is not None
        return self._running.pid

    @property
    def adopted(self) -> bool:
        """Whether the store outlived the `up` that started it."""
        return self._child is None

    async def until_up(self) -> None:
        """The store answers; after `on_death`, again."""
        await self._up.wait()

    def announce(self, *addresses: str) -> None:
        """Tells a second `up` where this one serves."""
        self._claim.announce(addresses)

    async def stop(self) -> None:
        """The store has ended, all of it on the disk; the directory is free. A second stop does nothing."""
        if self._watch is None:
            return
        await cancelled(self._watch)
        self._watch = None
        await self._end(signal.SIGTERM)
        self._folder.clear_away()
        self._claim.release()

    async def _end(self, number: signal.Signals) -> None:
        self._signal(number)
        try:
            await asyncio.wait_for(self._death(), STOP_TIMEOUT_S)
        except TimeoutError:
            self._signal(signal.SIGKILL)
            await self._death()

    def _signal(self, number: signal.Signals) -> None:
        """To our process, not to a later one with its number."""
        if self._running is not None and processes.is_same(self._running.pid, self._running.started):
            processes.signal(self._running.pid, number)

    async def _adopt_or_spawn(self) -> None:
        left = self._folder.last_process()
        pid = await process_at(self._folder.socket)
        if pid is not None:
            self._running = StoreProcess(pid, processes.started(pid))
            await until_ready(self._folder.socket, alive=lambda: processes.started(pid) is not None)
            return
        if left is not None and processes.is_same(left.pid, left.started):
            # It lives but does not answer, and two servers must not write one file.
            processes.signal(left.pid, signal.SIGKILL)
        await self._spawn()

    async def _spawn(self) -> None:
        """Starts the server and waits until it answers; raises StoreAway."""
        self._server = self._server or await store_server.find()
        with await self._folder.locked() as lock, self._folder.log.open("ab") as log:
            options = self._folder.options() | self._settings
            self._child = await asyncio.create_subprocess_exec(
                *_LAUNCH,
                self._server.path,
                _CONFIGURATION,
                *(word for name, value in options.items() for word in (f"--{name}", value)),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                pass_fds=(lock.fileno(),),
            )
        self._running = StoreProcess(self._child.pid, processes.started(self._child.pid))
        self._folder.remember(self._running)
        await self._until_answering(self._child)

    async def _until_answering(self, child: asyncio.subprocess.Process) -> None:
        try:
            await until_ready(self._folder.socket, alive=lambda: child.returncode is None)
        except BaseException as error:
            processes.signal(child.pid, signal.SIGKILL)
            await child.wait()
            if isinstance(error, StoreAway):
                raise StoreAway(f"{error}: {self._folder.log_tail()}") from error
            raise

    async def _death(self) -> str:
        """Why the store ended, once it has."""
        if self._child is not None:
            status = await self._child.wait()
            return f"killed by {signal.Signals(-status).name}" if status < 0 else f"status {status}"
        assert self._running is not None
        await until_gone(self._folder.socket, self._running)
        return "status unknown"

    async def _keep_alive(self) -> None:
        loop = asyncio.get_running_loop()
        pause = FIRST_PAUSE_S
        while True:
            born = loop.time()
            reason = await self._death()
            self._up.clear()
            last_words = self._folder.log_tail(self._said)
            self._on_death(f"the embedded store ended ({reason})" + (f": {last_words}" if last_words else ""))
            if loop.time() - born > LONG_LIFE_S:
                pause = FIRST_PAUSE_S
            pause = await self._revive(pause)

    async def _revive(self, pause: float) -> float:
        """The store answers again; returns the pause that should come before the next attempt."""
        while True:
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE_S)
            try:
                await self._spawn()
            except StoreAway as error:
                self._on_death(str(error))
            else:
                self._serves()
                return pause

    def _serves(self) -> None:
        self._said = self._folder.log_size()
        self._up.set()


def _log_death(reason: str) -> None:
    _log.warning("store ended", reason=reason)
