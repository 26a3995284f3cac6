"""The table's ground, held to its laws in Node.js: what may be chosen, following a match over broken lines."""

import re
import subprocess
from pathlib import Path

import pytest

from tests.requirements import needs_node
from tests.web.client import STATIC

HERE = Path(__file__).parent


def laws(script, rounds):
    done = subprocess.run(
        [needs_node(), HERE / script, str(rounds)], capture_output=True, text=True, check=False, timeout=1800
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_move_can_be_picked_and_nothing_else():
    laws("choices.mjs", 300)


def test_what_is_followed_is_the_log_over_any_breaks_and_rewinds():
    laws("following.mjs", 200)


def test_what_is_kept_is_what_is_now_made_of_what_was():
    laws("kept.mjs", 300)


def test_the_games_that_are_said_to_have_pictures_have_them():
    named = re.findall(r'"(\w+)"', (STATIC / "games" / "games.js").read_text())
    assert named == sorted(path.parent.name for path in STATIC.glob("games/*/index.js"))


@pytest.mark.soak
@pytest.mark.parametrize("script", ["choices.mjs", "following.mjs", "kept.mjs"])
def test_over_many_more_seeds(script):
    laws(script, 20_000)


def test_what_is_told_comes_out_of_the_wire_as_it_went_in_wherever_it_is_cut():
    laws("wire.mjs", 0)
