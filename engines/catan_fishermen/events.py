"""What has happened, for ever: no field is renamed, retyped or reused."""

from engines.catan_fishermen.board import Piece
from engines.catan_fishermen.catalog import Cards, Development, Harbour, Resource, Terrain
from engines.catan_fishermen.fish import Benefit, Fish
from engines.catan_fishermen.state import Gain
from engines.core.outcome import Outcome
from engines.core.shapes import Plain, Tagged


class LandHex(Plain, frozen=True):
    """`number` is 0 where no token lies."""

    terrain: Terrain
    number: int


class HarbourPlace(Plain, frozen=True):
    """A harbour serves the two ends of its edge."""

    edge: int
    trades: Harbour


class Due(Plain, frozen=True):
    """So many cards that a seat has to discard, or that it handed over."""

    seat: int
    count: int


class Catch(Plain, frozen=True):
    """So many fish tokens, or fish of open piles, that a seat takes."""

    seat: int
    count: int


class BoardLaid(Tagged, frozen=True):
    """CA-5, CA-5a. Hexes by number, frame and harbours clockwise from the north-west; None: a robber off the board."""

    hexes: tuple[LandHex, ...]
    frame: tuple[Piece, ...]
    harbours: tuple[HarbourPlace, ...]
    robber: int | None = None


class SettlementPlaced(Tagged, frozen=True):
    """CA-6. The second settlement gains cards."""

    seat: int
    vertex: int
    gained: Cards


class RoadPlaced(Tagged, frozen=True):
    """CA-6. `next_seat` places the next pair, or has the first turn."""

    seat: int
    edge: int
    next_seat: int


class TurnBegun(Tagged, frozen=True):
    """CA-8. Turns count from 1."""

    seat: int
    turn: int


class DiceRolled(Tagged, frozen=True):
    """CA-9 to CA-11: what the roll paid, and after a 7 who has to discard."""

    seat: int
    first: int
    second: int
    gains: tuple[Gain, ...] = ()
    discards: tuple[Due, ...] = ()


class CardsDiscarded(Tagged, frozen=True):
    """CA-11."""

    seat: int
    cards: Cards


class RobberMoved(Tagged, frozen=True):
    """CA-12. `victim` is robbed next."""

    seat: int
    hex: int
    victim: int | None = None


class CardStolen(Tagged, frozen=True):
    """CA-12. `card` is told to the two concerned alone (CA-24)."""

    seat: int
    victim: int
    card: Resource | None = None


class RoadBuilt(Tagged, frozen=True):
    """CA-14. Nothing is paid for a free one (CA-18)."""

    seat: int
    edge: int
    paid: Cards


class SettlementBuilt(Tagged, frozen=True):
    """CA-15."""

    seat: int
    vertex: int
    paid: Cards


class CityBuilt(Tagged, frozen=True):
    """CA-13."""

    seat: int
    vertex: int
    paid: Cards


class DevelopmentBought(Tagged, frozen=True):
    """CA-19. `card` is told to the buyer alone (CA-24)."""

    seat: int
    paid: Cards
    card: Development | None = None


class KnightPlayed(Tagged, frozen=True):
    """CA-18."""

    seat: int


class RoadBuildingPlayed(Tagged, frozen=True):
    """CA-18. So many free roads are owed."""

    seat: int
    roads: int


class FreeRoadsLapsed(Tagged, frozen=True):
    """CA-18. No place or piece is left for the free road still owed."""

    seat: int


class YearOfPlentyPlayed(Tagged, frozen=True):
    """CA-18."""

    seat: int
    cards: Cards


class MonopolyPlayed(Tagged, frozen=True):
    """CA-18. Who handed over how many; those who had none are not named."""

    seat: int
    resource: Resource
    taken: tuple[Due, ...]


class BankTraded(Tagged, frozen=True):
    """CA-16."""

    seat: int
    give: Cards
    take: Cards


class TradeOffered(Tagged, frozen=True):
    """CA-17. All earlier answers are cleared."""

    seat: int
    give: Cards
    take: Cards


class TradeCountered(Tagged, frozen=True):
    """CA-17."""

    seat: int
    give: Cards
    take: Cards


class TradeAccepted(Tagged, frozen=True):
    """CA-17."""

    seat: int


class TradeDeclined(Tagged, frozen=True):
    """CA-17."""

    seat: int


class TradeCancelled(Tagged, frozen=True):
    """CA-17. The active player's offer with all answers, or another seat's answer."""

    seat: int


class TradeClosed(Tagged, frozen=True):
    """CA-17. What the active player `seat` gave to the partner and took."""

    seat: int
    partner: int
    give: Cards
    take: Cards


class LongestRoadMoved(Tagged, frozen=True):
    """CA-20. `holder` is None when the card is set aside."""

    holder: int | None = None


class LargestArmyMoved(Tagged, frozen=True):
    """CA-21."""

    holder: int


class GroundsLaid(Tagged, frozen=True):
    """CA-31. The numbers of the fishing grounds, clockwise from the north-west."""

    numbers: tuple[int, ...]


class FishDrawn(Tagged, frozen=True):
    """CA-32, CA-33. A token kept; `fish` is on it, told to its owner alone (CA-24)."""

    seat: int
    fish: int | None = None


class BootDrawn(Tagged, frozen=True):
    """CA-41. In place of a fish token."""

    seat: int


class FishSeen(Tagged, frozen=True):
    """CA-37. A token beyond the limit: the seat puts one back; who waits draws after it. `fish` as in `FishDrawn`."""

    seat: int
    waiting: tuple[Catch, ...]
    fish: int | None = None


class FishReturned(Tagged, frozen=True):
    """CA-37. The token with so many fish is in the supply again, told to the seat alone."""

    seat: int
    fish: int | None = None


class FishShuffled(Tagged, frozen=True):
    """CA-40. The tokens spent are the supply."""


class FishCaught(Tagged, frozen=True):
    """CA-61, CA-62. What seats took of the open piles, in turn."""

    catches: tuple[Catch, ...]


class FishSpent(Tagged, frozen=True):
    """CA-34. For a road, which is then owed; for all else what comes next. Of open piles single fish were paid."""

    seat: int
    benefit: Benefit
    tokens: Fish


class RobberSentHome(Tagged, frozen=True):
    """CA-34, CA-51. To the desert; None: off the board."""

    seat: int
    hex: int | None = None


class CardTaken(Tagged, frozen=True):
    """CA-34. From the bank."""

    seat: int
    resource: Resource


class BootPassed(Tagged, frozen=True):
    """CA-41."""

    seat: int
    receiver: int


class GameEnded(Tagged, frozen=True):
    """CA-22. Holds the result as it was scored."""

    outcome: Outcome


Event = (
    BoardLaid
    | SettlementPlaced
    | RoadPlaced
    | TurnBegun
    | DiceRolled
    | CardsDiscarded
    | RobberMoved
    | CardStolen
    | RoadBuilt
    | SettlementBuilt
    | CityBuilt
    | DevelopmentBought
    | KnightPlayed
    | RoadBuildingPlayed
    | FreeRoadsLapsed
    | YearOfPlentyPlayed
    | MonopolyPlayed
    | BankTraded
    | TradeOffered
    | TradeCountered
    | TradeAccepted
    | TradeDeclined
    | TradeCancelled
    | TradeClosed
    | LongestRoadMoved
    | LargestArmyMoved
    | GameEnded
    | GroundsLaid
    | FishDrawn
    | BootDrawn
    | FishSeen
    | FishReturned
    | FishShuffled
    | FishCaught
    | FishSpent
    | RobberSentHome
    | CardTaken
    | BootPassed
)
