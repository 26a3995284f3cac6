"""The catalogues of the games here and of the platform: whole, without leftovers, and read as ICU reads them."""

import re
from functools import cache
from pathlib import Path

import msgspec
import pytest
from babel import Locale
from icu4py.messageformat import MessageFormat

from engines.core import games
from engines.core.outcome import Outcome, Score, Standing
from engines.core.words import Sentence
from services.cli.laws.record import members
from services.cli.laws.words import ARGUMENT, parts
from services.eventlog import words
from services.eventlog.entries import PLATFORM
from services.eventlog.lifecycle import Aborted, AbortReason, Lifecycle
from services.eventlog.terms import DelayUnit
from tidelog.client.wording import Wording

ENGINES = Path(__file__).parents[1] / "engines"
PLATFORM_EVENTS = Path(__file__).parents[1] / "services" / "eventlog" / "stored_lifecycle.jsonl"
NAMES = {0: "Ann", 1: "Bob", 2: "Cid", 3: "Dora", 4: "Eve"}
SPEAKING = [game for game in games.names() if games.engine(game).tell is not None]
PLURAL = re.compile(r"\{\w+, plural,((?: ?\w+ \{[^{}]*\})+)\}")


def samples(game):
    """Stored events of every kind, and others that need texts which these do not."""
    for name in ("stored_events.jsonl", "told_events.jsonl"):
        file = ENGINES / game / name
        for line in file.read_bytes().splitlines() if file.exists() else ():
            yield msgspec.json.decode(line, type=games.engine(game).Event)


@cache
def sentences(game):
    """All that any audience is told of the samples; that random matches have all texts is a law."""
    engine = games.engine(game)
    catalog = engine.catalog(games.edition(game))
    audiences = (*range(engine.seats[1]), None)
    return [engine.tell(catalog, engine.redact(event, audience)) for event in samples(game) for audience in audiences]


@cache
def platform_sentences():
    lines = PLATFORM_EVENTS.read_bytes().splitlines()
    events = [msgspec.json.decode(line, type=Lifecycle) for line in lines]
    assert {type(event) for event in events} == set(members(Lifecycle))
    assert {event.reason for event in events if isinstance(event, Aborted)} == set(AbortReason)
    engine = games.engine(SPEAKING[0])
    untold = Sentence(f"{PLATFORM}untold", {"kind": "nim.taken", "fields": "{}"})
    ranking = words.ranked(Outcome((Standing(0, 1, 3, (Score("rows", 3),)), Standing(1, 2, 2, ())), ("rows",)))
    later = [words.told_later(unit, 2) for unit in DelayUnit]
    return [words.sentence(engine, None, event) for event in events] + [untold, *later, *without_names(ranking)]


def without_names(ranking):
    """Categories and tie-breaks have their names in the catalogues of games."""
    return [Sentence(line.key, dict.fromkeys(line.args, 2)) for line in ranking]


def everything(game):
    return sentences(game) if game else platform_sentences()


def texts(game, language):
    """The catalogue of a game alone, of the platform alone for None."""
    if game:
        return games.messages(game, language)
    return msgspec.json.decode((words.FOLDER / f"{language}.json").read_bytes())


SPEAKERS = [None, *SPEAKING]
LANGUAGES = [(game, each) for game in SPEAKERS for each in (games.languages(game) if game else words.languages())]


def test_all_games_here_speak_the_languages_of_the_platform():
    assert {"cs", "en"} <= set(words.languages())
    for game in games.names():
        assert games.languages(game) == words.languages()
        assert games.engine(game).tell is not None


@pytest.mark.parametrize("game", SPEAKERS)
def test_every_sentence_has_its_text_and_every_text_its_sentence(game):
    """The `title` of a game is in the sentence of `match.created`; results are told alike in every game."""
    used = {part.key for sentence in everything(game) for part in parts(sentence)}
    shared = set(texts(None, "en"))
    if game:
        used = {*(used - shared), "title"}
    else:
        used = {*used, *shared & {part.key for one in SPEAKING for say in sentences(one) for part in parts(say)}}
        used -= {"title"}
    for language in games.languages(game) if game else words.languages():
        assert set(texts(game, language)) == used, language


@pytest.mark.parametrize(("game", "language"), LANGUAGES)
def test_texts_take_the_arguments_that_their_sentences_have(game, language):
    catalogue = texts(game, language)
    for sentence in everything(game):
        for part in parts(sentence):
            if part.key in catalogue:
                assert set(ARGUMENT.findall(catalogue[part.key])) <= set(part.args), part.key


@pytest.mark.parametrize(("game", "language"), LANGUAGES)
def test_a_text_takes_the_same_arguments_in_every_language(game, language):
    english = texts(game, "en")
    for key, text in texts(game, language).items():
        assert set(ARGUMENT.findall(text)) == set(ARGUMENT.findall(english[key])), key


@pytest.mark.parametrize(("game", "language"), LANGUAGES)
def test_plurals_have_the_forms_that_numbers_take_in_the_language(game, language):
    needed = {Locale.parse(language).plural_form(number) for number in range(1000)} | {"other"}
    for key, text in texts(game, language).items():
        for plural in PLURAL.findall(text):
            assert needed <= set(re.findall(r"(\w+) \{", plural)), key


@pytest.mark.parametrize(("game", "language"), LANGUAGES)
def test_a_text_reads_as_icu_reads_it(game, language):
    """A client with a library for ICU messages shows what ours shows."""
    for key, text in texts(game, language).items():
        names = set(ARGUMENT.findall(text))
        for number in (0, 1, 2, 5, 11, 22, 101):
            args = dict.fromkeys(names, number)
            icu = MessageFormat(text, language).format(args)
            ours = Wording(language, {language: {key: text}}).say({"key": key, "args": args})
            assert ours == icu, key


def component_ids(value):
    """Of all cards, tiles, ships that an edition lists; places of its chart are told as the page tells them, by id."""
    if isinstance(value, list):
        return {each for item in value for each in component_ids(item)}
    if not isinstance(value, dict):
        return set()
    own = {value["id"]} if isinstance(value.get("id"), str) else set()
    return own.union(*(component_ids(item) for name, item in value.items() if name != "chart"))


@pytest.mark.parametrize(("game", "language"), [(game, each) for game in SPEAKING for each in words.languages()])
def test_components_are_told_by_what_is_printed_on_them(game, language):
    """Their ids stand in editions and moves, and on no table."""
    ids = component_ids(msgspec.json.decode(games.edition(game)))
    wording = Wording(language, {language: words.catalogue(game, language)}, NAMES)
    for sentence in sentences(game):
        text = wording.say(msgspec.json.decode(msgspec.json.encode(sentence)))
        assert not ids & set(re.findall(r"\w+", text)), text


@pytest.mark.parametrize(("game", "language"), [(game, each) for game in SPEAKING for each in words.languages()])
def test_every_event_is_told_in_full(game, language):
    wording = Wording(language, {language: words.catalogue(game, language)}, NAMES)
    for sentence in sentences(game):
        text = wording.say(msgspec.json.decode(msgspec.json.encode(sentence)))
        assert not re.search(r"[{}#\[\]]", text), text
        assert text.endswith("."), text
        assert text[0] == text[0].upper(), text
