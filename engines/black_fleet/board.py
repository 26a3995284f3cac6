"""The sea: its places, what adjoins what, and where a ship gets (BF-1, BF-13 to BF-18a, BF-46)."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from engines.core.errors import InvalidEdition
from engines.core.shapes import Plain

PORT_SPACES = 3
COST_OF_GOODS = (2, 3)
MOST_PLACES = 250
"""Places stand as bytes in a state."""
MOST_BURIED = 99
RANGES = (0, 1, 2)
"""BF-47."""


class Terrain(StrEnum):
    SEA = "sea"
    DEEP_SEA = "deep_sea"
    ISLAND = "island"
    PORT = "port"
    CONTINENT = "continent"


class Colour(StrEnum):
    """BF-2: of goods."""

    YELLOW = "yellow"
    RED = "red"
    GREEN = "green"
    BLUE = "blue"
    PURPLE = "purple"


class Navy(StrEnum):
    """BF-2."""

    YELLOW = "yellow"
    PURPLE = "purple"


COLOURS = tuple(Colour)
NAVIES = tuple(Navy)


class Hex(Plain, frozen=True):
    """Axial coordinates, for drawing alone."""

    q: int
    r: int


class Place(Plain, frozen=True):
    """A space of the sea, a deep sea or a piece of land; `neighbours` says all that adjoins it."""

    id: str
    terrain: Terrain
    hexes: tuple[Hex, ...]
    neighbours: tuple[str, ...]


class Price(Plain, frozen=True):
    colour: Colour
    price: int


class Port(Plain, frozen=True):
    """`goods` is the colour that lies there, `buys` those that it takes, and what a cube earns."""

    id: str
    name: str
    goods: Colour
    land: str
    spaces: tuple[str, ...]
    buys: tuple[Price, ...]


class Beach(Plain, frozen=True):
    space: str
    value: int


class NavyStart(Plain, frozen=True):
    navy: Navy
    space: str


class Chart(Plain, frozen=True):
    """The board as printed."""

    places: tuple[Place, ...]
    ports: tuple[Port, ...]
    beaches: tuple[Beach, ...]
    lairs: tuple[str, ...]
    navy_starts: tuple[NavyStart, ...]


Steps = tuple[tuple[int, ...], ...]
"""The places that one step leads to, by place."""


@dataclass(frozen=True, slots=True, eq=False)
class Board:
    """A chart ready for play: places and ports stand by their numbers, a mask has one bit a place."""

    ids: tuple[str, ...]
    numbers: dict[str, int]
    sea: int
    """The spaces on which a ship can end: all but deep seas and land."""
    deep: int
    exits: Steps
    """What adjoins a place by sea, deep seas included: BF-18a."""
    steps: tuple[Steps, Steps, Steps, Steps]
    """Where a ship sails in one step: plainly, over islands, from lair to lair, both ways."""
    near: tuple[tuple[int, ...], ...]
    """What an attack of range 1 or 2 reaches from a place; a deep sea reaches itself: BF-46, BF-47."""
    spans: tuple[tuple[int, ...], ...]
    """What could be reached from a place in so many steps, were all ways open."""
    port_numbers: dict[str, int]
    port_ids: tuple[str, ...]
    port_spaces: Steps
    ports_at: Steps
    """The ports next to a place."""
    goods: tuple[int, ...]
    """The colour of each port."""
    home: tuple[int, ...]
    """The port of each colour."""
    prices: tuple[tuple[int, ...], ...]
    """What each port pays for a cube, by colour; 0 where it does not buy."""
    beaches: dict[int, int]
    lairs: tuple[int, ...]
    lair_mask: int
    deep_seas: tuple[int, ...]
    navy_starts: tuple[int, ...]


PLAIN, OVER_ISLANDS, BY_LAIRS = 0, 1, 2
"""The kinds of steps; the last two add up."""


def reached(board: Board, start: int, most: int, closed: int, steps: int) -> dict[int, int]:
    """Every place within so many steps, land included, and the one before it on a shortest way; nearest first.

    No way enters a place of `closed`. Before the start there is the start.
    """
    onward = board.steps[steps]
    before = {start: start}
    barred = bits(closed) if closed else ()
    edge = [start]
    for _ in range(most):
        beyond: list[int] = []
        for place in edge:
            for other in onward[place]:
                if other not in before and other not in barred:
                    before[other] = place
                    beyond.append(other)
        edge = beyond
    return before


def way(board: Board, before: dict[int, int], end: int) -> tuple[str, ...]:
    """The path to a place that was reached."""
    ids, path = board.ids, []
    while before[end] != end:
        path.append(ids[end])
        end = before[end]
    return tuple(path[::-1])


def compiled(chart: Chart) -> Board:
    """Raises InvalidEdition where the chart is not one of this game (BF-1, BF-2)."""
    _check(chart)
    ids = tuple(place.id for place in chart.places)
    numbers = {name: number for number, name in enumerate(ids)}
    kinds = [place.terrain for place in chart.places]
    around = [tuple(numbers[name] for name in place.neighbours) for place in chart.places]

    def among(*allowed: Terrain) -> Steps:
        return tuple(tuple(other for other in near if kinds[other] in allowed) for near in around)

    exits = among(Terrain.SEA, Terrain.DEEP_SEA)
    lairs = tuple(numbers[name] for name in chart.lairs)
    plain, wide = among(Terrain.SEA), among(Terrain.SEA, Terrain.ISLAND)
    steps = (plain, wide, _joined(plain, lairs), _joined(wide, lairs))
    deep = tuple(number for number, kind in enumerate(kinds) if kind is Terrain.DEEP_SEA)
    port_spaces = tuple(tuple(numbers[name] for name in port.spaces) for port in chart.ports)
    goods = tuple(COLOURS.index(port.goods) for port in chart.ports)
    starts = {start.navy: numbers[start.space] for start in chart.navy_starts}
    return Board(
        ids=ids,
        numbers=numbers,
        sea=mask(number for number, kind in enumerate(kinds) if kind is Terrain.SEA),
        deep=mask(deep),
        exits=exits,
        steps=steps,
        near=tuple(_within(exits, reach, deep) for reach in RANGES),
        spans=_spans(steps[-1]),
        port_numbers={port.id: number for number, port in enumerate(chart.ports)},
        port_ids=tuple(port.id for port in chart.ports),
        port_spaces=port_spaces,
        ports_at=tuple(
            tuple(port for port, spaces in enumerate(port_spaces) if place in spaces) for place in range(len(ids))
        ),
        goods=goods,
        home=tuple(goods.index(colour) for colour in range(len(COLOURS))),
        prices=tuple(
            tuple({price.colour: price.price for price in port.buys}.get(colour, 0) for colour in COLOURS)
            for port in chart.ports
        ),
        beaches={numbers[beach.space]: beach.value for beach in chart.beaches},
        lairs=lairs,
        lair_mask=mask(lairs),
        deep_seas=deep,
        navy_starts=tuple(starts[navy] for navy in NAVIES),
    )


def _joined(steps: Steps, lairs: tuple[int, ...]) -> Steps:
    """The same steps, and those from each lair to the others: they are BF-30's card's."""
    return tuple(
        (*near, *(lair for lair in lairs if lair != place and lair not in near)) if place in lairs else near
        for place, near in enumerate(steps)
    )


def _within(exits: Steps, reach: int, deep: tuple[int, ...]) -> tuple[int, ...]:
    found = []
    for place in range(len(exits)):
        edge, reached = {place}, {place}
        for _ in range(reach):
            edge = {other for one in edge for other in exits[one]} - reached
            reached |= edge
        found.append(mask(reached if place in deep else reached - {place}))
    return tuple(found)


def _spans(steps: Steps) -> tuple[tuple[int, ...], ...]:
    """The last of a place's spans holds all that can be reached from it."""
    found = []
    for place in range(len(steps)):
        reached, spans = {place}, [1 << place]
        edge = {place}
        while edge := {other for one in edge for other in steps[one]} - reached:
            reached |= edge
            spans.append(mask(reached))
        found.append(tuple(spans))
    return tuple(found)


def mask(members: Iterable[int]) -> int:
    """The mask with these bits."""
    result = 0
    for member in members:
        result |= 1 << member
    return result


def bits(mask: int) -> list[int]:
    """The members of a mask, ascending."""
    members = []
    while mask:
        low = mask & -mask
        members.append(low.bit_length() - 1)
        mask ^= low
    return members


def require(holds: bool, message: str) -> None:
    """Raises InvalidEdition unless it holds."""
    if not holds:
        raise InvalidEdition(message)


def _check(chart: Chart) -> None:
    places = {place.id: place for place in chart.places}
    require(len(places) == len(chart.places), "two places have the same id")
    require(len(places) <= MOST_PLACES, f"{len(places)} places, more than {MOST_PLACES}")
    for place in chart.places:
        require(len(set(place.neighbours)) == len(place.neighbours), f"{place.id} names a neighbour twice")
        for name in place.neighbours:
            require(name in places and name != place.id, f"{place.id} adjoins {name}, which is no other place")
            require(place.id in places[name].neighbours, f"{place.id} adjoins {name}, but not the other way round")
    sea = {place.id for place in chart.places if place.terrain is Terrain.SEA}
    _check_connected(places, sea)
    _check_deep_seas(chart, sea)
    _check_ports(chart, places, sea)
    spaces = [beach.space for beach in chart.beaches]
    require(set(spaces) <= sea and len(set(spaces)) == len(spaces), "beaches are different spaces of the sea")
    worth = [beach.value for beach in chart.beaches]
    require(all(1 <= value <= MOST_BURIED for value in worth), f"a beach is worth 1 to {MOST_BURIED}")
    require(len(set(chart.lairs)) == len(chart.lairs) == 2 and set(chart.lairs) <= sea, "two lairs lie at sea")
    starts = {start.navy: start.space for start in chart.navy_starts}
    require(len(chart.navy_starts) == len(starts) == len(NAVIES), "each navy ship has one start")
    require(
        len(set(starts.values())) == len(NAVIES) and set(starts.values()) <= sea, "the starts are two spaces at sea"
    )


def _check_connected(places: dict[str, Place], sea: set[str]) -> None:
    require(bool(sea), "there is no sea")
    first = next(name for name in places if name in sea)
    reached, edge = {first}, [first]
    while edge:
        beyond = {name for one in edge for name in places[one].neighbours if name in sea} - reached
        reached |= beyond
        edge = list(beyond)
    lost = sorted(sea - reached)
    require(not lost, f"no way by sea leads to {', '.join(lost[:3])}")


def _check_deep_seas(chart: Chart, sea: set[str]) -> None:
    deep = [place for place in chart.places if place.terrain is Terrain.DEEP_SEA]
    require(bool(deep), "there is no deep sea")
    for place in deep:
        require(bool(place.neighbours) and set(place.neighbours) <= sea, f"{place.id} adjoins spaces of the sea alone")


def _check_ports(chart: Chart, places: dict[str, Place], sea: set[str]) -> None:
    require(sorted(port.goods for port in chart.ports) == sorted(COLOURS), "there are five ports, one a colour")
    require(len({port.id for port in chart.ports}) == len(chart.ports), "two ports have the same id")
    spaces = [name for port in chart.ports for name in port.spaces]
    require(len(set(spaces)) == len(spaces), "a space is next to one port at most")
    for port in chart.ports:
        land = places.get(port.land)
        require(land is not None and land.terrain is Terrain.PORT, f"{port.id} lies on {port.land}, which is no port")
        require(len(port.spaces) == PORT_SPACES, f"{port.id} has {len(port.spaces)} spaces, not {PORT_SPACES}")
        require(set(port.spaces) <= sea, f"a space of {port.id} is not at sea")
        bought = [price.colour for price in port.buys]
        require(bool(bought) and len(set(bought)) == len(bought), f"{port.id} buys a colour twice, or none")
        require(port.goods not in bought, f"{port.id} buys its own goods")
        for price in port.buys:
            require(price.price in COST_OF_GOODS, f"{port.id} pays {price.price}, not 2 or 3")
