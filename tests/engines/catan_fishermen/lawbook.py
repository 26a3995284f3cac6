"""The moves that the printed rules allow in a ledger's match, worked out plainly; trade offers and discards apart."""

from collections import Counter
from itertools import combinations_with_replacement, product

from engines.catan_fishermen import moves as m
from engines.catan_fishermen.catalog import Cards, Resource
from engines.catan_fishermen.fish import Benefit
from tests.engines.catan_fishermen.ledger import (
    AT,
    CITY,
    DEVELOPMENT,
    HEXES,
    KINDS,
    PATHS,
    ROAD,
    SETTLEMENT,
    VERTICES,
    cards,
)


def moves(ledger, seat):
    """CA-8."""
    if ledger.outcome is not None or ledger.due:
        return set()
    if ledger.choosing is not None:
        return {m.KeepFish(face) for face in ledger.to_put_back()} if seat == ledger.choosing else set()
    if seat != ledger.seat:
        return answers(ledger, seat) if ledger.offer is not None and at_leisure(ledger) else set()
    return duties(ledger, seat) if not ledger.turn or not at_leisure(ledger) else choices(ledger, seat)


def at_leisure(ledger):
    return ledger.rolled and not ledger.robbing and not ledger.free_roads


def duties(ledger, seat):
    if not ledger.turn:
        if ledger.placed is None:
            return {m.PlaceSettlement(vertex) for vertex in VERTICES if ledger.is_free(vertex)}
        return {m.PlaceRoad(edge) for edge in AT[ledger.placed] if edge not in ledger.roads}
    if ledger.robbing:
        return robberies(ledger, seat)
    if ledger.free_roads:
        return {m.BuildRoad(edge) for edge in ledger.road_places(seat)}
    return {m.Roll()} | plays(ledger, seat) | ledger.boot_passes(seat)


def choices(ledger, seat):
    parts = plays, buildings, exchanges, closings, spendings
    return {m.EndTurn()}.union(*[part(ledger, seat) for part in parts]) | ledger.boot_passes(seat)


def buildings(ledger, seat):
    hand, (_, settlements, cities) = ledger.hands[seat], ledger.pieces_left(seat)
    found = set()
    if hand >= ROAD:
        found |= {m.BuildRoad(edge) for edge in ledger.road_places(seat)}
    if hand >= SETTLEMENT and settlements:
        own = {end for edge, owner in ledger.roads.items() if owner == seat for end in PATHS[edge]}
        found |= {m.BuildSettlement(vertex) for vertex in own if ledger.is_free(vertex)}
    if hand >= CITY and cities:
        found |= {m.BuildCity(vertex) for vertex, owner in ledger.settlements.items() if owner == seat}
    if hand >= DEVELOPMENT and ledger.pile.total():
        found.add(m.BuyDevelopment())
    return found


def plays(ledger, seat):
    """CA-18."""
    old = [card for card, count in ledger.developments[seat].items() if count > ledger.bought[card]]
    found = set()
    if ledger.played:
        return found
    if "knight" in old:
        found.add(m.PlayKnight())
    if "road_building" in old and ledger.road_places(seat):
        found.add(m.PlayRoadBuilding())
    if "year_of_plenty" in old and ledger.bank.total():
        wishes = combinations_with_replacement(KINDS, min(2, ledger.bank.total()))
        found |= {m.PlayYearOfPlenty(cards(Counter(wish))) for wish in wishes if Counter(wish) <= ledger.bank}
    if "monopoly" in old:
        found |= {m.PlayMonopoly(Resource(kind)) for kind in KINDS}
    return found


def exchanges(ledger, seat):
    """CA-16."""
    hand, rates = ledger.hands[seat], ledger.rates(seat)
    return {
        m.TradeBank(Resource(give), Resource(take))
        for give, take in product(KINDS, KINDS)
        if give != take and hand[give] >= rates[give] and ledger.bank[take]
    }


def spendings(ledger, seat):
    """CA-34, CA-35: every benefit with any tokens that reach its price."""
    found = set()
    ways = {
        Benefit.ROBBER: [()] if ledger.robber != ledger.home else [],
        Benefit.STEAL: [(other,) for other, hand in enumerate(ledger.hands) if other != seat and hand.total()],
        Benefit.RESOURCE: [(None, Resource(kind)) for kind in KINDS if ledger.bank[kind]],
        Benefit.ROAD: [()] if ledger.road_places(seat) else [],
        Benefit.DEVELOPMENT: [()] if ledger.pile.total() else [],
    }
    for (benefit, choices), price in zip(ways.items(), (2, 3, 4, 5, 7), strict=True):
        found |= {m.SpendFish(benefit, fish, *choice) for fish in ledger.payments(seat, price) for choice in choices}
    return found


def robberies(ledger, seat):
    """CA-12."""
    found = set()
    for at in range(19):
        there = {ledger.owner(corner) for corner in HEXES[at]} - {None, seat}
        victims = {victim for victim in there if ledger.hands[victim].total()}
        if at != ledger.robber:
            found |= {m.MoveRobber(at, victim) for victim in victims or {None}}
    return found


def closings(ledger, seat):
    if ledger.offer is None:
        return set()
    found = {m.CancelTrade()}
    for partner in range(ledger.seats):
        terms = ledger.agreed(partner)
        if terms is not None and terms[0] <= ledger.hands[seat] and terms[1] <= ledger.hands[partner]:
            found.add(m.ConfirmTrade(partner, *map(cards, terms)))
    return found


def answers(ledger, seat):
    answer = ledger.answers.get(seat)
    found = set() if answer is None else {m.CancelTrade()}
    if ledger.answered[seat] == 20:
        return found
    if answer != "declined":
        found.add(m.DeclineTrade())
    if answer != "accepted" and ledger.offer[1] <= ledger.hands[seat]:
        found.add(m.AcceptTrade(cards(ledger.offer[1]), cards(ledger.offer[0])))
    return found


def discards(ledger, seat):
    """CA-11: every half of the hand."""
    held = [range(ledger.hands[seat][kind] + 1) for kind in KINDS]
    return {m.Discard(Cards(*half)) for half in product(*held) if sum(half) == ledger.due.get(seat, -1)}
