"""What a seat may strive for, in points."""

from engines.catan_fishermen.catalog import CITY, DEVELOPMENT, ROAD, SETTLEMENT, Development
from engines.catan_fishermen.moves import BuildCity, BuildRoad, BuildSettlement, BuyDevelopment
from engines.catan_fishermen.policy import sites
from engines.catan_fishermen.policy.outlook import Goal, Outlook
from engines.catan_fishermen.policy.table import Table
from engines.catan_fishermen.scoring import LEAST_ARMY, LEAST_ROAD
from engines.catan_fishermen.state import CARD_POINTS

ROUNDS_A_POINT, LAST_ROUNDS = 1.6, 1.0
"""How long an income serves: until the leader has the points that are missing."""
WIN = 20.0
"""The last point is worth all others."""
TAKEN = 0.9
"""How likely a site is still free a road later."""
ROAD_PRICE, SETTLEMENT_PRICE = ROAD.counts(), SETTLEMENT.counts()
CITY_PRICE, DEVELOPMENT_PRICE = CITY.counts(), DEVELOPMENT.counts()
DEVELOPMENT_VALUE = 0.45
POINT_SHARE, KNIGHT_SHARE = 0.2, 0.56
"""CA-3: of the development cards."""
HOLDER_LOSES = 1.3
"""A card taken from another seat is worth more than its points."""


def outlook(table: Table) -> Outlook:
    """The seat's goals as the board lies, and its income while the robber is where he is."""
    goals = (*buildings(table), *developments(table), *longest_road(table))
    return Outlook(goals, tuple(table.pips(robbed=True)), table.rates, table.seats)


def worth_of(table: Table, points: int) -> float:
    """The points, and the victory if they bring it."""
    return points + WIN if points >= table.missing else points


def buildings(table: Table) -> list[Goal]:
    """A point each, and what they pay until the end."""
    player, point = table.player, worth_of(table, 1)
    most = max(player.points for player in table.view.players)
    left = LAST_ROUNDS + ROUNDS_A_POINT * max(table.view.options.victory_points - most, 0)
    goals = []
    if player.cities_left:
        for gain, site in sites.cities(table.place):
            goals.append(Goal(BuildCity(site.vertex), CITY_PRICE, CITY_PRICE, point + left * gain))
    if player.settlements_left:
        for gain, site in sites.settlements(table.place):
            if site.roads <= player.roads_left:
                goals.append(settlement(site, point + left * gain))
    return goals


def settlement(site: sites.Site, value: float) -> Goal:
    if not site.roads:
        return Goal(BuildSettlement(site.vertex), SETTLEMENT_PRICE, SETTLEMENT_PRICE, value)
    price = tuple(site.roads * road + rest for road, rest in zip(ROAD_PRICE, SETTLEMENT_PRICE, strict=True))
    return Goal(BuildRoad(site.edge), ROAD_PRICE, price, value * TAKEN**site.roads)


def developments(table: Table) -> list[Goal]:
    if not table.view.pile:
        return []
    value = DEVELOPMENT_VALUE + POINT_SHARE * (worth_of(table, 1) - 1)
    if table.view.largest_army != table.seat:
        value += KNIGHT_SHARE * CARD_POINTS / (2 + max(knights_to_army(table), 0))
    return [Goal(BuyDevelopment(), DEVELOPMENT_PRICE, DEVELOPMENT_PRICE, value)]


def knights_to_army(table: Table) -> int:
    """How many knights more the seat has to have, those in its hand counted (CA-21)."""
    most = max(player.knights for player in table.others)
    return max(LEAST_ARMY, most + 1) - table.player.knights - knights_held(table)


def knights_held(table: Table) -> int:
    own = table.player.own
    return sum(card.card is Development.KNIGHT for card in own.developments) if own else 0


def longest_road(table: Table) -> list[Goal]:
    """The card, if it is a few roads away (CA-20)."""
    holder, player = table.view.longest_road, table.player
    needed = max(LEAST_ROAD, *(other.road_length + 1 for other in table.others))
    if holder == table.seat or needed - player.road_length > min(sites.FAR, player.roads_left):
        return []
    edges = sites.extension(table.place, needed)
    if not 0 < len(edges) <= player.roads_left:
        return []
    value = worth_of(table, CARD_POINTS) * (1.0 if holder is None else HOLDER_LOSES)
    price = tuple(len(edges) * road for road in ROAD_PRICE)
    return [Goal(BuildRoad(edges[0]), ROAD_PRICE, price, value * TAKEN ** (len(edges) - 1))]
