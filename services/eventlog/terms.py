"""The terms that a match is played under beside the game's own options: fixed when it is made, public, in the log."""

from enum import StrEnum

from msgspec import Struct

from services.common.refusals import Reason, Refused


class AbsencePolicy(StrEnum):
    """What becomes of a seat whose time has run out."""

    AUTOPILOT = "autopilot"
    BOT = "bot"
    FORFEIT = "forfeit"


class DelayUnit(StrEnum):
    EVENTS = "events"
    SECONDS = "seconds"
    TURN = "turn"


class Clock(Struct, frozen=True):
    """Time to decide, in ms: `move_ms` for each decision, or `bank_ms` for the match.

    Each decision that is made in time adds `increment_ms` to the bank.
    """

    move_ms: int = 0
    bank_ms: int = 0
    increment_ms: int = 0


class Delay(Struct, frozen=True):
    """How far behind spectators are kept: so many events or seconds; `turn`, to the end of the turn under way."""

    unit: DelayUnit
    count: int = 0


class Terms(Struct, frozen=True):
    """`absence_policy` names the bots' policy for AbsencePolicy.BOT. `open_ms` is how long it waits for its start.

    A private match is shown to those who sit in it, made it or were invited. A `quick` one was made for whoever asks
    for such a match next. `rematch_of` is the match that it repeats.
    """

    private: bool = False
    clock: Clock | None = None
    absence: AbsencePolicy = AbsencePolicy.AUTOPILOT
    absence_policy: str = ""
    spectator_delay: Delay | None = None
    open_ms: int | None = None
    quick: bool = False
    rematch_of: str | None = None


MOST_DELAYED = {DelayUnit.EVENTS: 1000, DelayUnit.SECONDS: 24 * 3600, DelayUnit.TURN: 0}
"""The greatest count of each unit; the least is 1, but for turns, which are not counted."""


def check_delay(delay: Delay) -> None:
    """Raises Refused(MALFORMED)."""
    most = MOST_DELAYED[delay.unit]
    if not min(most, 1) <= delay.count <= most:
        allowed = f"1 to {most}" if most else "0"
        message = f"a delay of spectators by {delay.unit} counts {allowed} - at `$.terms.spectator_delay.count`"
        raise Refused(Reason.MALFORMED, message)


USUAL = Terms()
"""Of a match whose log names none."""
