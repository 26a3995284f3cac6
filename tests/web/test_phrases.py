"""The pages say the log as the Python client does."""

import json
import subprocess
from pathlib import Path

import pytest

from engines.core import games
from services.eventlog import words
from tests.docs.test_words import sentences
from tests.requirements import needs_node
from tidelog.client import Wording

SEATS = {seat: f"Player {seat}" for seat in range(6)}


def pages_say(**given):
    done = subprocess.run(
        [needs_node(), Path(__file__).with_name("phrases.mjs")],
        input=json.dumps(given),
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("language", ["cs", "en", "xx"])
@pytest.mark.parametrize("game", games.names())
def test_sentences_of_every_kind_of_event_are_said_alike(game, language):
    said = [sentence for sentence in sentences(game) if not sentence["key"].startswith("match.seat_claimed")]
    catalogues = {tag: dict(words.catalogue(game, tag)) for tag in ("cs", "en")}
    wording = Wording(language, catalogues, SEATS)
    found = pages_say(language=language, catalogues=catalogues, names=SEATS, sentences=said)
    assert found == [wording.say(sentence) for sentence in said]
    assert len(found) > 30


def test_what_no_catalogue_has_is_said_by_its_text_or_else_its_key():
    unknown = [{"key": "a", "text": "In words."}, {"key": "b"}, {"key": "c", "args": '{"x": {"seat": 1}}'}]
    catalogues = {"en": {"c": "{x} and {y}, {n, plural, one {# thing} other {# things}}"}}
    found = pages_say(language="cs", catalogues=catalogues, names={"1": "Ada"}, sentences=unknown)
    assert found == ["In words.", "b", "Ada and {y}, {n, plural, one {# thing} other {# things}}"]
