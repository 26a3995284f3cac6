import pytest

from engines.core import games
from services.cli.laws.record import members
from tests.engines.golden import Playthrough, again, files, head, moves_of

LEAST = 3


def playthrough(path):
    text = path.read_text()
    return Playthrough(path, text).play(moves_of(text))


def of(game):
    return [path for path in files() if path.parent.parent.name == game]


@pytest.mark.parametrize("path", files(), ids=lambda path: path.stem)
def test_a_playthrough_is_what_its_moves_make_it(path):
    assert again(path) == path.read_text()


@pytest.mark.parametrize("path", files(), ids=lambda path: path.stem)
def test_a_playthrough_goes_to_the_end(path):
    played = playthrough(path)
    assert played.engine.outcome(played.state) is not None


@pytest.mark.parametrize(
    "path", [path for path in files() if "scored by hand" in path.read_text()], ids=lambda p: p.stem
)
def test_the_points_counted_by_hand_are_those_of_the_outcome(path):
    played = playthrough(path)
    counted = [int(points) for points in head(path.read_text())["scored by hand"].split()]
    ranking = sorted(played.engine.outcome(played.state).ranking, key=lambda standing: standing.seat)
    assert [standing.points for standing in ranking] == counted


@pytest.mark.parametrize("game", games.names())
def test_the_playthroughs_of_a_game_touch_every_kind_of_event(game):
    assert len(of(game)) >= LEAST
    touched = {type(emitted.event) for path in of(game) for emitted in playthrough(path).emitted}
    assert touched == set(members(games.engine(game).Event))
