"""The few lines of JavaScript in docs/clients.md say what the Python client says."""

import json
import subprocess

import msgspec
import pytest

from engines.core import games
from services.eventlog import words
from tests.conformance.test_words import NAMES, platform_sentences, samples
from tests.docs.pages import DOCS, blocks
from tests.requirements import needs_node
from tidelog.client import Wording

SAY_ALL = """
import { readFileSync } from 'node:fs';
import { wording } from './words.mjs';

const { language, catalogues, names, sentences } = JSON.parse(readFileSync('given.json'));
const say = wording(language, catalogues, names);
console.log(JSON.stringify(sentences.map((sentence) => say(sentence))));
"""


def sentences(game):
    engine = games.engine(game)
    catalog = engine.catalog(games.edition(game))
    told = [engine.tell(catalog, engine.redact(event, seat)) for event in samples(game) for seat in (0, 1, None)]
    return json.loads(msgspec.json.encode([*told, *platform_sentences()]))


@pytest.mark.parametrize("language", ["cs", "en", "xx"])
@pytest.mark.parametrize("game", games.names())
def test_both_say_the_same(tmp_path, game, language):
    (ours,) = [block.text for block in blocks(DOCS / "clients.md") if block.name == "words.mjs"]
    (tmp_path / "words.mjs").write_text(ours)
    (tmp_path / "all.mjs").write_text(SAY_ALL)
    catalogues = {each: dict(words.catalogue(game, each)) for each in ("cs", "en")}
    del catalogues["cs"]["title"]
    said = sentences(game)
    given = {"language": language, "catalogues": catalogues, "names": NAMES, "sentences": said}
    (tmp_path / "given.json").write_text(json.dumps(given))
    done = subprocess.run(
        [needs_node(), "all.mjs"], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr
    wording = Wording(language, catalogues, NAMES)
    texts = [wording.say(sentence) for sentence in said]
    assert len(texts) > 30
    assert json.loads(done.stdout) == texts
