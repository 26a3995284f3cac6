from engines.core.draft import Draft
from engines.lost_seas import ENGINE
from engines.lost_seas.board import Line
from engines.lost_seas.events import ExpeditionsDealt, FirstPlayerSet, RoundBegun, TilesTurnedUp
from engines.lost_seas.state import FirstPlayer, Phase
from tests.engines.lost_seas.scenario import Rigged, hand, proposal, start
from tests.rules import rule


def begun(seats=2, **options):
    draft = Draft(ENGINE.evolve, start(seats, **options), Rigged())
    ENGINE.setup(draft)
    draft.close()
    return draft


@rule("LS-1")
def test_two_to_four_play():
    assert [start(seats).seats for seats in (2, 3, 4)] == [2, 3, 4]
    proposal(1).refuses("LS-1")
    proposal(5).refuses("LS-1")


@rule("LS-3")
def test_each_seat_is_dealt_four_expeditions_for_the_columns():
    draft = begun(seats=3)
    assert [emitted.event for emitted in draft.emitted] == [
        FirstPlayerSet(0),
        ExpeditionsDealt(0, Line.COLUMNS, hand(1)),
        ExpeditionsDealt(1, Line.COLUMNS, hand(5)),
        ExpeditionsDealt(2, Line.COLUMNS, hand(9)),
    ]
    assert ENGINE.to_act(draft.state) == (0, 1, 2)
    assert len(draft.state.box) == 44 - 12


@rule("LS-3")
def test_each_expedition_is_drawn_from_those_left():
    draws = [draw for emitted in begun(seats=4).emitted for draw in emitted.draws]
    assert [(draw.label, draw.n) for draw in draws] == [("expedition", n) for n in range(44, 28, -1)]


@rule("LS-7")
def test_the_first_player_is_the_seat_named():
    assert begun(seats=3, first_player=FirstPlayer.SEAT_2).state.first == 2
    assert begun(seats=2).state.first == 0


@rule("LS-7")
def test_the_first_player_can_be_drawn():
    drawn = begun(seats=4, first_player=FirstPlayer.DRAWN).emitted[0]
    assert drawn.event == FirstPlayerSet(0)
    assert [(draw.label, draw.n) for draw in drawn.draws] == [("first_player", 4)]


@rule("LS-7")
def test_the_first_player_is_a_seat_of_the_match():
    proposal(2, first_player=FirstPlayer.SEAT_2).refuses("LS-7")
    proposal(3, first_player=FirstPlayer.SEAT_3).refuses("LS-7")


@rule("LS-4", "LS-7", "LS-22", "LS-25")
def test_an_option_takes_its_own_values_alone():
    proposal(2, first_player="seat_4").refuses("LS-7")
    for wrong in ("yes", 1):
        proposal(2, young_explorers=wrong).refuses("LS-25")
        proposal(2, arrange_expeditions=wrong).refuses("LS-4")
        proposal(2, majority_ties=wrong).refuses("LS-22")


@rule("LS-25")
def test_young_explorers_begin_with_three_tiles_and_no_expeditions():
    draft = begun(seats=4, young_explorers=True, first_player=FirstPlayer.SEAT_1)
    assert [emitted.event for emitted in draft.emitted] == [
        FirstPlayerSet(1),
        TilesTurnedUp(("LS01", "LS01", "LS02")),
        RoundBegun(1, 1),
    ]
    assert draft.state.phase is Phase.PLAYING
    assert not draft.state.box


@rule("LS-25")
def test_young_explorers_have_nothing_to_arrange_and_no_majorities():
    proposal(2, young_explorers=True, arrange_expeditions=True).refuses("LS-25")
    proposal(2, young_explorers=True, majority_ties=True).refuses("LS-25")
