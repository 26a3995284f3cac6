"""Everything that a seat and a spectator may ask of a match, well or badly."""

import random
from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from engines.core.chance import SeededChance
from services.cli.laws.mutate import fits, mutants, words_of
from services.common import codec
from services.common.codec import GameCodec, Root
from services.eventlog.commands import Submit
from tests.integration.secrets.twins import Pair, Written
from tidelog.v1.payload_pb2 import PAYLOAD_FORM_JSON, PAYLOAD_FORM_TYPED, Payload
from tidelog.v1.updates_pb2 import INCLUDE_LEGAL, INCLUDE_VIEW

STRANGER = "stranger"
SITUATION = (INCLUDE_VIEW, INCLUDE_LEGAL)
LISTED, OF_ALL, CHANGED, BROKEN = 3, 8, 10, 4
"""How many moves of each kind are tried."""

MALFORMED = ("", "{", "[]", "null", '{"kind":"swim"}', '{"kind":null}', "9" * 400, '"' + "\\ud800" + '"', "[" * 2000)


class Question(Struct, frozen=True):
    """`streams`: the answer is many messages."""

    subject: str
    rpc: str
    fields: dict[str, Any]
    streams: bool = False


def forms(game: str) -> tuple[int, ...]:
    return (PAYLOAD_FORM_JSON, PAYLOAD_FORM_TYPED) if GameCodec.of(game).is_typed else (PAYLOAD_FORM_JSON,)


def subjects(pair: Pair) -> tuple[str, ...]:
    """Who asks: the seat's player, and one who plays in no match."""
    return (STRANGER,) if pair.audience is None else (pair.subject(pair.audience), STRANGER)


def questions(pair: Pair, written: Written) -> Iterator[Question]:
    """All but those about moves; cursors are those of the written log."""
    for who in subjects(pair):
        seats = (None, pair.audience) if who != STRANGER else (None,)
        asked = [*_reads(pair), *_logs(written), *(() if who == STRANGER else _commands(pair))]
        asked += [question for seat in seats for question in _of_a_seat(pair, written, seat)]
        for rpc, fields, *streams in asked:
            yield Question(who, rpc, {"match_id": pair.match, **fields}, bool(streams))


def _reads(pair: Pair) -> Iterator[tuple[Any, ...]]:
    head = pair.true.aggregate.facts.version
    others = (next(seat for seat in range(pair.seats) if seat != pair.audience), pair.seats)
    for form in (*forms(pair.game), 99):
        yield "GetMatch", {"accept": form}
    for seat in others:
        yield "GetView", {"seat": seat}
        yield "ListLegalMoves", {"seat": seat}
        yield "ListScores", {"seat": seat}
        yield "ReadLog", {"seat": seat}, True
        yield "ExportMatch", {"seat": seat}, True
        yield "WatchMatch", {"seat": seat, "include": SITUATION}, True
    for version in (-1, 0, head + 1):
        yield "GetView", {"version": version}


def _logs(written: Written) -> Iterator[tuple[Any, ...]]:
    foreign = f"{written.entries[-1].version}-{'0' * 16}"
    yield "ReadLog", {"full": True}, True
    yield "ReadLog", {"headers_only": True}, True
    yield "ReadLog", {"after": foreign}, True
    yield "ReadLog", {"after": "no cursor"}, True
    yield "WatchMatch", {"after": foreign}, True
    yield "ExportMatch", {"full": True}, True
    yield "ExportMatch", {"full": True, "with_secrets": True}, True
    yield "ExportMatch", {"with_secrets": True}, True


def _of_a_seat(pair: Pair, written: Written, seat: int | None) -> Iterator[tuple[Any, ...]]:
    head, middle = written.aggregate.facts.version, written.entries[len(written.entries) // 2]
    for form in forms(pair.game):
        yield "GetView", {"seat": seat, "accept": form}
        yield "GetView", {"seat": seat, "accept": form, "version": head}
        if seat is not None:
            yield "ListLegalMoves", {"seat": seat, "accept": form}
    # What was scored before is not asked: it is of the views alone, and a twin's past is written, not played.
    yield "ListScores", {"seat": seat, "after": str(written.entries[-1].cursor)}
    yield "ReadLog", {"seat": seat}, True
    yield "ReadLog", {"seat": seat, "after": str(middle.cursor)}, True
    yield "ReadLog", {"seat": seat, "from_version": max(head - 3, 1), "limit": 2}, True
    yield "ExportMatch", {"seat": seat}, True


def _commands(pair: Pair) -> Iterator[tuple[Any, ...]]:
    """Refused, or a repetition of what was carried out before."""
    for seat in (None, -1, 0):
        yield "JoinMatch", {"request_id": "late", "seat": seat}
    for seat in (-1, *(seat for seat in range(pair.seats) if seat != pair.audience)):
        yield "LeaveMatch", {"request_id": "left", "seat": seat}
    yield "StartMatch", {"request_id": "again"}
    yield "JoinMatch", {"request_id": ""}


def watched(pair: Pair, written: Written) -> Iterator[tuple[str, dict[str, Any]]]:
    """(who, fields) of streams that are open while the match goes on, from its start and from the middle."""
    middle = str(written.entries[len(written.entries) // 2].cursor)
    for who in subjects(pair):
        seat = pair.audience if who != STRANGER else None
        for form in forms(pair.game):
            yield who, {"match_id": pair.match, "seat": seat, "accept": form, "include": SITUATION}
        yield who, {"match_id": pair.match, "seat": seat, "after": middle}


def watched_by_others(pair: Pair) -> Iterator[tuple[str, dict[str, Any]]]:
    for seat in range(pair.seats):
        if seat != pair.audience:
            yield pair.subject(seat), {"match_id": pair.match, "seat": seat, "include": SITUATION}


def tried(pair: Pair) -> Iterator[tuple[str, dict[str, Any]]]:
    """(who, fields) of moves to validate and, where they are refused, to submit."""
    payloads = list(_payloads(pair))
    yield STRANGER, {"seat": 0, "move": payloads[0]}
    if pair.audience is None:
        return
    who = pair.subject(pair.audience)
    for payload in payloads:
        yield who, {"seat": pair.audience, "move": payload}
    for seat in (-1, (pair.audience + 1) % pair.seats):
        yield who, {"seat": seat, "move": payloads[0]}


def again(pair: Pair, move: Payload) -> Iterator[dict[str, Any]]:
    """Fields of submissions of a refused move that are refused for another reason, and of one carried out before."""
    facts, player = pair.true.aggregate.facts, pair.true.aggregate.facts.seats[pair.audience].player
    ordinary = {"request_id": "late", "seat": pair.audience, "move": move}
    yield ordinary | {"expected_version": facts.version - 1}
    yield ordinary | {"decision": facts.decisions[pair.audience] + 1}
    own = [order for order in pair.orders if order.player == player]
    for order in own[-3:]:
        yield ordinary | {"request_id": order.request_id}
        if isinstance(order.command, Submit):
            sent = Payload(json=codec.encode(order.command.move).decode())
            yield {"request_id": order.request_id, "seat": pair.audience, "move": sent}


def _payloads(pair: Pair) -> Iterator[Payload]:
    rng, game = random.Random(pair.match), GameCodec.of(pair.game)
    whole = _whole(pair, rng)
    for move in (*whole, *_near(pair, rng)):
        yield Payload(json=codec.encode(move).decode())
    for text in rng.sample(MALFORMED, BROKEN):
        yield Payload(json=text)
    yield Payload()
    if game.is_typed:
        for move in whole[::4]:
            payload = game.payload_of(Root.MOVE, move, PAYLOAD_FORM_TYPED)
            yield payload
            cut = Payload()
            cut.typed.type_url, cut.typed.value = payload.typed.type_url, payload.typed.value + b"\xff"
            yield cut


def _whole(pair: Pair, rng: random.Random) -> list[Any]:
    """Listed moves, those that others have, and those of earlier and later."""
    own = list(pair.true.aggregate.engine.legal_moves(pair.true.aggregate.state, pair.audience or 0))
    return [*rng.sample(own, min(LISTED, len(own))), *rng.sample(pool := _pool(pair), min(OF_ALL, len(pool)))]


def _near(pair: Pair, rng: random.Random) -> list[Any]:
    """Moves changed a little."""
    pool = _pool(pair)
    words = words_of(pool)[:2]
    chosen = rng.sample(pool, min(CHANGED, len(pool)))
    changed = [list(filter(fits, mutants(move, words))) for move in chosen]
    return [rng.choice(moves) for moves in changed if moves]


def _pool(pair: Pair) -> list[Any]:
    engine, state = pair.true.aggregate.engine, pair.true.aggregate.state
    seats, chance = range(pair.seats), SeededChance(pair.match.encode())
    listed = [move for seat in seats for move in engine.legal_moves(state, seat)]
    families = [family for seat in seats for family in engine.families(state, seat)]
    return [*listed, *(family.sample(chance) for family in families for _ in range(4)), *pair.moves]
