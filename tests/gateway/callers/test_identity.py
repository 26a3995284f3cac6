import base64
import json
import time
import warnings
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from gateway.callers.identity import Caller, Identity, bot_subject, mint, new_guest, player_of
from gateway.callers.issuers import Issuer
from gateway.routing.commanding import policies
from services.common.refusals import Reason, Refused
from services.eventlog.expiring import bot_player
from services.eventlog.terms import seated_policies

KEY = bytes(range(32))
RSA = rsa.generate_private_key(public_exponent=65537, key_size=2048)
OTHER_RSA = rsa.generate_private_key(public_exponent=65537, key_size=2048)
ISSUER = "https://accounts.test"
SOUND = {"iss": "tidelog", "aud": "tidelog", "sub": "ann", "exp": 4_000_000_000}


@pytest.fixture
def identity():
    return Identity(KEY)


async def refused(identity, token):
    with pytest.raises(Refused) as raised:
        await identity.verify(token)
    assert raised.value.reason is Reason.UNAUTHENTICATED
    return raised.value.message


def signed(key=KEY, algorithm="HS256", headers=None, **changes):
    claims = {name: value for name, value in (SOUND | changes).items() if value is not None}
    return jwt.encode(claims, key, algorithm, headers=headers)


def with_another_algorithm():
    with warnings.catch_warnings(action="ignore"):  # the key is short for it
        return signed(algorithm="HS512")


async def test_a_minted_token_names_player_name_and_standing(identity):
    caller = await identity.verify(mint(KEY, "bot:greedy", name="Greedy", admin=True, lifetime_s=60))
    assert caller == Caller("tidelog|bot:greedy", "Greedy", True, caller.expires_at)
    assert 50 < caller.expires_at - time.time() <= 60


async def test_a_guest_is_no_admin_and_like_no_other(identity):
    caller = await identity.verify(mint(KEY, new_guest(), name="Ann"))
    assert not caller.admin
    assert len({new_guest() for _ in range(100)}) == 100
    assert len(new_guest()) == 26


async def test_a_bearer_token_is_read_from_the_metadata(identity):
    token = mint(KEY, "ann")
    assert (await identity.caller((("authorization", f"Bearer {token}"),))).player == "tidelog|ann"


@pytest.mark.parametrize("metadata", [None, (), (("authorization", ""),), (("authorization", "Basic abc"),)])
async def test_a_call_without_a_bearer_token_is_refused(identity, metadata):
    with pytest.raises(Refused) as raised:
        await identity.caller(metadata)
    assert raised.value.reason is Reason.UNAUTHENTICATED


@pytest.mark.parametrize(
    "token",
    [
        pytest.param(signed(key=b"x" * 32), id="another key"),
        pytest.param(with_another_algorithm(), id="another algorithm with our key"),
        pytest.param(signed(aud="someone else"), id="another audience"),
        pytest.param(signed(aud=None), id="no audience"),
        pytest.param(signed(iss="nobody"), id="an unknown issuer"),
        pytest.param(signed(iss=None), id="no issuer"),
        pytest.param(signed(exp=None), id="no expiry"),
        pytest.param(signed(sub=None), id="no subject"),
        pytest.param(signed(sub=""), id="an empty subject"),
        pytest.param(signed(sub="x" * 200), id="a subject too long"),
        pytest.param(signed(nbf=3_999_999_999), id="not yet valid"),
        pytest.param("no token at all", id="no token"),
        pytest.param("a.b.c", id="no JSON"),
    ],
)
async def test_a_token_that_does_not_check_is_refused(identity, token):
    assert await refused(identity, token) == "the token does not check"


async def test_an_expired_token_is_refused_and_said_to_be(identity):
    assert await refused(identity, mint(KEY, "ann", lifetime_s=-1)) == "the token has expired"


async def test_a_token_without_a_signature_is_refused(identity):
    assert await refused(identity, jwt.encode(SOUND, None, "none")) == "the token does not check"


async def test_a_payload_changed_after_signing_is_refused(identity):
    head, payload, signature = mint(KEY, "ann").split(".")
    claims = json.loads(base64.urlsafe_b64decode(payload + "=="))
    forged = base64.urlsafe_b64encode(json.dumps(claims | {"scope": "admin"}).encode()).decode().rstrip("=")
    assert await refused(identity, f"{head}.{forged}.{signature}") == "the token does not check"


async def test_a_remembered_token_still_expires():
    hours = [0]
    identity = Identity(KEY, now=lambda: time.time() + 3600 * hours[0])
    token = mint(KEY, "ann", lifetime_s=7200)
    for hours[0] in (0, 1):
        assert (await identity.verify(token)).player == "tidelog|ann"
    hours[0] = 2
    assert await refused(identity, token) == "the token has expired"


@contextmanager
def published(keys):
    """An issuer's JWKS on a local address; how often it was fetched."""
    fetched = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            fetched.append(self.path)
            body = json.dumps({"keys": keys}).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            """Says nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield Issuer(ISSUER, "tidelog", f"http://127.0.0.1:{server.server_port}/jwks", admin_scope="tidelog:admin"), fetched
    server.shutdown()
    server.server_close()
    thread.join()


def public_key(name="k1", key=RSA):
    return jwt.algorithms.RSAAlgorithm.to_jwk(key.public_key(), as_dict=True) | {"kid": name, "alg": "RS256"}


def from_issuer(key=RSA, algorithm="RS256", kid="k1", **changes):
    return signed(key, algorithm, {"kid": kid}, iss=ISSUER, **changes)


async def test_an_issuers_token_is_checked_with_its_published_key_fetched_once():
    with published([public_key()]) as (issuer, fetched):
        identity = Identity(KEY, [issuer])
        for subject in ("ann", "bob"):
            caller = await identity.verify(from_issuer(sub=subject, name=subject, scope="openid tidelog:admin"))
            assert (caller.player, caller.name, caller.admin) == (f"{ISSUER}|{subject}", subject, True)
        assert len(fetched) == 1


async def test_an_issuers_admin_needs_the_configured_scope():
    with published([public_key()]) as (issuer, _):
        assert not (await Identity(KEY, [issuer]).verify(from_issuer(scope="admin"))).admin


async def test_an_issuers_key_counts_with_its_algorithm_and_audience_only():
    pem = RSA.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    segments = [{"alg": "HS256", "typ": "JWT", "kid": "k1"}, SOUND | {"iss": ISSUER}]
    encoded = [base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=") for part in segments]
    message = b".".join(encoded)
    mac = base64.urlsafe_b64encode(jwt.algorithms.HMACAlgorithm(jwt.algorithms.HMACAlgorithm.SHA256).sign(message, pem))
    confused = b".".join([message, mac.rstrip(b"=")]).decode()
    with published([public_key()]) as (issuer, _):
        identity = Identity(KEY, [issuer])
        for token in (
            confused,
            from_issuer(OTHER_RSA),
            from_issuer(algorithm="RS512"),
            from_issuer(kid="unknown"),
            from_issuer(aud="another"),
            from_issuer(exp=None),
            signed(iss=ISSUER),
        ):
            assert await refused(identity, token) == "the token does not check"


async def test_an_issuer_can_not_speak_for_guests():
    with published([public_key()]) as (issuer, _):
        assert await refused(Identity(KEY, [issuer]), signed(RSA, "RS256", {"kid": "k1"})) == "the token does not check"


def test_the_bots_that_stand_in_are_those_that_take_seats():
    assert bot_player("greedy") == player_of(bot_subject("greedy"))
    assert seated_policies("lost_seas") == policies("lost_seas")


async def test_only_guests_of_ours_have_a_token_to_renew():
    with published([public_key()]) as (issuer, _):
        identity = Identity(KEY, [issuer])
        for token in (from_issuer(), signed(sub="bot:greedy"), signed(scope="admin")):
            with pytest.raises(Refused) as raised:
                await identity.guest([("authorization", f"Bearer {token}")], 60)
            assert raised.value.reason is Reason.NOT_ALLOWED
