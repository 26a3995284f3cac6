"""What a match is played under beside the game's own options."""

from typing import Any

from msgspec import Struct

from tidelog.v1 import lifecycle_pb2


class Clock(Struct, frozen=True):
    """Time to decide, in ms: `move_ms` for each decision, or `bank_ms` for the match and `increment_ms` a decision."""

    move_ms: int = 0
    bank_ms: int = 0
    increment_ms: int = 0

    def message(self) -> lifecycle_pb2.Clock:
        return lifecycle_pb2.Clock(move_ms=self.move_ms, bank_ms=self.bank_ms, increment_ms=self.increment_ms)


class Delay(Struct, frozen=True):
    """How far behind spectators are kept: `unit` is events, seconds or turn."""

    unit: str
    count: int = 0

    def message(self) -> lifecycle_pb2.Delay:
        unit = lifecycle_pb2.DelayUnit.Value(f"DELAY_UNIT_{self.unit.upper()}")
        return lifecycle_pb2.Delay(unit=unit, count=self.count)


class Terms(Struct, frozen=True):
    """`absence` is autopilot, bot (of `absence_policy`) or forfeit; `open_ms` is how long a match waits for its start.

    `quick`, `rematch_of` and `reserved` (who alone may claim each seat) are the server's to give.
    """

    private: bool = False
    clock: Clock | None = None
    absence: str = "autopilot"
    absence_policy: str = ""
    spectator_delay: Delay | None = None
    open_ms: int | None = None
    quick: bool = False
    rematch_of: str | None = None
    reserved: tuple[str, ...] = ()

    def message(self) -> lifecycle_pb2.Terms:
        return lifecycle_pb2.Terms(
            private=self.private,
            clock=None if self.clock is None else self.clock.message(),
            absence=lifecycle_pb2.AbsencePolicy.Value(f"ABSENCE_POLICY_{self.absence.upper()}"),
            absence_policy=self.absence_policy,
            spectator_delay=None if self.spectator_delay is None else self.spectator_delay.message(),
            open_ms=self.open_ms,
            quick=self.quick,
            rematch_of=self.rematch_of,
            reserved=self.reserved,
        )


def read(message: lifecycle_pb2.Terms) -> Terms:
    clock, delay = message.clock, message.spectator_delay
    absence = lifecycle_pb2.AbsencePolicy.Name(message.absence).removeprefix("ABSENCE_POLICY_").lower()
    return Terms(
        private=message.private,
        clock=Clock(clock.move_ms, clock.bank_ms, clock.increment_ms) if message.HasField("clock") else None,
        absence=absence if message.HasField("absence") else "autopilot",
        absence_policy=message.absence_policy,
        spectator_delay=_delay(delay) if message.HasField("spectator_delay") else None,
        open_ms=message.open_ms if message.HasField("open_ms") else None,
        quick=message.quick,
        rematch_of=message.rematch_of if message.HasField("rematch_of") else None,
        reserved=tuple(message.reserved),
    )


def delay_of(message: Any) -> Delay | None:
    """Of an answer that says whether its caller is kept behind."""
    return _delay(message.delay) if message.HasField("delay") else None


def _delay(message: lifecycle_pb2.Delay) -> Delay:
    return Delay(lifecycle_pb2.DelayUnit.Name(message.unit).removeprefix("DELAY_UNIT_").lower(), message.count)
