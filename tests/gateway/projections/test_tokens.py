import random
from base64 import urlsafe_b64decode, urlsafe_b64encode

import pytest
from msgspec import Struct

from gateway.projections.tokens import LIFETIME_S, MAX_TOKEN, PageTokens, Signing, Unsigned, list_digest
from services.common.refusals import Reason, Refused

KEY, OTHER = bytes(32), bytes(31) + b"\x01"
LIST = list_digest("matches", "open", 3)


class Place(Struct, frozen=True, array_like=True):
    at: int
    match: str


PLACE = Place(1_700_000_000_000, "MATCH")


class Clock:
    def __init__(self):
        self.seconds = 1_700_000_000.0

    def __call__(self):
        return self.seconds


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def tokens(clock):
    return PageTokens(KEY, clock)


def reason(call):
    with pytest.raises(Refused) as raised:
        call()
    assert "$.page_token" in raised.value.message
    return raised.value.reason


def test_a_token_leads_back_to_its_place_on_every_gateway_of_the_store(tokens, clock):
    token = tokens.write("ann", LIST, PLACE)
    assert PageTokens(KEY, clock).read("ann", LIST, token, Place) == PLACE


def test_a_token_is_its_players_alone(tokens):
    token = tokens.write("ann", LIST, PLACE)
    assert reason(lambda: tokens.read("bob", LIST, token, Place)) is Reason.NOT_ALLOWED


@pytest.mark.parametrize(
    "other", [list_digest("matches", "open", 4), list_digest("matches", "open"), list_digest("players", "open", 3)]
)
def test_a_token_is_of_one_list_alone(tokens, other):
    token = tokens.write("ann", LIST, PLACE)
    assert reason(lambda: tokens.read("ann", other, token, Place)) is Reason.MALFORMED


def test_a_token_counts_for_an_hour(tokens, clock):
    token = tokens.write("ann", LIST, PLACE)
    clock.seconds += LIFETIME_S - 1
    assert tokens.read("ann", LIST, token, Place) == PLACE
    clock.seconds += 1
    assert reason(lambda: tokens.read("ann", LIST, token, Place)) is Reason.EXPIRED


def test_a_token_of_another_store_is_none(tokens, clock):
    token = PageTokens(OTHER, clock).write("ann", LIST, PLACE)
    assert reason(lambda: tokens.read("ann", LIST, token, Place)) is Reason.MALFORMED


def test_no_byte_of_a_token_can_be_changed(tokens):
    token = tokens.write("ann", LIST, PLACE)
    whole = urlsafe_b64decode(token + "=" * (-len(token) % 4))
    for place in range(len(whole)):
        forged = urlsafe_b64encode(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :]).decode()
        assert reason(lambda forged=forged: tokens.read("ann", LIST, forged.rstrip("="), Place)) is Reason.MALFORMED
    for place in range(len(token)):
        assert reason(lambda place=place: tokens.read("ann", LIST, token[:place], Place)) is Reason.MALFORMED


def test_a_token_has_one_spelling(tokens):
    token = tokens.write("ann", LIST, PLACE)
    for other in (f"{token}=", f"{token}\n", f" {token}", f"{token[:4]}!{token[4:]}"):
        assert reason(lambda other=other: tokens.read("ann", LIST, other, Place)) is Reason.MALFORMED


def test_what_is_no_token_is_refused(tokens):
    dice = random.Random(8)
    texts = ["x", "é", "\ud800", "A" * MAX_TOKEN, "A" * (MAX_TOKEN + 1), "=" * 9]
    texts += [urlsafe_b64encode(dice.randbytes(dice.randrange(200))).decode() for _ in range(200)]
    for text in texts:
        assert reason(lambda text=text: tokens.read("ann", LIST, text, Place)) is Reason.MALFORMED


def test_a_text_of_one_purpose_is_none_of_another():
    text = Signing(KEY, "page").write(PLACE)
    with pytest.raises(Unsigned):
        Signing(KEY, "invitation").read(text, Place)


def test_a_text_of_a_release_that_wrote_it_otherwise_is_none():
    class Older(Struct, frozen=True, array_like=True):
        at: str

    with pytest.raises(Unsigned):
        Signing(KEY, "page").read(Signing(KEY, "page").write(Older("noon")), Place)
