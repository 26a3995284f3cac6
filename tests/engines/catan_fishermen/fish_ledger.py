"""The Fishermen with paper and pencil, as the ledger of the base game: tokens lie in plain counters."""

from collections import Counter
from itertools import product

from engines.catan_fishermen import events as e
from engines.catan_fishermen.fish import Benefit, Fish, Fishermen
from engines.catan_fishermen.moves import PassBoot
from tests.engines.catan_fishermen.ledger import AROUND, EDITION, HEXES, PATHS, Ledger

FISH = (
    e.GroundsLaid | e.FishDrawn | e.BootDrawn | e.FishSeen | e.FishReturned | e.FishShuffled | e.FishCaught
    | e.FishSpent | e.RobberSentHome | e.CardTaken | e.BootPassed
)  # fmt: skip
PRICES = {"robber": 2, "steal": 3, "resource": 4, "road": 5, "development": 7}


def ledger_of(form, seats, goal):
    return {
        Fishermen.NONE: BaseLedger,
        Fishermen.SPIELBOX: FishLedger,
        Fishermen.LAKE: LakeLedger,
        Fishermen.NO_SHIPS: PilesLedger,
    }[form](seats, goal)


class BaseLedger(Ledger):
    """Without fish."""

    home = None
    fish = ()

    def payments(self, seat, price):  # noqa: ARG002 - nobody has any
        return set()

    def boot_passes(self, seat):  # noqa: ARG002
        return set()

    def settle_command(self):
        pass


class FishLedger(Ledger):
    """CA-30 to CA-44."""

    stock = ((1, 11), (2, 10), (3, 8), ("boot", 1))
    most = 7

    def __init__(self, seats, goal):
        super().__init__(seats, goal)
        self.supply = Counter(dict(self.stock))
        self.fish = [Counter() for _ in range(seats)]
        self.spent = Counter()
        self.boot = self.seen = None
        self.owed = []
        self.full = set()
        self.paid_for = None

    @property
    def home(self):
        return self.terrain.index("desert")

    def record(self, event):
        if isinstance(event, FISH):
            self.fished(event)
            return
        if isinstance(event, e.CardStolen) and self.paid_for == Benefit.STEAL:
            assert event.victim != event.seat
            self.victim = event.victim
        super().record(event)
        match event:
            case e.DiceRolled() if event.first + event.second != 7:
                self.owe({seat: self.catch_of(seat, event.first + event.second) for seat in range(self.seats)})
            case e.SettlementPlaced() if len(self.roads) >= self.seats:
                self.owe({event.seat: self.catch_at(event.vertex)})
            case e.CardStolen() | e.DevelopmentBought():
                self.paid_for = None

    def lay(self, event):
        super().lay(event)
        self.frame = [piece.value for piece in event.frame]

    def waters(self):
        """(numbers, vertices) of all."""
        found = []
        for at, (piece, number) in enumerate(zip(self.frame, self.ground_numbers, strict=True)):
            coast = EDITION["ring"][3 * at + (1 if piece == "double" else 2)]["coast"]
            found.append(([number], {end for edge in coast for end in PATHS[edge]}))
        return found

    def catch_at(self, vertex):
        return self.share(vertex) if any(vertex in vertices for _, vertices in self.waters()) else 0

    def share(self, vertex):  # noqa: ARG002 - anywhere
        return 1

    def catch_of(self, seat, number):
        """CA-32."""
        caught = 0
        for numbers, vertices in self.waters():
            for vertex in vertices if number in numbers else ():
                buildings = (self.settlements.get(vertex) == seat) + 2 * (self.cities.get(vertex) == seat)
                caught += buildings * self.share(vertex)
        return caught

    def owe(self, caught):
        turn = [(self.seat + step) % self.seats for step in range(self.seats)]
        self.owed = [seat for seat in turn for _ in range(caught.get(seat, 0))]
        self.full = {seat for seat in turn if self.fish[seat].total() >= self.most}

    def fished(self, event):
        match event:
            case e.GroundsLaid(numbers):
                assert sorted(numbers) == [4, 5, 6, 8, 9, 10]
                self.ground_numbers = numbers
            case e.FishDrawn(seat, fish):
                self.draws(seat, fish)
                assert self.fish[seat].total() < 7
                self.fish[seat][fish] += 1
            case e.BootDrawn(seat):
                if self.draws(seat, "boot"):
                    self.no_more_for(seat)
                self.boot = seat
            case e.FishSeen(seat, waiting, fish):
                assert self.draws(seat, fish)
                self.no_more_for(seat)
                assert [(one.seat, one.count) for one in waiting] == list(Counter(self.owed).items())
                self.choosing, self.seen = seat, fish
            case e.FishReturned(seat, fish):
                assert fish in self.to_put_back()
                self.fish[seat] += Counter([self.seen])
                self.fish[seat] -= Counter([fish])
                self.supply[fish] += 1
                self.choosing = self.seen = None
            case e.FishShuffled():
                assert not self.supply.total()
                assert self.owed
                self.supply, self.spent = self.spent, Counter()
            case _:
                self.used(event)

    def used(self, event):
        """CA-34, CA-41."""
        match event:
            case e.FishSpent(seat, benefit, tokens):
                self.spends(seat, benefit, dict(enumerate(tokens.counts(), 1)))
            case e.RobberSentHome(_, at):
                assert self.paid_for == Benefit.ROBBER
                assert self.robber != self.home == at
                self.robber, self.paid_for = at, None
            case e.CardTaken(seat, resource):
                assert self.paid_for == Benefit.RESOURCE
                self.from_bank(seat, Counter([resource.value]))
                self.paid_for = None
            case e.BootPassed(seat, receiver):
                assert seat == self.boot == self.seat
                assert self.public_points(receiver) >= self.public_points(seat)
                self.boot = receiver

    def draws(self, seat, token):
        """Whether the seat held as many as it may, CA-37."""
        assert self.owed.pop(0) == seat
        assert self.supply[token]
        self.supply[token] -= 1
        return self.fish[seat].total() == 7

    def no_more_for(self, seat):
        self.owed = [other for other in self.owed if other != seat]

    def spends(self, seat, benefit, tokens):
        paid = Counter({face: count for face, count in tokens.items() if count})
        assert paid <= self.fish[seat]
        assert sum(face * count for face, count in paid.items()) >= PRICES[benefit.value]
        self.fish[seat] -= paid
        self.discard_fish(paid)
        self.paid_for = benefit
        if benefit is Benefit.ROAD:
            self.free_roads, self.paid_for = 1, None

    def discard_fish(self, paid):
        self.spent += paid

    def settle_command(self):
        """After a command nothing is owed but what waits for a choice."""
        assert not self.owed or self.choosing is not None or not self.supply.total() + self.spent.total()
        assert self.paid_for is None
        self.conserved()

    def conserved(self):
        tokens = self.supply + self.spent + Counter([self.seen] if self.seen else [])
        for fish in self.fish:
            tokens += fish
            assert fish.total() <= 7
        assert {face: tokens[face] for face in (1, 2, 3)} == {1: 11, 2: 10, 3: 8}
        assert tokens["boot"] == (self.boot is None)

    def to_put_back(self):
        return {self.seen} | set(+self.fish[self.choosing])

    def boot_passes(self, seat):
        if seat != self.boot:
            return set()
        points = [self.public_points(other) for other in range(self.seats)]
        return {PassBoot(other) for other, count in enumerate(points) if other != seat and count >= points[seat]}

    def payments(self, seat, price):
        held = [range(self.fish[seat][face] + 1) for face in (1, 2, 3)]
        return {Fish(a, b, c) for a, b, c in product(*held) if a + 2 * b + 3 * c >= price}

    def missing(self, seat):
        return super().missing(seat) + (seat == self.boot)

    def development_price(self):
        if self.paid_for == Benefit.DEVELOPMENT:
            return Counter()
        return super().development_price()


class LakeLedger(FishLedger):
    """CA-50 to CA-53."""

    bare = "lake"
    home = None

    def waters(self):
        lake = self.terrain.index("lake")
        assert len(HEXES[lake]) == 6
        assert all(len(AROUND[vertex]) == 3 for vertex in HEXES[lake])
        return [*super().waters(), ([] if self.robber == lake else [2, 3, 11, 12], set(HEXES[lake]))]


class PilesLedger(FishLedger):
    """CA-60 to CA-63: all fish count one by one."""

    stock = ((1, 55),)
    most = 21

    def share(self, vertex):
        """CA-61."""
        if vertex in self.harbours:
            return 1
        return {2: 2, 1: 3}[len(AROUND[vertex])]

    def fished(self, event):
        match event:
            case e.FishCaught(catches):
                taken = Counter()
                for seat in self.rounds():
                    if taken.total() < self.supply[1] and self.fish[seat][1] + taken[seat] < self.most:
                        taken[seat] += 1
                assert {one.seat: one.count for one in catches} == dict(taken)
                for seat, count in taken.items():
                    self.fish[seat][1] += count
                    self.supply[1] -= count
                self.owed = []
            case _:
                assert isinstance(event, e.GroundsLaid | e.FishSpent | e.RobberSentHome | e.CardTaken)
                super().fished(event)

    def rounds(self):
        """The seats that are owed, one fish at a time."""
        left = Counter(self.owed)
        while left:
            yield from list(left)
            left -= Counter(list(left))

    def spends(self, seat, benefit, tokens):
        assert tokens == {1: PRICES[benefit.value], 2: 0, 3: 0}
        super().spends(seat, benefit, tokens)

    def discard_fish(self, paid):
        self.supply += paid

    def settle_command(self):
        if self.owed:
            assert self.full >= set(self.owed) or not self.supply.total()
            self.owed = []
        assert self.paid_for is None
        self.conserved()

    def conserved(self):
        assert sum(fish[1] for fish in self.fish) + self.supply.total() == 55
        assert all(fish.total() == fish[1] <= 21 for fish in self.fish)

    def payments(self, seat, price):
        return {Fish()} if self.fish[seat][1] >= price else set()
