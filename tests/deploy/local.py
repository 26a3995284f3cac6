"""The services of the compose file as processes of this machine, at addresses of their own."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from services.cli import ready
from services.eventlog import store_server
from services.eventlog.store_probe import until_ready
from tests.deploy import compose

START_S = 30
DRAIN_S = 30
STORE = "store:6379"


class Deployment:
    """What has been started. `addresses` maps the file's HOST:PORT to where that is served here.

    `metrics` holds the ports at which the roles answer Prometheus.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.addresses: dict[str, str] = {}
        self.metrics: dict[str, int] = {}
        self.processes: dict[str, asyncio.subprocess.Process] = {}

    async def start(self, service: compose.Service) -> None:
        """Returns once it serves."""
        if service.command[0] == "tidelog":
            await self._start_role(service)
        else:
            await self._start_store(service)

    async def drain(self) -> dict[str, int]:
        """The exit status of every role, the latest started first; the store ends last."""
        statuses = {}
        for name, process in reversed(self.processes.items()):
            process.send_signal(signal.SIGTERM)
            async with asyncio.timeout(DRAIN_S):
                statuses[name] = await process.wait()
        return statuses

    def written(self, name: str) -> str:
        """What the service said of itself."""
        return (self.folder / f"{name}.log").read_text()

    async def _start_role(self, service: compose.Service) -> None:
        words = [self._here(word) for word in service.command[1:]]
        environment = {key: self._here(text) for key, text in service.environment.items()}
        environment["TIDELOG_METRICS"] = "0"  # here they share a host
        data = self._mounted(service.name)
        command = [str(Path(sys.executable).with_name("tidelog")), *words]
        process = await self._spawn(service.name, command, {"TIDELOG_DATA": str(data), **environment})
        async with asyncio.timeout(START_S):
            told = ready.parse(await process.stdout.readline())
        assert told is not None, f"{service.name} is not ready: {self.written(service.name)}"
        self.metrics[service.name] = told.metrics
        listens = [word for word in service.command if word.startswith("0.0.0.0:")]
        places = [told.address, told.http][: len(listens)]
        self.addresses |= {
            word.replace("0.0.0.0", service.name): place for word, place in zip(listens, places, strict=True)
        }

    async def _start_store(self, service: compose.Service) -> None:
        """The server that the embedded store would use, with the configuration of the deployment."""
        program, *words = service.command
        server = await store_server.find()
        assert program == "valkey-server"
        words = [str(self._mounted(service.mounts[word])) if word in service.mounts else word for word in words]
        socket = self.folder / "store.sock"
        # Command words win over the file: only where the store serves differs here.
        elsewhere = ["--port", "0", "--unixsocket", str(socket)]
        process = await self._spawn(service.name, [str(server.path), *words, *elsewhere])
        await until_ready(socket, alive=lambda: process.returncode is None)
        self.addresses[f"redis://{STORE}"] = f"unix://{socket}"

    def _mounted(self, source: str) -> Path:
        if source.startswith("./"):
            return compose.ROOT / source
        volume = self.folder / "volumes" / source
        volume.mkdir(parents=True)
        return volume

    def _here(self, text: str) -> str:
        for told, real in self.addresses.items():
            text = text.replace(told, real)
        return text if not text.startswith("0.0.0.0:") else "127.0.0.1:0"

    async def _spawn(
        self, name: str, words: list[str], settings: dict[str, str] | None = None
    ) -> asyncio.subprocess.Process:
        """With settings a role, which tells on standard output that it is ready."""
        inherited = {key: text for key, text in os.environ.items() if not key.startswith("TIDELOG_")}
        with (self.folder / f"{name}.log").open("w") as log:
            output = log if settings is None else asyncio.subprocess.PIPE
            self.processes[name] = await asyncio.create_subprocess_exec(
                *words, stdout=output, stderr=log, env=inherited | (settings or {})
            )
        return self.processes[name]


@asynccontextmanager
async def deploying(folder: Path) -> AsyncIterator[Deployment]:
    """Nothing of it outlives the test."""
    deployment = Deployment(folder)
    try:
        yield deployment
    finally:
        for process in deployment.processes.values():
            if process.returncode is None:
                process.kill()
                await process.wait()
