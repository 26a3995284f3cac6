"""The `tidelog` command. Each subcommand is loaded only when it is called."""

import sys
from collections.abc import Sequence
from importlib.metadata import version

from cyclopts import App, CycloptsError

from services.cli.errors import CheckFailed, UsageError

COMMANDS = {
    "bench": "bench:bench",
    "doctor": "doctor:doctor",
    "export": "export:export",
    "games": "games:games",
    "import": "import_log:import_log",
    "protos": "protos:protos",
    "replay": "replay:replay",
    "rules": "rules:rules",
    "serve": "serve:serve",
    "simulate": "simulate:simulate",
    "token": "token:token",
    "up": "up:up",
    "verify": "verify:verify",
}
"""Each command's module and function below services.cli."""


def app() -> App:
    root = App(
        name="tidelog",
        help="Turn-based board games as services with the guarantees of an event store.",
        version=lambda: version("tidelog"),
    )
    for name, place in COMMANDS.items():
        root.command(f"services.cli.{place}", name=name)
    return root


def run(arguments: Sequence[str]) -> int:
    """The exit status."""
    try:
        app()(arguments, exit_on_error=False, print_error=False, result_action="return_value")
    except (UsageError, CycloptsError) as error:
        return _fail(str(error), 2)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        sys.stderr.close()
        return 1
    except (CheckFailed, OSError) as error:
        return _fail(str(error), 1)
    return 0


def main() -> None:
    sys.exit(run(sys.argv[1:]))


def _fail(message: str, status: int) -> int:
    line = " ".join(message.split())
    sys.stderr.write(f"tidelog: {line}\n")
    return status
