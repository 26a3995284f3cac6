"""The Python client tells a match in words, of a real gateway."""

import pytest

from tests.gateway.floor import play_on, started_match
from tidelog.client import SENTENCE, connect
from tidelog.client.answers import Entry


@pytest.mark.parametrize(
    ("language", "first", "took"),
    [
        ("cs", "Partie hry Ztracená moře, 2 hráči.", " pokládá dílek "),
        ("xx", "A match of Lost Seas for 2 players.", " puts tile "),
    ],
)
@pytest.mark.parametrize("named", [True, False])
async def test_a_match_is_told_in_the_language_of_the_reader(gateway, ann, bob, language, first, took, named):
    """Players are called by name, also where they sat down after the wording was made."""
    match_id = await started_match(ann, bob, auto_start=False)
    async with connect(gateway.address, token=bob.token) as client:
        wording = await client.wording(match_id, language)
        if not named:
            wording = type(wording)(
                language, {each: (await client.messages("lost_seas", each)).texts for each in ("cs", "en")}
            )
        await ann.call("StartMatch", request_id="start", match_id=match_id)
        await play_on([ann, bob], match_id)
        told = [
            (update.type, wording.say(update.sentence))
            async for update in client.watch(match_id, seat=1, include=[SENTENCE])
            if isinstance(update, Entry)
        ]
    assert told[0][1] == first
    tiles = [text for kind, text in told if kind == "lost_seas.tile_taken"]
    assert {text.partition(took)[0] for text in tiles} == {"Ann", "Bob"}
    assert all(text.endswith(".") and "{" not in text for _, text in told)


async def test_an_entry_that_was_not_to_be_told_in_words_has_no_sentence(gateway, ann, bob):
    match_id = await started_match(ann, bob)
    await play_on([ann, bob], match_id)
    async with connect(gateway.address, token=bob.token) as client:
        entries = [update async for update in client.watch(match_id) if isinstance(update, Entry)]
    assert {entry.sentence for entry in entries} == {None}
