import json
from pathlib import Path

import pytest

from engines.core import games
from services.bots.players import seat_players
from services.cli.selfplay import BareTable, LoggedTable, Setting, options_of, play, secret_of
from services.eventlog.reading import lines_of, read
from tests.services.cli.command import GAME

ENGINE = games.engine(GAME)
KEYS = {
    "game",
    "seats",
    "bots",
    "seed",
    "matches",
    "decisions",
    "turns",
    "unfinished",
    "seconds",
    "matches_per_s",
    "decisions_per_s",
    "wins",
}
TIMES = {"seconds", "matches_per_s", "decisions_per_s"}
OPTIONS = [
    {},
    {"young_explorers": "true"},
    {"arrange_expeditions": "true", "majority_ties": "true", "first_player": "drawn"},
    {"first_player": "seat_1"},
]


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def timeless(report: dict[str, object]) -> dict[str, object]:
    return {name: value for name, value in report.items() if name not in TIMES}


def setting(seats: int = 2, bots: tuple[str, ...] = ("random", "random"), max_turns: int = 1000, **pairs) -> Setting:
    return Setting(GAME, options_of(ENGINE, pairs), seats, games.edition(GAME), bots, 7, max_turns)


def test_a_simulation_reports_in_one_json_document(tidelog):
    report = tidelog.json("simulate", GAME, "--matches", 5)
    assert set(report) == KEYS
    assert (report["game"], report["matches"], report["seats"], report["bots"]) == (GAME, 5, 2, ["random"] * 2)
    assert report["unfinished"] == 0
    assert sum(report["wins"]) == pytest.approx(5, abs=0.01)
    assert report["decisions"] > report["turns"] > 5 * 16
    assert all(report[name] > 0 for name in TIMES)


def test_a_simulation_reports_in_words(tidelog):
    assert tidelog("simulate", GAME, "--seats", 3, "--bots", "greedy,random") == 0
    assert "1 matches of lost_seas, 3 seats, seed 1" in tidelog.out
    assert [f"seat {seat} ({bot})" in tidelog.out for seat, bot in enumerate(("greedy", "random", "greedy"))] == [
        True
    ] * 3


def test_the_same_seed_plays_the_same_matches(tidelog):
    one, again, other = (timeless(tidelog.json("simulate", GAME, "--matches", 4, "--seed", seed)) for seed in (3, 3, 4))
    assert one == again
    assert one != other


def test_the_same_seed_gives_the_same_bytes(tidelog, tmp_path):
    for folder in ("a", "b"):
        tidelog.exports(tmp_path / folder, "--matches", 3, "--seed", 7)
    assert contents(tmp_path / "a") == contents(tmp_path / "b")
    assert list(contents(tmp_path / "a")) == [f"lost_seas-7-00000{number}.jsonl" for number in (1, 2, 3)]
    assert len(set(contents(tmp_path / "a").values())) == 3


def test_several_processes_give_the_same_bytes_as_one(tidelog, tmp_path):
    one = timeless(tidelog.json("simulate", GAME, "--matches", 6, "--out", tmp_path / "a"))
    two = timeless(tidelog.json("simulate", GAME, "--matches", 6, "--out", tmp_path / "b", "--jobs", 2))
    assert one == two
    assert contents(tmp_path / "a") == contents(tmp_path / "b")


def test_a_simulation_with_a_log_reports_what_one_without_does(tidelog, tmp_path):
    bare = timeless(tidelog.json("simulate", GAME, "--matches", 4, "--seats", 4))
    logged = timeless(tidelog.json("simulate", GAME, "--matches", 4, "--seats", 4, "--out", tmp_path))
    assert bare == logged


@pytest.mark.parametrize("pairs", OPTIONS)
@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("bot", ["random", "random-open", "greedy"])
def test_a_bare_match_is_the_logged_one(pairs, seats, bot):
    played = setting(seats, (bot,) * seats, **pairs)
    players = seat_players(ENGINE, played.bots, seats)
    bare = BareTable(ENGINE, played, secret_of(played, 1))
    logged = LoggedTable(played, secret_of(played, 1), 1)
    assert play(ENGINE, bare, players, played, 1) == play(ENGINE, logged, players, played, 1)
    assert bare.state == logged.state
    assert logged.aggregate.facts.outcome == ENGINE.outcome(bare.state)


def test_options_are_given_by_name(tidelog, tmp_path):
    (path,) = tidelog.exports(tmp_path, "--option", "young_explorers=true", "--option", "first_player=seat_1")
    header = json.loads(path.read_bytes().splitlines()[0])
    assert header["options"] == {
        "arrange_expeditions": False,
        "first_player": "seat_1",
        "majority_ties": False,
        "young_explorers": True,
    }


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["young_explorers=true", "majority_ties=true"], "LS-25"),
        (["young_explorers=true", "arrange_expeditions=true"], "LS-25"),
        (["first_player=seat_2"], "LS-7"),
        (["young_explorers=maybe"], "LS-25: young_explorers"),
        (["young_explorers"], "young_explorers"),
        (["no_such_option=1"], "no_such_option"),
        (["first_player=seat_9"], "LS-7: first_player"),
    ],
)
def test_options_that_do_not_go_together_are_refused_by_their_rule(tidelog, options, words):
    given = [argument for option in options for argument in ("--option", option)]
    assert words in tidelog.refuses("simulate", GAME, *given)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["no_game"], GAME),
        ([GAME, "--bots", "genius"], "genius"),
        ([GAME, "--bots", ""], "no player"),
        ([GAME, "--seats", 5], "LS-1: 2 to 4"),
        ([GAME, "--seats", 1], "2 to 4"),
        ([GAME, "--seats", 0], "2 to 4"),
        ([GAME, "--seats", -1], "2 to 4"),
        ([GAME, "--seats", 10**12], "2 to 4"),
        ([GAME, "--seed", -1], "seed"),
        ([GAME, "--seed", 2**63], "seed"),
        ([GAME, "--matches", 0], "at least 1"),
        ([GAME, "--jobs", 0], "at least 1"),
        ([GAME, "--max-turns", 0], "at least 1"),
        ([GAME, "--edition", "no/such/file.json"], "no/such/file.json"),
    ],
)
def test_what_can_not_be_played_is_refused(tidelog, arguments, words):
    assert words in tidelog.refuses("simulate", *arguments)


def test_an_edition_with_wrong_totals_is_refused(tidelog, tmp_path):
    (tmp_path / "wrong.json").write_bytes(games.edition(GAME).replace(b'"copies": 2', b'"copies": 3', 1))
    assert "tiles, not 65" in tidelog.refuses("simulate", GAME, "--edition", tmp_path / "wrong.json")


def test_an_edition_of_ones_own_is_played_and_embedded(tidelog, tmp_path):
    own = games.edition(GAME) + b"\n"
    (tmp_path / "own.json").write_bytes(own)
    (path,) = tidelog.exports(tmp_path / "out", "--edition", tmp_path / "own.json")
    assert read(lines_of([path.read_bytes()])).header.edition.encode() == own


def test_a_folder_that_can_not_be_made_is_said(tidelog, tmp_path):
    (tmp_path / "file").write_text("in the way")
    tidelog.refuses("simulate", GAME, "--out", tmp_path / "file", status=1)


@pytest.mark.parametrize("turns", [1, 3, 20])
def test_matches_that_run_out_of_turns_are_unfinished_and_their_exports_check(tidelog, tmp_path, turns):
    report = tidelog.json("simulate", GAME, "--matches", 3, "--max-turns", turns, "--out", tmp_path)
    assert (report["unfinished"], report["wins"], report["turns"]) == (3, [0, 0], 3 * turns)
    for path in tmp_path.iterdir():
        header = json.loads(path.read_bytes().splitlines()[0])
        assert len(bytes.fromhex(header["secret"])) == 32
    assert tidelog("verify", tmp_path) == 0


def test_a_finished_match_has_its_secret_in_the_log_alone(tidelog, tmp_path):
    (path,) = tidelog.exports(tmp_path)
    assert json.loads(path.read_bytes().splitlines()[0])["secret"] is None
    assert json.loads(path.read_bytes().splitlines()[-2])["body"]["payload"]["secret"]


def test_exports_appear_whole(tidelog, tmp_path):
    tidelog.exports(tmp_path, "--matches", 2)
    assert {path.suffix for path in tmp_path.iterdir()} == {".jsonl"}


@pytest.mark.parametrize("text", ["10,20,10", "[10, 20, 10]"])
def test_an_option_may_be_a_list(text):
    engine = games.engine("black_fleet")
    assert options_of(engine, {"victory_card": text}) == engine.Options(victory_card=(10, 20, 10))
    assert options_of(engine, {"victory_card": "20"}) == engine.Options(victory_card=(20,))
