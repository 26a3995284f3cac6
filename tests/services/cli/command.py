"""The `tidelog` command as the tests call it, in this process."""

import json
from pathlib import Path
from typing import Any

from services.cli.main import run

GAME = "lost_seas"


class Command:
    """Runs the command and keeps what it printed."""

    def __init__(self, capsys: Any) -> None:
        self._capsys = capsys
        self.out = ""
        self.err = ""

    def __call__(self, *arguments: object) -> int:
        """The exit status."""
        self._capsys.readouterr()
        status = run([str(argument) for argument in arguments])
        self.out, self.err = self._capsys.readouterr()
        return status

    def json(self, *arguments: object, status: int = 0) -> Any:
        assert self(*arguments, "--json") == status, self.err
        return json.loads(self.out)

    def refuses(self, *arguments: object, status: int = 2) -> str:
        """The one line on standard error; nothing stands on standard output."""
        assert self(*arguments) == status
        assert self.out == ""
        assert self.err.startswith("tidelog: ")
        assert self.err.count("\n") == 1
        return self.err

    def exports(self, folder: Path, *arguments: object, game: str = GAME) -> list[Path]:
        """The exports of a simulation, in order."""
        assert self("simulate", game, "--out", folder, *arguments) == 0, self.err
        return sorted(folder.iterdir())
