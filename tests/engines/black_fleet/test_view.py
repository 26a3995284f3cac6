import pytest

from engines.black_fleet import ENGINE
from engines.black_fleet.catalog.kinds import Crew, EffectKind
from engines.black_fleet.events import DevelopmentsDealt, FortuneDrawn, FortunePlayed, MovementDrawn, PileRefilled
from engines.black_fleet.moves import Attack, PlayFortune, Sail
from engines.black_fleet.state import Deck, Phase
from engines.black_fleet.view import Benefit, Command
from engines.core.chance import SeededChance
from tests.engines.black_fleet.scenario import BLUE, FRIGATE, MERCHANT, PIRATE, RIVAL, given, set_up
from tests.rules import rule


@rule("BF-41")
def test_hands_and_developments_face_down_are_the_owners():
    position = given(hand=["F16", "F10"], bought={0: ["D05A"], 1: ["D14D"]}, doubloons={1: 7})
    for viewer in (0, 1, None):
        players = ENGINE.view(position.state, viewer).players
        assert [player.own is not None for player in players] == [viewer == 0, viewer == 1, False]
        assert [player.fortune_cards for player in players] == [2, 1, 1]
        assert [player.movement_cards for player in players] == [2, 2, 2]
        assert [player.doubloons for player in players] == [0, 7, 0]
        assert [[card.id for card in player.developments] for player in players] == [["D05A"], ["D14D"], []]
        assert [player.face_down for player in players] == [(8, 11, 14), (5, 8, 11), (5, 8, 11, 14)]
    own = ENGINE.view(position.state, 0).players[0].own
    assert [card.id for card in own.fortune] == ["F16", "F10"]
    assert own.fortune[1].benefits == (Benefit(EffectKind.ATTACK_RANGE, 2, Crew.ONE),)
    assert [card.price for card in own.developments] == [8, 11, 14]


@rule("BF-41")
@pytest.mark.parametrize("kind", [DevelopmentsDealt, MovementDrawn, FortuneDrawn])
def test_a_card_drawn_is_told_to_its_seat_alone(kind):
    _, events = set_up(3)
    event = next(event for event in events if isinstance(event, kind) and event.seat == 1)
    assert ENGINE.redact(event, 1) == event
    assert ENGINE.redact(event, 0) == ENGINE.redact(event, None) == kind(1)


@rule("BF-41")
def test_cards_played_and_discards_are_public():
    position = given(hand=["F16"], doubloons={1: 1}).after(PlayFortune("F16"))
    assert ENGINE.view(position.state, None).fortune_discards == ("F16",)
    assert ENGINE.redact(FortunePlayed(0, "F16"), None) == FortunePlayed(0, "F16")


def test_a_view_shows_the_ships_and_what_they_can_do():
    position = given(ships={MERCHANT: "s0104", PIRATE: "s0107", RIVAL: "s0108"}, cargo={1: (BLUE, 2)})
    position.after(Sail(MERCHANT, ("s0105",)), Attack(PIRATE, RIVAL), Sail(PIRATE, ("s0007",)))
    view = ENGINE.view(position.state, 0)
    assert view.commands == (
        Command(MERCHANT, steps=0, moving=False, over=True, spent=False, cards=()),
        Command(PIRATE, steps=2, moving=True, over=False, spent=True, cards=()),
        Command(FRIGATE, steps=3, moving=False, over=False, spent=False, cards=()),
    )
    ships = {one.ship: one for one in view.ships}
    assert (ships[PIRATE].cubes, ships[PIRATE].colour, ships[RIVAL].cubes) == (1, BLUE, 1)
    assert (ships[FRIGATE].cubes, ships[FRIGATE].colour) == (0, None)
    assert (view.navy_value, view.pirate_value, view.merchant_value) == (3, 3, 3)


@rule("BF-41")
def test_a_view_says_for_which_ship_a_card_was_played():
    hand = ["F20", "F07", "F05"]
    position = given(ships={MERCHANT: "s0104", PIRATE: "s0107"}, hand=hand)
    position.after(PlayFortune("F05"), PlayFortune("F07", ship=PIRATE), PlayFortune("F20", ship=FRIGATE))
    view = ENGINE.view(position.state, 1)
    cards = {command.ship: command.cards for command in view.commands}
    assert cards == {MERCHANT: (), PIRATE: ("F07",), FRIGATE: ("F20",)}
    assert view.in_force == ("F05", "F07", "F20")


def test_outside_of_sailing_no_ship_is_commanded():
    view = ENGINE.view(given(phase=Phase.PLAYING_MOVEMENT).state, 0)
    assert (view.commands, view.order, view.navy_value) == ((), None, 0)


def refilled():
    """Seat 1 holds two old movement cards, then the discards have become the pile."""
    position = given(hand=["F16"])
    state = position.state
    state.movement_discards, state.movement_pile = state.movement_pile, state.movement_discards
    ENGINE.evolve(state, PileRefilled(Deck.MOVEMENT))
    return state


@rule("BF-34", "BF-41")
def test_cards_held_before_a_new_pile_are_known_to_be_none_of_it():
    state = refilled()
    pile, held = bytes(state.movement_pile), {bytes(hand) for hand in state.movement_hands}
    others = sorted(card for hand in state.movement_hands[1:] for card in hand)
    seen = set()
    for seed in range(20):
        twin = ENGINE.determinize(state, 0, SeededChance(seed))
        assert twin.movement_pile == pile
        assert sorted(card for hand in twin.movement_hands[1:] for card in hand) == others
        seen.add(bytes(twin.movement_hands[1]))
    assert len(seen) > 1
    assert bytes(state.movement_hands[0]) in held


def test_an_old_card_that_is_played_is_old_no_more():
    position = given(hand=["F16", "F10"], doubloons={1: 1})
    state = position.state
    state.fortune_discards, state.fortune_pile = state.fortune_pile, state.fortune_discards
    ENGINE.evolve(state, PileRefilled(Deck.FORTUNE))
    assert list(state.fortune_kept) == [2, 1, 1]
    position.after(PlayFortune("F16"))
    assert list(state.fortune_kept) == [1, 1, 1]


def test_what_others_hide_is_drawn_anew():
    state = given(hand=["F16"], bought={1: ["D05A"]}).state
    twins = [ENGINE.determinize(state, 0, SeededChance(seed)) for seed in range(20)]
    assert len({bytes(twin.fortune_hands[1]) for twin in twins}) > 1
    assert len({bytes(twin.developments) for twin in twins}) > 1
    for twin in twins:
        assert twin.fortune_hands[0] == state.fortune_hands[0]
        assert twin.developments[:5] == state.developments[:5]
        assert sorted([*twin.developments, *twin.box]) == sorted([*state.developments, *state.box])


def test_before_the_deal_there_is_nothing_to_draw_anew():
    state = ENGINE.initial(given().state.catalog, ENGINE.Options(), 3, 1)
    assert ENGINE.view(ENGINE.determinize(state, 0, SeededChance(1)), 0) == ENGINE.view(state, 0)
