"""What happened, in words: the catalogues are in messages/."""

from functools import cache

from engines.core.words import Sentence, Teller, Telling, name_of
from engines.south_seas.catalog import Sail, Terrain, Tile, Wares


def _tile(telling: Telling, tile: str) -> Sentence:
    row = telling.catalog.tiles[telling.catalog.tile_numbers[tile]]
    terrains = dict.fromkeys(one.terrain for one in row.features)
    return Sentence("tile", {"features": tuple(name_of("terrain", terrain) for terrain in terrains)})


def _feature(telling: Telling, feature: str) -> Sentence | str:
    terrain = _terrains(telling.catalog.tiles).get(feature)
    return feature if terrain is None else name_of("terrain", terrain)


@cache
def _terrains(tiles: tuple[Tile, ...]) -> dict[str, Terrain]:
    """Of features by id, where all tiles mean the same by it: events do not tell of which tile they speak."""
    meant: dict[str, set[Terrain]] = {}
    for tile in tiles:
        for one in tile.features:
            meant.setdefault(one.id, set()).add(one.terrain)
    return {feature: terrain for feature, (terrain, *others) in meant.items() if not others}


def _ship(telling: Telling, ship: str) -> Sentence:
    row = telling.catalog.ships[telling.catalog.ship_numbers[ship]]
    flexible = Sentence(f"sail.{row.sail}", {"count": row.number})
    asked = telling.told("wares", row.wares) if row.sail is Sail.SPECIFIC else flexible
    return Sentence("ship", {"points": row.points, "asked": asked})


tell = Teller(
    things={"tile": _tile, "feature": _feature, "ship": _ship, "ships": _ship}, counts=(Wares,), untold=("returned",)
)
