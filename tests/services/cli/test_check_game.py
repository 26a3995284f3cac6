"""`tidelog check-game` on the game of docs/examples, whole and broken in one place."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from services.cli.laws import book

PIG = Path(__file__).parents[3] / "docs" / "examples" / "pig" / "tidelog_pig"
COMMAND = [sys.executable, "-c", "from services.cli.main import main; main()", "check-game"]

BROKEN = [
    ("game.py", "points: tuple[int, ...] = ()", "points: list[int] = []", "types are portable"),
    ("game.py", '"goal": "PG-1"', '"goal": "PG-9"', "every option is defined by a rule"),
    ("game.py", "TurnBegun(0, 1)", "Turn(0, 1)", "matches can be played"),
    ("game.py", "if state.kept:", "if state.turn:", "matches can be played"),
    ("game.py", "yield Roll()", "yield from (Roll(), Roll())", "listed moves are legal and listed once"),
    (
        "game.py",
        "return next(legal_moves(state, seat))",
        "return Hold()",
        "autopilot is legal and first where moves form a family",
    ),
    ("game.py", 'IllegalMove("PG-4"', 'IllegalMove("PG-5"', "a refusal names a rule and changes nothing"),
    ("game.py", "if state.turn and state.outcome is None", "if state.turn", "nothing is accepted after the end"),
    ("game.py", "points=list(self.points)", "goal=self.goal", "a copy is independent"),
    ("game.py", "draft.emit(Held(", "state.turn += 1; draft.emit(Held(", "the fold of the events is the state"),
    (
        "game.py",
        "places[seat], state.points[seat],",
        "places[seat], 7,",
        "the ranking holds every seat once and its scores add up",
    ),
    (
        "__init__.py",
        "view.points",
        "view.points[:1]",
        "scores on the way are every seats and end as the ranking counts",
    ),
    ("profile.py", "VARIANTS = {", 'MODES = ("odd",)\nVARIANTS = {', "the modes of a game are variants of it"),
    ("profile.py", "Options(goal=100)", "Options(goal=1000)", "matches can be played"),
    ("policy.py", "Hold() if", "None if", "a greedy player chooses legal moves"),
    ("messages/cs.json", "{number}", "{numero}", "languages have the same texts with the same arguments"),
    ("messages/en.json", '"held"', '"kept"', "languages have the same texts with the same arguments"),
    ("game.py", "Teller()", "Teller(untold=('seat',))", "every sentence has a text and its arguments"),
]
"""File, what stands there, what is written in its place, and a law that is broken then."""


def check(place, *options):
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        [*COMMAND, str(place), *map(str, options)], capture_output=True, text=True, check=False, env=environment
    )


def test_a_game_that_lives_elsewhere_keeps_all_laws():
    done = check(PIG)
    assert (done.returncode, done.stderr) == (0, "")
    count = len(book.OF_GAMES) + 1 + len(book.OF_MATCHES)
    assert done.stdout.count("kept    ") == count
    assert done.stdout.endswith(f"pig keeps all {count} laws\n")


def test_its_report_is_one_document_with_json():
    done = check(PIG, "--json", "--matches", 3, "--seed", 7)
    report = json.loads(done.stdout)
    assert (report["game"], report["matches"]) == ("pig", 3)
    assert {verdict["kept"] for verdict in report["verdicts"]} == {True}


@pytest.mark.parametrize(("file", "there", "instead", "law"), BROKEN, ids=[case[2][:30] for case in BROKEN])
def test_a_broken_law_is_named_with_where_it_was_seen(tmp_path, file, there, instead, law):
    place = tmp_path / "tidelog_pig"
    shutil.copytree(PIG, place, ignore=shutil.ignore_patterns("__pycache__"))
    whole = (place / file).read_text()
    assert there in whole
    (place / file).write_text(whole.replace(there, instead, 1))
    done = check(place, "--json", "--matches", 2)
    broken = [verdict for verdict in json.loads(done.stdout)["verdicts"] if not verdict["kept"]]
    assert done.returncode == 1
    assert law in [verdict["law"] for verdict in broken], broken
    assert all(verdict["problem"] for verdict in broken)
    assert broken[0]["law"] in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_law_of_matches_names_the_match_that_breaks_it(tmp_path):
    place = tmp_path / "tidelog_pig"
    shutil.copytree(PIG, place, ignore=shutil.ignore_patterns("__pycache__"))
    game = (place / "game.py").read_text()
    (place / "game.py").write_text(game.replace('IllegalMove("PG-4"', 'IllegalMove("PG-5"'))
    done = check(place, "--seed", 20)
    (line,) = [line for line in done.stdout.splitlines() if line.startswith("BROKEN")]
    assert line.startswith(
        "BROKEN  a refusal names a rule and changes nothing (variant plain, seed 20): AssertionError"
    )
    assert "expected.rule in rules" in line


@pytest.mark.parametrize(
    ("place", "options", "status", "words"),
    [
        ("nowhere/at all", (), 2, "there is no folder"),
        ("{tmp}", (), 2, "has no __init__.py"),
        ("nosuchgame", (), 1, "no engine that can be loaded"),
        ("json", (), 1, "no engine that can be loaded"),
        (str(PIG), ("--matches", 1), 2, "matches are 2 or more"),
        (str(PIG), ("--seed", -1), 2, "a seed is 0 or more"),
    ],
)
def test_what_is_no_game_is_said_in_one_line(tmp_path, place, options, status, words):
    done = check(place.replace("{tmp}", str(tmp_path)), *options)
    assert (done.returncode, done.stdout) == (status, "")
    assert words in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("fault", ["raise ValueError('broken')", "raise SystemExit(3)", "ENGINE = 3"])
def test_a_package_that_breaks_as_it_is_loaded_fails_the_check(tmp_path, fault):
    (tmp_path / "broken_game").mkdir()
    (tmp_path / "broken_game" / "__init__.py").write_text(fault)
    done = check(tmp_path / "broken_game")
    assert (done.returncode, done.stdout) == (1, "")
    assert "broken_game has no engine that can be loaded" in done.stderr


def test_texts_that_a_language_lacks_are_named(tmp_path):
    place = tmp_path / "tidelog_pig"
    shutil.copytree(PIG, place, ignore=shutil.ignore_patterns("__pycache__"))
    texts = json.loads((place / "messages" / "cs.json").read_text())
    del texts["held"]
    (place / "messages" / "cs.json").write_text(json.dumps(texts))
    assert "not in all languages: held" in check(place).stdout


def test_a_game_can_not_take_the_name_of_another(tmp_path):
    place = tmp_path / "tidelog_pig"
    shutil.copytree(PIG, place, ignore=shutil.ignore_patterns("__pycache__"))
    (place / "__init__.py").write_text((place / "__init__.py").read_text().replace('name="pig"', 'name="lost_seas"'))
    done = check(place)
    assert (done.returncode, done.stdout) == (2, "")
    assert "another game is called 'lost_seas'" in done.stderr


def test_laws_are_not_checked_where_python_passes_over_them():
    done = subprocess.run([COMMAND[0], "-O", *COMMAND[1:], str(PIG)], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "run without -O" in done.stderr
