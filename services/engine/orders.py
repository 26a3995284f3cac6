"""Commands of the engine link as orders: the only place that knows both shapes."""

from msgspec import Struct

from engines.core import games
from services.common.codec import GameCodec, RootCodec
from services.common.refusals import Reason, Refused
from services.eventlog import store_refusals
from services.eventlog.commands import (
    Abort,
    BotSeat,
    Claim,
    Command,
    Create,
    Leave,
    Operation,
    Order,
    Quarantine,
    Release,
    Start,
    Submit,
    Withdraw,
)
from services.eventlog.lifecycle import LogAfterEnd
from services.eventlog.loading import Loader
from services.eventlog.port import StoreError
from services.eventlog.terms import Terms
from tidelog.v1 import lifecycle_pb2
from tidelog.v1.engine_pb2 import EngineCommand

_LOG_AFTER_END = {
    lifecycle_pb2.LOG_AFTER_END_UNSPECIFIED: LogAfterEnd.OPEN,
    lifecycle_pb2.LOG_AFTER_END_OPEN: LogAfterEnd.OPEN,
    lifecycle_pb2.LOG_AFTER_END_CLOSED: LogAfterEnd.CLOSED,
}

_terms: RootCodec[Terms] = RootCodec("terms", Terms, lifecycle_pb2.Terms)

_GIVEN_UP: dict[str, type[Leave | Withdraw]] = {"leave": Leave, "withdraw": Withdraw}
_OPERATIONS: dict[str, type[Operation]] = {"abort": Abort, "quarantine": Quarantine, "release": Release}


class Creation(Struct, frozen=True):
    """A create order and the edition's bytes that its hash names."""

    order: Order
    edition: bytes


async def creation(game: str, message: EngineCommand, loader: Loader) -> Creation:
    """Raises Refused where the options do not decode or the edition is unknown."""
    asked = message.create
    edition = await _edition(game, asked.edition, loader)
    command = Create(
        game=game,
        options=GameCodec.of(game).options(asked.options),
        seats=asked.seats,
        edition=games.edition_hash(edition),
        auto_start=asked.auto_start,
        log_after_end=_log_after_end(asked.log_after_end),
        own_seat=asked.own_seat if asked.HasField("own_seat") else None,
        name=asked.name,
        bots=tuple(BotSeat(bot.seat, bot.player, bot.name) for bot in asked.bots),
        terms=_terms.from_bytes(asked.terms.SerializeToString()) if asked.HasField("terms") else None,
    )
    return Creation(_order(message, command), edition)


def order(game: str, message: EngineCommand) -> Order:
    """Any command but a create; a validate becomes the submit that it asks about. Raises Refused."""
    kind = message.WhichOneof("command")
    if kind == "submit":
        return _order(message, _submit(game, message.submit))
    if kind == "validate":
        judged = message.validate
        return _order(message, Submit(judged.seat, GameCodec.of(game).move(judged.move)), request_id="validate")
    if kind == "claim":
        return _order(message, _claim(message.claim))
    if kind is not None and kind in _GIVEN_UP:
        return _order(message, _GIVEN_UP[kind](getattr(message, kind).seat))
    if kind == "start":
        return _order(message, Start())
    if kind is not None and kind in _OPERATIONS:
        return _order(message, _OPERATIONS[kind](getattr(message, kind).why))
    raise Refused(Reason.MALFORMED, "the command is empty, or newer than this host")


def _claim(asked: EngineCommand.Claim) -> Claim:
    return Claim(
        asked.seat if asked.HasField("seat") else None,
        asked.name,
        asked.bot,
        asked.invitation if asked.HasField("invitation") else None,
        asked.until if asked.HasField("until") else None,
    )


def _submit(game: str, asked: EngineCommand.Submit) -> Submit:
    return Submit(
        asked.seat,
        GameCodec.of(game).move(asked.move),
        asked.decision if asked.HasField("decision") else None,
        asked.expected_version if asked.HasField("expected_version") else None,
    )


def _order(message: EngineCommand, command: Command, request_id: str | None = None) -> Order:
    return Order(message.player, request_id or message.request_id, command, message.admin)


def _log_after_end(number: "lifecycle_pb2.LogAfterEnd.ValueType") -> LogAfterEnd:
    """Raises Refused: a log must not be open because we do not know what was asked for."""
    found = _LOG_AFTER_END.get(number)
    if found is None:
        raise Refused(Reason.MALFORMED, f"{number} is no value of LogAfterEnd - at `$.log_after_end`")
    return found


async def _edition(game: str, named: str, loader: Loader) -> bytes:
    """By name, by hash, or the game's default for an empty text. Raises Refused."""
    if named in ("", *games.editions(game)):
        return games.edition(game, named or None)
    known = [games.edition(game, title) for title in games.editions(game)]
    installed = {games.edition_hash(data): data for data in known}
    try:
        found = installed.get(named) or await loader.edition(named)
    except StoreError as error:
        raise store_refusals.refused(error) from error
    if found is None:
        raise Refused(Reason.UNKNOWN_EDITION, f"there is no such edition of {game}")
    return found
