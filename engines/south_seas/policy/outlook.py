"""What the features of a table promise a seat, as they are and as a tile would make them."""

from engines.south_seas.catalog import PAID_IN, Terrain
from engines.south_seas.moves import PlaceIslander, PlaceTile, RetrieveIslander
from engines.south_seas.policy.landing import Crew, Landing, crew_of
from engines.south_seas.policy.worth import earnings, idle
from engines.south_seas.state import ISLANDERS
from engines.south_seas.view import PlacedTile, Region, View

RIVALRY = 0.5
"""How much a point of others counts against one's own, all of them together."""


class Outlook:
    """A view, and the seat that looks at it."""

    def __init__(self, view: View, seat: int) -> None:
        self.view, self.seat = view, seat
        self.regions = {one.number: one for one in view.regions}
        self.left = view.players[seat].islanders_left
        self.rivalry = RIVALRY / (len(view.players) - 1)
        self.hands = [one.wares.counts() for one in view.players]
        self.at = {(one.x, one.y): one for one in view.tiles}
        self.markets = [
            (one.x, one.y, number)
            for one in view.tiles
            for number in one.regions
            if self.regions[number].terrain is Terrain.MARKET and self.regions[number].crews
        ]
        self.now: dict[int, float] = {}

    def of_tile(self, move: PlaceTile) -> float:
        """What the tile changes for everyone, with the best use of an islander."""
        assert self.view.drawn is not None
        value = best = 0.0
        for group in Landing(self.view.drawn, move, self.at, self.regions).groups():
            if group.crew:
                done = group.boat or not group.gaps
                value += self.promise(group.terrain, 0 if done else group.gaps, group.pays, group.crew, done=done)
                for number in group.joined:
                    value -= self.standing(number)
            elif self.left:
                best = max(best, self.of_placing(group.terrain, group.gaps, group.pays, boat=group.boat))
        for x, y, number in self.markets:
            if -2 < x - move.x < 2 and -2 < y - move.y < 2:
                region = self.regions[number]
                gaps = region.gaps - 1
                value += self.promise(region.terrain, gaps, 0, crew_of(region), done=not gaps) - self.standing(number)
        return value + best

    def of_islander(self, move: PlaceIslander) -> float:
        region, boat = self.region_of(self.view.tiles[-1], move.feature)
        return self.of_placing(region.terrain, region.gaps, region.pays, boat=boat)

    def of_retrieval(self, move: RetrieveIslander) -> float:
        """An islander more to place, for what the one on the board stands to earn."""
        region, _ = self.region_of(self.at[move.x, move.y], move.feature)
        if not region.gaps:
            return -1.0
        earned = self.earns(self.seat, region.terrain, region.gaps, region.pays) if self.seat in region.owners else 0
        return idle(self.left + 1) - earned

    def of_placing(self, terrain: Terrain, gaps: int, pays: int, *, boat: bool) -> float:
        """What an islander earns there, less what it is worth in the supply; if it earns at once it is back there."""
        if not gaps or boat:
            return self.earns(self.seat, terrain, 0, pays)
        return self.earns(self.seat, terrain, gaps, pays) - idle(self.left)

    def earns(self, seat: int, terrain: Terrain, gaps: int, pays: int) -> float:
        held = self.hands[seat][PAID_IN[terrain]] if terrain in PAID_IN else 0
        return earnings(terrain, gaps, pays, self.view.pile, held)

    def standing(self, number: int) -> float:
        """What the region promises now."""
        if number not in self.now:
            region = self.regions[number]
            self.now[number] = self.promise(region.terrain, region.gaps, region.pays, crew_of(region), done=False)
        return self.now[number]

    def promise(self, terrain: Terrain, gaps: int, pays: int, crew: Crew, *, done: bool) -> float:
        """What those who stand on a feature may expect of it: one's own share for, the others' against.

        Done, it sends their islanders home.
        """
        if not crew:
            return 0.0
        most = max([count for _, count in crew])
        total = 0.0
        for seat, count in crew:
            gained = self.earns(seat, terrain, gaps, pays) if count == most else 0.0
            if done:
                gained += count * idle(min(self.view.players[seat].islanders_left + 1, ISLANDERS))
            total += gained if seat == self.seat else -self.rivalry * gained
        return total

    def region_of(self, placed: PlacedTile, feature: str) -> tuple[Region, bool]:
        """The region of a feature of a tile on the table, and whether the tile's boat is there."""
        number = next(number for number, one in enumerate(placed.tile.features) if one.id == feature)
        return self.regions[placed.regions[number]], placed.tile.features[number].boat
