"""The texts of the browser client: the same in every language, and every one that is used is there."""

import re
from pathlib import Path

import msgspec
import pytest

from engines.core import games
from tests.web.client import STATIC, TAGS, catalogue, sources

ROOT = Path(__file__).parents[2]
FOLDERS = sorted(path.parent for path in STATIC.rglob("messages/en.json"))
PLURALS = {"en": {"one", "other"}, "cs": {"one", "few", "many", "other"}}
"""The plural categories of CLDR that a text must tell apart."""

ARGUMENT = re.compile(r"\{(\w+)(?:, plural,((?:\s*[\w=]+ \{[^{}]*\})+)\s*)?\}")
SEAT = re.compile(r"seat_\d+$")
"""The form has words of its own for a choice that names a seat."""

CZECH = sorted(
    path for room in (ROOT / "engines", ROOT / "services", STATIC) for path in room.rglob("messages/cs.json")
)
FORMAL = re.compile(r"\b(?!roste\b)\w+te\b|\b(?:vy|vás|vám|vámi|váš|vaš\w+|jste|byste)\b", re.IGNORECASE)
"""Czech words for somebody who is not addressed as a friend; one word of the catalogues only looks like it."""

SAID = re.compile(r"""\b(?:say|words|reasonOf)\(\s*"([^"]+)\"""")
PAGES = [path for path in sources() if "games" not in path.parts]


def folder_name(folder):
    return str(folder.relative_to(STATIC))


@pytest.mark.parametrize("tag", TAGS)
@pytest.mark.parametrize("folder", FOLDERS, ids=folder_name)
def test_every_language_has_the_same_keys_with_the_same_arguments(folder, tag):
    english, other = catalogue(folder / "en.json"), catalogue(folder / f"{tag}.json")
    assert sorted(english) == sorted(other)
    differing = [key for key in english if arguments(english[key]) != arguments(other[key])]
    assert differing == []


@pytest.mark.parametrize("tag", TAGS)
@pytest.mark.parametrize("folder", FOLDERS, ids=folder_name)
def test_texts_can_be_read_whole(folder, tag):
    for key, text in catalogue(folder / f"{tag}.json").items():
        assert text.strip(), key
        assert not set("{}") & set(ARGUMENT.sub("", text)), f"{key} is no message that we read: {text}"
        for _, forms in ARGUMENT.findall(text):
            told = set(re.findall(r"([\w=]+) \{", forms)) if forms else PLURALS[tag]
            assert told >= PLURALS[tag], f"{key} lacks a plural of {tag}"


@pytest.mark.parametrize("path", CZECH, ids=lambda path: "-".join(path.parts[-4:-2]))
def test_czech_has_one_informal_address(path):
    texts = {key: ARGUMENT.sub("", text) for key, text in catalogue(path).items()}
    assert {key: text for key, text in texts.items() if FORMAL.search(text)} == {}


@pytest.mark.parametrize("tag", TAGS)
def test_the_pages_texts_are_in_the_order_of_their_keys(tag):
    keys = list(catalogue(STATIC / "messages" / f"{tag}.json"))
    assert keys == sorted(keys)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(STATIC)))
def test_what_a_page_says_is_there(path):
    texts = catalogue(STATIC / "messages" / "en.json")
    assert [key for key in SAID.findall(path.read_text()) if key not in texts] == []


@pytest.mark.parametrize("game", [game for game in games.names() if (STATIC / "games" / game).is_dir()])
def test_a_game_and_its_options_have_names(game):
    texts = catalogue(STATIC / "games" / game / "messages" / "en.json")
    schema = msgspec.json.schema(games.engine(game).Options)["$defs"]
    wanted = {"title"}
    for name, option in schema["Options"]["properties"].items():
        choices = schema.get(option.get("$ref", "").rpartition("/")[2], {}).get("enum", [])
        wanted |= {f"option.{name}"} | {f"option.{name}.{each}" for each in choices if not SEAT.match(each)}
    assert wanted - texts.keys() == set()


def arguments(text):
    return {name for name, _ in ARGUMENT.findall(text)}
