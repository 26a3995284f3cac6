"""Matches for the tests of the log: decided, refused and folded as a host does it, with the whole log kept."""

from functools import cache, partial
from typing import Any

from msgspec.structs import replace

from engines.core import games
from engines.core.chance import SeededChance
from engines.lost_seas.catalog import Side
from engines.lost_seas.moves import ChooseSides
from engines.lost_seas.state import FirstPlayer, Options
from services.bots.players import uniform_open
from services.common.refusals import Reason, Refused
from services.eventlog import canonical, deciding, snapshots
from services.eventlog.aggregate import Aggregate
from services.eventlog.commands import Claim, Command, Create, Order, Submit
from services.eventlog.entries import Body, Entry, Header, body_of, header_of

GAME = "lost_seas"
ENGINE = games.engine(GAME)
EDITION = games.edition(GAME)
EDITION_HASH = games.edition_hash(EDITION)
MATCH = "SMALLISLANDSMALLISLAND42"
SECRET = bytes(range(32))
NOON = 1_700_000_000_000

PLAYERS = ANN, BEN, CAT, DAN = "guest|ann", "guest|ben", "guest|cat", "guest|dan"
EVE = "guest|eve"
"""Who holds no seat."""

YOUNG = Options(young_explorers=True)
MODES = {
    "expeditions": Options(),
    "arranged": Options(arrange_expeditions=True, majority_ties=True, first_player=FirstPlayer.DRAWN),
    "young": YOUNG,
}
MATCHES_A_MODE = 20
CASES = [(mode, number) for mode in MODES for number in range(MATCHES_A_MODE)]

ASKED = {"number": 4, "pattern": "total", "points": 1}
SMALL_EDITION = canonical.encode(
    {
        "game": GAME,
        "name": "small",
        "official": [],
        "own": [],
        "totals": {"rock": 65},
        "tiles": [{"id": "T", "elements": ["rock"], "copies": 65}],
        "expeditions": [{"id": f"E{number}", "easy": ASKED, "hard": ASKED} for number in range(44)],
    }
)
"""For tests that change every byte of an export, which embeds its edition."""

EASY = ChooseSides((Side.EASY,) * 4)
HARD = ChooseSides((Side.HARD,) * 4)


def creating(seats: int = 2, options: Any = MODES["expeditions"], **more: Any) -> Create:
    return Create(GAME, options, seats, EDITION_HASH, **more)


class Hosted:
    """A match and its log. Each command comes a second after the one before, under a request id of its own."""

    def __init__(self, command: Create | None = None, match: str = MATCH, edition: bytes = EDITION) -> None:
        self.edition = edition
        self.secret = SECRET
        self.at = NOON
        self.asked = 0
        order = self.order(ANN, replace(command or creating(), edition=games.edition_hash(edition)))
        self.aggregate, entries = deciding.create(order, edition, match, SECRET, self.at)
        self.entries: list[Entry] = list(entries)

    @property
    def facts(self) -> Any:
        return self.aggregate.facts

    @property
    def state(self) -> Any:
        return self.aggregate.state

    @property
    def packed(self) -> bytes:
        """All that the aggregate holds: facts and state."""
        return snapshots.dump(self.aggregate)

    @property
    def types(self) -> list[str]:
        return [header_of(entry).type for entry in self.entries]

    def order(self, player: str, command: Command, request_id: str | None = None, *, admin: bool = False) -> Order:
        self.asked += 1
        return Order(player, request_id or f"request-{self.asked}", command, admin)

    def do(self, player: str, command: Command, **order: Any) -> list[str]:
        """Carries the command out; the types of its entries."""
        return self.carry_out(self.order(player, command, **order))

    def carry_out(self, order: Order) -> list[str]:
        self.at += 1000
        entries = deciding.decide(self.aggregate, order, SECRET, self.at)
        self.entries += entries
        return [header_of(entry).type for entry in entries]

    def refuses(self, player: str, command: Command, reason: Reason, **order: Any) -> Refused:
        """The refusal of a command, which must change nothing, and be the same when only asked for."""
        asked = self.order(player, command, **order)
        before = self.packed
        refused = refusal_of(self.aggregate, asked)
        expected = deciding.refusal(self.aggregate, asked)
        assert refused.reason is reason
        assert expected is not None
        assert str(expected) == str(refused)
        assert self.packed == before
        return refused

    def fold(self, version: int | None = None) -> Aggregate:
        return self.unborn().apply_all(self.entries[:version])

    def unborn(self) -> Aggregate:
        """The match before its first entry."""
        return Aggregate.recorded(self.facts.id, self.facts.created, self.edition)

    def event(self, version: int) -> tuple[Header, Body[Any]]:
        entry = self.entries[version - 1]
        header = header_of(entry)
        return header, body_of(ENGINE, header, entry.body)


def refusal_of(aggregate: Aggregate, order: Order) -> Refused:
    try:
        entries = deciding.decide(aggregate, order, SECRET, NOON)
    except Refused as refused:
        return refused
    raise AssertionError(f"{order.command} was carried out: {entries}")


def started(seats: int = 2, options: Any = MODES["expeditions"], edition: bytes = EDITION) -> Hosted:
    """A match of as many persons, begun with the last claim; Ann created it and sits on seat 0."""
    hosted = Hosted(creating(seats, options, own_seat=0, name="Ann"), edition=edition)
    for seat, player in enumerate(PLAYERS[1:seats], start=1):
        hosted.do(player, Claim(seat))
    return hosted


def next_order(hosted: Hosted, chance: SeededChance) -> Order:
    """A move that somebody owes, at random."""
    owing = hosted.facts.owing
    seat = owing[chance.draw("seat", len(owing))]
    legal = list(ENGINE.legal_moves(hosted.state, seat))
    move = uniform_open(lambda: None, legal, partial(ENGINE.families, hosted.state, seat), chance)
    return hosted.order(hosted.facts.seats[seat].player, Submit(seat, move))


def play_on(hosted: Hosted, seed: int = 1, commands: int = 10_000) -> Hosted:
    """Plays at random, to the end or for so many commands."""
    chance = SeededChance(seed)
    while hosted.facts.owing and commands:
        hosted.carry_out(next_order(hosted, chance))
        commands -= 1
    return hosted


@cache
def played(mode: str, number: int) -> Hosted:
    """A whole match of 2 to 4 seats. It is shared: ask for a fold to change something."""
    return play_on(started(2 + number % 3, MODES[mode]), number)
