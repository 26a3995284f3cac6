"""What a Play session follows, and up to where it has been told."""

from msgspec import Struct

from tidelog.client.answers import CaughtUp, Checkpoint, Entry
from tidelog.client.refused import TRANSIENT, Refused
from tidelog.client.trail import version
from tidelog.v1.matches_pb2 import PlayCommand

Audience = tuple[str, int | None]
"""A match, and a seat or None for a spectator."""

RESUMED = TRANSIENT | {"slow_consumer", "internal"}
"""Ends after which the match is followed again from the last entry told."""

FOUND_AGAIN = RESUMED | {"too_much", "log_rewound"}
"""Ends after which `follow_mine` finds the match again: once there is room, or from the head of what is left."""

MINE: Audience = ("", None)
"""Stands for `follow_mine` itself."""


class Followed(Struct):
    """One match as one audience is told it; `cursor` is the last entry told."""

    command: PlayCommand.Follow
    told: int

    @property
    def cursor(self) -> str:
        return self.command.after

    def takes(self, update: Entry | CaughtUp | Checkpoint) -> bool:
        """Whether the update comes next; if so its cursor is remembered.

        Where a match is followed anew, what was on its way before may still arrive, and is no news.
        """
        place = version(update.cursor)
        if place != self.told + 1 if isinstance(update, Entry) else place != self.told:
            return False
        self.told = place
        self.command.after = update.cursor
        return True


class Following:
    """Everything followed, so that a new stream can begin where the last one broke off."""

    def __init__(self) -> None:
        self._followed: dict[Audience, Followed] = {}
        self._mine: PlayCommand | None = None
        self._mine_before: PlayCommand | None = None

    def begin(self, follow: PlayCommand.Follow) -> PlayCommand:
        audience = follow.match_id, follow.seat if follow.HasField("seat") else None
        self._followed[audience] = Followed(follow, version(follow.after))
        return PlayCommand(follow=follow)

    def begin_mine(self, follow_mine: PlayCommand.FollowMine) -> PlayCommand:
        self._mine_before, self._mine = self._mine, PlayCommand(follow_mine=follow_mine)
        return self._mine

    def seated(self, match_id: str, seat: int, cursor: str) -> None:
        """The server follows a match because of `follow_mine`."""
        mine = self._mine.follow_mine if self._mine else PlayCommand.FollowMine()
        self.begin(
            PlayCommand.Follow(match_id=match_id, seat=seat, after=cursor, accept=mine.accept, include=mine.include)
        )

    def end(self, audience: Audience) -> None:
        self._followed.pop(audience, None)

    def mine_again(self, audience: Audience, refused: Refused | None) -> PlayCommand | None:
        """The `follow_mine` to send again after this end, if it finds the match again.

        One that was refused for good never took the place of the one before.
        """
        if refused is None:
            return None
        if refused.reason in FOUND_AGAIN:
            return self._mine if audience == MINE or audience[1] is not None else None
        if audience == MINE:
            self._mine = self._mine_before
        return None

    def find(self, audience: Audience) -> Followed | None:
        return self._followed.get(audience)

    def again(self) -> list[PlayCommand]:
        """The commands that begin a new stream: each match from its own cursor, then those not known yet."""
        commands = [PlayCommand(follow=followed.command) for followed in self._followed.values()]
        return [*commands, self._mine] if self._mine else commands
