"""A view, read from the place of the seat to move: where the ships are, and what each could earn."""

from functools import cached_property

from engines.black_fleet.board import Colour
from engines.black_fleet.catalog.kinds import EffectKind, ShipKind
from engines.black_fleet.policy.sea import FAR, Sea, sea_of
from engines.black_fleet.state import Ship
from engines.black_fleet.view import Command, ShipView, View

PRIZE = 2
A_TURN = 4
"""About the steps of a turn."""


def kind_of(ship: Ship) -> ShipKind:
    return ShipKind(ship.split("_")[0])


class Table:
    def __init__(self, view: View, seat: int) -> None:
        self.view, self.seat = view, seat
        self.sea: Sea = sea_of(view.chart)
        self.ships = {one.ship: one for one in view.ships}
        self.merchant, self.pirate = Ship(f"merchant_{seat}"), Ship(f"pirate_{seat}")
        self.player = view.players[seat]
        self.taken = {one.space for one in view.ships}
        self.commands: dict[Ship, Command] = {command.ship: command for command in view.commands}

    @property
    def own(self) -> tuple[Ship, Ship]:
        return self.merchant, self.pirate

    @cached_property
    def merchants(self) -> list[ShipView]:
        """The others' that carry something."""
        return [one for one in self.ships.values() if one.cubes and self._enemy(one, ShipKind.MERCHANT)]

    @cached_property
    def pirates(self) -> list[ShipView]:
        return [one for one in self.ships.values() if self._enemy(one, ShipKind.PIRATE)]

    def _enemy(self, one: ShipView, kind: ShipKind) -> bool:
        return kind_of(one.ship) is kind and one.ship not in self.own

    def space(self, ship: Ship) -> str:
        """Where a ship on the board is."""
        return self.ships[ship].space

    def earnings(self, ship: Ship, *, acted: bool = False) -> dict[str, float]:
        """What a ship would earn on each space, if it acted there; where it has acted, what it will."""
        kind = kind_of(ship)
        if kind is ShipKind.NAVY:
            return {} if acted else self._hunting()
        if kind is ShipKind.MERCHANT:
            return self._selling()
        return self._pirating(acted=acted)

    def _selling(self) -> dict[str, float]:
        own = self.ships[self.merchant]
        if own.colour is None:
            cubes = {one.port: one.cubes for one in self.view.cubes}
            return {space: 1.0 for space, port in self.sea.port_at.items() if cubes[port.id]}
        prices = self.sea.buyers(own.colour)
        if self._unlisted:
            others = (port.id for port in self.sea.ports.values() if port.goods is not own.colour)
            prices = dict.fromkeys(others, self._unlisted) | prices
        return {
            space: float(own.cubes * price) for port, price in prices.items() for space in self.sea.ports[port].spaces
        }

    @cached_property
    def _unlisted(self) -> int:
        """What a card of the hand earns a cube at ports that do not buy it; 0 without one."""
        hand = self.player.own.fortune if self.player.own else ()
        found = (one.amount for card in hand for one in card.benefits if one.effect is EffectKind.SELL_UNLISTED)
        return next(found, 0)

    def _pirating(self, *, acted: bool) -> dict[str, float]:
        own = self.ships.get(self.pirate)
        if own is not None and own.cubes:
            return {space: float(value) for space, value in self.sea.beaches.items()}
        if acted:
            return {}
        return {space: float(PRIZE + 1) for one in self.merchants for space in self.sea.beside(one.space)}

    def _hunting(self) -> dict[str, float]:
        found: dict[str, float] = {}
        for one in self.pirates:
            for space in self.sea.beside(one.space):
                found[space] = max(found.get(space, 0.0), float(PRIZE + one.cubes))
        return found

    def worth(
        self, start: str, steps: int, earnings: dict[str, float], *, crossing: bool = False, free: str = ""
    ) -> float:
        """The best that a ship there can hope for with so many steps now: what it earns, the less the later.

        `free` is a space that will be free of a ship.
        """
        far = self.sea.steps_from(start, crossing=crossing)
        best = 0.0
        for space, earned in earnings.items():
            distance = far.get(space, FAR)
            if space in self.taken and space not in (start, free):
                continue
            late = max(0, distance - steps)
            best = max(best, earned / (1 + late / A_TURN) - 0.01 * distance)
        return best


def port_value(table: Table, port: str, colour: Colour) -> float:
    """What three cubes loaded at the port may earn a turn, at the best port that buys them."""
    sea = table.sea
    spaces = sea.ports[port].spaces
    best = 0.0
    for buyer, price in sea.buyers(colour).items():
        distance = min(sea.steps(space, sea.ports[buyer].spaces) for space in spaces)
        best = max(best, 3 * price / (1 + distance / A_TURN))
    return best
