"""Cards are rows: an edition with another card of known kinds is played, and no line of code names a card."""

import ast
from pathlib import Path

import pytest

from engines.black_fleet import ENGINE
from engines.black_fleet.catalog.kinds import Effect, EffectKind, Instant, Standing
from engines.black_fleet.effects.instant import INSTANT
from engines.black_fleet.effects.powers import STANDING
from engines.black_fleet.events import DoubloonsTaken, FortunePlayed, ShipsSwapped, Taking
from engines.black_fleet.moves import Attack, PlayFortune, Sail, UseDevelopment
from engines.black_fleet.state import Options
from engines.core.chance import MatchChance, SeededChance
from engines.core.draft import Draft
from services.cli.laws.record import members
from tests.engines.black_fleet.scenario import (
    BLUE,
    CATALOG,
    CORSAIR,
    FRIGATE,
    MERCHANT,
    PIRATE,
    RED,
    RIVAL,
    added,
    edition_with,
    given,
)

HOME = {MERCHANT: "s0103", PIRATE: "s0107", RIVAL: "s0108"}


def card(*effects, when="any", copies=1):
    return {"id": "X", "name": "New", "text": "New.", "when": when, "copies": copies, "effects": list(effects)}


def playing(row, hand=("X",), **more):
    """A position in which seat 0 holds the new card."""
    return given(catalog=edition_with(fortune=added(row)), hand=hand, ships=HOME | more.pop("ships", {}), **more)


def test_a_card_of_two_effects_does_both():
    row = card(
        {"kind": "pass_enemies", "ships": "one_own"}, {"kind": "move_bonus", "ships": "fleet", "spaces": 2}, when="ship"
    )
    position = playing(row, ships={MERCHANT: "s0104", RIVAL: "s0105"})
    assert position.plays("X") == [PlayFortune("X", ship=MERCHANT), PlayFortune("X", ship=PIRATE)]
    position.after(PlayFortune("X", ship=MERCHANT), Sail(MERCHANT, ("s0105", "s0106", "s0207", "s0208", "s0209")))


def test_a_card_of_two_effects_for_the_same_ship():
    row = card(
        {"kind": "move_bonus", "ships": "one", "spaces": 2}, {"kind": "pass_enemies", "ships": "one"}, when="ship"
    )
    position = playing(row, ships={MERCHANT: "s0104", RIVAL: "s0105"})
    assert [play.ship for play in position.plays("X")] == [MERCHANT, PIRATE, FRIGATE]
    position.after(PlayFortune("X", ship=MERCHANT), Sail(MERCHANT, ("s0105", "s0106", "s0207", "s0208", "s0209")))
    shot = card(
        {"kind": "attack_range", "ships": "one_navy", "spaces": 2},
        {"kind": "attack_bonus", "ships": "one_navy", "target": "pirate", "doubloons": 3},
        when="attack",
    )
    far = playing(shot, ships={PIRATE: "s0904", RIVAL: "s0113", FRIGATE: "s0106", CORSAIR: "s0108"})
    far.after(PlayFortune("X", ship=FRIGATE), Attack(FRIGATE, CORSAIR))
    assert (far.doubloons(), far.state.in_force) == (5, b"")


def test_of_two_effects_one_may_come_to_nothing():
    row = card({"kind": "take_doubloons", "doubloons": 2}, {"kind": "gain_doubloons", "after": [], "doubloons": 1})
    position = playing(row, doubloons={1: 1})
    position.after(PlayFortune("X"))
    assert position.state.doubloons == [2, 0, 0]
    poor = playing(row).after(PlayFortune("X"))
    assert poor.doubloons() == 1


def test_a_card_that_lasts_and_takes():
    row = card({"kind": "take_doubloons", "doubloons": 3}, {"kind": "bury_bonus", "doubloons": 1})
    position = playing(row, doubloons={1: 2, 2: 9})
    position.when(PlayFortune("X")).then(FortunePlayed(0, "X"), DoubloonsTaken(0, (Taking(1, 2), Taking(2, 3))))
    assert ENGINE.view(position.state, None).in_force == ("X",)


@pytest.mark.parametrize(
    "effect",
    [
        {"kind": "attack_while_loaded"},
        {"kind": "bury_bonus", "doubloons": 1},
        {"kind": "use_lairs"},
        {"kind": "draw_fortune", "cards": 2},
        {"kind": "allow_attack", "ships": "pirate", "target": "pirate", "doubloons": 5, "loot": "port"},
        {"kind": "sale_bonus", "flat": 2},
        {"kind": "attack_range", "ships": "fleet", "spaces": 2},
        {"kind": "extra_action", "ships": "merchant", "slot": "different"},
        {"kind": "cross_islands", "ships": "own"},
    ],
    ids=lambda effect: effect["kind"],
)
def test_every_lasting_effect_can_stand_on_a_fortune_card(effect):
    position = playing(card(effect))
    position.after(PlayFortune("X"))
    assert len(position.state.in_force) == 2


def test_a_ship_of_ones_choice_and_a_taking():
    row = card({"kind": "move_bonus", "ships": "one", "spaces": 1}, {"kind": "take_doubloons", "doubloons": 1})
    position = playing(row, doubloons={1: 1})
    assert position.plays("X") == [PlayFortune("X", ship=ship) for ship in (MERCHANT, PIRATE, FRIGATE)]
    position.after(PlayFortune("X", ship=PIRATE))
    assert position.doubloons() == 1


def test_an_attack_at_once_by_a_ship_of_ones_choice():
    effect = {"kind": "attack_now", "ships": "one", "target": "pirate", "doubloons": 4, "loot": "aboard"}
    position = playing(card(effect), ships={CORSAIR: "s0106", FRIGATE: "s0007"}, treasure={1: RED})
    plays = position.plays("X")
    assert plays == [PlayFortune("X", ship=PIRATE, target=CORSAIR), PlayFortune("X", ship=FRIGATE, target=CORSAIR)]
    position.after(plays[0])
    assert (position.doubloons(), position.state.treasures[0]) == (4, 1)
    navy = playing(card(effect), ships={CORSAIR: "s0106", FRIGATE: "s0007"}, treasure={1: RED}).after(plays[1])
    assert (navy.doubloons(), navy.state.treasures[0], navy.state.supply[1]) == (4, 255, 13)
    own = playing(card(effect | {"ships": "one_own"}), ships={CORSAIR: "s0106", FRIGATE: "s0007"})
    assert own.plays("X") == [PlayFortune("X", ship=PIRATE, target=CORSAIR)]


def test_the_own_ships_exchanged_by_a_fortune_card():
    position = playing(card({"kind": "swap_own_ships"}))
    position.when(PlayFortune("X")).then(FortunePlayed(0, "X"), ShipsSwapped(0, MERCHANT, PIRATE))
    assert playing(card({"kind": "swap_own_ships"}), ships={PIRATE: "deep_ne"}).plays("X") == []


def test_a_shift_by_a_fortune_card():
    position = playing(card({"kind": "shift_value"}, when="first"))
    assert len(position.plays("X")) == 6


def test_a_card_for_a_ship_is_over_with_the_move_of_every_ship_it_is_for():
    row = card({"kind": "use_lairs"}, when="ship")
    position = playing(row).after(Sail(MERCHANT, ("s0104",)), Sail(PIRATE, ("s0007",)), Sail(FRIGATE, ("s0406",)))
    position.after(PlayFortune("X"))
    merchant = playing(card({"kind": "move_bonus", "ships": "merchant", "spaces": 1}, when="ship"))
    merchant.after(Sail(MERCHANT, ("s0104",)), Sail(PIRATE, ("s0007",))).when(PlayFortune("X")).refuses("BF-29a")


def test_a_card_between_moves_that_lasts():
    row = card({"kind": "use_lairs"}, when="between")
    position = playing(row).after(Sail(MERCHANT, ("s0104",)), PlayFortune("X"))
    position.when(Sail(MERCHANT, ("s0105",))).refuses("BF-17")


def test_a_bonus_for_robberies_waits_for_one():
    row = card({"kind": "attack_bonus", "ships": "one", "target": "merchant", "doubloons": 3}, when="attack")
    position = playing(row, cargo={1: (BLUE, 2)}).after(PlayFortune("X", ship=PIRATE), Attack(PIRATE, RIVAL))
    assert position.doubloons() == 5
    assert position.state.in_force == b""


def developed(*effects, when=None):
    """The cheapest development of seat 0 does this."""

    def change(rows):
        new = {key: value for key, value in rows[0].items() if key != "when"} | {"effects": list(effects)}
        return [new | ({"when": when} if when else {}), *rows[1:]]

    return given(catalog=edition_with(developments=change), bought={0: ["D05A"]}, ships=HOME, doubloons={1: 3, 2: 3})


def test_a_development_may_take_doubloons_every_turn():
    position = developed({"kind": "take_doubloons", "doubloons": 1}, {"kind": "use_lairs"}, when="between")
    position.after(Sail(MERCHANT, ("s0104",)), UseDevelopment("D05A"))
    assert position.doubloons() == 2
    position.when(UseDevelopment("D05A")).refuses("BF-37")
    position.when(Sail(MERCHANT, ("s0105",))).refuses("BF-17")


def test_a_development_that_would_change_nothing_is_not_used():
    position = developed({"kind": "gain_doubloons", "after": ["sank"], "doubloons": 1}, when="any")
    position.when(UseDevelopment("D05A")).refuses("BF-29")
    assert position.offers(UseDevelopment) == []


def test_the_better_of_two_licences_counts():
    better = {"kind": "allow_attack", "ships": "navy", "target": "pirate", "doubloons": 7, "loot": "port"}
    position = developed(better, better | {"doubloons": 3})
    position.state.ships[5] = position.state.catalog.board.numbers["s0406"]
    position.state.rederive()
    position.after(Attack(FRIGATE, CORSAIR))
    assert position.doubloons() == 7


NEW_ROWS = [
    card(
        {"kind": "pass_enemies", "ships": "one_own"},
        {"kind": "move_bonus", "ships": "fleet", "spaces": 2},
        when="ship",
        copies=2,
    ),
    card({"kind": "attack_now", "ships": "one", "target": "pirate", "doubloons": 4, "loot": "aboard"}, copies=4),
    card({"kind": "move_enemy", "spaces": 3}, {"kind": "take_doubloons", "doubloons": 1}, when="between", copies=4),
]


@pytest.mark.parametrize("row", NEW_ROWS, ids=lambda row: row["effects"][0]["kind"])
def test_an_edition_with_an_added_card_is_played_to_the_end(row):
    state = ENGINE.initial(edition_with(fortune=added(row)), Options(), 3, 1)
    chance = SeededChance(3)
    draft = Draft(ENGINE.evolve, state, MatchChance(bytes(32), 0))
    ENGINE.setup(draft)
    while ENGINE.outcome(state) is None:
        seat = state.seat
        moves = list(ENGINE.legal_moves(state, seat))
        draft.play(ENGINE.decide, seat, moves[chance.draw("move", len(moves))])
    played = {emitted.event.card for emitted in draft.emitted if isinstance(emitted.event, FortunePlayed)}
    assert "X" in played


def test_every_kind_of_effect_has_one_reading():
    assert set(STANDING) == set(members(Standing))
    assert set(INSTANT) == set(members(Instant))
    assert len(members(Effect)) == len(EffectKind)


def test_no_line_of_the_engine_names_a_card():
    names = {
        row.id for rows in (CATALOG.movement, CATALOG.fortune, CATALOG.developments, CATALOG.victory) for row in rows
    }
    names |= {row.name for rows in (CATALOG.fortune, CATALOG.developments) for row in rows}
    for path in Path(ENGINE.decide.__code__.co_filename).parent.parent.glob("**/*.py"):
        texts = {node.value for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Constant)}
        assert not names & {text for text in texts if isinstance(text, str)}, path
