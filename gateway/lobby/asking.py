"""Filters of lists as requests name them."""

from typing import Any

import msgspec

from engines.core import games
from gateway import facts
from gateway.limits import MAX_OPTIONS, MAX_SEATS
from gateway.projections.filters import Filters, OptionValue, Order
from services.common.codec import GameCodec
from services.common.refusals import Reason, Refused
from services.eventlog import canonical
from tidelog.v1.lobby_pb2 import WatchMatchesRequest
from tidelog.v1.matches_pb2 import (
    MATCH_ORDER_CHANGED,
    MATCH_ORDER_NEWEST,
    MATCH_ORDER_OLDEST,
    ListMatchesRequest,
    OptionFilter,
)

_ORDERS = {MATCH_ORDER_CHANGED: Order.CHANGED, MATCH_ORDER_NEWEST: Order.NEWEST, MATCH_ORDER_OLDEST: Order.OLDEST}


def filters(asked: ListMatchesRequest | WatchMatchesRequest) -> Filters:
    """Raises Refused."""
    for name, number in (("open_seats", asked.open_seats), ("seats", asked.seats)):
        if not 0 <= number <= MAX_SEATS:
            raise Refused(Reason.MALFORMED, f"a match has 1 to {MAX_SEATS} seats - at `$.{name}`")
    if asked.options and not asked.game:
        raise Refused(Reason.MALFORMED, "options are those of a game - at `$.game`")
    if len(asked.options) > MAX_OPTIONS:
        raise Refused(Reason.TOO_LARGE, f"at most {MAX_OPTIONS} options are asked for - at `$.options`")
    return Filters(
        game=asked.game,
        status=facts.STATUS_OF.get(asked.status),
        player=asked.player,
        open_seats=asked.open_seats,
        seats=asked.seats,
        creator=asked.creator,
        options=tuple(_option(asked.game, option, place) for place, option in enumerate(asked.options)),
        invited=asked.invited,
        order=_ORDERS.get(asked.order, Order.CHANGED),
    )


def _option(game: str, asked: OptionFilter, place: int) -> OptionValue:
    """Raises Refused where the game has no such option, or the option no such value."""
    options = games.engine(GameCodec.of(game).game).Options
    fields = {field.name: field for field in msgspec.structs.fields(options)}
    field = fields.get(asked.option)
    if field is None:
        named = f"{asked.option[:40]!r} is no option of {game}; there are: {', '.join(fields)}"
        raise Refused(Reason.MALFORMED, f"{named} - at `$.options[{place}].option`")
    try:
        value = msgspec.json.decode(asked.value, type=field.type)
    except canonical.UNDECODABLE as error:
        raise Refused(Reason.MALFORMED, f"{error} - at `$.options[{place}].value`") from error
    return OptionValue(asked.option, _plain(value), _plain(field.default))


def _plain(value: Any) -> Any:
    """As JSON reads it."""
    return None if value is msgspec.NODEFAULT else msgspec.json.decode(msgspec.json.encode(value))
