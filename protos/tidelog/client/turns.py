"""A seat's turns, one after another: the simplest way to play a match."""

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

from msgspec import Struct

from tidelog.client.answers import Accepted, CaughtUp, Entry, LegalMoves, Update
from tidelog.client.trail import version


class Turn(Struct, frozen=True):
    """A decision that the seat has to make, or may make: what it sees and what it may play."""

    view: Any
    legal: LegalMoves
    decision: int
    submit: Callable[[Any, int], Awaitable[Accepted]]

    @property
    def moves(self) -> tuple[Any, ...]:
        """The moves listed, in the game's order."""
        return self.legal.moves

    async def play(self, move: object) -> Accepted:
        """Raises Refused; `stale` where the decision does not stand any more."""
        return await self.submit(move, self.decision)


async def turns(
    updates: AsyncIterator[Update], submit: Callable[[Any, int], Awaitable[Accepted]]
) -> AsyncIterator[Turn]:
    """Each decision once, and again where what is seen or may be played has changed; until the match is over.

    So whoever waits for the answers to an offer learns of each, a refusal too. `updates` bring views and legal moves.
    """
    decision, told = -1, None
    played = 0

    async def play(move: object, decision: int) -> Accepted:
        nonlocal played
        accepted = await submit(move, decision)
        played = accepted.receipt.last_version
        return accepted

    async for update in updates:
        situation = update.situation if isinstance(update, Entry | CaughtUp) else None
        if situation is None or version(situation.cursor) < played:
            continue
        news = situation.decision, situation.view, situation.legal
        if situation.legal is None or situation.decision is None:
            told = None
        elif situation.decision >= decision and news != told:
            decision, told = situation.decision, news
            yield Turn(situation.view, situation.legal, situation.decision, play)
