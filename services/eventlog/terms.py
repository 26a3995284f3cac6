"""The terms that a match is played under beside the game's own options: fixed when it is made, public, in the log."""

from enum import StrEnum

from msgspec import Struct

from engines.core import games
from services.common.refusals import Reason, Refused

SECOND_MS = 1000
DAY_MS = 24 * 3600 * SECOND_MS
MOVE_MS = SECOND_MS, 30 * DAY_MS
BANK_MS = SECOND_MS, 7 * DAY_MS
INCREMENT_MS = 0, DAY_MS
OPEN_MS = 10 * SECOND_MS, 30 * DAY_MS
USUAL_OPEN_MS = DAY_MS
"""How long a match waits for its start where its terms don't say."""


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
    for such a match next, and nobody plays against themselves in it. `rematch_of` is the match that it repeats;
    `reserved` names, seat by seat, who alone may claim it ("": anyone).
    """

    private: bool = False
    clock: Clock | None = None
    absence: AbsencePolicy = AbsencePolicy.AUTOPILOT
    absence_policy: str = ""
    spectator_delay: Delay | None = None
    open_ms: int | None = None
    quick: bool = False
    rematch_of: str | None = None
    reserved: tuple[str, ...] = ()


MOST_DELAYED = {DelayUnit.EVENTS: 1000, DelayUnit.SECONDS: 24 * 3600, DelayUnit.TURN: 0}
"""The greatest count of each unit; the least is 1, but for turns, which are not counted."""

USUAL = Terms()
"""Of a match whose log names none."""


def check_terms(terms: Terms, game: str) -> None:
    """Whether its clock, absence, wait and delay can be. Raises Refused(MALFORMED)."""
    if terms.clock is not None:
        _check_clock(terms.clock)
    if terms.open_ms is not None:
        _check_range("open_ms", terms.open_ms, OPEN_MS)
    known = seated_policies(game) if terms.absence is AbsencePolicy.BOT else ("",)
    if terms.absence_policy not in known:
        named = f"one of {', '.join(known)}" if terms.absence is AbsencePolicy.BOT else f"not for {terms.absence}"
        raise _malformed("absence_policy", named)
    if terms.spectator_delay is not None:
        check_delay(terms.spectator_delay)


def check_delay(delay: Delay) -> None:
    """Raises Refused(MALFORMED)."""
    most = MOST_DELAYED[delay.unit]
    if not min(most, 1) <= delay.count <= most:
        allowed = f"1 to {most}" if most else "0"
        message = f"a delay of spectators by {delay.unit} counts {allowed} - at `$.terms.spectator_delay.count`"
        raise Refused(Reason.MALFORMED, message)


def seated_policies(game: str) -> tuple[str, ...]:
    """The platform's own players of a game that take seats, the game's own first."""
    return (*games.policies(game), "random")


def _check_clock(clock: Clock) -> None:
    if bool(clock.move_ms) is bool(clock.bank_ms):
        raise _malformed("clock", "it has a time for each move, or a bank: one of the two")
    if clock.move_ms:
        _check_range("clock.move_ms", clock.move_ms, MOVE_MS)
        _check_range("clock.increment_ms", clock.increment_ms, (0, 0))
    else:
        _check_range("clock.bank_ms", clock.bank_ms, BANK_MS)
        _check_range("clock.increment_ms", clock.increment_ms, INCREMENT_MS)


def _check_range(field: str, number: int, limits: tuple[int, int]) -> None:
    least, most = limits
    if not least <= number <= most:
        raise _malformed(field, f"{number}; from {least} to {most} ms")


def _malformed(field: str, why: str) -> Refused:
    return Refused(Reason.MALFORMED, f"{why} - at `$.terms.{field}`")
