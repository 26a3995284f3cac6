"""Laws of the log in words: every event can be told in every language of the game, and no sentence tells a secret.

A game without `tell` keeps them all.
"""

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from engines.core import games
from engines.core.draft import refusal
from engines.core.words import Place, Sentence
from services.cli.laws.record import Match, Matches, secret
from services.cli.laws.secrecy import played_from, told
from services.eventlog import words
from tidelog.client.wording import Catalogue, Wording

ARGUMENT = re.compile(r"\{(\w+)[,}]")


def parts(sentence: Sentence) -> Iterator[Sentence]:
    """The sentence and all that stand in it."""
    yield sentence
    pending = list(sentence.args.values())
    while pending:
        value = pending.pop()
        if isinstance(value, tuple):
            pending += value
        elif isinstance(value, Sentence):
            yield from parts(value)
        elif isinstance(value, Place):
            yield Sentence("place", {"number": value.seat})


def shown_to(played: Match, audience: int | None) -> Iterator[tuple[Any, Any, Sentence]]:
    """Each event of the sample as it was, as the audience is told it, and the sentence for that."""
    engine = played.engine
    for step in played.sample if engine.tell is not None else ():
        for event in step.events():
            shown = engine.redact(event, audience)
            assert engine.tell is not None
            yield event, shown, engine.tell(played.start.catalog, shown)


def every_sentence_has_a_text_and_its_arguments(matches: Matches) -> None:
    spoken = {language: words.catalogue(matches.game, language) for language in games.languages(matches.game)}
    told_by = [(catalogue, Wording(language, {language: catalogue})) for language, catalogue in spoken.items()]
    known: set[bytes] = set()
    for played in matches:
        for audience in (0, None):
            for _, _, sentence in shown_to(played, audience):
                said = msgspec.json.encode(sentence)
                if said in known:
                    continue
                known.add(said)
                for catalogue, wording in told_by:
                    _check_text(sentence, catalogue, wording.say(msgspec.json.decode(said)))


def _check_text(sentence: Sentence, catalogue: Catalogue, text: str) -> None:
    for part in parts(sentence):
        assert part.key in catalogue or part.text, part.key
        assert set(ARGUMENT.findall(catalogue.get(part.key, ""))) <= set(part.args), part.key
    assert text, sentence.key
    assert not re.search(r"[{}#\[\]]", text), text


def languages_have_the_same_texts_with_the_same_arguments(game: str) -> None:
    first, *others = [games.messages(game, language) for language in games.languages(game)] or [{}]
    for other in others:
        lacking = sorted(set(other) ^ set(first))
        assert not lacking, f"not in all languages: {', '.join(lacking)}"
        for key, text in other.items():
            assert set(ARGUMENT.findall(text)) == set(ARGUMENT.findall(first[key])), key


def states_that_a_seat_cannot_tell_apart_are_told_in_the_same_words(matches: Matches) -> None:
    for played in matches:
        engine, chance = played.engine, played.chance()
        catalog, telling, tell = played.start.catalog, played.profile.telling, engine.tell
        for step in played.sample[1:] if tell is not None else ():
            for audience in played.audiences:
                twin = engine.determinize(step.before, audience, chance)
                if step.seat is None or refusal(engine.decide, twin, step.seat, step.move) is not None:
                    continue
                draft = played_from(engine, twin, step.seat, step.move, secret(played.seed, step.version))
                here, there = told(engine, step.emitted, audience), told(engine, draft.emitted, audience)
                assert tell is not None
                assert [tell(catalog, event) for event in here if not isinstance(event, telling)] == [
                    tell(catalog, event) for event in there if not isinstance(event, telling)
                ]


def what_is_redacted_is_not_said(matches: Matches) -> None:
    """All events that an audience is told alike are told in the same words, which differ from those of all of it."""
    for played in matches:
        said: dict[Any, Sentence] = {}
        for audience in played.audiences:
            for event, shown, sentence in shown_to(played, audience):
                assert said.setdefault(shown, sentence) == sentence
                if shown != event:
                    assert played.engine.tell is not None
                    assert sentence.key != played.engine.tell(played.start.catalog, event).key
