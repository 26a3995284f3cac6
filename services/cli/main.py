"""The `tidelog` command. Each subcommand is loaded only when it is called."""

import gc
import os
import sys
from collections.abc import Sequence
from importlib.metadata import version

from cyclopts import App, CycloptsError, Parameter

from services.cli.errors import CheckFailed, UsageError
from services.common.lines import line

COMMANDS = {
    "admin": ("admin:admin", "Look at matches, end them, take them out of service."),
    "bench": ("bench:bench", "Measure this machine, a peer beside."),
    "check-game": ("check_game:check_game", "Hold a game that lives elsewhere to the laws that every game here keeps."),
    "doctor": ("doctor:doctor", "Examine the installation, the games and the store."),
    "export": ("export:export", "Write a match's log as a file that checks on its own."),
    "games": ("games:games", "List the games."),
    "import": ("import_log:import_log", "Take a full export into the store of a running platform."),
    "protos": ("protos:protos", "Write the API's schema for clients in any language."),
    "rebuild": ("rebuild:rebuild", "Build a read model of a running gateway anew."),
    "replay": ("replay:replay", "Tell what happened in a match, and its final ranking."),
    "rules": ("rules:rules", "Print the rules of a game, or one by its id."),
    "serve": ("serve:serve", "Serve one role as a process."),
    "show": ("show:show", "Print the view of a match at any version."),
    "simulate": ("simulate:simulate", "Play matches between bots, by the engine alone."),
    "token": ("token:token", "Print a bearer token made with the store's key."),
    "up": ("up:up", "Serve the whole platform on this machine."),
    "verify": ("verify:verify", "Check logs: bytes, hashes, fold, leaves and draws."),
    "watch": ("watch:watch", "Tell a match of a running platform as it goes on."),
}
"""Each command's module and function below services.cli, and what it is for."""

COLLECTED_EVERY = (25_000, 20, 20)
"""Values here are trees, gone with their last reference: the usual (700, 10, 10) walks all open matches for nothing."""


def app() -> App:
    root = App(
        name="tidelog",
        help="Turn-based board games as services with the guarantees of an event store.",
        version=lambda: version("tidelog"),
        default_parameter=Parameter(negative=()),
    )
    for name, (place, purpose) in COMMANDS.items():
        root.command(f"services.cli.{place}", name=name, help=purpose)
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
    gc.set_threshold(*COLLECTED_EVERY)
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")  # what its C core would print beside our one line
    os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")  # it stops its threads at a fork; we only start programs
    sys.exit(run(sys.argv[1:]))


def _fail(message: str, status: int) -> int:
    sys.stderr.write(f"tidelog: {line(' '.join(message.split()))}\n")
    return status
