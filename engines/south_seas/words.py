"""What happened, in words: the catalogues are in messages/."""

from engines.core.words import Sentence, Teller, Telling
from engines.south_seas.catalog import Wares


def _ship(telling: Telling, ship: str) -> Sentence:
    row = telling.catalog.ships[telling.catalog.ship_numbers[ship]]
    return Sentence("ship", {"id": ship, "points": row.points})


tell = Teller(things={"ship": _ship, "ships": _ship}, counts=(Wares,), untold=("returned",))
