import json
import subprocess
import sys

import pytest

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


def spoken(level="info"):
    """What a process says on standard error; standard output stays empty."""
    done = subprocess.run(
        [sys.executable, "-c", SPEAKS.format(level=level)], capture_output=True, text=True, check=True
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
