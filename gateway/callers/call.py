"""One call of an rpc: who asks, and for how long."""

import time

from msgspec import Struct

from gateway.callers.identity import Caller


class Call(Struct, frozen=True):
    """`deadline` is a moment of the monotonic clock: when the caller or the gateway stops waiting."""

    caller: Caller
    deadline: float

    @property
    def timeout_s(self) -> float:
        return max(self.deadline - time.monotonic(), 0.001)
