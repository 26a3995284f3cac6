from importlib.metadata import EntryPoint

import pytest

from engines import lost_seas
from engines.core import games


def test_games_are_the_folders_beside_the_core():
    assert "lost_seas" in games.names()
    assert "core" not in games.names()
    assert games.engine("lost_seas") is lost_seas.ENGINE
    assert games.package("lost_seas") is lost_seas


@pytest.mark.parametrize("find", [games.package, games.engine, games.policy, games.policies, games.edition])
def test_an_unknown_game_is_named_with_those_that_exist(find):
    with pytest.raises(games.UnknownGame, match=r"'chess'.*lost_seas"):
        find("chess")


def test_a_game_may_live_elsewhere_but_not_take_the_name_of_one_here(monkeypatch):
    points = [
        EntryPoint("far_seas", "engines.lost_seas", games.GROUP),
        EntryPoint("lost_seas", "elsewhere", games.GROUP),
    ]
    monkeypatch.setattr(games, "entry_points", lambda *, group: points if group == games.GROUP else [])
    games._packages.cache_clear()
    try:
        assert "far_seas" in games.names()
        assert games.package("far_seas") is lost_seas
        assert games.package("lost_seas") is lost_seas
    finally:
        monkeypatch.undo()
        games._packages.cache_clear()
    assert "far_seas" not in games.names()


def test_modules_of_games_are_told_from_others(monkeypatch):
    monkeypatch.setattr(games, "_packages", lambda: {"far_seas": "seas.far", "lost_seas": "engines.lost_seas"})
    assert all(map(games.holds, ("engines.lost_seas", "engines.core.draft", "seas.far", "seas.far.evolve")))
    assert not any(map(games.holds, ("", "services.engine.host", "seas", "seas.farther", "enginesx")))


def test_every_game_has_its_rules_editions_and_a_greedy_player():
    for name in games.names():
        assert games.rules_text(name).startswith("# ")
        assert "house" in games.editions(name)
        assert games.policies(name) == ("greedy",)
        assert callable(games.policy(name))


@pytest.mark.parametrize("name", games.names())
def test_the_rules_of_a_game_are_told_by_id_and_in_order(name):
    found = games.rules(name)
    text = games.rules_text(name)
    assert all(words and len(rest) == 2 for words, *rest in found.values())
    assert [text.index(f"\n| {rule} |") for rule in found] == sorted(text.index(f"\n| {rule} |") for rule in found)
    assert len(found) == len([line for line in text.splitlines() if line.startswith("| ")]) - 2


def test_an_edition_is_named_by_its_hash():
    data = games.edition("lost_seas", "house")
    assert data == games.edition("lost_seas")
    assert len(games.edition_hash(data)) == 64
    assert games.edition_hash(data) != games.edition_hash(data + b"\n")


def test_an_installed_edition_is_found_by_its_hash():
    data = games.edition("lost_seas", "house")
    assert games.installed_edition(games.edition_hash(data)) == data
    assert games.installed_edition(games.edition_hash(data + b"\n")) is None


def test_an_unknown_edition_is_named_with_those_that_exist():
    with pytest.raises(games.UnknownEdition, match=r"'deluxe'.*house"):
        games.edition("lost_seas", "deluxe")


def test_a_game_has_its_words_by_language():
    assert games.languages("lost_seas") == ("cs", "en")
    assert games.messages("lost_seas", "cs")["title"] == "Ztracená moře"
    assert games.messages("lost_seas", "xx") == {}
    with pytest.raises(games.UnknownGame):
        games.messages("chess", "en")


def test_the_game_of_a_package_is_made_known(monkeypatch):
    packages = {"lost_seas": "engines.lost_seas"}
    monkeypatch.setattr(games, "_packages", lambda: packages)
    assert games.add("tests.haggling") == "haggling"
    assert games.add("tests.haggling") == "haggling"
    assert games.names() == ("lost_seas", "haggling")
    assert games.add("engines.lost_seas") == "lost_seas"
    packages["haggling"] = "another.place"
    with pytest.raises(ValueError, match="another game is called 'haggling'"):
        games.add("tests.haggling")
    with pytest.raises(AttributeError):
        games.add("json")
    with pytest.raises(ModuleNotFoundError):
        games.add("nowhere.at.all")
