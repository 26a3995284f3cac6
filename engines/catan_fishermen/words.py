"""What happened, in words: the catalogues are in messages/."""

from engines.catan_fishermen.catalog import Cards
from engines.catan_fishermen.events import DiceRolled
from engines.catan_fishermen.fish import Fish
from engines.core.words import Sentence, Teller, Telling


def _dice_rolled(telling: Telling, event: DiceRolled) -> Sentence:
    return telling.phrase(event, total=event.first + event.second)


tell = Teller(
    places=("seat", "next_seat", "victim", "partner", "holder", "receiver"),
    counts=(Cards, Fish),
    untold=("hexes", "frame", "harbours", "waiting"),
    special={DiceRolled: _dice_rolled},
)
