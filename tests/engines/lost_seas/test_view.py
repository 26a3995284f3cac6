from engines.core.chance import SeededChance
from engines.lost_seas import ENGINE
from engines.lost_seas.board import Line
from engines.lost_seas.events import RoundBegun, SidesChosen, TileReturned, TileTaken
from engines.lost_seas.moves import ChooseSides
from engines.lost_seas.state import Duty, Phase
from engines.lost_seas.view import Owed
from tests.engines.lost_seas.scenario import (
    ALL_EASY,
    HARD,
    choosing,
    chosen,
    given,
    hand,
    laid,
    opened,
    young,
)
from tests.rules import rule


@rule("LS-5")
def test_a_choice_of_sides_is_secret_until_all_have_chosen():
    position = given(*choosing(), chosen(0))
    own, other, spectator = (ENGINE.view(position.state, seat).players[0] for seat in (0, 1, None))
    assert [line.laid.expedition for line in own.lines[:4]] == list(hand(1))
    assert [line.laid for line in other.lines[:4]] == [None] * 4
    assert other == spectator
    assert other.chosen
    position.when(1, ChooseSides(ALL_EASY)).play()
    assert ENGINE.view(position.state, 1).players[0].lines == own.lines


@rule("LS-5")
def test_a_choice_is_told_to_its_seat_alone():
    event = chosen(0)
    assert ENGINE.redact(event, 0) == event
    assert ENGINE.redact(event, 1) == ENGINE.redact(event, None) == SidesChosen(0, Line.COLUMNS)


@rule("LS-5")
def test_a_secret_choice_shows_no_points():
    # The easy sides of seat 0 want elements to be absent: on an empty map all four are met.
    position = given(*choosing(), chosen(0))
    assert ENGINE.view(position.state, 0).players[0].points == 16
    assert ENGINE.view(position.state, 1).players[0].points == 0


@rule("LS-5")
def test_the_expeditions_dealt_to_others_are_public():
    view = ENGINE.view(given(*choosing()).state, None)
    assert [expedition.id for expedition in view.players[1].choosing] == list(hand(5))


@rule("LS-13")
def test_discards_are_public():
    view = ENGINE.view(given(*opened(), TileTaken(0, "LS19", 0), TileReturned(0, "LS20")).state, None)
    assert [tile.id for tile in view.discards] == ["LS20"]


def test_a_view_says_who_owes_what():
    assert ENGINE.view(given().state, 0).owed == ()
    assert ENGINE.view(given(*choosing(), chosen(0)).state, 0).owed == (Owed(1, Duty.CHOOSE_SIDES),)
    assert ENGINE.view(given(*opened()).state, None).owed == (Owed(0, Duty.TAKE_TILE),)
    assert ENGINE.view(given(*opened(), TileTaken(0, "LS19", 0)).state, None).owed == (Owed(0, Duty.RETURN_TILE),)


def test_a_view_names_the_seats_in_the_order_of_their_turns():
    assert ENGINE.view(given(*opened(3), RoundBegun(2, 2), seats=3).state, None).turn_order == (2, 0, 1)


def test_a_view_counts_what_nobody_has_seen():
    view = ENGINE.view(given(*opened()).state, None)
    assert (view.phase, view.round, view.pile, view.box) == (Phase.PLAYING, 1, 60, 28)


def test_live_points_of_young_explorers_need_no_expeditions():
    view = ENGINE.view(given(*young(("LS03", "LS04", "LS05")), TileTaken(0, "LS03", 0), young_explorers=True).state, 1)
    assert view.players[0].points == 6
    assert view.players[0].lines[0].laid is None


def test_determinizing_redraws_the_secret_choices_of_others_only():
    state = given(*choosing(3), chosen(0), chosen(1), seats=3, arrange_expeditions=True).state
    drawn = {bytes(ENGINE.determinize(state, 0, SeededChance(seed)).laid) for seed in range(50)}
    assert len(drawn) > 25
    assert {one[:8] for one in drawn} == {bytes(state.laid[:8])}
    assert {one[16:] for one in drawn} == {bytes(state.laid[16:])}
    assert {frozenset(demand // 2 for demand in one[8:12]) for one in drawn} == {frozenset({4, 5, 6, 7})}


def test_determinizing_what_has_no_secret_changes_nothing():
    state = given(*opened()).state
    twin = ENGINE.determinize(state, None, SeededChance(1))
    assert (twin.laid, twin.maps) == (state.laid, state.maps)


def test_sides_without_arrangement_stay_in_the_order_dealt():
    state = given(*choosing(), SidesChosen(0, Line.COLUMNS, laid(hand(1), (HARD,) * 4))).state
    for seed in range(20):
        twin = ENGINE.determinize(state, 1, SeededChance(seed))
        assert [demand // 2 for demand in twin.laid[:4]] == [0, 1, 2, 3]
