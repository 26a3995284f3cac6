"""The log in words: tiles and features by what one sees of them."""

from types import SimpleNamespace

import msgspec

from engines.core.words import Sentence
from engines.south_seas.catalog import Sail
from engines.south_seas.events import IslanderPlaced, ShipTaken, TilePlaced
from engines.south_seas.words import tell
from tests.engines.south_seas.scenario import CATALOG

SEA, BRIDGE, MARKET = (Sentence(f"terrain.{terrain}") for terrain in ("sea", "bridge", "market"))


def test_a_tile_is_told_by_its_terrains():
    said = tell(CATALOG, TilePlaced(seat=0, tile="SS03", x=1, y=0, rotation=2))
    assert said.args["tile"] == Sentence("tile", {"features": (BRIDGE, MARKET, SEA)})


def test_a_ship_is_told_by_its_points_and_what_it_asks_for():
    def asked(ship):
        found = tell(CATALOG, ShipTaken(seat=0, ship=ship.id)).args["ship"]
        assert (found.key, found.args["points"]) == ("ship", ship.points)
        return found.args["asked"]

    ships = {ship.sail: ship for ship in CATALOG.ships}
    assert asked(ships[Sail.ANY]) == Sentence("sail.any", {"count": ships[Sail.ANY].number})
    assert asked(ships[Sail.ANY_SAME]) == Sentence("sail.any_same", {"count": ships[Sail.ANY_SAME].number})
    specific = ships[Sail.SPECIFIC]
    wares = {f"wares.{name}": getattr(specific.wares, name) for name in specific.wares.__struct_fields__}
    told = {ware.key: ware.args["count"] for ware in asked(specific)}
    assert told == {key: count for key, count in wares.items() if count}


def test_a_feature_is_told_by_its_terrain():
    assert tell(CATALOG, IslanderPlaced(seat=0, x=1, y=0, feature="S0")).args["feature"] == SEA


def test_a_feature_keeps_its_id_where_tiles_differ_in_its_terrain():
    tiles = list(CATALOG.tiles)
    changed = [msgspec.structs.replace(one, id="B0") if one.id == "S0" else one for one in tiles[1].features]
    tiles[1] = msgspec.structs.replace(tiles[1], features=tuple(changed))
    catalog = SimpleNamespace(tiles=tuple(tiles))
    assert tell(catalog, IslanderPlaced(seat=0, x=1, y=0, feature="B0")).args["feature"] == "B0"
    assert tell(catalog, IslanderPlaced(seat=0, x=1, y=0, feature="S0")).args["feature"] == SEA
