"""The sea as a player reads it off a chart: how far it is from space to space, and where ports and beaches are."""

from collections.abc import Iterable
from functools import cached_property, lru_cache

from engines.black_fleet.board import Chart, Colour, Terrain

FAR = 99


class Sea:
    """Distances are in steps, ships left aside; a deep sea is left, never entered."""

    def __init__(self, chart: Chart) -> None:
        terrain = {place.id: place.terrain for place in chart.places}
        self.around = {place.id: place.neighbours for place in chart.places}
        self.spaces = {name for name, kind in terrain.items() if kind is Terrain.SEA}
        self.islands = {name for name, kind in terrain.items() if kind is Terrain.ISLAND}
        self.deep = [name for name, kind in terrain.items() if kind is Terrain.DEEP_SEA]
        self.beaches = {beach.space: beach.value for beach in chart.beaches}
        self.ports = {port.id: port for port in chart.ports}
        self.port_at = {space: port for port in chart.ports for space in port.spaces}
        self._far: dict[tuple[str, bool], dict[str, int]] = {}

    @cached_property
    def prices(self) -> dict[str, dict[Colour, int]]:
        """What each port pays for a cube of a colour that it buys."""
        return {port.id: {price.colour: price.price for price in port.buys} for port in self.ports.values()}

    def steps_from(self, start: str, *, crossing: bool = False) -> dict[str, int]:
        """To every space, also over islands where the ship crosses them."""
        found = self._far.get((start, crossing))
        if found is None:
            found = self._far[start, crossing] = self._measure(
                start, self.spaces | self.islands if crossing else self.spaces
            )
        return found

    def _measure(self, start: str, open_: set[str]) -> dict[str, int]:
        found, edge = {start: 0}, [start]
        while edge:
            beyond = []
            for place in edge:
                for other in self.around[place]:
                    if other in open_ and other not in found:
                        found[other] = found[place] + 1
                        beyond.append(other)
            edge = beyond
        return found

    def steps(self, start: str, ends: Iterable[str], *, crossing: bool = False) -> int:
        """To the nearest of these."""
        far = self.steps_from(start, crossing=crossing)
        return min((far.get(end, FAR) for end in ends), default=FAR)

    def beside(self, place: str) -> list[str]:
        """Where a ship is to be that attacks what is there."""
        return [other for other in self.around[place] if other in self.spaces]

    def buyers(self, colour: Colour) -> dict[str, int]:
        """The ports that buy the colour, and their price."""
        return {port: prices[colour] for port, prices in self.prices.items() if colour in prices}


_seas = lru_cache(maxsize=8)(Sea)


def sea_of(chart: Chart) -> Sea:
    """The one sea of a chart."""
    return _seas(chart)
