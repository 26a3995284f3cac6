"""The old boot."""

import pytest

from engines.catan_fishermen import ENGINE
from engines.catan_fishermen.catalog import Development
from engines.catan_fishermen.events import (
    BootDrawn,
    BootPassed,
    GameEnded,
    TurnBegun,
)
from engines.catan_fishermen.moves import (
    EndTurn,
    KeepFish,
    MoveRobber,
    PassBoot,
    PlayKnight,
    Roll,
)
from tests.engines.catan_fishermen.scenario import (
    cards,
    city,
    development,
    fish,
    fishing,
    pips,
    robbing,
    rolling,
    settled,
)
from tests.rules import rule

HOMES = settled(0, 8, 40), settled(1, 19, 44), settled(2, 34)


@rule("CA-41")
def test_the_boot_is_passed_to_an_equal_also_before_the_roll():
    position = fishing(*HOMES, BootDrawn(0), begin=rolling)
    position.when(0, PassBoot(1)).then(BootPassed(0, 1))
    assert ENGINE.view(position.state, None).boot == 1


@rule("CA-8", "CA-41")
def test_the_boot_is_passed_before_the_roll_also_after_a_development_card():
    position = fishing(*HOMES, BootDrawn(0), development(0, Development.KNIGHT), begin=rolling)
    position.when(0, PlayKnight()).play()
    position.when(0, PassBoot(1)).refuses("CA-8")
    position.when(0, MoveRobber(0)).play()
    assert list(ENGINE.legal_moves(position.state, 0)) == [Roll(), PassBoot(1)]
    position.when(0, PassBoot(1)).then(BootPassed(0, 1))
    assert list(ENGINE.legal_moves(position.state, 0)) == [Roll()]


@rule("CA-41")
def test_the_boot_is_passed_to_one_with_more_points_after_the_roll():
    position = fishing(*HOMES, city(1, 6), BootDrawn(0))
    position.when(0, PassBoot(1)).then(BootPassed(0, 1))
    position.when(0, PassBoot(1)).refuses("CA-41")


@rule("CA-41")
def test_the_boot_goes_to_nobody_with_fewer_points():
    position = fishing(*HOMES, BootDrawn(0))
    position.when(0, PassBoot(2)).refuses("CA-41")
    leader = fishing(*HOMES, city(0, 6), BootDrawn(0))
    for other in (1, 2):
        leader.when(0, PassBoot(other)).refuses("CA-41")


@rule("CA-41", "CA-42")
def test_hidden_points_do_not_count_for_who_may_be_given_the_boot():
    hidden = development(0, Development.VICTORY_POINT)
    fishing(*HOMES, hidden, BootDrawn(0)).when(0, PassBoot(1)).play()
    others = development(2, Development.VICTORY_POINT)
    fishing(*HOMES, others, BootDrawn(0)).when(0, PassBoot(2)).refuses("CA-41")


@rule("CA-41")
@pytest.mark.parametrize("nobody", [-1, 0, 3, 255, 2**53 - 1, -(2**53 - 1)])
def test_the_boot_is_passed_to_another_player(nobody):
    fishing(*HOMES, BootDrawn(0)).when(0, PassBoot(nobody)).refuses("CA-41")


@rule("CA-41")
def test_nobody_passes_a_boot_of_another_or_of_nobody():
    fishing(*HOMES, BootDrawn(1)).when(0, PassBoot(1)).refuses("CA-41")
    fishing(*HOMES).when(0, PassBoot(1)).refuses("CA-41")


@rule("CA-8", "CA-41")
def test_the_boot_is_passed_in_ones_own_turn_when_nothing_is_owed():
    fishing(*HOMES, BootDrawn(1)).when(1, PassBoot(0)).refuses("CA-8")
    fishing(*HOMES, BootDrawn(0), begin=robbing).when(0, PassBoot(1)).refuses("CA-8")
    position = fishing(*HOMES, BootDrawn(0), fish(0, one=7), settled(0, 1), begin=rolling)
    position.when(0, Roll(), dice=pips(4)).play()
    position.when(0, PassBoot(1)).refuses("CA-8")
    position.when(0, KeepFish(1)).play()


@rule("CA-41")
def test_the_boot_drawn_this_turn_may_be_passed_in_it():
    position = fishing(*HOMES, settled(0, 0), city(1, 6), begin=rolling)
    assert position.when(0, Roll(), dice=pips(4), fish=29).play()[1:] == [BootDrawn(0)]
    position.when(0, PassBoot(1)).play()


@rule("CA-42")
def test_the_owner_of_the_boot_needs_a_point_more():
    position = fishing(*HOMES, BootDrawn(0), cards(0, ore=3, grain=2), victory_points=3)
    assert position.of_each("needed") == [4, 3, 3]
    ENGINE.evolve(position.state, TurnBegun(2, 2))
    assert ENGINE.outcome(position.state) is None
    three = fishing(*HOMES, city(0, 6), BootDrawn(0), victory_points=4)
    three.when(0, EndTurn()).then(TurnBegun(1, 2))


@rule("CA-22", "CA-42")
def test_with_enough_points_but_the_boot_a_turn_begins_without_a_victory():
    position = fishing(*HOMES, city(1, 6), BootDrawn(1), victory_points=4)
    position.when(0, EndTurn()).then(TurnBegun(1, 2))
    without = fishing(*HOMES, city(1, 6), BootDrawn(0), victory_points=4)
    assert [type(event) for event in without.when(0, EndTurn()).play()] == [TurnBegun, GameEnded]


@rule("CA-41", "CA-42")
@pytest.mark.parametrize("begin", [rolling, robbing])
def test_passing_the_boot_wins_at_once(begin):
    points = *HOMES, city(0, 6), city(1, 5), BootDrawn(0)
    position = fishing(*points, begin=begin, victory_points=4)
    if begin is robbing:
        position.when(0, MoveRobber(0)).play()
    events = position.when(0, PassBoot(1)).play()
    assert [type(event) for event in events] == [BootPassed, GameEnded]
    assert ENGINE.outcome(position.state).ranking[0].seat == 0


@rule("CA-42")
def test_hidden_points_count_for_winning_with_the_boot():
    points = *HOMES, development(0, Development.VICTORY_POINT), BootDrawn(0)
    position = fishing(*points, begin=rolling, victory_points=3)
    events = position.when(0, PassBoot(1)).play()
    assert [type(event) for event in events] == [BootPassed, GameEnded]
