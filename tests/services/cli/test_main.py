import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from services.cli import main
from services.cli.errors import CheckFailed, UsageError
from services.cli.output import say, say_lines
from tests.services.cli.command import GAME

SCRIPT = Path(sys.executable).with_name("tidelog")


def installed(*arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([SCRIPT, *map(str, arguments)], capture_output=True, text=True, timeout=60, check=False)


def test_an_unknown_command_is_refused_by_its_name(tidelog):
    assert "frobnicate" in tidelog.refuses("frobnicate")


@pytest.mark.parametrize("name", main.COMMANDS)
def test_every_command_explains_itself(tidelog, name):
    assert tidelog(name, "--help") == 0
    assert tidelog.out.startswith(f"Usage: tidelog {name}")


@pytest.mark.parametrize(
    "arguments",
    [
        ("simulate", GAME, "--frobnicate", "1"),
        ("simulate", GAME, "--matches", "many"),
        ("simulate",),
        ("games", "more"),
        ("replay",),
        ("verify",),
        ("rules",),
    ],
)
def test_bad_usage_is_one_line_and_status_2(tidelog, arguments):
    tidelog.refuses(*arguments)


def test_the_command_alone_shows_its_help(tidelog):
    assert tidelog() == 0
    assert "simulate" in tidelog.out


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (UsageError("two\nlines\x1b[31m"), 2),
        (CheckFailed("two\nlines\x1b[31m"), 1),
        (OSError("two\nlines\x1b[31m"), 1),
    ],
)
def test_an_error_is_one_line(capsys, monkeypatch, error, status):
    def app():
        def call(*_arguments, **_options):
            raise error

        return call

    monkeypatch.setattr(main, "app", app)
    assert main.run([]) == status
    assert capsys.readouterr().err == "tidelog: two lines?[31m\n"


def test_an_interrupted_command_ends_as_shells_expect(monkeypatch):
    def app():
        raise KeyboardInterrupt

    monkeypatch.setattr(main, "app", app)
    assert main.run([]) == 130


def test_the_installed_command_knows_its_version():
    done = installed("--version")
    assert (done.returncode, done.stdout.strip()) == (0, version("tidelog"))


def test_the_installed_command_simulates_and_verifies(tmp_path):
    done = installed("simulate", GAME, "--matches", 2, "--out", tmp_path, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("{")
    done = installed("verify", tmp_path)
    assert done.returncode == 0
    assert done.stdout.count("ok  ") == 2


def test_the_installed_command_ends_with_its_status():
    done = installed("frobnicate")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("tidelog: Unknown command")


def test_a_name_that_others_chose_neither_ends_a_line_nor_steers_the_terminal(capsys):
    say("Ann\n   12 The match is over.\x1b[2J takes seat 0.")
    say_lines("{\n \x9b}")
    assert capsys.readouterr().out == "Ann?   12 The match is over.?[2J takes seat 0.\n{\n ?}\n"
