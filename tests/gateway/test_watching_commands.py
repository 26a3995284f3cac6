"""`tidelog watch` and `tidelog show`, against a real gateway in another thread's loop than theirs."""

import asyncio
import json

import msgspec
import pytest

from gateway.callers.identity import mint
from services.cli.main import run
from tests.gateway.matches.test_delays import EVENTS
from tests.gateway.played import ENGINE, PlayedMatch
from tests.gateway.timers import HastyTimer
from tests.gateway.waiting import until


@pytest.fixture
def timer():
    return HastyTimer()


@pytest.fixture
async def gateway(floor, timer):
    return await floor.gateway(timer)


@pytest.fixture
def tidelog(gateway, capfd, monkeypatch, tmp_path):
    """Runs a command beside the gateway's loop; status and what it printed."""
    monkeypatch.setenv("TIDELOG_GATEWAY", gateway.address)
    monkeypatch.setenv("TIDELOG_DATA", str(tmp_path / "none"))
    monkeypatch.setenv("LANG", "C")

    async def call(*arguments, subject="reader"):
        monkeypatch.setenv("TIDELOG_TOKEN", mint(gateway.parts.guest_key, subject))
        capfd.readouterr()
        status = await asyncio.to_thread(run, [str(argument) for argument in arguments])
        return status, *capfd.readouterr()

    return call


@pytest.fixture
async def played(log):
    return await (await PlayedMatch(log, "MATCH").started()).finish()


def lines_of(out):
    """Of the command alone: the gateway's lines begin with their date."""
    return [line for line in out.splitlines() if not line.startswith("20")]


async def test_a_match_is_told_line_by_line(tidelog, played, timer):
    status, out, _ = await tidelog("watch", "MATCH", "--speed", 5)
    assert status == 0
    lines = lines_of(out)
    assert [int(line.split()[0]) for line in lines] == list(range(1, len(played.entries) + 1))
    assert set(timer.slept) == {0.2}
    assert "Bob" in lines[2]


async def test_it_ends_where_it_was_asked_to(tidelog, played):
    cursor = str(played.entries[3].cursor)
    status, out, _ = await tidelog("watch", "MATCH", "--after", cursor, "--until", 9, "--seat", 1, "--json")
    assert status == 0
    document = json.loads("\n".join(lines_of(out)))
    assert document["match"] == "MATCH"
    assert [step["version"] for step in document["steps"]] == [5, 6, 7, 8, 9]
    assert all(step["text"] for step in document["steps"])
    assert document["steps"][0]["event"]["kind"]


async def test_it_goes_on_live(tidelog, log, gateway):
    played = await PlayedMatch(log, "MATCH").started()
    told = asyncio.create_task(tidelog("watch", "MATCH"))
    await until(lambda: (live := gateway.parts.live.held("MATCH")) is not None and live.watched)
    await played.finish()
    status, out, _ = await told
    assert status == 0
    assert len(lines_of(out)) == len(played.entries)


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "      Spectators are told this match later: by 5 events."),
        ("cs", "      Diváci se o této partii dozvídají později: o 5 událostí."),
    ],
    ids=["en", "cs"],
)
async def test_who_is_kept_behind_is_told_so_in_the_language_chosen(tidelog, log, gateway, language, said):
    played = await PlayedMatch(log, "MATCH").started(terms=EVENTS)
    told = asyncio.create_task(tidelog("watch", "MATCH", "--language", language))
    await until(lambda: (live := gateway.parts.live.held("MATCH")) is not None and live.watched)
    await played.finish()
    _, out, _ = await told
    assert said in out.splitlines()


async def test_the_table_is_shown_at_any_version(tidelog, played):
    fold = played.fresh()
    for entry in played.entries:
        fold.apply(entry)
        if entry.version in (7, 20):
            status, out, _ = await tidelog("show", f"MATCH@{entry.version}", "--seat", 0, "--json")
            assert status == 0
            document = json.loads("\n".join(lines_of(out)))
            assert (document["version"], document["cursor"], document["seat"]) == (entry.version, str(entry.cursor), 0)
            assert document["view"] == json.loads(msgspec.json.encode(ENGINE.view(fold.state, 0)))
    status, out, _ = await tidelog("show", "MATCH")
    assert (status, json.loads("\n".join(lines_of(out)))) == (
        0,
        json.loads(msgspec.json.encode(ENGINE.view(fold.state, None))),
    )


@pytest.mark.usefixtures("played")
@pytest.mark.parametrize(
    ("line", "expected", "words"),
    [
        ("show MATCH@9000", 1, "versions 1 to"),
        ("show NONE", 1, "no such match"),
        ("show MATCH --seat 9", 1, "seats are numbered"),
        ("watch NONE", 1, "no such match"),
        ("watch MATCH --seat 9", 1, "seats are numbered"),
        ("watch MATCH --after nonsense", 2, "no cursor"),
        ("watch MATCH --after 3-0000000000000000", 1, "not of this log"),
        ("watch MATCH --speed 1000000", 2, "speed"),
        ("watch MATCH --language xx", 2, "languages"),
    ],
)
async def test_what_can_not_be_had_is_one_line_and_a_status(tidelog, line, expected, words):
    status, _, err = await tidelog(*line.split())
    assert status == expected
    lines = [text for text in err.splitlines() if text.startswith("tidelog: ")]
    assert len(lines) == 1
    assert words in lines[0]
