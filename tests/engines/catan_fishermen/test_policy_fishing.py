"""The greedy player with fish, in small positions and against random ones."""

import msgspec
import pytest

from engines.catan_fishermen import ENGINE
from engines.catan_fishermen.catalog import Cards, Resource
from engines.catan_fishermen.events import (
    BootDrawn,
    Catch,
    FishCaught,
    FishSeen,
    RoadPlaced,
    RobberMoved,
    SettlementPlaced,
)
from engines.catan_fishermen.fish import Benefit, Fish, Fishermen
from engines.catan_fishermen.moves import BuildCity, EndTurn, KeepFish, PassBoot, Roll, SpendFish
from engines.catan_fishermen.policy import choose
from engines.catan_fishermen.policy.table import Table
from engines.core import games
from engines.core.chance import SeededChance
from services.bots.players import seat_players
from services.cli.selfplay import BareTable, Setting, play, secret_of
from tests.engines.catan_fishermen.scenario import (
    GROUNDS,
    LAID,
    cards,
    city,
    edge,
    fish,
    fishing,
    given,
    roads,
    rolled,
    rolling,
    settled,
)

HOMES = [settled(0, 18, 40), roads(0, 18, 24), roads(0, 40, 44), settled(1, 12, 41), settled(2, 34, 6)]


def chosen(position, seat=0, **changes):
    view = msgspec.structs.replace(ENGINE.view(position.state, seat), **changes)
    return choose(view, tuple(ENGINE.legal_moves(position.state, seat)), SeededChance(5))


def test_it_takes_the_card_that_completes_a_city():
    position = fishing(*HOMES, cards(0, ore=2, grain=2), fish(0, two=2), RobberMoved(1, 17))
    move = chosen(position)
    assert move == SpendFish(Benefit.RESOURCE, Fish(two=2), resource=Resource.ORE)
    position.when(0, move).play()
    assert isinstance(chosen(position), BuildCity)


def test_it_pays_with_the_tokens_that_lose_fewest_fish():
    position = fishing(*HOMES, cards(0, ore=2, grain=2), fish(0, one=1, two=1, three=2))
    assert chosen(position).tokens == Fish(one=1, three=1)


def test_it_sends_the_robber_away_from_its_own_hexes():
    elsewhere = fishing(*HOMES, fish(0, two=1), RobberMoved(1, 7))
    assert not isinstance(chosen(elsewhere), SpendFish)
    blocked = fishing(*HOMES, fish(0, two=1), RobberMoved(1, 4))
    assert chosen(blocked) == SpendFish(Benefit.ROBBER, Fish(two=1))


def test_it_takes_a_card_from_who_is_known_to_hold_what_it_needs():
    position = fishing(*HOMES, cards(0, ore=2, grain=2), cards(1, ore=3), cards(2, wool=3), fish(0, three=1))
    assert chosen(position) == SpendFish(Benefit.STEAL, Fish(three=1), victim=1)


def test_it_builds_the_road_that_it_wants():
    position = fishing(*HOMES, cards(0, wool=1, grain=1, brick=1, lumber=1), fish(0, two=1, three=1))
    assert chosen(position) == SpendFish(Benefit.ROAD, Fish(two=1, three=1))


def test_where_no_road_and_no_card_is_wanted_it_keeps_its_fish():
    position = fishing(*HOMES, fish(0, two=2, three=1))
    spent = [
        msgspec.structs.replace(player, roads_left=0, settlements_left=0, cities_left=0)
        for player in ENGINE.view(position.state, 0).players
    ]
    assert chosen(position, pile=0, players=tuple(spent)) == EndTurn()


def test_with_nothing_else_in_sight_it_buys_a_development_card():
    position = fishing(*HOMES, fish(0, two=2, three=1))
    assert chosen(position) == SpendFish(Benefit.DEVELOPMENT, Fish(two=2, three=1))


def test_it_saves_the_fish_that_bring_little():
    position = fishing(*HOMES, cards(1, wool=1), fish(0, three=1))
    assert not isinstance(chosen(position), SpendFish)


def test_of_open_piles_it_pays_without_tokens():
    position = fishing(*HOMES, cards(0, ore=2, grain=2), FishCaught((Catch(0, 4),)), form=Fishermen.NO_SHIPS)
    assert chosen(position) == SpendFish(Benefit.RESOURCE, Fish(), resource=Resource.ORE)


def test_it_puts_the_token_with_fewest_fish_back():
    position = fishing(*HOMES, fish(0, one=1, two=6), begin=rolling)
    for event in (rolled(4), FishSeen(0, (), 3)):
        ENGINE.evolve(position.state, event)
    assert chosen(position) == KeepFish(1)


@pytest.mark.parametrize("begin", [rolling, None])
def test_it_passes_the_boot_to_the_leader(begin):
    begin = {"begin": begin} if begin else {}
    position = fishing(*HOMES, city(2, 0), city(1, 51, 53), BootDrawn(0), **begin)
    assert chosen(position) == PassBoot(1)


def test_it_keeps_the_boot_that_it_cannot_pass():
    position = fishing(*HOMES, city(0, 0), BootDrawn(0), begin=rolling)
    assert chosen(position) == Roll()


def test_it_knows_that_the_boot_costs_a_point():
    with_boot = fishing(*HOMES, BootDrawn(0), victory_points=3)
    without = fishing(*HOMES, victory_points=3)
    assert [Table(ENGINE.view(one.state, 0), 0).missing for one in (with_boot, without)] == [2, 1]


SECOND = [
    [SettlementPlaced(0, 40, Cards()), RoadPlaced(0, edge(40, 44), 1)],
    [SettlementPlaced(1, 30, Cards()), RoadPlaced(1, edge(30, 36), 1)],
    [SettlementPlaced(1, 34, Cards()), RoadPlaced(1, edge(34, 39), 0)],
]


def test_it_begins_where_fish_are_caught_rather_than_on_a_coast_without():
    position = given(LAID, GROUNDS, SECOND, fishermen=Fishermen.SPIELBOX, seats=2)
    view = ENGINE.view(position.state, 0)
    dry = msgspec.structs.replace(view, waters=())
    values = [Table(one, 0).land.fish.get(1, 0) for one in (view, dry)]
    assert values[0] > values[1] == 0


@pytest.mark.parametrize("form", [Fishermen.LAKE, Fishermen.NO_SHIPS])
def test_it_beats_three_random_players_with_fish(form):
    for number in range(1, 4):
        bots = tuple("greedy" if seat == number % 4 else "random" for seat in range(4))
        options = ENGINE.Options(fishermen=form)
        setting = Setting("catan_fishermen", options, 4, games.edition("catan_fishermen"), bots, 1, 1000)
        table = BareTable(ENGINE, setting, secret_of(setting, number))
        outcome = play(ENGINE, table, seat_players(ENGINE, bots, 4), setting, number).outcome
        assert outcome.ranking[0].seat == number % 4
