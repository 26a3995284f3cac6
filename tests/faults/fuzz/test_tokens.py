"""Bearer tokens of any kind name a player or are refused as unauthenticated."""

import json
from base64 import urlsafe_b64encode
from contextlib import suppress
from typing import Any

import jwt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gateway.callers.identity import ALGORITHM, Caller, Identity, mint
from services.common.refusals import Reason, Refused
from tests.faults.fuzz.mutations import some
from tests.faults.fuzz.test_decoders import JSON, at_once

KEY = bytes(range(32))
TIMES = [pytest.param(1, id="short"), pytest.param(20, id="soak", marks=pytest.mark.soak)]
CLAIMS = {"iss": "tidelog", "aud": "tidelog", "sub": "ann", "name": "Ann", "exp": 2**33}


def part(data: bytes) -> bytes:
    return urlsafe_b64encode(data).rstrip(b"=")


def called(token: str, scheme: str = "Bearer") -> Caller | None:
    """The caller; None where the token is refused."""
    try:
        found: Caller = at_once(Identity(KEY).caller([("authorization", f"{scheme} {token}")]))
    except Refused as refused:
        if refused.reason is Reason.UNAUTHENTICATED:
            return None
        raise
    for text in (found.player, found.name):
        text.encode()
    return found


def signed(claims: bytes) -> str:
    """A token whose claims are these bytes, with a signature of ours."""
    return jwt.PyJWS().encode(claims, KEY, ALGORITHM)


@pytest.mark.parametrize("times", TIMES)
def test_tokens_name_a_player_or_are_refused(times):
    token = mint(KEY, "ann", name="Ann", admin=True).encode()
    header, claims, signature = token.split(b".")
    corpus = [
        token,
        b"a.b.c",
        b".".join((part(b"[" * 2000), claims, signature)),
        b".".join((header, part(b"[" * 2000), b"")),
    ]
    named = [called(data.decode(errors="replace")) for data in some(corpus, 2_000 * times, 1)]
    assert any(named)
    assert not all(named)


@pytest.mark.parametrize("times", TIMES)
def test_claims_of_any_kind_name_a_player_or_are_refused(times):
    """Signed: an issuer may let its users say what they like in them."""
    corpus = [json.dumps(CLAIMS | changed).encode() for changed in CHANGED]
    named = [called(signed(data)) for data in some(corpus, 1_500 * times, 2)]
    assert any(named)
    assert not all(named)


CHANGED: tuple[dict[str, Any], ...] = (
    *(
        {},
        {"exp": 1e999},
        {"exp": "x"},
        {"exp": 2**80},
        {"exp": 10**400},
        {"exp": None},
        {"nbf": 1e999},
        {"iat": "x"},
        {"iat": 1e999},
    ),
    *({"name": "\ud800"}, {"name": ["x"]}, {"sub": "\ud800"}, {"sub": 7}, {"sub": ""}, {"sub": "x" * 129}),
    *(
        {"aud": ["tidelog"]},
        {"aud": [None]},
        {"aud": {"a": 1}},
        {"iss": ["tidelog"]},
        {"iss": {}},
        {"scope": ["admin"]},
    ),
)


@settings(derandomize=True, max_examples=150, deadline=None)
@given(st.sampled_from(sorted(CLAIMS)), JSON)
def test_claims_with_any_value_name_a_player_or_are_refused(name, value):
    with suppress(ValueError):  # what is no claim is not signed
        called(jwt.PyJWS().encode(json.dumps(CLAIMS | {name: value}).encode(), KEY, ALGORITHM))


@settings(derandomize=True, max_examples=150, deadline=None)
@given(st.text(), st.text())
def test_any_text_is_no_token(scheme, token):
    assert called(token, scheme) is None
