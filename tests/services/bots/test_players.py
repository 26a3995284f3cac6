import pytest

from engines.core import games
from engines.core.chance import SeededChance
from services.bots.players import UnknownPlayer, names, player, seat_players, seated, uniform, uniform_open

GAME = "lost_seas"
DRAWS = 3_000


def no_view() -> object:
    raise AssertionError("this player does not look")


def no_families() -> object:
    raise AssertionError("this player does not ask")


class Scripted:
    """A chance that gives what it is told."""

    def __init__(self, *results: int) -> None:
        self.results = list(results)

    def draw(self, label: str, n: int) -> int:
        assert label == "move"
        assert self.results[0] < n
        return self.results.pop(0)


class Family:
    name = "words"

    def contains(self, move: str) -> bool:
        return move == "sample"

    def sample(self, chance: Scripted) -> str:
        return f"sample {chance.draw('move', 10)}"


def one_family():
    return (Family(),)


def test_every_game_has_the_same_built_in_players():
    for game in games.names():
        assert names(game)[:2] == ("random", "random-open")
        assert "greedy" in names(game)


def test_a_client_knows_no_families_so_none_plays_them_over_the_api():
    for game in games.names():
        assert seated(game) == (*games.policies(game), "random")
        assert set(seated(game)) == set(names(game)) - {"random-open"}


@pytest.mark.parametrize("choice", [0, 1, 2])
def test_the_random_player_takes_any_legal_move(choice):
    assert uniform(no_view, "abc", no_families, Scripted(choice)) == "abc"[choice]


def test_the_random_player_passes_where_nothing_is_listed():
    assert uniform(no_view, (), no_families, Scripted()) is None


def test_each_move_is_equally_likely():
    chance = SeededChance(1)
    taken = [uniform(no_view, "abc", no_families, chance) for _ in range(DRAWS)]
    assert all(abs(taken.count(move) - DRAWS / 3) < DRAWS / 20 for move in "abc")


def test_the_open_player_samples_families_too():
    assert uniform_open(no_view, "abc", one_family, Scripted(2)) == "c"
    assert uniform_open(no_view, "abc", one_family, Scripted(3, 7)) == "sample 7"
    assert uniform_open(no_view, (), one_family, Scripted(0, 7)) == "sample 7"
    assert uniform_open(no_view, "abc", tuple, Scripted(1)) == "b"


def test_the_games_own_player_looks_at_the_view():
    with pytest.raises(AssertionError, match="does not look"):
        player(GAME, "greedy")(no_view, "abc", no_families, SeededChance(1))


def test_a_short_list_of_players_goes_round_the_seats():
    engine = games.engine(GAME)
    players = seat_players(engine, ("random", "random-open"), 3)
    assert players == (uniform, uniform_open, uniform)


def test_an_unknown_player_is_named_with_those_there_are():
    with pytest.raises(UnknownPlayer, match="random, random-open, greedy"):
        player(GAME, "genius")
    with pytest.raises(games.UnknownGame):
        player("no_game", "greedy")
