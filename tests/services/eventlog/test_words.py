from dataclasses import replace

import msgspec

from engines.core import games
from engines.core.words import Place, Sentence
from services.eventlog import words
from services.eventlog.lifecycle import Created, Resigned, SeatClaimed

ENGINE = games.engine("lost_seas")


def test_the_platforms_events_are_told_in_its_own_words():
    assert words.sentence(ENGINE, None, Resigned(1)) == Sentence("match.resigned", {"seat": Place(1)})
    claimed = words.sentence(ENGINE, None, SeatClaimed(1, "tidelog|bob", "Bob"))
    assert claimed == Sentence("match.seat_claimed.name", {"number": 1, "name": "Bob"})
    created = Created("M", "lost_seas", 1, "", msgspec.Raw(b"{}"), 2, "tidelog|ann", "")
    title = words.sentence(ENGINE, None, created).args["game"]
    assert (title.key, title.text) == ("title", "lost_seas")


def test_a_games_events_are_told_in_the_games_words():
    catalog = ENGINE.catalog(games.edition("lost_seas"))
    event = msgspec.convert({"kind": "first_player_set", "seat": 1}, ENGINE.Event)
    assert words.sentence(ENGINE, catalog, event) == Sentence("first_player_set", {"seat": Place(1)})


def test_an_event_of_a_game_without_words_is_told_by_its_kind_and_fields():
    event = msgspec.convert({"kind": "first_player_set", "seat": 1}, ENGINE.Event)
    told = words.sentence(replace(ENGINE, tell=None), None, event)
    fields = '{"kind":"first_player_set","seat":1}'
    assert told == Sentence("match.untold", {"kind": "lost_seas.first_player_set", "fields": fields})


def test_a_catalogue_holds_the_texts_of_the_platform_and_of_the_game():
    czech = words.catalogue("lost_seas", "cs")
    assert czech["match.started"] == "Partie začíná."
    assert czech["title"] == "Ztracená moře"
    assert words.catalogue("lost_seas", "xx") == {}
    assert words.languages_of("lost_seas") == ("cs", "en")


def test_no_game_has_a_text_of_the_platform():
    for game in games.names():
        for language in words.languages():
            own = games.messages(game, language)
            assert {key: words.catalogue(game, language)[key] for key in own} == own
            assert not [key for key in own if key.startswith("match.")]
