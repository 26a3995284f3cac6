"""What a browser loads for one page, uncompressed."""

import pytest

from tests.web.client import STATIC, TAGS, reached

KIB = 1024
GAMES = sorted(path.parent.name for path in (STATIC / "games").glob("*/index.js"))
FRAME = ("index.html", "app.css", "icon.svg", "messages/languages.json")


def words(folder):
    """English stands behind every other language, so both are loaded."""
    return {folder / "messages" / f"{tag}.json" for tag in TAGS}


def weight(*roots, style):
    files = reached(*(STATIC / root for root in ("app.js", *roots))) | words(STATIC)
    files |= {STATIC / name for name in (*FRAME, style)}
    return files


def size(files):
    return sum(path.stat().st_size for path in files)


@pytest.mark.parametrize("game", GAMES)
def test_a_table_weighs_less_than_400_kib(game):
    folder = STATIC / "games" / game
    files = weight("table/table.js", f"games/{game}/index.js", style="table/table.css")
    files |= {folder / "game.css"} | words(folder)
    assert len(files) > 30
    assert size(files) < 400 * KIB


def test_the_lobby_weighs_less_than_250_kib():
    files = weight("lobby/lobby.js", style="lobby/lobby.css").union(*(words(STATIC / "games" / game) for game in GAMES))
    assert len(files) > 30
    assert size(files) < 250 * KIB
