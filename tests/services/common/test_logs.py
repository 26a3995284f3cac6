import json
import subprocess
import sys

import pytest
import structlog

from services.common import logs

SPEAKS = """
from services.common import logs
logs.configure("engine", "{level}")
log = logs.logger()
log.debug("not said")
log.info("command accepted", match="ISLAND", version=7)
try:
    raise ValueError("broken")
except ValueError:
    log.exception("command failed")
"""


ABOUT = """
from services.common import concerning, logs
from tidelog.v1.engine_pb2 import EngineCommand
logs.configure("engine", "{level}")
log = logs.logger()
asked = EngineCommand(match_id="ISLAND", request_id="first")
concerning.begin(asked, "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
logs.outcome("command", outcome="carried_out", version=7)
log.warning("append unanswered", expected=6)
log.warning("log went back", match="OTHER")
other = concerning.Concern(EngineCommand(match_id="NEXT", request_id="second"), "")
logs.outcome_of(other, "call", outcome="ok")
"""


OF_A_GAME = """
from services.common import logs
logs.configure("engine", "{level}")
room = dict(__name__="engines.lost_seas.evolve")
exec("def evolve(hand): return hand['TILE 17']", room)
try:
    room["evolve"](dict())
except KeyError:
    logs.logger().exception("command failed")
"""


def spoken(level="info", script=SPEAKS):
    """What a process says on standard error; standard output stays empty."""
    done = subprocess.run(
        [sys.executable, "-c", script.format(level=level)], capture_output=True, text=True, check=True
    )
    assert done.stdout == ""
    return [json.loads(line) for line in done.stderr.splitlines()]


def test_each_outcome_is_one_line_of_json_that_names_the_role():
    accepted, failed = spoken()
    assert accepted.pop("timestamp").endswith("Z")
    assert accepted == {"event": "command accepted", "level": "info", "match": "ISLAND", "role": "engine", "version": 7}
    assert (failed["event"], failed["level"], failed["role"]) == ("command failed", "error", "engine")
    assert "ValueError: broken" in failed["exception"]


@pytest.mark.parametrize(("level", "count"), [("debug", 3), ("error", 1)])
def test_what_lies_below_the_level_is_not_said(level, count):
    assert len(spoken(level)) == count


def test_a_line_names_the_match_the_request_and_the_trace_that_it_is_about():
    trace = "0af7651916cd43dd8448eb211c80319c"
    command, unanswered, other, call = spoken("debug", ABOUT)
    for line in (command, unanswered):
        assert (line["match"], line["request"], line["trace"]) == ("ISLAND", "first", trace)
    assert (command["outcome"], command["version"], unanswered["expected"]) == ("carried_out", 7, 6)
    assert (other["match"], other["trace"]) == ("OTHER", trace)
    assert (call["match"], call["request"]) == ("NEXT", "second")
    assert call["trace"] not in ("", trace)


def test_outcomes_are_told_to_those_who_ask_for_them():
    assert [line["event"] for line in spoken("info", ABOUT)] == ["append unanswered", "log went back"]


def test_nothing_that_others_chose_steers_the_terminal_that_lines_are_shown_on(capsys, monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    try:
        logs.configure("engine", "info")
        logs.logger().warning("admin action", why="\x1b[2Jnothing\x9b", match="I\nI")
        told = capsys.readouterr().err
    finally:
        structlog.reset_defaults()
        structlog.contextvars.clear_contextvars()
    assert "?[2Jnothing?" in told
    assert "\x1b[2J" not in told
    assert told.count("\n") == 1


def test_the_text_of_what_a_game_raised_is_in_no_line():
    (line,) = spoken(script=OF_A_GAME)
    assert "TILE 17" not in json.dumps(line)
    assert line["exception"].endswith("KeyError: ...")
