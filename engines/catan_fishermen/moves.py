"""What a player may ask for."""

from engines.catan_fishermen.catalog import Cards, Resource
from engines.catan_fishermen.fish import Benefit, Fish
from engines.core.shapes import Tagged


class PlaceSettlement(Tagged, frozen=True):
    """In set-up (CA-6)."""

    vertex: int


class PlaceRoad(Tagged, frozen=True):
    """In set-up, at the settlement placed last (CA-6)."""

    edge: int


class Roll(Tagged, frozen=True):
    """Roll the dice (CA-8)."""


class Discard(Tagged, frozen=True):
    """Half of a hand of more than seven, after a 7 (CA-11)."""

    cards: Cards


class MoveRobber(Tagged, frozen=True):
    """To another hex; `victim` is named if an opponent with cards has a building there (CA-12)."""

    hex: int
    victim: int | None = None


class BuildRoad(Tagged, frozen=True):
    """Also a free one, while one is owed (CA-14, CA-18)."""

    edge: int


class BuildSettlement(Tagged, frozen=True):
    """CA-15."""

    vertex: int


class BuildCity(Tagged, frozen=True):
    """In place of a settlement of one's own (CA-13)."""

    vertex: int


class BuyDevelopment(Tagged, frozen=True):
    """CA-19."""


class PlayKnight(Tagged, frozen=True):
    """CA-18; then the robber is to be moved."""


class PlayRoadBuilding(Tagged, frozen=True):
    """CA-18; then up to two roads are to be built."""


class PlayYearOfPlenty(Tagged, frozen=True):
    """CA-18: two cards of the bank, one if it holds no more."""

    cards: Cards


class PlayMonopoly(Tagged, frozen=True):
    """CA-18."""

    resource: Resource


class TradeBank(Tagged, frozen=True):
    """One card `take` for as many `give` as the player's best rate asks (CA-16)."""

    give: Resource
    take: Resource


class OfferTrade(Tagged, frozen=True):
    """The active player's offer to all others (CA-17): what the player gives and takes."""

    give: Cards
    take: Cards


class CounterOffer(Tagged, frozen=True):
    """An answer to the open offer (CA-17): what the answering player gives and takes."""

    give: Cards
    take: Cards


class AcceptTrade(Tagged, frozen=True):
    """An answer to the open offer (CA-17); terms: what the answering player gives and takes."""

    give: Cards
    take: Cards


class DeclineTrade(Tagged, frozen=True):
    """An answer to the open offer (CA-17)."""


class ConfirmTrade(Tagged, frozen=True):
    """Closes the partner's acceptance or counter-offer (CA-17); terms: what the active player gives and takes."""

    partner: int
    give: Cards
    take: Cards


class CancelTrade(Tagged, frozen=True):
    """Withdraws one's own offer or answer (CA-17)."""


class SpendFish(Tagged, frozen=True):
    """CA-34. Tokens of one's own, none of open piles (CA-62); whom to rob or what to take, if that is the benefit."""

    benefit: Benefit
    tokens: Fish = Fish()
    victim: int | None = None
    resource: Resource | None = None


class KeepFish(Tagged, frozen=True):
    """CA-37. Of the tokens held and the one seen, one with so many fish goes back."""

    back: int


class PassBoot(Tagged, frozen=True):
    """CA-41. To a seat with at least as many points that everyone sees."""

    seat: int


class EndTurn(Tagged, frozen=True):
    """CA-8."""


Move = (
    PlaceSettlement
    | PlaceRoad
    | Roll
    | Discard
    | MoveRobber
    | BuildRoad
    | BuildSettlement
    | BuildCity
    | BuyDevelopment
    | PlayKnight
    | PlayRoadBuilding
    | PlayYearOfPlenty
    | PlayMonopoly
    | TradeBank
    | OfferTrade
    | CounterOffer
    | AcceptTrade
    | DeclineTrade
    | ConfirmTrade
    | CancelTrade
    | EndTurn
    | SpendFish
    | KeepFish
    | PassBoot
)
