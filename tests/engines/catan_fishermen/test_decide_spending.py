"""What fish pay for."""

import pytest

from engines.catan_fishermen import ENGINE
from engines.catan_fishermen.catalog import NOTHING, Cards, Development, Resource
from engines.catan_fishermen.events import (
    CardStolen,
    CardTaken,
    Catch,
    DevelopmentBought,
    FishCaught,
    FishSpent,
    GameEnded,
    LongestRoadMoved,
    RoadBuilt,
    RobberMoved,
    RobberSentHome,
    TurnBegun,
)
from engines.catan_fishermen.fish import Benefit, Fish, Fishermen
from engines.catan_fishermen.moves import (
    BuildRoad,
    Discard,
    EndTurn,
    MoveRobber,
    OfferTrade,
    PassBoot,
    PlayKnight,
    PlayMonopoly,
    Roll,
    SpendFish,
)
from engines.catan_fishermen.state import EMPTY, Gain, Phase
from engines.core.chance import SeededChance
from tests.engines.catan_fishermen.scenario import (
    cards,
    development,
    edge,
    fish,
    fishing,
    pips,
    roads,
    robbing,
    rolled,
    rolling,
    settled,
)
from tests.rules import rule

ROBBER, STEAL, RESOURCE, ROAD, DEVELOPMENT = Benefit
SPIELBOX, LAKE, NO_SHIPS = Fishermen.SPIELBOX, Fishermen.LAKE, Fishermen.NO_SHIPS
DESERT_HEX, HILLS_6 = 9, 4
PILE = [
    *[Development.KNIGHT] * 14,
    *[Development.ROAD_BUILDING, Development.YEAR_OF_PLENTY, Development.MONOPOLY] * 2,
    *[Development.VICTORY_POINT] * 5,
]


def robber(**tokens):
    return SpendFish(ROBBER, Fish(**tokens))


def steal(victim, **tokens):
    return SpendFish(STEAL, Fish(**tokens), victim=victim)


def resource(kind=Resource.ORE, **tokens):
    return SpendFish(RESOURCE, Fish(**tokens), resource=kind)


def road(**tokens):
    return SpendFish(ROAD, Fish(**tokens))


def bought(**tokens):
    return SpendFish(DEVELOPMENT, Fish(**tokens))


def held(position, seat=0):
    return position.state.tokens(seat)


AWAY = RobberMoved(2, HILLS_6)
"""The robber is not in the desert."""


class TestBenefits:
    """CA-34."""

    @rule("CA-34")
    def test_two_fish_send_the_robber_back_to_the_desert_and_nobody_is_robbed(self):
        position = fishing(settled(1, 18), cards(1, ore=2), AWAY, fish(0, two=1))
        position.when(0, robber(two=1)).then(FishSpent(0, ROBBER, Fish(two=1)), RobberSentHome(0, DESERT_HEX))
        assert (position.state.robber, position.hand(1)) == (DESERT_HEX, Cards(ore=2))
        assert position.state.phase is Phase.TRADING_AND_BUILDING
        assert (held(position), position.state.fish_spent) == ((0, 0, 0), (0, 1, 0))

    @rule("CA-9", "CA-34")
    def test_the_hex_that_the_robber_has_left_pays_again(self):
        position = fishing(settled(1, 12), AWAY, fish(0, two=1))
        position.when(0, robber(two=1)).play()
        position.when(0, EndTurn()).play()
        position.when(1, Roll(), dice=pips(6)).then(rolled(6, [Gain(1, Cards(brick=1))], seat=1))

    @rule("CA-34")
    def test_three_fish_take_a_card_drawn_from_any_other_hand(self):
        position = fishing(cards(2, brick=1, wool=2), fish(0, three=1))
        position.when(0, steal(2, three=1), stolen=1).then(
            FishSpent(0, STEAL, Fish(three=1)), CardStolen(0, 2, Resource.WOOL)
        )
        assert (position.hand(0), position.state.hand(2)) == (Cards(wool=1), bytearray([1, 0, 1, 0, 0]))

    @rule("CA-34")
    def test_three_fish_take_the_only_card_of_a_hand(self):
        position = fishing(cards(1, grain=1), fish(0, three=2))
        position.when(0, steal(1, three=1)).then(FishSpent(0, STEAL, Fish(three=1)), CardStolen(0, 1, Resource.GRAIN))
        position.when(0, steal(1, three=1)).refuses("CA-34")

    @rule("CA-34")
    @pytest.mark.parametrize("victim", [None, -1, 0, 2, 3, 255, 2**53 - 1, -(2**53 - 1)])
    def test_a_card_is_taken_from_another_player_who_has_one(self, victim):
        position = fishing(cards(0, ore=1), cards(1, ore=1), fish(0, three=1))
        position.when(0, steal(victim, three=1)).refuses("CA-34")

    @rule("CA-34")
    @pytest.mark.parametrize("kind", list(Resource))
    def test_four_fish_take_any_card_of_the_bank(self, kind):
        position = fishing(fish(0, two=2))
        position.when(0, resource(kind, two=2)).then(FishSpent(0, RESOURCE, Fish(two=2)), CardTaken(0, kind))
        assert position.hand(0).total() == 1
        assert position.bank().total() == 94

    @rule("CA-34")
    def test_four_fish_take_nothing_that_the_bank_has_not(self):
        position = fishing(cards(1, ore=19), fish(0, two=2))
        position.when(0, resource(Resource.ORE, two=2)).refuses("CA-34")
        position.when(0, resource(Resource.WOOL, two=2)).play()
        empty = fishing(cards(1, brick=19, lumber=19, wool=19, grain=19, ore=19), fish(0, two=2))
        for kind in Resource:
            empty.when(0, resource(kind, two=2)).refuses("CA-34")

    @rule("CA-34")
    def test_five_fish_build_a_road_at_once(self):
        position = fishing(settled(0, 18), fish(0, two=1, three=1))
        position.when(0, road(two=1, three=1)).then(FishSpent(0, ROAD, Fish(two=1, three=1)))
        position.when(0, EndTurn()).refuses("CA-8")
        assert [move.edge for move in ENGINE.legal_moves(position.state, 0)] == sorted(
            edge(18, end) for end in (13, 23, 24)
        )
        position.when(0, BuildRoad(edge(18, 24))).then(RoadBuilt(0, edge(18, 24), NOTHING))
        assert position.state.phase is Phase.TRADING_AND_BUILDING
        position.when(0, BuildRoad(edge(19, 24))).refuses("CA-13")

    @rule("CA-14", "CA-34")
    def test_the_road_for_fish_lies_where_any_road_may(self):
        position = fishing(settled(0, 18), fish(0, two=1, three=1))
        position.when(0, road(two=1, three=1)).play()
        position.when(0, BuildRoad(edge(40, 44))).refuses("CA-14")

    @rule("CA-34")
    def test_five_fish_build_no_road_without_a_place_or_a_piece(self):
        nowhere = fishing(settled(0, 0), roads(1, 3, 0, 4), fish(0, two=1, three=1))
        nowhere.when(0, road(two=1, three=1)).refuses("CA-34")
        fifteen = roads(0, 21, 16, 22, 17, 23, 18, 24, 19, 25, 20, 26, 32, 37, 31, 36, 30)
        no_piece = fishing(fifteen, fish(0, two=1, three=1))
        no_piece.when(0, road(two=1, three=1)).refuses("CA-34")
        assert held(no_piece) == (0, 1, 1)

    @rule("CA-20", "CA-22", "CA-34")
    def test_the_road_for_fish_can_win(self):
        position = fishing(settled(0, 18), roads(0, 18, 24, 19, 25, 20), fish(0, two=1, three=1), victory_points=3)
        position.when(0, road(two=1, three=1)).play()
        events = position.when(0, BuildRoad(edge(15, 20))).play()
        assert [type(event) for event in events] == [RoadBuilt, LongestRoadMoved, GameEnded]
        assert position.state.free_roads == 0

    @rule("CA-34", "CA-43")
    def test_seven_fish_buy_a_development_card(self):
        position = fishing(fish(0, two=2, three=1))
        position.when(0, bought(two=2, three=1), development=14).then(
            FishSpent(0, DEVELOPMENT, Fish(two=2, three=1)),
            DevelopmentBought(0, NOTHING, Development.ROAD_BUILDING),
        )
        assert position.of_each("developments") == [1, 0, 0]

    @rule("CA-43")
    def test_seven_fish_buy_nothing_of_an_empty_pile(self):
        position = fishing(development(1, *PILE), fish(0, two=2, three=1))
        position.when(0, bought(two=2, three=1)).refuses("CA-19")

    @rule("CA-43")
    def test_a_card_bought_with_fish_is_not_played_that_turn(self):
        position = fishing(fish(0, two=2, three=1))
        position.when(0, bought(two=2, three=1), development=0).play()
        position.when(0, PlayKnight()).refuses("CA-18")
        for event in (TurnBegun(1, 2), TurnBegun(2, 3), TurnBegun(0, 4)):
            ENGINE.evolve(position.state, event)
        position.when(0, PlayKnight()).play()

    @rule("CA-22", "CA-43")
    def test_a_victory_point_bought_with_fish_wins_at_once(self):
        position = fishing(settled(0, 8, 40), fish(0, two=2, three=1), victory_points=3)
        events = position.when(0, bought(two=2, three=1), development=24).play()
        assert [type(event) for event in events] == [FishSpent, DevelopmentBought, GameEnded]

    @rule("CA-44")
    def test_the_robber_in_the_desert_is_not_sent_there(self):
        fishing(fish(0, two=1)).when(0, robber(two=1)).refuses("CA-44")
        fishing(AWAY, RobberMoved(1, DESERT_HEX), fish(0, two=1)).when(0, robber(two=1)).refuses("CA-44")

    @rule("CA-34")
    @pytest.mark.parametrize(
        "move",
        [
            SpendFish(ROBBER, Fish(three=3), victim=1),
            SpendFish(ROBBER, Fish(three=3), resource=Resource.ORE),
            SpendFish(STEAL, Fish(three=3)),
            SpendFish(STEAL, Fish(three=3), victim=1, resource=Resource.ORE),
            SpendFish(RESOURCE, Fish(three=3)),
            SpendFish(RESOURCE, Fish(three=3), victim=1, resource=Resource.ORE),
            SpendFish(ROAD, Fish(three=3), victim=1),
            SpendFish(DEVELOPMENT, Fish(three=3), resource=Resource.ORE),
        ],
    )
    def test_a_benefit_names_just_what_it_needs(self, move):
        fishing(settled(0, 18), cards(1, ore=1), AWAY, fish(0, three=3)).when(0, move).refuses("CA-34")


class TestPaying:
    """CA-35, CA-36."""

    @rule("CA-34", "CA-35")
    @pytest.mark.parametrize(
        ("move", "less"),
        [
            (robber, {"one": 1}),
            (lambda **tokens: steal(1, **tokens), {"two": 1}),
            (resource, {"three": 1}),
            (road, {"two": 2}),
            (bought, {"three": 2}),
        ],
    )
    def test_too_few_fish_pay_for_nothing(self, move, less):
        position = fishing(settled(0, 18), cards(1, ore=1), AWAY, fish(0, one=2, two=2, three=3))
        position.when(0, move(**less)).refuses("CA-34")
        position.when(0, move(**(less | {"one": less.get("one", 0) + 1}))).play()

    @rule("CA-35")
    def test_fish_above_the_price_are_lost(self):
        position = fishing(AWAY, fish(0, three=2))
        position.when(0, robber(three=1)).then(FishSpent(0, ROBBER, Fish(three=1)), RobberSentHome(0, DESERT_HEX))
        assert (held(position), position.state.fish_spent) == ((0, 0, 1), (0, 0, 1))

    @rule("CA-35")
    def test_more_tokens_than_needed_may_be_paid(self):
        position = fishing(AWAY, fish(0, one=1, two=2, three=2))
        wasteful = robber(one=1, two=2, three=2)
        assert wasteful not in list(ENGINE.legal_moves(position.state, 0))
        (family,) = ENGINE.families(position.state, 0)
        assert family.contains(wasteful)
        samples = {family.sample(SeededChance(seed)) for seed in range(200)}
        assert samples - set(ENGINE.legal_moves(position.state, 0))
        assert all(family.contains(move) for move in samples)
        assert not any(map(family.contains, (EndTurn(), robber(one=1), robber(three=3))))
        position.when(0, wasteful).play()
        assert held(position) == (0, 0, 0)

    @rule("CA-35")
    def test_several_benefits_in_one_turn_are_paid_one_by_one(self):
        position = fishing(AWAY, cards(1, ore=2), fish(0, two=2, three=2))
        for move in (robber(two=1), steal(1, three=1), steal(1, three=1)):
            position.when(0, move).play()
        assert held(position) == (0, 1, 0)

    @rule("CA-35")
    @pytest.mark.parametrize(
        "tokens",
        [
            {"three": 2},
            {"two": 3},
            {"one": 1, "two": 2},
            {"one": -1, "three": 1},
            {"two": 1, "three": -1},
            {"three": 2**53 - 1},
            {"one": -(2**53 - 1)},
        ],
    )
    def test_only_ones_own_tokens_are_paid(self, tokens):
        position = fishing(AWAY, fish(0, two=2, three=1), fish(1, one=3, two=3, three=3))
        position.when(0, robber(**tokens)).refuses("CA-35")

    @rule("CA-36")
    def test_of_3_3_and_2_two_cards_are_taken_and_the_robber_sent_home(self):
        position = fishing(AWAY, cards(1, ore=2), fish(0, two=1, three=2))
        for move in (steal(1, three=1), steal(1, three=1), robber(two=1)):
            position.when(0, move).play()
        assert held(position) == (0, 0, 0)
        assert position.state.fish_spent == (0, 1, 2)

    @rule("CA-36")
    def test_of_3_3_and_2_a_road_is_built_and_a_card_taken(self):
        position = fishing(settled(0, 18), cards(1, ore=1), fish(0, two=1, three=2))
        position.when(0, road(two=1, three=1)).play()
        position.when(0, BuildRoad(edge(18, 24))).play()
        position.when(0, steal(1, three=1)).play()
        assert held(position) == (0, 0, 0)

    @rule("CA-36")
    @pytest.mark.parametrize("paid", [{"two": 1, "three": 1}, {"three": 2}])
    def test_of_3_3_and_2_no_second_card_of_the_bank_is_taken(self, paid):
        position = fishing(fish(0, two=1, three=2))
        position.when(0, resource(**paid)).play()
        _, twos, threes = held(position)
        position.when(0, resource(two=twos, three=threes)).refuses("CA-34")
        assert not [move for move in ENGINE.legal_moves(position.state, 0) if getattr(move, "benefit", 0) == RESOURCE]

    @rule("CA-34", "CA-35")
    def test_what_is_listed_pays_with_no_token_to_spare(self):
        position = fishing(AWAY, fish(0, one=2, two=1, three=2))
        listed = [move for move in ENGINE.legal_moves(position.state, 0) if isinstance(move, SpendFish)]
        assert [move.tokens for move in listed if move.benefit is ROBBER] == [
            Fish(one=2), Fish(two=1), Fish(three=1)
        ]  # fmt: skip
        prices = {tuple(move.tokens.counts()) for move in listed if move.benefit is DEVELOPMENT}
        assert prices == {(0, 1, 2), (2, 1, 1), (1, 0, 2)}


class TestTheRightMoment:
    """CA-8, CA-38."""

    SPENDING = (robber(two=1), steal(1, three=1), resource(two=2), road(two=1, three=1), bought(two=2, three=1))

    @rule("CA-8", "CA-34")
    @pytest.mark.parametrize("move", SPENDING)
    def test_fish_are_spent_after_the_roll_by_the_active_player_alone(self, move):
        rich = settled(0, 18), cards(1, ore=1), AWAY, fish(0, two=3, three=1), fish(1, two=2, three=1)
        fishing(*rich, begin=rolling).when(0, move).refuses("CA-8")
        fishing(*rich, begin=robbing).when(0, move).refuses("CA-8")
        fishing(*rich, seat=1).when(0, move).refuses("CA-8")
        fishing(*rich).when(0, move).play()

    @rule("CA-8", "CA-34")
    def test_no_fish_are_spent_while_free_roads_are_owed(self):
        position = fishing(settled(0, 18), AWAY, fish(0, two=2, three=1))
        position.when(0, road(two=1, three=1)).play()
        position.when(0, robber(two=1)).refuses("CA-8")

    @rule("CA-38")
    def test_a_seven_leaves_fish_alone(self):
        position = fishing(cards(0, brick=7), fish(0, three=7), begin=rolling)
        position.when(0, Roll(), dice=pips(7)).then(rolled(7))
        assert held(position) == (0, 0, 7)
        position.when(0, Discard(Cards())).refuses("CA-11")

    @rule("CA-38")
    def test_whoever_has_fish_alone_is_not_robbed(self):
        position = fishing(settled(1, 12), fish(1, three=3), begin=robbing)
        position.when(0, MoveRobber(HILLS_6, 1)).refuses("CA-12")
        position.when(0, MoveRobber(HILLS_6)).then(RobberMoved(0, HILLS_6))

    @rule("CA-38")
    def test_fish_are_not_traded_and_no_monopoly_takes_them(self):
        position = fishing(fish(0, three=3), fish(1, two=2))
        position.when(0, OfferTrade(Cards(ore=1), Cards(wool=1))).refuses("CA-17")
        monopolist = fishing(fish(1, two=2), development(0, Development.MONOPOLY), begin=rolling)
        monopolist.when(0, PlayMonopoly(Resource.ORE)).play()
        assert held(monopolist, 1) == (0, 2, 0)


class TestLake:
    """CA-44, CA-51."""

    @rule("CA-51")
    def test_two_fish_send_the_robber_off_the_board(self):
        position = fishing(settled(1, 12), AWAY, fish(0, two=1), form=LAKE)
        position.when(0, robber(two=1)).then(FishSpent(0, ROBBER, Fish(two=1)), RobberSentHome(0))
        assert position.state.robber == EMPTY
        assert position.state.payouts[6] != ((), ())

    @rule("CA-44", "CA-51")
    def test_a_robber_off_the_board_is_not_sent_off(self):
        fishing(fish(0, two=1), form=LAKE).when(0, robber(two=1)).refuses("CA-44")
        sent = fishing(AWAY, RobberSentHome(0), fish(0, two=1), form=LAKE)
        sent.when(0, robber(two=1)).refuses("CA-44")

    @rule("CA-12", "CA-51")
    def test_the_robber_enters_anywhere_and_then_has_to_move(self):
        position = fishing(settled(1, 18), cards(1, ore=1), form=LAKE, begin=robbing)
        assert {move.hex for move in ENGINE.legal_moves(position.state, 0)} == set(range(19))
        position.when(0, MoveRobber(DESERT_HEX, 1)).then(RobberMoved(0, DESERT_HEX, 1), CardStolen(0, 1, Resource.ORE))
        for event in (TurnBegun(1, 2), rolled(7, seat=1)):
            ENGINE.evolve(position.state, event)
        position.when(1, MoveRobber(DESERT_HEX)).refuses("CA-12")

    @rule("CA-51", "CA-52")
    def test_the_lake_pays_again_when_the_robber_is_sent_off(self):
        position = fishing(settled(1, 23), RobberMoved(2, DESERT_HEX), fish(0, two=1), form=LAKE)
        assert position.state.catches[2] == ()
        position.when(0, robber(two=1)).play()
        assert position.state.catches[2] == (0, 1, 0)


class TestOpenPiles:
    """CA-60 to CA-63."""

    def rich(self, count, *events, **more):
        return fishing(settled(0, 18), AWAY, FishCaught((Catch(0, count),)), *events, form=NO_SHIPS, **more)

    @rule("CA-62", "CA-63")
    def test_just_the_price_is_paid_and_goes_back_to_the_piles_at_once(self):
        position = self.rich(21, cards(1, ore=1))
        left = 21
        for move, price in ((robber(), 2), (steal(1), 3), (resource(), 4), (bought(), 7), (road(), 5)):
            events = position.when(0, move).play()
            assert events[0] == FishSpent(0, move.benefit, Fish(price))
            left -= price
            assert held(position) == (left, 0, 0)
            assert position.state.fish_supply == (55 - left, 0, 0, 0)
        assert left == 0

    @rule("CA-62")
    @pytest.mark.parametrize(
        ("count", "move"), [(1, robber()), (2, steal(1)), (3, resource()), (4, road()), (6, bought()), (0, robber())]
    )
    def test_too_few_fish_of_open_piles_pay_for_nothing(self, count, move):
        position = self.rich(count, cards(1, ore=1))
        position.when(0, move).refuses("CA-62")

    @rule("CA-62")
    @pytest.mark.parametrize("tokens", [{"one": 2}, {"two": 1}, {"three": 1}, {"one": -1}])
    def test_no_tokens_are_named(self, tokens):
        self.rich(9).when(0, robber(**tokens)).refuses("CA-62")

    @rule("CA-62")
    def test_a_move_that_leaves_tokens_out_names_none(self):
        self.rich(9).when(0, SpendFish(ROBBER)).then(FishSpent(0, ROBBER, Fish(2)), RobberSentHome(0, DESERT_HEX))
        fishing(AWAY, fish(0, two=1)).when(0, SpendFish(ROBBER)).refuses("CA-34")

    @rule("CA-60")
    def test_there_is_no_boot_to_pass(self):
        position = self.rich(9)
        position.when(0, PassBoot(1)).refuses("CA-60")
        assert ENGINE.view(position.state, None).boot is None
        assert position.state.fish_supply[3] == 0

    @rule("CA-44", "CA-63")
    def test_the_benefits_are_those_of_all_forms(self):
        position = self.rich(21, cards(1, ore=1))
        position.when(0, steal(0)).refuses("CA-34")
        position.when(0, robber()).play()
        position.when(0, robber()).refuses("CA-44")
        assert ENGINE.families(position.state, 0) == ()
