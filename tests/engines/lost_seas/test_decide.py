from engines.lost_seas import ENGINE
from engines.lost_seas.board import Line
from engines.lost_seas.events import (
    ExpeditionsDealt,
    FirstPlayerSet,
    GameEnded,
    RoundBegun,
    SidesChosen,
    SidesRevealed,
    TileReturned,
    TilesTurnedUp,
    TileTaken,
)
from engines.lost_seas.moves import ChooseSides, ReturnTile, TakeTile
from engines.lost_seas.state import Duty
from tests.engines.lost_seas.scenario import (
    ALL_EASY,
    EASY,
    HARD,
    choosing,
    choosing_rows,
    chosen,
    given,
    hand,
    laid,
    opened,
    revealed,
    young,
)
from tests.rules import rule

TAKE = TakeTile("LS19", 5)
RETURN = ReturnTile("LS20")
PLAIN = ChooseSides(ALL_EASY)
FOUR_NEW = TilesTurnedUp(("LS01", "LS01", "LS02", "LS02"))


def owed(position):
    return position.state.owed()


@rule("LS-1")
def test_a_seat_outside_the_match_has_no_moves():
    given(*opened(2), seats=2).when(2, TAKE).refuses("LS-1")
    given(*opened(2), seats=2).when(-1, TAKE).refuses("LS-1")


@rule("LS-3")
def test_four_sides_are_chosen_in_the_order_dealt():
    sides = (EASY, HARD, HARD, EASY)
    given(*choosing()).when(1, ChooseSides(sides)).then(SidesChosen(1, Line.COLUMNS, laid(hand(5), sides)))


@rule("LS-3")
def test_each_of_the_four_expeditions_needs_a_side():
    given(*choosing()).when(0, ChooseSides((EASY, EASY, EASY))).refuses("LS-3")
    given(*choosing()).when(0, ChooseSides((*ALL_EASY, HARD))).refuses("LS-3")


@rule("LS-3")
def test_without_the_option_the_expeditions_lie_as_received():
    given(*choosing()).when(0, ChooseSides(ALL_EASY, hand(1))).refuses("LS-3")


@rule("LS-4")
def test_the_rows_are_dealt_once_all_columns_are_chosen():
    given(*choosing(), chosen(0)).when(1, PLAIN).then(
        chosen(1),
        revealed(2),
        ExpeditionsDealt(0, Line.ROWS, hand(9)),
        ExpeditionsDealt(1, Line.ROWS, hand(13)),
    )


@rule("LS-4")
def test_with_the_option_the_expeditions_lie_as_arranged():
    order = ("EX03", "EX01", "EX04", "EX02")
    position = given(*choosing(), arrange_expeditions=True).when(0, ChooseSides((HARD, EASY, EASY, EASY), order))
    position.then(SidesChosen(0, Line.COLUMNS, laid(order, (EASY, HARD, EASY, EASY))))


@rule("LS-4")
def test_an_arrangement_names_each_of_the_four_once():
    position = given(*choosing(), arrange_expeditions=True)
    position.when(0, ChooseSides(ALL_EASY)).refuses("LS-4")
    position.when(0, ChooseSides(ALL_EASY, ("EX01", "EX01", "EX02", "EX03"))).refuses("LS-4")
    position.when(0, ChooseSides(ALL_EASY, hand(5))).refuses("LS-4")


@rule("LS-5")
def test_sides_are_chosen_once():
    given(*choosing(), chosen(0)).when(0, ChooseSides((HARD,) * 4)).refuses("LS-5")


@rule("LS-5")
def test_sides_are_fixed_when_the_tiles_lie_face_up():
    given(*opened()).when(0, PLAIN).refuses("LS-5")


@rule("LS-5")
def test_all_sides_are_revealed_together():
    events = given(*choosing(), chosen(1)).when(0, ChooseSides((HARD,) * 4)).play()
    assert events[1] == SidesRevealed(Line.COLUMNS, (laid(hand(1), (HARD,) * 4), laid(hand(5))))


@rule("LS-6")
def test_five_tiles_are_turned_up_once_all_rows_are_chosen():
    given(*choosing_rows(), chosen(1, Line.ROWS)).when(0, PLAIN).then(
        chosen(0, Line.ROWS),
        revealed(2, Line.ROWS),
        TilesTurnedUp(("LS01", "LS01", "LS02", "LS02", "LS03")),
        RoundBegun(1, 0),
    )


@rule("LS-6")
def test_no_tile_is_taken_before_all_sides_are_chosen():
    given(*choosing()).when(0, TAKE).refuses("LS-6")
    given(*choosing_rows()).when(0, RETURN).refuses("LS-6")


@rule("LS-8")
def test_four_players_take_one_tile_each():
    position = given(*opened(4), seats=4)
    for seat, tile in enumerate(("LS19", "LS20", "LS21")):
        position.when(seat, TakeTile(tile, 0)).then(TileTaken(seat, tile, 0))
    position.when(3, TakeTile("LS22", 0)).then(TileTaken(3, "LS22", 0), FOUR_NEW, RoundBegun(2, 3))


@rule("LS-8")
def test_four_players_return_no_tile():
    given(*opened(4), seats=4).when(0, RETURN).refuses("LS-8")


@rule("LS-9")
def test_of_three_players_the_first_returns_a_tile():
    position = given(*opened(3), seats=3)
    position.when(0, TAKE).then(TileTaken(0, "LS19", 5))
    position.when(0, RETURN).then(TileReturned(0, "LS20"))
    position.when(1, TakeTile("LS21", 0)).then(TileTaken(1, "LS21", 0))
    position.when(2, TakeTile("LS22", 0)).then(TileTaken(2, "LS22", 0), FOUR_NEW, RoundBegun(2, 2))


@rule("LS-9")
def test_of_three_players_only_the_first_returns_a_tile_and_takes_one_before():
    given(*opened(3), seats=3).when(0, RETURN).refuses("LS-9")
    taken = [*opened(3), TileTaken(0, "LS19", 0)]
    given(*taken, seats=3).when(0, TakeTile("LS20", 1)).refuses("LS-9")
    given(*taken, TileReturned(0, "LS20"), seats=3).when(1, ReturnTile("LS21")).refuses("LS-9")


@rule("LS-9")
def test_of_three_players_the_first_returns_a_tile_that_lies_face_up():
    given(*opened(3), TileTaken(0, "LS19", 0), seats=3).when(0, ReturnTile("LS19")).refuses("LS-9")


@rule("LS-10")
def test_of_two_players_each_returns_a_tile():
    position = given(*opened())
    position.when(0, TAKE).then(TileTaken(0, "LS19", 5))
    position.when(0, RETURN).then(TileReturned(0, "LS20"))
    position.when(1, TakeTile("LS21", 0)).then(TileTaken(1, "LS21", 0))
    position.when(1, ReturnTile("LS22")).then(TileReturned(1, "LS22"), FOUR_NEW, RoundBegun(2, 1))


@rule("LS-10")
def test_of_two_players_each_takes_a_tile_before_returning_one():
    given(*opened()).when(0, RETURN).refuses("LS-10")
    given(*opened(), TileTaken(0, "LS19", 0)).when(0, TakeTile("LS20", 1)).refuses("LS-10")


@rule("LS-10")
def test_of_two_players_each_returns_a_tile_that_lies_face_up():
    given(*opened(), TileTaken(0, "LS19", 0)).when(0, ReturnTile("no such tile")).refuses("LS-10")


@rule("LS-11")
def test_a_tile_taken_lies_on_the_map():
    position = given(*opened()).when(0, TAKE).then(TileTaken(0, "LS19", 5))
    assert ENGINE.view(position.state, None).players[0].placed[0].cell == 5


@rule("LS-11")
def test_only_a_tile_that_lies_face_up_is_taken():
    given(*opened()).when(0, TakeTile("LS53", 0)).refuses("LS-11")
    given(*opened()).when(0, TakeTile("no such tile", 0)).refuses("LS-11")


@rule("LS-11")
def test_a_tile_is_placed_on_an_empty_cell_of_the_map():
    given(*opened()).when(0, TakeTile("LS19", 16)).refuses("LS-11")
    given(*opened()).when(0, TakeTile("LS19", -1)).refuses("LS-11")
    held = [*opened(4), *(TileTaken(seat, f"LS{19 + seat}", 5) for seat in range(4)), RoundBegun(2, 0)]
    given(*held, seats=4).when(0, TakeTile("LS23", 5)).refuses("LS-11")


@rule("LS-12")
def test_whoever_was_last_begins_the_next_round():
    taken = [*opened(4), *(TileTaken(seat, f"LS{19 + seat}", 5) for seat in range(3))]
    position = given(*taken, seats=4).when(3, TakeTile("LS22", 5))
    position.then(TileTaken(3, "LS22", 5), FOUR_NEW, RoundBegun(2, 3))
    assert [tile.id for tile in ENGINE.view(position.state, None).face_up] == ["LS23", "LS01", "LS01", "LS02", "LS02"]


@rule("LS-12")
def test_play_goes_clockwise_from_the_first_player():
    order = []
    position = given(*opened(3), RoundBegun(2, 2), seats=3)
    while position.state.round == 2:
        seat, duty = owed(position)
        order.append(seat)
        move = TakeTile if duty is Duty.TAKE_TILE else ReturnTile
        tile = ENGINE.view(position.state, None).face_up[0].id
        position.when(seat, move(tile, 0) if move is TakeTile else move(tile)).play()
    assert order == [2, 2, 0, 1]
    assert position.state.first == 1


@rule("LS-12")
def test_nobody_moves_out_of_turn():
    given(*opened()).when(1, TAKE).refuses("LS-12")
    given(*opened(), TileTaken(0, "LS19", 0)).when(1, RETURN).refuses("LS-12")


def finished(seats, *, young_explorers=False, stop=False):
    """A match played by autopilots: over, or with `stop` before its last move."""
    position = given(*(young() if young_explorers else opened(seats)), seats=seats, young_explorers=young_explorers)
    last = 16 * seats if young_explorers else 16 * 4
    for _ in range(last - stop):
        (seat,) = ENGINE.to_act(position.state)
        events = position.when(seat, ENGINE.autopilot(position.state, seat)).play()
    return position, events


@rule("LS-14")
def test_the_match_ends_when_every_map_is_full():
    for seats in (2, 3, 4):
        position, events = finished(seats)
        assert isinstance(events[-1], GameEnded)
        assert position.state.round == 16
        assert not position.state.pile
        assert len(position.state.face_up) == 1
        assert all(len(player.placed) == 16 for player in ENGINE.view(position.state, None).players)


@rule("LS-14")
def test_nothing_is_played_after_the_end():
    position, _ = finished(2)
    position.when(0, TAKE).refuses("LS-14")
    position.when(1, RETURN).refuses("LS-14")
    position.when(0, PLAIN).refuses("LS-14")


@rule("LS-25")
def test_young_explorers_have_three_tiles_to_choose_from():
    position = given(*young(), seats=2, young_explorers=True).when(0, TAKE)
    position.then(TileTaken(0, "LS19", 5), TilesTurnedUp(("LS01",)))
    assert len(position.state.face_up) == 3


@rule("LS-25")
def test_the_very_last_turn_of_four_young_explorers_has_two_tiles():
    position, _ = finished(4, young_explorers=True, stop=True)
    assert len(position.state.face_up) == 2
    (seat,) = ENGINE.to_act(position.state)
    move = ENGINE.autopilot(position.state, seat)
    taken, ended = position.when(seat, move).play()
    assert taken == TileTaken(seat, move.tile, 15)
    assert isinstance(ended, GameEnded)


@rule("LS-25")
def test_young_explorers_choose_no_sides_and_return_no_tiles():
    given(*young(), young_explorers=True).when(0, PLAIN).refuses("LS-25")
    given(*young(), young_explorers=True).when(0, RETURN).refuses("LS-25")


@rule("LS-27")
def test_young_explorers_play_clockwise_to_the_end():
    order = []
    position = given(*young(first=1), seats=3, young_explorers=True)
    while ENGINE.outcome(position.state) is None:
        (seat,) = ENGINE.to_act(position.state)
        order.append(seat)
        position.when(seat, ENGINE.autopilot(position.state, seat)).play()
    assert order == [1, 2, 0] * 16


@rule("LS-27")
def test_young_explorers_take_no_tile_out_of_turn_or_after_the_end():
    given(*young(), young_explorers=True).when(1, TAKE).refuses("LS-27")
    position, _ = finished(2, young_explorers=True)
    position.when(0, TAKE).refuses("LS-27")


@rule("LS-6")
def test_nothing_is_taken_while_the_table_is_being_set_up():
    given(FirstPlayerSet(0)).when(0, TAKE).refuses("LS-6")
    given(FirstPlayerSet(0)).when(0, PLAIN).refuses("LS-5")
