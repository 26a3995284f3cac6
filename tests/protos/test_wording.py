from tidelog.client.wording import Wording

ENGLISH = {
    "bought": "{seat} buys {cards, plural, one {# card} other {# cards}} for {paid}.",
    "ore": "{count} ore",
    "place": "seat {number}",
    "only_english": "Only here: {x}.",
}
CZECH = {
    "bought": "{seat} kupuje {cards, plural, one {# kartu} few {# karty} many {# karty} other {# karet}} ({paid}).",
    "ore": "{count, plural, one {# ruda} few {# rudy} many {# rudy} other {# rud}}",
}


def say(language, key, args, **catalogues):
    return Wording(language, catalogues or {"en": ENGLISH, "cs": CZECH}, {0: "Anna", 1: ""}).say(
        {"key": key, "args": args}
    )


def bought(seat, cards, *ores):
    paid = [{"key": "ore", "args": {"count": ore}} for ore in ores]
    return "bought", {"seat": {"seat": seat}, "cards": cards, "paid": paid}


def test_plurals_names_and_lists_are_those_of_the_language():
    assert say("en", *bought(0, 1, 5)) == "Anna buys 1 card for 5 ore."
    assert say("cs", *bought(0, 1, 1, 2, 5)) == "Anna kupuje 1 kartu (1 ruda, 2 rudy, 5 rud)."
    assert [say("cs", *bought(0, cards, 1))[:20].rstrip(" (1r") for cards in (2, 4, 5)] == [
        "Anna kupuje 2 karty",
        "Anna kupuje 4 karty",
        "Anna kupuje 5 karet",
    ]


def test_a_seat_without_a_name_is_shown_by_its_number():
    assert say("en", *bought(1, 2, 1)) == "seat 1 buys 2 cards for 1 ore."
    assert say("en", *bought(7, 2, 1)) == "seat 7 buys 2 cards for 1 ore."


def test_a_missing_text_is_told_in_english_then_by_what_it_is_called_then_by_its_key():
    assert say("cs", "only_english", {"x": 1}) == "Only here: 1."
    assert say("xx", *bought(0, 1, 1)) == "Anna buys 1 card for 1 ore."
    assert say("cs", "nowhere", {"x": 1}) == "nowhere"
    assert Wording("cs", {}).say({"key": "nowhere", "text": "A Ship"}) == "A Ship"


def test_an_argument_that_a_sentence_lacks_stays_as_it_stands():
    assert say("en", "only_english", {}) == "Only here: {x}."


def test_what_players_are_called_is_not_read_as_a_text():
    assert (
        Wording("en", {"en": ENGLISH}, {0: "{paid} #"}).say(
            {"key": "bought", "args": {"seat": {"seat": 0}, "cards": 1, "paid": "ore"}}
        )
        == "{paid} # buys 1 card for ore."
    )


def test_a_catalogue_may_lack_a_form():
    assert say("cs", "n", {"x": 3}, cs={"n": "{x, plural, other {# kusů}}"}) == "3 kusů"


def test_who_sits_down_is_known_by_name_from_then_on():
    wording = Wording("en", {"en": ENGLISH | {"match.seat_claimed.name": "{name} takes seat {number}."}})
    key, args = bought(2, 1, 1)
    assert wording.say({"key": key, "args": args}).startswith("seat 2 ")
    claimed = {"key": "match.seat_claimed.name", "args": {"number": 2, "name": "Cid"}}
    assert wording.say(claimed) == "Cid takes seat 2."
    assert wording.say({"key": key, "args": args}).startswith("Cid ")
