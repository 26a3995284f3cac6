"""The sea as the printed tiles show it: flood fill from what lies there, slow, and nothing of the engine's features.

A feature is a set of parts; a part is (x, y, id as printed). Half-edges are 0 to 7, clockwise from the north-west.
"""

import json
from collections import Counter
from itertools import product

from engines.core import games

STEPS = ((0, -1), (1, 0), (0, 1), (-1, 0))
SIDES = ("north", "east", "south", "west")
HALVES = ("n0", "n1", "e0", "e1", "s0", "s1", "w0", "w1")
AROUND = [step for step in product((-1, 0, 1), repeat=2) if step != (0, 0)]
WARES = {"bridge": "shell", "island": "banana", "sea": "fish"}


class Lying:
    """A tile as it lies: what is at each half-edge and, of bridges, at each side."""

    def __init__(self, row, rotation):
        self.row = row
        self.features = {one["id"]: one for one in row["features"]}
        self.sides = [row["sides"][(side - rotation) % 4] for side in range(4)]
        self.halves, self.bridges = {}, {}
        for one in row["features"]:
            for half in one.get("half_edges", ()):
                self.halves[(HALVES.index(half) + 2 * rotation) % 8] = one["id"]
            for end in one.get("ends", ()):
                if end in SIDES:
                    self.bridges[(SIDES.index(end) + rotation) % 4] = one["id"]


class Chart:
    def __init__(self, edition):
        printed = json.loads(games.edition("south_seas", edition))
        self.rows = {row["id"]: row for row in printed["tiles"]}
        self.turned = {(name, turn): Lying(row, turn) for name, row in self.rows.items() for turn in range(4)}
        self.ships = {ship["id"]: ship for ship in printed["ships"]}
        self.tiles = {}
        self.islanders = {}
        self.covered = Counter()

    def lay(self, tile, x, y, rotation):
        assert self.fits(tile, x, y, rotation) or not self.tiles
        self.tiles[x, y] = self.turned[tile, rotation]

    def fits(self, tile, x, y, rotation):
        lying = self.turned[tile, rotation]
        beside = [(side, self.tiles.get((x + dx, y + dy))) for side, (dx, dy) in enumerate(STEPS)]
        touching = [(side, other) for side, other in beside if other is not None]
        agree = all(lying.sides[side] == other.sides[(side + 2) % 4] for side, other in touching)
        return (x, y) not in self.tiles and bool(touching) and agree

    def places(self, tile):
        """Where it can be placed, and how turned."""
        cells = {(x + dx, y + dy) for x, y in self.tiles for dx, dy in STEPS} - set(self.tiles)
        return {(x, y, turn) for x, y in cells for turn in range(4) if self.fits(tile, x, y, turn)}

    def joined(self, part):
        """The parts on neighbouring tiles that touch it."""
        x, y, name = part
        lying = self.tiles[x, y]
        for side, (dx, dy) in enumerate(STEPS):
            other = self.tiles.get((x + dx, y + dy))
            if other is None:
                continue
            facing = (side + 2) % 4
            if lying.bridges.get(side) == name:
                yield x + dx, y + dy, other.bridges[facing]
            for half in (0, 1):
                if lying.halves[2 * side + half] == name:
                    yield x + dx, y + dy, other.halves[2 * facing + 1 - half]

    def feature(self, part):
        """All parts of the feature."""
        found, waiting = {part}, [part]
        while waiting:
            for other in self.joined(waiting.pop()):
                if other not in found:
                    found.add(other)
                    waiting.append(other)
        return frozenset(found)

    def features(self):
        """Every feature once."""
        found = {}
        for (x, y), lying in self.tiles.items():
            for name in lying.features:
                if (x, y, name) not in found:
                    whole = self.feature((x, y, name))
                    found |= dict.fromkeys(whole, whole)
        return set(found.values())

    def printed(self, part):
        return self.tiles[part[:2]].features[part[2]]

    def terrain(self, feature):
        return self.printed(next(iter(feature)))["terrain"]

    def gaps(self, feature):
        """How often it faces an empty cell."""
        return sum(map(self.gaps_of, feature))

    def gaps_of(self, part):
        x, y, name = part
        lying = self.tiles[x, y]
        match self.printed(part)["terrain"]:
            case "market":
                return sum((x + dx, y + dy) not in self.tiles for dx, dy in AROUND)
            case "bridge":
                sides = [side for side, there in lying.bridges.items() if there == name]
            case "island":
                sides = [half // 2 for half, there in lying.halves.items() if there == name and half % 2]
            case "sea":
                sides = [half // 2 for half, there in lying.halves.items() if there == name]
        return sum((x + STEPS[side][0], y + STEPS[side][1]) not in self.tiles for side in sides)

    def groups(self, feature, size):
        """The parts with open groups of so many fish, each as often as it has them, in the order placed."""
        name = "doubles" if size == 2 else "symbols"
        order = list(self.tiles)
        parts = sorted(
            feature, key=lambda part: (order.index(part[:2]), list(self.tiles[part[:2]].features).index(part[2]))
        )
        return [part for part in parts for _ in range(self.printed(part).get(name, 0) - self.covered[part, size == 2])]

    def pays(self, feature):
        if self.terrain(feature) == "sea":
            return len(self.groups(feature, 1)) + 2 * len(self.groups(feature, 2))
        return sum(self.printed(part).get("symbols", 0) for part in feature)

    def crew(self, feature):
        """Seats, by how many islanders they have there."""
        return Counter(seat for part, seat in self.islanders.items() if part in feature)

    def owners(self, feature):
        crew = self.crew(feature)
        return sorted(seat for seat, count in crew.items() if count == max(crew.values()))

    def free(self, x, y):
        """The ids of the tile's features that nobody stands on."""
        return [name for name in self.tiles[x, y].features if not self.crew(self.feature((x, y, name)))]
