import json
from pathlib import Path

import msgspec
import pytest

from engines.core import games
from engines.core.outcome import Outcome, Standing
from services.cli import replay as command
from services.cli.telling import wording
from services.eventlog.export import export_redacted
from services.eventlog.reading import Export, lines_of, read
from services.eventlog.words import ranked


@pytest.fixture
def full(tidelog, tmp_path) -> Path:
    return tidelog.exports(tmp_path / "full", "--seed", 3)[0]


@pytest.fixture
def found(full) -> Export:
    return read(lines_of([full.read_bytes()]))


@pytest.fixture
def told(found, tmp_path) -> Path:
    """The same match as a spectator was told it."""
    path = tmp_path / "spectator.jsonl"
    lines = export_redacted(found.entries, found.header.edition.encode(), found.aggregate, None)
    path.write_bytes(b"".join(lines))
    return path


def steps_of(document, kind: str) -> list:
    return [step["event"] for step in document["steps"] if step["type"] == kind]


def test_the_ranking_is_that_of_the_event_that_finished_the_match(tidelog, full):
    document = tidelog.json("replay", full)
    (finished,) = steps_of(document, "match.finished")
    assert document["outcome"] == finished["outcome"]
    assert document["view"]["outcome"] == finished["outcome"]
    assert tidelog("replay", full, "--language", "en") == 0
    ranking = tidelog.out.split("Ranking:\n")[1].splitlines()
    for line, standing in zip(ranking, finished["outcome"]["ranking"], strict=True):
        columns, rows = [score["points"] for score in standing["scores"]]
        place = f"{standing['place']}. seat {standing['seat']}"
        assert line == f"{place} with {standing['points']} points (columns {columns}, rows {rows})"


@pytest.mark.parametrize("game", games.names())
def test_how_a_match_ended_is_told_in_the_language_chosen(tidelog, game, tmp_path):
    exported = tidelog.exports(tmp_path / game, "--seed", 3, "--bots", "greedy", game=game)[0]
    english, czech = (tidelog.json("replay", exported, "--language", each) for each in ("en", "cs"))
    outcome = msgspec.convert(czech["outcome"], Outcome)
    assert czech["ranking"][0] == "Pořadí:"
    assert len(czech["ranking"]) == len(english["ranking"]) == 1 + len(outcome.ranking) + bool(outcome.tie_breaks)
    for line, standing in zip(czech["ranking"][1:], outcome.ranking, strict=False):
        assert line.startswith(f"{standing.place}. místo {standing.seat}, {standing.points} bod")
        names = [games.messages(game, "cs")[f"category.{score.category}"] for score in standing.scores]
        scores = ", ".join(f"{name} {score.points}" for name, score in zip(names, standing.scores, strict=True))
        assert line.endswith(f" ({scores})")
    assert tidelog("replay", exported, "--language", "cs") == 0
    assert tidelog.out.splitlines()[len(czech["steps"]) :] == czech["ranking"]


def test_what_broke_a_tie_is_told_in_the_language_chosen():
    even = Outcome((Standing(1, 1, 5, ()), Standing(0, 2, 5, ())), ("expeditions_met", "unheard_of"))
    words = wording("lost_seas", "cs")
    lines = [words.say(msgspec.to_builtins(line)) for line in ranked(even)]
    assert lines == [
        "Pořadí:",
        "1. místo 1, 5 bodů",
        "2. místo 0, 5 bodů",
        "Při rovnosti rozhodlo: splněné výpravy, unheard_of",
    ]


def test_every_event_is_shown_in_order(tidelog, full, found):
    document = tidelog.json("replay", full)
    assert [step["version"] for step in document["steps"]] == list(range(1, len(found.entries) + 1))
    assert [step["event"] for step in document["steps"]] == [
        json.loads(entry.body)["payload"] for entry in found.entries
    ]
    assert (document["audience"], document["head"], document["match"]) == ("all", found.head, found.header.match)
    assert tidelog("replay", full) == 0
    lines = tidelog.out.splitlines()[: len(found.entries)]
    assert [line.split()[0] for line in lines] == [str(version) for version in range(1, len(found.entries) + 1)]


def lines_after(out: str, version: int) -> list[str]:
    return [line for line in out.splitlines() if line.startswith(f"{version:>5} ")]


def test_every_event_is_told_in_words(tidelog, full, found):
    document = tidelog.json("replay", full, "--language", "cs")
    texts = [step["text"] for step in document["steps"]]
    assert texts[0] == "Partie hry Ztracená moře, 2 hráči."
    assert texts[-1].startswith("Tajemství partie je zveřejněno: ")
    assert all(text.endswith(".") and "{" not in text for text in texts)
    assert {step["sentence"]["key"] for step in document["steps"] if step["type"] == "match.started"} == {
        "match.started"
    }
    assert tidelog("replay", full, "--language", "cs") == 0
    assert [line[6:] for line in tidelog.out.splitlines()[: len(texts)]] == texts
    assert tidelog("replay", full, "--language", "en", "--at", 2) == 0
    name = json.loads(found.entries[1].body)["payload"]["name"]
    assert lines_after(tidelog.out, 2) == [f"    2 The bot {name} takes seat 0."]


def test_the_language_is_that_of_the_environment_if_there_is_one(tidelog, full, monkeypatch):
    monkeypatch.delenv("LC_ALL", raising=False)
    monkeypatch.delenv("LC_MESSAGES", raising=False)
    for variable, text in ("cs_CZ.UTF-8", "Partie"), ("tlh_KX", "A match"), ("C", "A match"), ("", "A match"):
        monkeypatch.setenv("LANG", variable)
        assert tidelog("replay", full, "--at", 1) == 0
        assert tidelog.out.startswith(f"    1 {text}")
    assert "cs, en" in tidelog.refuses("replay", full, "--language", "xx")


def test_a_redacted_export_is_told_in_words_without_what_it_hides(tidelog, full, told):
    here, there = (tidelog.json("replay", path, "--seat", "spectator", "--language", "en") for path in (told, full))
    assert [step["text"] for step in here["steps"]] == [step["text"] for step in there["steps"]]
    chosen = [step["text"] for step in here["steps"] if step["type"] == "lost_seas.sides_chosen"]
    assert all(" has chosen sides for the " in text for text in chosen)


@pytest.mark.parametrize("seat", [0, 1, "spectator"])
def test_an_audience_sees_what_it_saw(tidelog, full, seat):
    document = tidelog.json("replay", full, "--seat", seat)
    chosen = steps_of(document, "lost_seas.sides_chosen")
    assert len(chosen) == 4
    assert all((event["laid"] is not None) is (event["seat"] == seat) for event in chosen)
    assert document["audience"] == ("spectator" if seat == "spectator" else f"seat {seat}")
    assert document["view"]["viewer"] == (None if seat == "spectator" else seat)


def test_a_replay_stops_at_a_version_and_shows_the_table(tidelog, full, found):
    document = tidelog.json("replay", full, "--at", 12, "--seat", 0)
    assert [step["version"] for step in document["steps"]] == list(range(1, 13))
    assert document["outcome"] is None
    assert tidelog("replay", full, "--at", 12, "--seat", 0) == 0
    view = json.loads("{" + tidelog.out.split("\n{", 1)[1])
    assert view == document["view"]
    assert view["outcome"] is None
    assert document["ranking"] == []
    assert "anking" not in tidelog.out
    last = tidelog.json("replay", full, "--at", len(found.entries))
    assert last == tidelog.json("replay", full)


@pytest.mark.parametrize("at", [0, -1, 10_000])
def test_a_version_that_there_is_not_is_refused(tidelog, full, found, at):
    assert f"1 to {len(found.entries)}" in tidelog.refuses("replay", full, "--at", at)


@pytest.mark.parametrize("seat", ["2", "-1", "everybody", "²", ""])
def test_an_audience_that_there_is_not_is_refused(tidelog, full, seat):
    assert "0 to 1, spectator or all" in tidelog.refuses("replay", full, f"--seat={seat}")


def test_a_redacted_export_shows_what_it_holds(tidelog, told, found):
    document = tidelog.json("replay", told)
    assert (document["audience"], document["view"]) == ("spectator", None)
    assert document["outcome"] == json.loads(json.dumps(steps_of(document, "match.finished")[0]["outcome"]))
    assert all(event["laid"] is None for event in steps_of(document, "lost_seas.sides_chosen"))
    assert len(document["steps"]) == len(found.entries)
    assert tidelog.json("replay", told, "--at", 3)["outcome"] is None


def test_a_redacted_export_does_not_show_what_another_audience_saw(tidelog, told):
    assert tidelog("replay", told, "--seat", "spectator") == 0
    assert "spectator" in tidelog.refuses("replay", told, "--seat", 0)


def test_events_are_paced_as_the_players_were(tidelog, full, found, monkeypatch):
    waits: list[float] = []
    monkeypatch.setattr(command, "sleep", waits.append)
    assert tidelog("replay", full, "--speed", 4) == 0
    times = [json.loads(entry.header)["at"] for entry in found.entries]
    assert sum(waits) == pytest.approx((times[-1] - times[0]) / 1000 / 4)
    assert min(waits) == 0


@pytest.mark.parametrize("speed", [0, -1])
def test_a_speed_is_above_0(tidelog, full, speed):
    assert "above 0" in tidelog.refuses("replay", full, "--speed", speed)


def test_a_damaged_export_is_not_replayed(tidelog, full):
    full.write_bytes(full.read_bytes()[:-1])
    assert str(full) in tidelog.refuses("replay", full, status=1)


def test_a_file_that_there_is_not_is_said(tidelog, tmp_path):
    assert "there is no file" in tidelog.refuses("replay", tmp_path / "gone.jsonl")
    assert "there is no file" in tidelog.refuses("replay", tmp_path)
