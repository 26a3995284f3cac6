"""A match followed from its events alone, with paper and pencil: plain dictionaries, and the rules as they are printed.

Nothing of the engine's state, scoring or geometry is used: what the tests hold against each other is worked out twice.
"""

import json
from collections import Counter
from functools import lru_cache

from engines.catan_fishermen import events as e
from engines.catan_fishermen.catalog import Cards
from engines.catan_fishermen.events import Due
from engines.catan_fishermen.state import Gain
from engines.core import games

EDITION = json.loads(games.edition("catan_fishermen"))
PATHS = tuple(tuple(row["ends"]) for row in EDITION["edges"])
HEXES = tuple(tuple(row["vertices"]) for row in EDITION["hexes"])
VERTICES = range(54)
AT = {vertex: [edge for edge, ends in enumerate(PATHS) if vertex in ends] for vertex in VERTICES}
BESIDE = {vertex: {end for edge in AT[vertex] for end in PATHS[edge]} - {vertex} for vertex in VERTICES}
AROUND = {vertex: [at for at, corners in enumerate(HEXES) if vertex in corners] for vertex in VERTICES}

KINDS = ("brick", "lumber", "wool", "grain", "ore")
YIELDS = {"hills": "brick", "forest": "lumber", "pasture": "wool", "fields": "grain", "mountains": "ore"}
DEVELOPMENTS = {"knight": 14, "road_building": 2, "year_of_plenty": 2, "monopoly": 2, "victory_point": 5}
ROAD = Counter(brick=1, lumber=1)
SETTLEMENT = Counter(brick=1, lumber=1, wool=1, grain=1)
CITY = Counter(ore=3, grain=2)
DEVELOPMENT = Counter(ore=1, wool=1, grain=1)


def counter(cards):
    return Counter({kind: getattr(cards, kind) for kind in KINDS if getattr(cards, kind)})


def cards(counts):
    return Cards(**{kind: counts[kind] for kind in KINDS})


@lru_cache(maxsize=1 << 14)
def longest_by_hand(edges, stops):
    """CA-20: the longest of all trails over these edges (frozensets); `stops` are the opponents' buildings."""

    def walk(vertex, left):
        longest = 0
        for edge in AT[vertex]:
            if edge in left:
                (beyond,) = set(PATHS[edge]) - {vertex}
                rest = left - {edge}
                longest = max(longest, 1 if beyond in stops else 1 + walk(beyond, rest))
        return longest

    return max((walk(vertex, edges) for vertex in VERTICES), default=0)


class Ledger:
    bare = "desert"
    """What yields no resource."""

    def __init__(self, seats, goal):
        self.seats, self.goal = seats, goal
        self.bank = Counter(dict.fromkeys(KINDS, 19))
        self.hands = [Counter() for _ in range(seats)]
        self.pile = Counter(DEVELOPMENTS)
        self.developments = [Counter() for _ in range(seats)]
        self.bought = Counter()
        self.gone = Counter()
        self.knights = [0] * seats
        self.missed = [goal] * seats
        self.choosing = None
        self.roads, self.settlements, self.cities = {}, {}, {}
        self.seat = self.turn = 0
        self.placed = None
        self.rolled = self.played = self.robbing = False
        self.victim = None
        self.due = {}
        self.free_roads = 0
        self.offer, self.answers, self.offers = None, {}, 0
        self.answered = Counter()
        self.road_card = self.road_card_told = None
        self.army = self.army_told = None
        self.outcome = None

    # What the events say, each judged by the rules as it is written down.

    def record(self, event):
        match event:
            case e.BoardLaid():
                self.lay(event)
            case e.SettlementPlaced() | e.RoadPlaced():
                self.place(event)
            case e.RoadBuilt() | e.SettlementBuilt() | e.CityBuilt():
                self.build(event)
            case e.TurnBegun() | e.DiceRolled() | e.CardsDiscarded() | e.RobberMoved() | e.CardStolen():
                self.go_on(event)
            case e.LongestRoadMoved():
                self.road_card_told = event.holder
            case e.LargestArmyMoved():
                self.army_told = event.holder
            case e.GameEnded():
                self.outcome, self.offer, self.answers = event.outcome, None, {}
            case e.BankTraded():
                (kind, count), *others = counter(event.give).items()
                assert not others
                assert (count, sum(counter(event.take).values())) == (self.rates(event.seat)[kind], 1)
                self.to_bank(event.seat, counter(event.give))
                self.from_bank(event.seat, counter(event.take))
            case _ if type(event).__name__.startswith("Trade"):
                self.trade(event)
            case _:
                self.develop(event)

    def lay(self, event):
        self.terrain = [laid.terrain for laid in event.hexes]
        self.numbers = [laid.number for laid in event.hexes]
        self.harbours = {end: harbour.trades for harbour in event.harbours for end in PATHS[harbour.edge]}
        self.robber = event.robber
        assert len(self.harbours) == 18
        bare = [at for at, number in enumerate(self.numbers) if number == 0]
        assert [self.terrain[at] for at in bare] == [self.bare]
        assert self.robber == (bare[0] if self.bare == "desert" else None)

    def place(self, event):
        """CA-6."""
        order = [*range(self.seats), *reversed(range(self.seats)), 0]
        pair = len(self.roads)
        assert event.seat == order[pair] == self.seat
        if isinstance(event, e.SettlementPlaced):
            around = [YIELDS[self.terrain[at]] for at in AROUND[event.vertex] if self.terrain[at] in YIELDS]
            assert counter(event.gained) == Counter(around if pair >= self.seats else [])
            self.settlements[event.vertex] = event.seat
            self.from_bank(event.seat, counter(event.gained))
            self.placed = event.vertex
        else:
            assert event.next_seat == order[pair + 1]
            assert event.edge in AT[self.placed]
            self.roads[event.edge] = event.seat
            self.seat, self.placed = event.next_seat, None
        self.find_road_card()

    def build(self, event):
        """CA-13."""
        match event:
            case e.RoadBuilt():
                price = Counter() if self.free_roads else ROAD
                self.free_roads = max(0, self.free_roads - 1)
                self.roads[event.edge] = event.seat
            case e.SettlementBuilt():
                price = SETTLEMENT
                self.settlements[event.vertex] = event.seat
            case e.CityBuilt():
                price = CITY
                assert self.settlements.pop(event.vertex) == event.seat
                self.cities[event.vertex] = event.seat
        assert counter(event.paid) == price
        self.to_bank(event.seat, price)
        self.find_road_card()

    def go_on(self, event):
        match event:
            case e.TurnBegun(seat, turn):
                assert (seat, turn) == ((self.turn and (self.seat + 1) % self.seats), self.turn + 1)
                self.missed[self.seat] = self.missing(self.seat)
                self.seat, self.turn = seat, turn
                self.rolled = self.played = False
                self.bought.clear()
                self.offer, self.answers, self.offers = None, {}, 0
            case e.DiceRolled():
                assert not self.rolled
                self.rolled = True
                self.roll(event)
            case e.CardsDiscarded(seat, discarded):
                assert discarded.total() == self.due.pop(seat)
                self.to_bank(seat, counter(discarded))
            case e.RobberMoved(_, at, victim):
                self.robber, self.victim, self.robbing = at, victim, False
            case e.CardStolen(seat, victim, card):
                assert victim == self.victim
                self.hand_over(victim, seat, Counter([card.value]))

    def roll(self, event):
        """CA-9 to CA-11."""
        number = event.first + event.second
        sizes = [hand.total() for hand in self.hands]
        owing = tuple(Due(seat, size // 2) for seat, size in enumerate(sizes) if size > 7 and number == 7)
        assert event.discards == owing
        self.due = {due.seat: due.count for due in owing}
        self.robbing = number == 7
        owed = [self.production(seat, number) for seat in range(self.seats)]
        for kind in KINDS:
            takers = [seat for seat in range(self.seats) if owed[seat][kind]]
            if sum(owed[seat][kind] for seat in takers) > self.bank[kind]:
                for seat in takers:
                    owed[seat][kind] = self.bank[kind] if len(takers) == 1 else 0
        assert event.gains == tuple(Gain(seat, cards(gain)) for seat, gain in enumerate(owed) if any(gain.values()))
        for seat in range(self.seats):
            self.from_bank(seat, owed[seat])

    def production(self, seat, number):
        gain = Counter()
        for at, token in enumerate(self.numbers):
            if token == number and at != self.robber:
                built = [
                    (self.settlements.get(corner) == seat) + 2 * (self.cities.get(corner) == seat)
                    for corner in HEXES[at]
                ]
                gain[YIELDS[self.terrain[at]]] += sum(built)
        return gain

    def develop(self, event):
        """CA-18, CA-19, CA-21."""
        seat = event.seat
        match event:
            case e.DevelopmentBought(card=card):
                price = self.development_price()
                assert counter(event.paid) == price
                self.to_bank(seat, price)
                self.pile[card.value] -= 1
                self.developments[seat][card.value] += 1
                self.bought[card.value] += 1
                return
            case e.FreeRoadsLapsed():
                assert self.free_roads
                assert not self.road_places(seat)
                self.free_roads = 0
                return
            case e.KnightPlayed():
                card = "knight"
                self.knights[seat] += 1
                self.robbing = True
                best = max(self.knights[other] for other in range(self.seats) if other != seat)
                if self.knights[seat] >= 3 and self.knights[seat] > best:
                    self.army = seat
            case e.RoadBuildingPlayed():
                card = "road_building"
                assert event.roads == min(2, 15 - self.roads_of(seat))
                self.free_roads = event.roads
            case e.YearOfPlentyPlayed():
                card = "year_of_plenty"
                assert event.cards.total() == min(2, self.bank.total())
                self.from_bank(seat, counter(event.cards))
            case e.MonopolyPlayed(resource=resource):
                card = "monopoly"
                kind = resource.value
                held = [(other, hand[kind]) for other, hand in enumerate(self.hands) if other != seat and hand[kind]]
                assert event.taken == tuple(Due(*due) for due in held)
                for other, count in held:
                    self.hand_over(other, seat, Counter({kind: count}))
        assert not self.played
        self.played = True
        assert self.developments[seat][card] > self.bought[card]
        self.developments[seat][card] -= 1
        self.gone[card] += 1

    def trade(self, event):
        """CA-17."""
        seat = event.seat
        if isinstance(event, e.TradeCountered | e.TradeAccepted | e.TradeDeclined):
            self.answered[seat] += 1
            assert self.answered[seat] <= 20
        match event:
            case e.TradeOffered(_, give, take):
                self.offer, self.answers = (counter(give), counter(take)), {}
                self.answered.clear()
                self.offers += 1
                assert seat == self.seat
                assert self.offers <= 20
                assert self.offer[0] <= self.hands[seat]
            case e.TradeCountered(_, give, take):
                self.answers[seat] = (counter(give), counter(take))
                assert self.answers[seat][0] <= self.hands[seat]
            case e.TradeAccepted():
                self.answers[seat] = "accepted"
                assert self.offer[1] <= self.hands[seat]
            case e.TradeDeclined():
                self.answers[seat] = "declined"
            case e.TradeCancelled() if seat == self.seat:
                self.offer, self.answers = None, {}
            case e.TradeCancelled():
                del self.answers[seat]
            case e.TradeClosed(_, partner, give, take):
                assert (counter(give), counter(take)) == self.agreed(partner)
                self.hand_over(seat, partner, counter(give))
                self.hand_over(partner, seat, counter(take))
                self.offer, self.answers = None, {}

    def from_bank(self, seat, gain):
        assert gain <= self.bank
        self.bank -= gain
        self.hands[seat] += gain

    def to_bank(self, seat, price):
        assert price <= self.hands[seat]
        self.hands[seat] -= price
        self.bank += price

    def hand_over(self, seat, other, gift):
        assert gift <= self.hands[seat]
        self.hands[seat] -= gift
        self.hands[other] += gift

    # What follows from it.

    def owner(self, vertex):
        return self.settlements.get(vertex, self.cities.get(vertex))

    def roads_of(self, seat):
        return list(self.roads.values()).count(seat)

    def road_length(self, seat):
        edges = frozenset(edge for edge, owner in self.roads.items() if owner == seat)
        ends = {end for edge in edges for end in PATHS[edge]}
        return longest_by_hand(edges, frozenset(end for end in ends if self.owner(end) not in {None, seat}))

    def find_road_card(self):
        """CA-20, after every road and settlement."""
        lengths = [self.road_length(seat) for seat in range(self.seats)]
        most = max(lengths)
        if most < 5:
            self.road_card = None
        elif self.road_card is None or lengths[self.road_card] < most:
            leaders = [seat for seat in range(self.seats) if lengths[seat] == most]
            self.road_card = leaders[0] if len(leaders) == 1 else None

    def public_points(self, seat):
        """CA-22, the cards with their holders as told."""
        built = list(self.settlements.values()).count(seat) + 2 * list(self.cities.values()).count(seat)
        return built + 2 * (self.road_card_told == seat) + 2 * (self.army_told == seat)

    def points(self, seat):
        return self.public_points(seat) + self.developments[seat]["victory_point"]

    def missing(self, seat):
        """How many points more than everyone sees it takes to win."""
        return self.goal - self.public_points(seat)

    def has_won(self, seat):
        """CA-22, were it the seat's turn."""
        return self.developments[seat]["victory_point"] >= self.missing(seat)

    def development_price(self):
        return DEVELOPMENT

    def pieces_left(self, seat):
        settlements, cities = list(self.settlements.values()).count(seat), list(self.cities.values()).count(seat)
        return [15 - self.roads_of(seat), 5 - settlements, 4 - cities]

    def rates(self, seat):
        """CA-16."""
        harbours = {harbour.value for vertex, harbour in self.harbours.items() if self.owner(vertex) == seat}
        return {kind: 2 if kind in harbours else 3 if "any" in harbours else 4 for kind in KINDS}

    def agreed(self, partner):
        """What the active player would give and take."""
        match self.answers.get(partner):
            case "accepted":
                return self.offer
            case (give, take):
                return take, give
            case _:
                return None

    def is_free(self, vertex):
        """CA-7."""
        return all(self.owner(near) is None for near in {vertex} | BESIDE[vertex])

    def road_places(self, seat):
        """CA-14, CA-23."""
        if self.roads_of(seat) == 15:
            return set()
        open_paths = [edge for edge in range(72) if edge not in self.roads]
        return {edge for edge in open_paths if any(self.goes_on_from(seat, end) for end in PATHS[edge])}

    def goes_on_from(self, seat, vertex):
        if self.owner(vertex) is not None:
            return self.owner(vertex) == seat
        return any(self.roads.get(edge) == seat for edge in AT[vertex])
