"""Whether the store is there, is still the one that was opened, and takes appends: asked again and again."""

import asyncio
from collections.abc import Awaitable, Callable
from enum import StrEnum

from services.common.logs import logger
from services.common.tasks import cancelled
from services.eventlog.port import EventLog, StoreFull, StoreReadOnly, WrongStore

EVERY_S = 1.0
AGAIN_S = 0.2
PATIENCE_S = 2.0

log = logger()


class StoreState(StrEnum):
    """What a role can expect of its store; all but AWAY and WRONG can be read."""

    UP = "up"
    AWAY = "away"
    READ_ONLY = "read_only"
    FULL = "full"
    WRONG = "wrong"


Told = Callable[[StoreState], Awaitable[None]]


class StoreWatch:
    """`told` hears of the first `state`, which is UP, and of every change.

    `wrong` is set for good once the store is another than the one opened: emptied, replaced, or of another format.
    What a role holds in memory belongs to no such store, so it ends, and the next one looks at the store anew.
    """

    def __init__(self, event_log: EventLog, told: Told | None = None) -> None:
        self.state = StoreState.UP
        self.wrong: asyncio.Future[WrongStore] = asyncio.get_running_loop().create_future()
        self._log = event_log
        self._told = told
        self._task: asyncio.Task[None] | None = None

    @property
    def there(self) -> bool:
        """Whether anything can be asked of it."""
        return self.state not in {StoreState.AWAY, StoreState.WRONG}

    def raise_wrong(self) -> None:
        """Raises WrongStore where it is `wrong`."""
        if self.wrong.done():
            raise self.wrong.result()

    def start(self) -> None:
        self._task = asyncio.create_task(self._run(), name="store watch")

    async def close(self) -> None:
        if self._task is not None:
            await cancelled(self._task)

    async def _run(self) -> None:
        known = await self._tell()
        while not self.wrong.done():
            await asyncio.sleep(EVERY_S if self.state is StoreState.UP else AGAIN_S)
            state, why = await self._look()
            if state is not self.state:
                self.state, known = state, False
                log.warning("store", state=state.value, why=why)
            known = known or await self._tell()

    async def _tell(self) -> bool:
        """Whether the state is known to whom it is told; if not, it is told again."""
        try:
            if self._told is not None:
                await self._told(self.state)
        except Exception:
            log.exception("the store's state could not be told", state=self.state.value)
            return False
        return True

    async def _look(self) -> tuple[StoreState, str]:
        """The state, and what told of it."""
        try:
            async with asyncio.timeout(PATIENCE_S):
                await self._log.check()
        except WrongStore as error:
            self.wrong.set_result(error)
            return StoreState.WRONG, str(error)
        except StoreReadOnly as error:
            return StoreState.READ_ONLY, str(error)
        except StoreFull as error:
            return StoreState.FULL, str(error)
        except Exception as error:  # noqa: BLE001 - whatever keeps it from answering, it can't be used
            return StoreState.AWAY, str(error) or "no answer in time"
        return StoreState.UP, "it takes appends"
