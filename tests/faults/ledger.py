"""What people asked and were answered, compared with what the logs hold."""

import asyncio
from collections.abc import Iterable
from itertools import count
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from services.eventlog import hashes
from services.eventlog.aggregate import created_of
from services.eventlog.entries import Entry
from services.eventlog.export import export_full
from services.eventlog.reading import Export, lines_of, read
from tests.faults.world import Person, World
from tidelog.v1 import matches_pb2
from tidelog.v1.payload_pb2 import Payload


class Answer(NamedTuple):
    """What must be the same however often and wherever a request is sent; `seat` is a join's."""

    match: str
    first: int
    last: int
    cursor: str
    seat: int | None


class Asked(Struct, frozen=True, eq=False):
    """A request that may be sent any number of times; `move` as JSON text where it is one."""

    person: Person
    rpc: str
    request_id: str
    fields: dict[str, Any]
    move: str | None = None

    @property
    def key(self) -> bytes:
        return hashes.request_key(self.person.player, self.request_id)

    @property
    def marker(self) -> bytes:
        """What only its own append holds among all that is sent to the store; the beats of clocks pass there too."""
        return self.key.hex().encode()

    async def unary(self, door: int) -> tuple[Answer, bool]:
        """The answer, and whether it says that it was given before. Raises the client's Refused."""
        person = self.person
        request = getattr(matches_pb2, f"{self.rpc}Request")(request_id=self.request_id, **self.fields)
        if self.move is not None:
            request.move.CopyFrom(Payload(json=self.move))
        answer = await person.callers[door].ask(getattr(person.stubs[door], self.rpc), request)
        return _answer(answer.receipt, answer.seat if self.rpc == "JoinMatch" else None)

    async def streamed(self, door: int) -> tuple[Answer, bool]:
        """The same by Play."""
        accepted = await self.person.plays[door].submit(**self.fields, move=self.move, request_id=self.request_id)
        return _answer(accepted.receipt, None)


def _answer(receipt: Any, seat: int | None) -> tuple[Answer, bool]:
    found = Answer(receipt.match_id, receipt.first_version, receipt.last_version, receipt.cursor, seat)
    return found, receipt.duplicate


class Ledger:
    """Every request has one answer, the first that was given."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.answers: dict[Asked, Answer] = {}
        self.repeats = 0
        self._ids = count(1)

    def asked(self, person: Person, rpc: str, *, move: str | None = None, **fields: Any) -> Asked:
        return Asked(person, rpc, f"{person.name} {next(self._ids)}", fields, move)

    async def ask(self, asked: Asked, times: int = 1) -> Answer:
        """Sent so often at once, at doors and in ways that are drawn."""
        return (await self.say(asked, *self._ways(asked, times)))[0]

    async def say(self, asked: Asked, *ways: Any) -> list[Answer]:
        """The answers of these ways of sending it, which are one."""
        found = await asyncio.gather(*ways)
        self.repeats += sum(duplicate for _, duplicate in found)
        news = sum(not duplicate for _, duplicate in found)
        assert news <= (asked not in self.answers), f"{asked.rpc} was carried out {news} times"
        first = self.answers.setdefault(asked, found[0][0])
        assert {answer for answer, _ in found} == {first}, f"{asked.rpc} {asked.fields}"
        return [answer for answer, _ in found]

    def newest(self, match: str) -> int:
        """The last version that an answer has named."""
        return max(answer.last for answer in self.answers.values() if answer.match == match)

    async def ask_all_again(self, most: int = 1) -> None:
        """Every request ever answered, each up to so many times."""
        for asked in tuple(self.answers):
            await self.ask(asked, self.world.random.randint(1, most))

    def _ways(self, asked: Asked, times: int) -> list[Any]:
        """A session refuses a request id that waits for its answer in it, so each has it once."""
        chance, doors = self.world.random, range(len(self.world.doors))
        sessions = chance.sample(doors, chance.randint(0, min(times, len(doors)))) if asked.move is not None else []
        unary = [asked.unary(chance.choice(doors)) for _ in range(times - len(sessions))]
        return [*unary, *map(asked.streamed, sessions)]

    async def check(self) -> dict[str, Export]:
        """Each match's log verifies and holds every request that was answered once, as answered, and none besides."""
        told: dict[str, dict[str, Answer]] = {}
        for asked, answer in self.answers.items():
            told.setdefault(answer.match, {})[asked.key.hex()] = answer
        logs = {match: await verified(self.world, match) for match in told}
        for match, log in logs.items():
            commands = commands_of(log.entries)
            held = {req: (command[0].version, str(command[-1].cursor)) for req, command in commands}
            assert len(held) == len(commands), "a request has had two effects"
            assert held == {req: (answer.first, answer.cursor) for req, answer in told[match].items()}
        return logs


class _Requested(Struct):
    req: str | None


def commands_of(entries: Iterable[Entry]) -> list[tuple[str, list[Entry]]]:
    """Each command's request, in hex as it stands in the log, and its entries."""
    commands: list[tuple[str, list[Entry]]] = []
    for entry in entries:
        req = msgspec.json.decode(entry.body, type=_Requested).req
        if req is not None:
            commands.append((req, []))
        commands[-1][1].append(entry)
    return commands


async def verified(world: World, match: str) -> Export:
    """The log as the store holds it: dense, chained, every draw drawn again, its fold without a fault."""
    entries, secret = await world.log.read(match), await world.log.secret(match)
    edition = await world.log.edition(created_of(entries[0]).edition)
    over = b"secret_revealed" in entries[-1].header
    found = read(lines_of(export_full(entries, edition, None if over else secret)))
    assert list(found.entries) == entries
    return found
