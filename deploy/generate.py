# ruff: noqa: INP001 - a script beside the files of a deployment, which are no package
"""Writes docker-compose.yml and prometheus.yml: the templates beside this file, with each installed game's engine.

`python deploy/generate.py [FOLDER]` writes both there instead. A test compares what is committed with what this writes.
"""

import subprocess
import sys
from pathlib import Path
from string import Template

import msgspec
from msgspec import Struct

HERE = Path(__file__).resolve().parent
COMPOSE = HERE.parent / "docker-compose.yml"
PROMETHEUS = HERE / "prometheus.yml"
PORT = 50052
"""Where an engine service listens, each on a host of its own."""
METRICS = 9464
"""Where every role answers Prometheus, as the template says."""

SERVICE = """
  {service}:
    <<: *role
    command: tidelog serve engine {game} --listen 0.0.0.0:{port}
    environment:
      <<: *settings
      TIDELOG_SECRET_KEY: ${{TIDELOG_SECRET_KEY:-}}
    depends_on:
      store:
        condition: service_healthy
"""


class Game(Struct, frozen=True):
    """What is needed of a row of `tidelog games --json`."""

    name: str

    @property
    def service(self) -> str:
        """Also a host name, which can't hold an underscore."""
        return f"engine-{self.name.replace('_', '-')}"


class Compose(Template):
    """`$` is left to Compose, which fills in variables of its own."""

    delimiter = "@"


def games() -> list[Game]:
    command = [str(Path(sys.executable).with_name("tidelog")), "games", "--json"]
    listed = subprocess.run(command, stdout=subprocess.PIPE, check=True)  # noqa: S603 - our own command
    return msgspec.json.decode(listed.stdout, type=list[Game])


def compose(found: list[Game]) -> str:
    """The file for these games, in their order."""
    return Compose((HERE / "compose.template.yml").read_text()).substitute(
        addresses=",".join(f"{game.name}={game.service}:{PORT}" for game in found),
        engines=", ".join(game.service for game in found),
        services="".join(SERVICE.format(service=game.service, game=game.name, port=PORT) for game in found),
    )


def prometheus(found: list[Game]) -> str:
    """Which services are asked what they count."""
    names = ["gateway", "bots", *(game.service for game in found)]
    return Compose((HERE / "prometheus.template.yml").read_text()).substitute(names=", ".join(names), port=METRICS)


if __name__ == "__main__":
    installed = games()
    for file, text in ((COMPOSE, compose(installed)), (PROMETHEUS, prometheus(installed))):
        target = Path(sys.argv[1]) / file.name if len(sys.argv) > 1 else file
        target.write_text(text)
