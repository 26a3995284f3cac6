from engines.catan_fishermen import ENGINE
from engines.catan_fishermen.catalog import (
    DEVELOPMENT,
    NOTHING,
    Cards,
    Development,
    Resource,
    Terrain,
)
from engines.catan_fishermen.events import (
    CardStolen,
    DevelopmentBought,
    Due,
    GameEnded,
    MonopolyPlayed,
    RobberMoved,
    TradeAccepted,
    TradeCountered,
    TradeOffered,
    TurnBegun,
    YearOfPlentyPlayed,
)
from engines.catan_fishermen.moves import BuyDevelopment, ConfirmTrade, Discard, EndTurn
from engines.catan_fishermen.scoring import result
from engines.catan_fishermen.state import Answer, Gain, Phase
from engines.catan_fishermen.view import ReplyView, UnplayedCard
from tests.engines.catan_fishermen.scenario import (
    BOARD,
    LAID,
    building,
    cards,
    city,
    development,
    given,
    roads,
    robbing,
    rolled,
    rolling,
    settled,
    spent,
    start,
)
from tests.rules import rule

KNIGHT, ROADS, PLENTY, MONOPOLY, POINT = (
    Development.KNIGHT,
    Development.ROAD_BUILDING,
    Development.YEAR_OF_PLENTY,
    Development.MONOPOLY,
    Development.VICTORY_POINT,
)
SPECTATOR = None
HILLS_6 = 4


def player(position, seat, viewer):
    return ENGINE.view(position.state, viewer).players[seat]


def known(position, seat, viewer):
    return player(position, seat, viewer).known


@rule("CA-24")
def test_counts_of_hands_developments_pile_and_bank_are_public():
    position = given(building(cards(0, brick=3, ore=1), development(1, KNIGHT, POINT)))
    for viewer in (0, 1, 2, SPECTATOR):
        view = ENGINE.view(position.state, viewer)
        assert [one.cards for one in view.players] == [4, 0, 0]
        assert [one.developments for one in view.players] == [0, 2, 0]
        assert view.pile == 23
        assert view.bank == Cards(16, 19, 19, 19, 18)


@rule("CA-24")
def test_unplayed_developments_and_hidden_points_are_shown_to_their_owner_alone():
    position = given(building(settled(1, 0), development(1, POINT, KNIGHT)))
    own = player(position, 1, 1)
    assert own.own.developments == (UnplayedCard(KNIGHT, False), UnplayedCard(POINT, False))
    assert (own.own.points, own.points) == (2, 1)
    for viewer in (0, 2, SPECTATOR):
        assert player(position, 1, viewer).own is None
        assert player(position, 1, viewer).points == 1


@rule("CA-24")
def test_what_others_hold_changes_nothing_that_is_seen():
    views = [
        ENGINE.view(given(building(development(1, one), cards(0, wool=1))).state, viewer)
        for one in Development
        for viewer in (0, 2, SPECTATOR)
    ]
    assert views[:3] * 5 == views


@rule("CA-18", "CA-24")
def test_a_card_bought_this_turn_is_marked_for_its_owner():
    position = given(building(cards(0, wool=1, grain=1, ore=1), development(0, KNIGHT, KNIGHT), development(1, KNIGHT)))
    position.when(0, BuyDevelopment()).play()
    assert player(position, 0, 0).own.developments == (
        UnplayedCard(KNIGHT, False),
        UnplayedCard(KNIGHT, False),
        UnplayedCard(KNIGHT, True),
    )
    assert player(position, 1, 1).own.developments == (UnplayedCard(KNIGHT, False),)
    position.when(0, EndTurn()).play()
    assert not any(card.fresh for card in player(position, 0, 0).own.developments)


@rule("CA-24")
def test_cards_paid_in_sight_of_all_are_known_to_all():
    paid = rolled(6, [Gain(1, Cards(brick=2)), Gain(2, Cards(grain=1))])
    plenty = YearOfPlentyPlayed(0, Cards(ore=2))
    position = given(rolling(development(0, PLENTY)), paid, plenty)
    for viewer in (0, 1, 2, SPECTATOR):
        assert [known(position, seat, viewer) for seat in range(3)] == [Cards(ore=2), Cards(brick=2), Cards(grain=1)]


@rule("CA-24")
def test_the_last_roll_and_what_it_paid_are_shown_to_all_until_the_next():
    gains = (Gain(1, Cards(brick=2)),)
    position = given(rolling(), rolled(6, gains), TurnBegun(1, 2))
    for viewer in (0, 1, SPECTATOR):
        shown = ENGINE.view(position.state, viewer)
        assert (sum(shown.dice), shown.paid, shown.rolled) == (6, gains, False)
    seven = ENGINE.view(given(rolling(), rolled(6, gains), rolled(7)).state, SPECTATOR)
    assert (sum(seven.dice), seven.paid) == (7, ())


STOLEN = RobberMoved(0, HILLS_6, 1), CardStolen(0, 1, Resource.BRICK)


@rule("CA-24")
def test_a_stolen_card_is_known_to_the_two_concerned_alone():
    position = given(robbing(settled(1, 12), cards(1, brick=1, wool=2)), STOLEN)
    for viewer in (0, 1):
        assert known(position, 0, viewer) == Cards(brick=1)
        assert known(position, 1, viewer) == Cards(wool=2)
    for viewer in (2, SPECTATOR):
        assert known(position, 0, viewer) == NOTHING
        assert known(position, 1, viewer) == Cards(wool=1)
        assert [player(position, seat, viewer).cards for seat in range(2)] == [1, 2]


@rule("CA-24")
def test_a_theft_looks_alike_whatever_was_stolen():
    hand = cards(1, brick=1, wool=2, ore=1)
    thefts = [
        given(robbing(settled(1, 12), hand), RobberMoved(0, HILLS_6, 1), CardStolen(0, 1, card))
        for card in (Resource.BRICK, Resource.WOOL, Resource.ORE)
    ]
    for viewer in (2, SPECTATOR):
        first, *others = (ENGINE.view(position.state, viewer) for position in thefts)
        assert others == [first, first]
    assert len({str(ENGINE.view(position.state, 1)) for position in thefts}) == 3


@rule("CA-24")
def test_a_stolen_card_comes_to_light_when_it_is_spent():
    position = given(robbing(settled(1, 12), cards(1, brick=1, wool=2)), STOLEN, spent(0, brick=1))
    assert known(position, 0, SPECTATOR) == NOTHING
    assert player(position, 0, SPECTATOR).cards == 0
    # One of the three known cards is gone: at least one wool is left, and seat 0 can tell both.
    assert known(position, 1, SPECTATOR) == Cards(wool=1)
    assert known(position, 1, 0) == Cards(wool=2)


@rule("CA-24")
def test_an_offer_shows_the_cards_given():
    theft = robbing(settled(1, 12), cards(1, brick=1, wool=2)), STOLEN
    position = given(theft, TradeOffered(0, Cards(brick=1), Cards(wool=1)))
    assert known(position, 0, SPECTATOR) == Cards(brick=1)
    ENGINE.evolve(position.state, TradeAccepted(1))
    assert known(position, 1, SPECTATOR) == Cards(wool=1)
    ENGINE.evolve(position.state, TradeCountered(1, Cards(wool=2), Cards(brick=1)))
    assert known(position, 1, SPECTATOR) == Cards(wool=2)


@rule("CA-24")
def test_a_monopoly_shows_how_many_were_held():
    theft = robbing(settled(1, 12), cards(1, brick=1, wool=2), cards(2, wool=1), development(0, MONOPOLY)), STOLEN
    position = given(theft, MonopolyPlayed(0, Resource.WOOL, (Due(1, 2), Due(2, 1))))
    assert known(position, 0, SPECTATOR) == Cards(wool=3)
    assert [player(position, seat, SPECTATOR).cards for seat in range(3)] == [4, 0, 0]


@rule("CA-24")
def test_discards_and_trades_are_public():
    eight = rolling(settled(1, 12), cards(1, brick=4, wool=4)), rolled(7, discards=[Due(1, 4)])
    position = given(eight).when(1, Discard(Cards(brick=1, wool=3)))
    position.play()
    assert known(position, 1, SPECTATOR) == Cards(brick=3, wool=1)
    position = given(building(cards(0, ore=1), cards(1, wool=1)), TradeOffered(0, Cards(ore=1), Cards(wool=1)))
    ENGINE.evolve(position.state, TradeAccepted(1))
    position.when(0, ConfirmTrade(1, Cards(ore=1), Cards(wool=1))).play()
    assert [known(position, seat, SPECTATOR) for seat in (0, 1)] == [Cards(wool=1), Cards(ore=1)]


@rule("CA-24")
def test_the_events_that_hide_something_are_told_to_those_concerned():
    stolen = CardStolen(0, 1, Resource.ORE)
    assert ENGINE.redact(stolen, 0) == ENGINE.redact(stolen, 1) == stolen
    assert ENGINE.redact(stolen, 2) == ENGINE.redact(stolen, SPECTATOR) == CardStolen(0, 1)
    bought = DevelopmentBought(1, DEVELOPMENT, POINT)
    assert ENGINE.redact(bought, 1) == bought
    for audience in (0, 2, SPECTATOR):
        assert ENGINE.redact(bought, audience) == DevelopmentBought(1, DEVELOPMENT)


@rule("CA-24")
def test_all_other_events_are_public():
    offer = TradeOffered(0, Cards(ore=1), Cards(wool=1))
    public = (
        LAID[0],
        rolled(6, [Gain(0, Cards(brick=1))]),
        rolled(7, discards=[Due(0, 4)]),
        offer,
        MonopolyPlayed(0, Resource.ORE, (Due(1, 1),)),
        YearOfPlentyPlayed(0, Cards(ore=2)),
        RobberMoved(0, 1, 2),
    )
    for event in public:
        assert all(ENGINE.redact(event, audience) == event for audience in (0, 1, 2, SPECTATOR))


@rule("CA-24")
def test_the_end_reveals_victory_point_cards_and_no_others():
    position = given(building(development(1, POINT, POINT, KNIGHT)))
    ENGINE.evolve(position.state, GameEnded(result(position.state, 0)))
    assert position.state.phase is Phase.OVER
    standings = ENGINE.view(position.state, SPECTATOR).outcome.ranking
    assert [(one.seat, one.scores[-1].points) for one in standings] == [(0, 0), (1, 2), (2, 0)]
    assert player(position, 1, SPECTATOR).own is None
    assert ENGINE.view(position.state, SPECTATOR).offer is None


def test_a_view_before_the_board_is_laid_is_empty():
    view = ENGINE.view(start(2), SPECTATOR)
    assert (view.phase, view.turn, view.owed, view.harbours, view.frame) == (Phase.SETTING_UP, 0, (), (), ())
    assert (view.longest_road, view.largest_army, view.offer, view.outcome) == (None, None, None, None)


def test_a_view_draws_the_board():
    view = ENGINE.view(given(LAID).state, SPECTATOR)
    assert [edge.ends for edge in view.edges] == list(BOARD.edge_ends)
    assert [one.vertices for one in view.hexes] == list(BOARD.hex_vertices)
    assert (view.hexes[9].terrain, view.hexes[9].number, view.robber) == (Terrain.DESERT, 0, 9)
    assert view.harbours == LAID[0].harbours
    assert view.frame == LAID[0].frame


def test_a_view_shows_the_pieces_of_each_player():
    position = given(building(settled(1, 0), city(1, 2), roads(1, 0, 4, 1)))
    one = player(position, 1, SPECTATOR)
    assert (one.settlements, one.cities, one.roads) == ((0,), (2,), (1, 2))
    assert (one.roads_left, one.settlements_left, one.cities_left) == (13, 4, 3)
    assert (one.points, one.road_length, one.knights) == (3, 2, 0)


@rule("CA-16")
def test_a_view_shows_the_rates_of_each_player():
    position = given(building(settled(1, 0), settled(2, 10)))
    rates = [one.rates for one in ENGINE.view(position.state, SPECTATOR).players]
    assert rates == [Cards(4, 4, 4, 4, 4), Cards(3, 3, 3, 3, 3), Cards(4, 4, 4, 4, 2)]


@rule("CA-17")
def test_a_view_shows_the_offer_and_its_answers():
    position = given(building(cards(0, ore=1), cards(1, wool=1), cards(2, wool=1, brick=1)))
    assert ENGINE.view(position.state, 0).offers_left == 20
    for event in (
        TradeOffered(0, Cards(ore=1), Cards(wool=1)),
        TradeAccepted(1),
        TradeCountered(2, Cards(brick=1), Cards(ore=1)),
    ):
        ENGINE.evolve(position.state, event)
    view = ENGINE.view(position.state, SPECTATOR)
    assert view.offers_left == 19
    assert (view.offer.give, view.offer.take) == (Cards(ore=1), Cards(wool=1))
    assert view.offer.replies == (
        ReplyView(1, Answer.ACCEPTED, NOTHING, NOTHING),
        ReplyView(2, Answer.COUNTERED, Cards(brick=1), Cards(ore=1)),
    )


def test_a_view_says_who_has_to_discard_how_much():
    position = given(rolling(cards(1, brick=9)), rolled(7, discards=[Due(1, 4)]))
    view = ENGINE.view(position.state, SPECTATOR)
    assert (view.owed, [one.due for one in view.players]) == ((1,), [0, 4, 0])
