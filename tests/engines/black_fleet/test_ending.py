from engines.black_fleet import ENGINE
from engines.black_fleet.catalog.kinds import Symbol
from engines.black_fleet.events import (
    DevelopmentBought,
    DiscardDemanded,
    FortuneDiscarded,
    FortuneDrawn,
    GameEnded,
    MovementDrawn,
    PileRefilled,
    SailingEnded,
    TurnBegun,
    VictoryCardBought,
)
from engines.black_fleet.moves import Buy, Discard, EndSailing, EndTurn, PlayMovement, Sail
from engines.black_fleet.state import Cause, Deck, Phase
from tests.engines.black_fleet.scenario import (
    CATALOG,
    MERCHANT,
    PIRATE,
    card,
    given,
    movement_hand,
    play_movement,
    turn_up,
)
from tests.rules import rule

HOME = {MERCHANT: "s0103", PIRATE: "s0904"}
ALL = ["D05A", "D08A", "D11A", "D14A"]


def sailed(symbol=Symbol.NONE, hand=(), **more):
    """Seat 0 has played a movement card of this symbol, and holds one."""
    order = card(values=None, symbol=symbol)
    return play_movement(given(ships=HOME, hand=hand, phase=Phase.PLAYING_MOVEMENT, **more), order)


def buying(**more):
    return given(ships=HOME, phase=Phase.BUYING, **more)


@rule("BF-11")
def test_a_turn_goes_step_by_step():
    position = movement_hand(given(ships=HOME, phase=Phase.PLAYING_MOVEMENT), 5, 6)
    for early in (EndSailing(), EndTurn(), Sail(MERCHANT, ("s0104",)), Buy("D05A")):
        position.when(early).refuses("BF-11")
    position.after(PlayMovement(CATALOG.movement[5].id))
    position.when(EndTurn()).refuses("BF-11")
    position.after(EndSailing())
    for late in (EndSailing(), Sail(MERCHANT, ("s0104",)), PlayMovement(CATALOG.movement[6].id)):
        position.when(late).refuses("BF-11")
    position.when(EndTurn()).then(TurnBegun(1, 2))


@rule("BF-32")
def test_movement_cards_are_drawn_up_to_two():
    position = sailed()
    drawn = position.state.movement_pile[3]
    position.when(EndSailing(), movement=3).then(SailingEnded(0), MovementDrawn(0, CATALOG.movement[drawn].id))
    assert len(position.state.movement_hands[0]) == 2


@rule("BF-32")
def test_the_symbol_says_what_is_drawn():
    for symbol, number in [(Symbol.NONE, 0), (Symbol.DRAW_1, 1), (Symbol.DRAW_2, 2)]:
        events = sailed(symbol).when(EndSailing()).play()
        assert sum(isinstance(event, FortuneDrawn) for event in events) == number


@rule("BF-32")
def test_the_symbol_says_that_a_card_is_discarded():
    position = sailed(Symbol.DISCARD, ["F16", "F17"])
    assert position.when(EndSailing()).play()[-1] == DiscardDemanded(0, 1, Cause.SYMBOL)
    position.when(EndTurn()).refuses("BF-32")
    position.when(Discard("F01")).refuses("BF-32")
    position.when(Discard("F17"), 1).refuses("BF-32")
    position.when(Discard("F17")).then(FortuneDiscarded(0, "F17"))
    assert position.state.phase is Phase.BUYING
    position.when(Discard("F16")).refuses("BF-32")
    nothing = sailed(Symbol.DISCARD)
    assert not any(isinstance(event, DiscardDemanded) for event in nothing.when(EndSailing()).play())


@rule("BF-33")
def test_above_three_fortune_cards_are_discarded():
    position = sailed(Symbol.DRAW_2, ["F16", "F17", "F18"])
    assert position.when(EndSailing()).play()[-1] == DiscardDemanded(0, 2, Cause.HAND_LIMIT)
    position.when(Buy("D05A")).refuses("BF-33")
    position.when(EndTurn()).refuses("BF-33")
    position.when(Discard("F20")).refuses("BF-33")
    position.after(Discard("F16"))
    assert position.state.phase is Phase.DISCARDING
    position.after(Discard("F18"))
    assert len(position.state.fortune_hands[0]) == 3
    assert position.state.phase is Phase.BUYING


@rule("BF-32", "BF-33")
def test_three_fortune_cards_may_stay():
    position = sailed(Symbol.DRAW_1, ["F16", "F17"]).after(EndSailing())
    assert position.state.phase is Phase.BUYING


@rule("BF-34")
def test_the_last_card_drawn_makes_the_discards_a_pile():
    position = sailed(Symbol.DRAW_1)
    state = position.state
    last = state.movement_pile[0]
    state.movement_discards += state.movement_pile[1:]
    del state.movement_pile[1:]
    state.fortune_discards += state.fortune_pile[1:]
    del state.fortune_pile[1:]
    first = state.fortune_pile[0]
    position.when(EndSailing()).then(
        SailingEnded(0),
        MovementDrawn(0, CATALOG.movement[last].id),
        PileRefilled(Deck.MOVEMENT),
        FortuneDrawn(0, CATALOG.fortune[first].id),
        PileRefilled(Deck.FORTUNE),
    )
    assert state.order in state.movement_pile
    assert len(state.movement_pile) + sum(map(len, state.movement_hands)) == 44
    assert state.movement_kept == bytes(map(len, state.movement_hands))


@rule("BF-34")
def test_an_empty_pile_is_refilled_before_a_draw():
    position = sailed(Symbol.DRAW_1)
    state = position.state
    state.movement_discards += state.movement_pile
    state.fortune_discards += state.fortune_pile
    state.movement_pile.clear()
    state.fortune_pile.clear()
    kinds = [type(event) for event in position.when(EndSailing()).play()]
    assert kinds == [SailingEnded, PileRefilled, MovementDrawn, PileRefilled, FortuneDrawn]


@rule("BF-34")
def test_nothing_is_drawn_where_there_is_nothing():
    position = sailed(Symbol.DRAW_1)
    position.state.movement_pile.clear()
    position.state.movement_discards.clear()
    position.state.fortune_pile.clear()
    position.when(EndSailing()).then(SailingEnded(0))


@rule("BF-35")
def test_one_card_is_bought_and_ends_the_turn():
    position = buying(doubloons={0: 20})
    cheap, *_, dear = position.offers(Buy)
    price = {card.id: card.price for card in CATALOG.developments}
    position.when(dear).then(DevelopmentBought(0, dear.card, price[dear.card]), TurnBegun(1, 2))
    assert position.doubloons() == 6
    position.when(cheap, 0).refuses("BF-35")


@rule("BF-35")
def test_only_what_lies_before_the_player_and_can_be_paid_is_bought():
    position = buying(doubloons={0: 7}, bought={0: ["D05A"]})
    position.when(Buy("D05A")).refuses("BF-35")
    position.when(Buy("D05B")).refuses("BF-35")
    position.when(Buy("nothing")).refuses("BF-35")
    own = CATALOG.developments[position.state.developments[1]].id
    position.when(Buy(own)).refuses("BF-35")
    assert position.offers(Buy) == []
    position.after(EndTurn())


@rule("BF-36")
def test_the_victory_card_comes_last():
    buying(doubloons={0: 30}, bought={0: ALL[:3]}).when(Buy("V10")).refuses("BF-36")
    buying(doubloons={0: 9}, bought={0: ALL}).when(Buy("V10")).refuses("BF-35")
    buying(doubloons={0: 30}, bought={0: ALL}).when(Buy("V20")).refuses("BF-35")
    ready = buying(doubloons={0: 30}, bought={0: ALL})
    ready.when(Buy("V10")).then(VictoryCardBought(0, 10), TurnBegun(1, 2))
    dear = buying(doubloons={0: 30}, bought={0: ALL}, victory_card=(20,))
    dear.when(Buy("V20")).then(VictoryCardBought(0, 20), TurnBegun(1, 2))


@rule("BF-38")
def test_the_round_is_finished_after_a_victory_card():
    position = buying(doubloons={0: 10}, bought={0: ALL}).after(Buy("V10"))
    for seat in (1, 2):
        assert ENGINE.to_act(position.state) == (seat,)
        position.state.phase = Phase.BUYING
        events = position.when(EndTurn()).play()
    assert isinstance(events[-1], GameEnded)
    assert ENGINE.to_act(position.state) == ()
    position.when(EndTurn(), 0).refuses("BF-38")


@rule("BF-38")
def test_the_last_of_a_round_ends_the_game_at_once():
    position = buying(doubloons={2: 10})
    turn_up(position.state, 2, ALL)
    position.state.seat = 2
    position.state.rederive()
    events = position.when(Buy("V10")).play()
    assert [type(event) for event in events] == [VictoryCardBought, GameEnded]


@rule("BF-8", "BF-38")
def test_the_round_is_that_of_the_first_player():
    position = buying(doubloons={0: 10}, bought={0: ALL})
    position.state.first = 1
    assert isinstance(position.when(Buy("V10")).play()[-1], GameEnded)


@rule("BF-37")
def test_a_hand_may_grow_by_a_development_after_a_discard():
    position = sailed(Symbol.DISCARD, ["F16", "F17", "F18"], bought={0: ["D05D"]}).after(EndSailing())
    events = position.when(Discard("F16")).play()
    assert [type(event) for event in events] == [FortuneDiscarded, FortuneDrawn]
    assert position.state.phase is Phase.BUYING
