"""One piece of news of a match for one audience, encoded once for all who belong to it."""

from functools import lru_cache

from gateway.facts import delay_message
from gateway.framing import field
from services.common import wire
from services.common.refusals import Refused
from services.eventlog.terms import Delay
from tidelog.v1.matches_pb2 import PlayAnswer, PlayResponse, WatchMatchResponse
from tidelog.v1.updates_pb2 import CaughtUp, Checkpoint, End, ToldEntry, Update

_ENTRY = Update.ENTRY_FIELD_NUMBER
_CAUGHT_UP = Update.CAUGHT_UP_FIELD_NUMBER
_ENTRY_SITUATION = ToldEntry.SITUATION_FIELD_NUMBER
_CAUGHT_UP_SITUATION = CaughtUp.SITUATION_FIELD_NUMBER
_UPDATES = WatchMatchResponse.UPDATES_FIELD_NUMBER
_UPDATE = PlayAnswer.Followed.UPDATE_FIELD_NUMBER
_FOLLOWED = PlayAnswer.FOLLOWED_FIELD_NUMBER
_ANSWERS = PlayResponse.ANSWERS_FIELD_NUMBER


class News:
    """`cursor` is where one who has this goes on from, `update` the serialised Update.

    The two wrappings are bytes of streams' messages.
    """

    __slots__ = ("_match_id", "_play", "_seat", "_watch", "cursor", "update")

    def __init__(self, match_id: str, seat: int | None, cursor: str, update: bytes) -> None:
        self.cursor = cursor
        self.update = update
        self._match_id = match_id
        self._seat = seat
        self._play = b""
        self._watch = b""

    @property
    def play(self) -> bytes:
        if not self._play:
            followed = _address(self._match_id, self._seat) + field(_UPDATE, self.update)
            self._play = field(_ANSWERS, field(_FOLLOWED, followed))
        return self._play

    @property
    def watch(self) -> bytes:
        if not self._watch:
            self._watch = field(_UPDATES, self.update)
        return self._watch


@lru_cache(maxsize=10_000)
def _address(match_id: str, seat: int | None) -> bytes:
    return PlayAnswer.Followed(match_id=match_id, seat=seat).SerializeToString()


def entry(match_id: str, seat: int | None, cursor: str, told: bytes, situation: bytes = b"") -> News:
    """A serialised ToldEntry, with a serialised Situation where one comes with it."""
    if situation:
        told += field(_ENTRY_SITUATION, situation)
    return News(match_id, seat, cursor, field(_ENTRY, told))


def caught_up(match_id: str, seat: int | None, cursor: str, situation: bytes, delay: Delay | None = None) -> News:
    update = CaughtUp(cursor=cursor, delay=delay_message(delay)).SerializeToString()
    if situation:
        update += field(_CAUGHT_UP_SITUATION, situation)
    return News(match_id, seat, cursor, field(_CAUGHT_UP, update))


def checkpoint(match_id: str, seat: int | None, cursor: str, delay: Delay | None = None) -> News:
    told = Checkpoint(cursor=cursor, delay=delay_message(delay))
    return News(match_id, seat, cursor, Update(checkpoint=told).SerializeToString())


def end(match_id: str, seat: int | None, cursor: str, refused: Refused | None) -> News:
    refusal = None if refused is None else wire.to_proto(refused)
    return News(match_id, seat, cursor, Update(end=End(cursor=cursor, refusal=refusal)).SerializeToString())
