"""A match kept by hand beside the chart: every event is judged by the printed rules as it is written down."""

from collections import Counter

from engines.south_seas import events as e
from tests.engines.south_seas.chart import WARES, Chart

KINDS = ("shell", "banana", "fish")


def counted(wares):
    return Counter({kind: getattr(wares, kind) for kind in KINDS if getattr(wares, kind)})


class Ledger:
    def __init__(self, edition, seats, first):
        self.chart = Chart(edition)
        self.seats, self.first = seats, first
        self.pile = Counter({name: row["copies"] for name, row in self.chart.rows.items()})
        self.supply = set(self.chart.ships)
        self.display = []
        self.taken = [[] for _ in range(seats)]
        self.wares = [Counter() for _ in range(seats)]
        self.seat = self.turn = 0
        self.drawn = self.placed = self.boat_due = self.cover_due = None
        self.moved = self.loaded = self.merchant = False
        self.outcome = None

    def record(self, event):
        match event:
            case e.StartTileLaid(tile):
                assert self.chart.rows[tile]["start"]
                self.pile[tile] -= 1
                self.chart.lay(tile, 0, 0, 0)
            case e.ShipsTurnedUp(ships):
                assert set(ships) <= self.supply
                self.supply -= set(ships)
                self.display += ships
                assert len(self.display) == min(4, len(self.display) + len(self.supply))
            case e.TurnBegun() | e.TileDrawn() | e.TileDiscarded() | e.NoTileLeft() | e.TilePlaced():
                self.draw(event)
            case e.IslanderPlaced() | e.IslanderRetrieved() | e.IslanderSkipped():
                assert not self.moved
                self.moved = True
                self.move(event)
                self.boat_due = self.boats()
            case e.FeatureEvaluated() | e.FishCovered():
                self.evaluate(event)
            case e.GameEnded(outcome):
                self.end(outcome)
            case _:
                self.load(event)

    def draw(self, event):
        """SS-4 to SS-6."""
        assert event.seat == self.seat or isinstance(event, e.TurnBegun)
        match event:
            case e.TurnBegun(seat, turn):
                assert (seat, turn) == ((self.seat + 1) % self.seats if turn > 1 else self.first, self.turn + 1)
                self.require_step_done()
                assert turn == 1 or (self.pile.total() and (self.display or self.supply))
                self.seat, self.turn = seat, turn
                self.placed, self.moved, self.loaded = None, False, False
            case e.TileDrawn(_, tile, fits):
                assert self.pile[tile] > 0
                assert fits == bool(self.chart.places(tile))
                self.pile[tile] -= 1
                self.drawn = tile if fits else None
            case e.TileDiscarded(_, tile):
                assert not self.chart.places(tile)
            case e.NoTileLeft():
                assert not self.pile.total()
            case e.TilePlaced(_, tile, x, y, rotation):
                assert tile == self.drawn
                self.drawn = None
                self.chart.lay(tile, x, y, rotation)
                self.placed = x, y

    def move(self, event):
        """SS-7 to SS-10."""
        chart = self.chart
        assert event.seat == self.seat
        own = list(chart.islanders.values()).count(self.seat)
        match event:
            case e.IslanderPlaced(seat, x, y, feature):
                assert (x, y) == self.placed
                assert feature in chart.free(x, y)
                assert own < 4
                chart.islanders[x, y, feature] = seat
            case e.IslanderRetrieved(seat, x, y, feature):
                assert chart.islanders.pop((x, y, feature)) == seat

    def boats(self):
        """The occupied regions where boats of the tile just placed are."""
        if self.placed is None:
            return []
        lying = self.chart.tiles[self.placed]
        regions = [self.chart.feature((*self.placed, name)) for name, one in lying.features.items() if one.get("boat")]
        return [region for region in regions if self.chart.crew(region)]

    def evaluate(self, event):
        """SS-12 to SS-19, SS-22, SS-28."""
        chart = self.chart
        feature = chart.feature((event.x, event.y, event.feature))
        match event:
            case e.FeatureEvaluated(cause, _, _, _, ware, gains, returned):
                assert ware == WARES[chart.terrain(feature)]
                pays = chart.pays(feature)
                owners = chart.owners(feature) if pays else []
                assert [(gain.seat, gain.count) for gain in gains] == [(seat, pays) for seat in owners]
                standing = {part: seat for part, seat in chart.islanders.items() if part in feature}
                assert {(one.x, one.y, one.feature): one.seat for one in returned} == standing
                assert standing
                assert (cause == "completed") == (chart.gaps(feature) == 0)
                assert cause != "boat" or feature in self.boat_due
                assert cause != "end" or self.is_over()
                if feature in self.boat_due:
                    self.boat_due.remove(feature)
                    self.cover_due = feature if pays else None
                for gain in gains:
                    self.wares[gain.seat][ware.value] += gain.count
                for part in standing:
                    del chart.islanders[part]
            case e.FishCovered(x, y, name, double):
                assert feature == self.cover_due
                assert double == bool(chart.groups(feature, 2))
                assert (x, y, name) == chart.groups(feature, 1 + double)[0]
                chart.covered[(x, y, name), double] += 1
                self.cover_due = None

    def load(self, event):
        """SS-20, SS-21, SS-25, SS-26."""
        chart = self.chart
        match event:
            case e.MarketCompleted(seat, x, y, feature, earns):
                assert not self.merchant
                distance = {part: (owner - self.seat) % self.seats for part, owner in self.markets_due().items()}
                assert distance[x, y, feature] == min(distance.values())
                assert chart.islanders.pop((x, y, feature)) == seat
                assert earns == bool(self.display)
                self.merchant = earns and (seat,)
            case e.ShipTaken(seat, ship):
                assert self.merchant == (seat,)
                assert chart.ships[ship]["points"] == max(chart.ships[name]["points"] for name in self.display)
                self.merchant = False
                self.take(seat, ship)
            case e.ShipLoaded(seat, ship, paid):
                assert seat == self.seat
                assert not self.loaded
                self.loaded = True
                self.require_step_done()
                sail, paid = chart.ships[ship], counted(paid)
                match sail["sail"]:
                    case "specific":
                        assert paid == Counter(sail["wares"])
                    case "any_same":
                        assert list(paid.values()) == [sail["number"]]
                    case "any":
                        assert paid.total() == sail["number"]
                assert paid <= self.wares[seat]
                self.wares[seat] -= paid
                self.take(seat, ship)

    def take(self, seat, ship):
        self.display.remove(ship)
        self.taken[seat].append(ship)

    def markets_due(self):
        """The merchants whose markets are complete."""
        standing = self.chart.islanders.items()
        return {
            part: seat
            for part, seat in standing
            if self.chart.printed(part)["terrain"] == "market" and not self.chart.gaps_of(part)
        }

    def require_step_done(self):
        """Nobody stands on what is complete, nor where a boat has come."""
        assert not any(self.chart.gaps(self.chart.feature(part)) == 0 for part in self.chart.islanders)
        assert not self.boat_due
        assert self.cover_due is None
        assert not self.merchant

    def is_over(self):
        return not self.pile.total() or not (self.display or self.supply)

    def end(self, outcome):
        """SS-27 to SS-29."""
        assert self.is_over()
        assert all(self.chart.printed(part)["terrain"] == "market" for part in self.chart.islanders)
        points = [
            sum(self.chart.ships[name]["points"] for name in taken) + wares.total() // 3
            for taken, wares in zip(self.taken, self.wares, strict=True)
        ]
        for standing in outcome.ranking:
            assert standing.points == points[standing.seat]
            assert standing.place == 1 + sum(other > standing.points for other in points)
        self.outcome = outcome
