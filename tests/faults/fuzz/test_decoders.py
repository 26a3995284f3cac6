"""Whatever bytes a caller sends, decoders give a value or a typed refusal: a hundred thousand, none of them sound."""

import base64
import json
import resource
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import grpc
import msgspec
import pytest
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.message import DecodeError
from google.protobuf.message_factory import GetMessageClass
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.core import games
from gateway.api.calls import check_request
from gateway.api.pages import page_size
from gateway.callers.identity import Caller
from gateway.enums import check_enums
from gateway.feeds.positions import Positions, ShardPlace, parse, text
from gateway.lobby.invitations import Invitations
from gateway.matches.reading import cursor_of
from gateway.matches.situation import audience
from gateway.projections.tokens import SIGNATURE_BYTES, PageTokens, Signing
from gateway.routing import commanding
from services.common.codec import GameCodec, Root, encode
from services.common.refusals import Reason, Refused
from services.common.unreadable import Registry, require_readable
from services.engine import orders
from services.eventlog import canonical, hashes
from services.eventlog.deciding import create
from services.eventlog.entries import BrokenLog, Entry, Header, body_of, header_of
from services.eventlog.loading import Loader
from services.eventlog.memory import MemoryLog
from tests.faults.fuzz import messages
from tests.faults.fuzz.mutations import some, survived
from tidelog.v1.engine_pb2 import EngineCommand, LinkRequest
from tidelog.v1.payload_pb2 import PAYLOAD_FORM_TYPED, Payload

CALLER = Caller("tidelog|ann", "Ann", admin=False, expires_at=0.0)
LOADER = Loader(MemoryLog())
PREFIX = "type.googleapis.com/"
KEY = bytes(range(32))
MOST_MIB = 256
"""What the process may grow by, all decoders together."""

TIMES = [pytest.param(1, id="short"), pytest.param(20, id="soak", marks=pytest.mark.soak)]
soaking = pytest.mark.parametrize("times", TIMES)


@pytest.fixture(scope="module", autouse=True)
def _memory_is_bounded():
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    yield
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < MOST_MIB * 1024


def at_once(work: Any) -> Any:
    """The result of a coroutine that waits for nothing."""
    try:
        work.send(None)
    except StopIteration as done:
        return done.value
    raise AssertionError("it waits")


def carried_out(command: EngineCommand) -> None:
    """As far as an engine host goes without a match. Raises Refused where every game's refuses."""
    refusals = []
    for game in games.names():
        try:
            _carried_out(game, command)
        except Refused as refused:
            refusals.append(refused)
    if len(refusals) == len(games.names()):
        raise refusals[0]


def _carried_out(game: str, command: EngineCommand) -> None:
    if command.HasField("create"):
        found = at_once(orders.creation(game, command, LOADER))
        create(found.order, found.edition, "MATCH", bytes(32), 0)
        return
    order = orders.order(game, command)
    assert (len(order.key), len(order.digest)) == (16, 8)


def created(request: Any) -> None:
    if request.game not in games.names():
        raise Refused(Reason.UNKNOWN_GAME, request.game)
    carried_out(commanding.create("MATCH", CALLER, request))


def submitted(request: Any) -> None:
    assert audience(request.seat, request.accept, request.include)
    carried_out(commanding.submit(CALLER, request))


def validated(request: Any) -> None:
    commanding.check_payload(request.move, "move")
    command = EngineCommand(player=CALLER.player)
    command.validate.seat = request.seat
    command.validate.move.CopyFrom(request.move)
    carried_out(command)


def played(request: Any) -> None:
    for command in request.commands:
        kind = command.WhichOneof("command")
        check_enums(getattr(command, kind) if kind else command)
        if kind == "submit":
            submitted(command.submit)
        elif kind == "follow":
            cursor_of(command.follow.after)


TRANSLATED: dict[str, Callable[[Any], object]] = {
    "CreateMatch": created,
    "SubmitMove": submitted,
    "ValidateMove": validated,
    "Play": played,
    "WatchMatch": lambda request: cursor_of(request.after),
    "ReadLog": lambda request: cursor_of(request.after),
    "ListMatches": lambda request: page_size(request.page_size),
    "ListGames": lambda request: page_size(request.page_size),
}
"""What the handlers make of their requests; of the others they take the fields as they are."""


@soaking
@pytest.mark.parametrize("rpc", messages.RPCS, ids=lambda rpc: rpc.name)
def test_requests_are_read_or_refused(rpc, times):
    read = registered(rpc)
    translate = TRANSLATED.get(rpc.name, bool)

    def handle(data: bytes) -> None:
        request = read(data)
        require_readable(request)
        if rpc.name != "Play":
            check_request(request)
        translate(request)

    corpus = messages.corpus(rpc.input_type)
    seen = survived(handle, Refused, some(corpus, 2_000 * times, rpc.index))
    assert seen["refused"] > len(corpus)
    assert seen["taken"]


def registered(rpc: Any) -> Callable[[bytes], Any]:
    """The deserializer that a server of ours has for the rpc."""
    kept: dict[str, Any] = {}

    class Kept:
        def add_registered_method_handlers(self, _service, handlers):
            kept.update(handlers)

    handler = grpc.unary_unary_rpc_method_handler(None, GetMessageClass(rpc.input_type).FromString)
    Registry(Kept()).add_registered_method_handlers("", {rpc.name: handler})
    return kept[rpc.name].request_deserializer


@soaking
def test_commands_of_an_engine_link_are_read_or_refused(times):
    def handle(data: bytes) -> None:
        for command in LinkRequest.FromString(data).commands:
            carried_out(command)

    seen = survived(handle, (Refused, DecodeError), some(messages.corpus(LinkRequest.DESCRIPTOR), 8_000 * times, 2))
    assert seen["refused"]
    assert seen["taken"]


@soaking
@pytest.mark.parametrize("game", games.names())
def test_moves_and_options_in_json_are_read_or_refused(game, times):
    codec, engine = GameCodec.of(game), games.engine(game)
    corpora = {Root.MOVE: [*map(encode, messages.moves(game))], Root.OPTIONS: [encode(engine.Options())]}
    for root, corpus in corpora.items():

        def read(data: bytes, root: Root = root) -> None:
            canonical.encode(codec.read(root, Payload(json=data.decode(errors="replace"))))

        seen = survived(read, Refused, some(corpus, 7_000 * times, 3))
        assert min(seen["refused"], seen["taken"])


@soaking
@pytest.mark.parametrize("game", [game for game in games.names() if GameCodec.of(game).is_typed])
def test_typed_moves_and_options_are_read_or_refused(game, times):
    codec = GameCodec.of(game)
    for root in (Root.MOVE, Root.OPTIONS):
        values = messages.moves(game) if root is Root.MOVE else [games.engine(game).Options()]
        corpus = [codec.payload_of(root, value, PAYLOAD_FORM_TYPED).typed.value for value in values] + [b"\x08\x01"]
        url = f"{PREFIX}{codec.proto_package}.{root}"

        def read(data: bytes, root: Root = root, url: str = url) -> None:
            canonical.encode(codec.read(root, Payload(typed=AnyMessage(type_url=url, value=data))))

        seen = survived(read, Refused, some(corpus, 7_000 * times, 4))
        assert min(seen["refused"], seen["taken"])


@soaking
@pytest.mark.parametrize("game", games.names())
def test_entries_are_read_or_broken(game, times):
    engine = games.engine(game)
    bodies = [
        encode({"draws": [], "payload": event, "req": None, "req_digest": None}) for event in messages.events(game)
    ]
    headers = [encode(Header(1, None, f"{game}.x", 2)), encode(Header(2**52, 3, "match.created", 1))]

    def read(data: bytes) -> None:
        header_of(Entry(1, data, b"", b"", b""))

    def read_body(data: bytes) -> None:
        for kind in (f"{game}.x", "match.created"):
            body_of(engine, Header(1, None, kind, 1), data)

    assert survived(read, BrokenLog, some(headers, 2_000 * times, 5))["refused"]
    assert survived(read_body, BrokenLog, some(bodies, 3_000 * times, 6))["refused"]


@soaking
def test_cursors_are_read_or_refused(times):
    corpus = [b"0-0", b"1-0123456789abcdef", b"999999999999999-ffffffffffffffff", b"\xd9\xa1-0123456789abcdef"]
    seen = survived(lambda data: cursor_of(data.decode(errors="replace")), Refused, some(corpus, 6_000 * times, 7))
    assert min(seen["refused"], seen["taken"])


class Place(msgspec.Struct, array_like=True):
    """Where a page of some list begins."""

    at: int
    match: str


@soaking
def test_page_tokens_are_read_or_refused(times):
    tokens, signing = PageTokens(KEY, lambda: 1000.0), Signing(KEY, "page")
    places = [Place(at, match) for at in (0, -1, 2**63 - 1, 2**64 - 1) for match in ("", "A" * 24, "é", "\x00")]
    given = [tokens.write("tidelog|ann", b"list", place) for place in places]
    contents = [base64.urlsafe_b64decode(each + "=" * (-len(each) % 4))[SIGNATURE_BYTES:] for each in given]

    def read(data: bytes) -> None:
        tokens.read("tidelog|ann", b"list", data.decode(errors="replace"), Place)

    def read_signed(data: bytes) -> None:
        """As another release of ours may have signed it."""
        read(signing.write(msgspec.Raw(data)).encode())

    assert survived(read, Refused, some([each.encode() for each in given], 4_000 * times, 8))["refused"]
    seen = survived(read_signed, Refused, some(contents, 4_000 * times, 9))
    assert min(seen["refused"], seen["taken"])


@soaking
def test_invitations_and_positions_are_read_or_refused(times):
    invitations, positions = Invitations(KEY, lambda: 1000.0), Positions(KEY)
    invited = [invitations.write("MATCH", seat=seat, player="", expires_after_ms=0)[0] for seat in (None, 0, 4)]
    placed = [
        positions.write([place] * hashes.SHARDS, b"asked") for place in (None, ShardPlace(7, "0" * 16, "MATCH", 3))
    ]

    def read_invitation(data: bytes) -> None:
        invitations.read(data.decode(errors="replace"), "MATCH", "tidelog|ann")

    def read_position(data: bytes) -> None:
        positions.read(data.decode(errors="replace"), b"asked")

    assert survived(read_invitation, Refused, some([each.encode() for each in invited], 3_000 * times, 10))["refused"]
    assert survived(read_position, Refused, some([each.encode() for each in placed], 3_000 * times, 11))["refused"]
    texts = [text([ShardPlace(2**40, "f" * 16, "A", 9), None, *[ShardPlace()] * (hashes.SHARDS - 2)]).encode()]
    seen = survived(lambda data: parse(data.decode(errors="replace")), Refused, some(texts, 3_000 * times, 12))
    assert min(seen["refused"], seen["taken"])


@soaking
def test_json_is_canonical_or_not(times):
    corpus = [encode(event) for game in games.names() for event in messages.events(game)]
    seen = survived(canonical.strict, canonical.NotCanonical, some(corpus, 8_000 * times, 10))
    assert min(seen["refused"], seen["taken"])


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=8), inner, max_size=5),
    max_leaves=8,
)


@settings(derandomize=True, max_examples=150, deadline=None)
@given(JSON, st.sampled_from(games.names()), st.sampled_from(list(Root)))
def test_any_json_is_read_or_refused(value, game, root):
    text = json.dumps(value)
    with suppress(Refused):
        GameCodec.of(game).read(root, Payload(json=text))


@settings(derandomize=True, max_examples=150, deadline=None)
@given(st.sampled_from(games.names()), st.data())
def test_moves_with_any_values_are_read_or_refused(game, data):
    """Moves as they should be but for the values of their fields."""
    move = msgspec.to_builtins(data.draw(st.sampled_from(messages.moves(game))))
    name = data.draw(st.sampled_from(sorted(move)))
    with suppress(Refused):
        canonical.encode(GameCodec.of(game).read(Root.MOVE, Payload(json=json.dumps({**move, name: data.draw(JSON)}))))


@settings(derandomize=True, max_examples=150, deadline=None)
@given(st.text())
def test_any_text_is_a_cursor_or_refused(text):
    with suppress(Refused):
        assert str(cursor_of(text)) == (text or "0-0")
