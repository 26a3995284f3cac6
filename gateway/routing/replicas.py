"""The replicas of one game's engine service: who gets a command, and what happens when one breaks."""

import asyncio
import hashlib
import socket
from collections.abc import Sequence
from time import monotonic

from gateway import metrics
from gateway.routing.commands import Pending
from gateway.routing.links import Learn, Link, LinkCounts
from services.common.logs import logger
from tidelog.v1.engine_pb2 import EngineAnswer
from tidelog.v1.refusal_pb2 import REFUSAL_REASON_DRAINING

DNS = "dns:"
RESOLVE_EVERY_S = 10.0
PATIENCE_S = 2.0
"""How long a command waits for a replica when there is none."""

log = logger()


class Replicas:
    """Commands of one match go to one replica as long as it is healthy; another takes over what it left unanswered."""

    def __init__(self, game: str, places: Sequence[str], cluster_key: str, counts: LinkCounts, learn: Learn) -> None:
        self.game = game
        self._places = tuple(places)
        self._cluster_key = cluster_key
        self._counts = counts
        self._learn = learn
        self._latency = metrics.LINK_SECONDS.of(game)
        self._links: dict[str, Link] = {}
        self._open: dict[int, tuple[Pending, Link | None]] = {}
        self._resolving: asyncio.Task[None] | None = None
        self._news = asyncio.Event()

    def start(self) -> None:
        self._link_to({place for place in self._places if not place.startswith(DNS)})
        if any(place.startswith(DNS) for place in self._places):
            self._resolving = asyncio.create_task(self._resolve(), name=f"addresses of {self.game}")

    async def close(self) -> None:
        if self._resolving is not None:
            self._resolving.cancel()
        await asyncio.gather(*(link.close() for link in self._links.values()))

    @property
    def unanswered(self) -> int:
        return len(self._open)

    def send(self, pending: Pending) -> None:
        link = self.choose(pending.match_id)
        self._open[pending.id] = (pending, link)
        if link is not None:
            link.send(pending)

    def choose(self, match_id: str) -> Link | None:
        """The healthy replica with the highest hash for the match; None where there is none."""
        links = [link for link in self._links.values() if link.ready]
        if len(links) < 2:
            return links[0] if links else None
        return max(links, key=lambda link: hashlib.sha256(f"{link.address} {match_id}".encode()).digest())

    async def found(self, match_id: str) -> Link:
        """The replica for the match, waited for as patiently as a command waits. Raises TimeoutError."""
        async with asyncio.timeout(PATIENCE_S):
            while (link := self.choose(match_id)) is None:
                self._news.clear()
                await self._news.wait()
        return link

    def sweep(self, now: float, *, store_there: bool) -> None:
        """Tells those whose time is up."""
        for pending, link in tuple(self._open.values()):
            lonely = link is None and not pending.unknown and now > pending.born + PATIENCE_S
            if lonely or now > pending.deadline:
                del self._open[pending.id]
                if link is not None:
                    link.forget(pending.id)
                pending.expire(store_there=store_there)

    def ready(self) -> None:
        self._news.set()
        for pending, link in tuple(self._open.values()):
            if link is None:
                self.send(pending)

    def lost(self, unanswered: list[Pending]) -> None:
        for pending in unanswered:
            if pending.id in self._open:
                self._counts.resent += 1
                pending.sent = False
                self.send(pending)

    def answered(self, pending: Pending | None, answer: EngineAnswer, link: Link) -> None:
        self._pass_on(answer)
        if pending is None or pending.id not in self._open:
            return
        if answer.refusal.reason == REFUSAL_REASON_DRAINING:
            link.pause()
            pending.sent = False
            self.send(pending)
            return
        del self._open[pending.id]
        self._latency.note(monotonic() - pending.born)
        try:
            pending.answered(answer)
        except Exception:
            log.exception("an answer could not be passed on", match=pending.match_id)

    def _pass_on(self, answer: EngineAnswer) -> None:
        """What was appended is news for those who watch, whoever asked."""
        if answer.entries:
            try:
                self._learn(answer)
            except Exception:
                log.exception("appended entries could not be told", match=answer.receipt.match_id)

    def _link_to(self, addresses: set[str]) -> None:
        for address in addresses - self._links.keys():
            self._links[address] = Link(address, self._cluster_key, self, self._counts)

    async def _resolve(self) -> None:
        """Follows the names: new addresses get a link, links to old ones end."""
        fixed = {place for place in self._places if not place.startswith(DNS)}
        while True:
            found = set(fixed)
            for place in self._places:
                if place.startswith(DNS):
                    found |= await _addresses(place.removeprefix(DNS))
            self._link_to(found)
            for address in self._links.keys() - found:
                await self._links.pop(address).close()
            await asyncio.sleep(RESOLVE_EVERY_S)


async def _addresses(place: str) -> set[str]:
    host, _, port = place.rpartition(":")
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError as error:
        log.warning("name not resolved", name=host, error=str(error))
        return set()
    return {_place(str(where[0]), int(where[1])) for *_, where in found}


def _place(host: str, port: int) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
