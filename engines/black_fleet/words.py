"""What happened, in words: the catalogues are in messages/."""

from engines.black_fleet.state import Ship
from engines.core.words import Place, Sentence, Teller, Telling, name_of, titled


def _card(telling: Telling, card: str) -> Sentence:
    """A card with a name by its name, one of movement by its values."""
    catalog = telling.catalog
    if card in catalog.fortune_numbers:
        return titled("fortune", catalog.fortune[catalog.fortune_numbers[card]].name)
    if card in catalog.development_numbers:
        return titled("development", catalog.developments[catalog.development_numbers[card]].name)
    row = catalog.movement[catalog.movement_numbers[card]]
    values = {"navy": row.navy_value, "pirate": row.pirate_value, "merchant": row.merchant_value}
    return Sentence("movement_card", values)


def _port(telling: Telling, port: str) -> Sentence:
    return titled("port", next(row.name for row in telling.catalog.chart.ports if row.id == port))


def _ship(_: Telling, ship: Ship) -> Sentence:
    kind, owner = ship.split("_")
    if owner.isdecimal():
        return Sentence(f"ship.{kind}", {"seat": Place(int(owner))})
    return name_of("ship", ship)


tell = Teller(
    things={"card": _card, "cards": _card, "port": _port},
    untold=("spent",),
    special={Ship: _ship},
)
