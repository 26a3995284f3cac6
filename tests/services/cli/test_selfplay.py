"""Seats that may move though they owe nothing, in a match among bots."""

import pytest

from engines.core import games
from services.bots.players import seat_players
from services.cli.selfplay import BareTable, LoggedTable, Played, Setting, play, secret_of
from tests.haggling import OFFERS, Answer, Options


class Watched:
    """A table that remembers who played what."""

    def __init__(self, table):
        self.table = table
        self.moves = []

    @property
    def state(self):
        return self.table.state

    def play(self, seat, move):
        self.moves.append((seat, move))
        self.table.play(seat, move)


def setting(bots, max_turns=1000):
    return Setting("haggling", Options(), len(bots), games.edition("haggling"), bots, 7, max_turns)


def watched(engine, players, max_turns=1000):
    match = setting(("random",) * len(players), max_turns)
    table = Watched(BareTable(engine, match, secret_of(match, 1)))
    return table, play(engine, table, players, match, 1)


def first(_look, legal, _open, _chance):
    return legal[0]


def silent(_look, _legal, _open, _chance):
    return None


def test_after_each_move_owed_the_others_are_asked_once_in_order(haggling_engine):
    table, played = watched(haggling_engine, (first, first, silent, first))
    assert [seat for seat, _ in table.moves] == [0, 1, 3] * (OFFERS - 1) + [0]
    assert (played.decisions, played.turns) == (3 * OFFERS - 2, OFFERS)


def test_what_a_seat_may_play_is_looked_up_when_it_is_asked(haggling_engine):
    def silenced(state):
        return () if "yes" in state.answers[1:] else (1, 2)

    engine = Overridden(haggling_engine, may_act=silenced)
    table, _ = watched(engine, (first, first, first))
    assert [seat for seat, _ in table.moves][:2] == [0, 1]
    assert 2 not in [seat for seat, _ in table.moves]


def test_a_seat_with_nothing_to_play_is_not_asked(haggling_engine):
    engine = Overridden(
        haggling_engine, legal_moves=lambda state, seat: () if seat else haggling_engine.legal_moves(state, 0)
    )
    table, _ = watched(engine, (first, first))
    assert [seat for seat, _ in table.moves] == [0] * OFFERS


def test_one_with_an_open_family_alone_is_asked(haggling_engine):
    class Counters:
        def sample(self, _chance):
            return Answer(accepted=False)

    def families(state, seat):
        return (Counters(),) if seat in haggling_engine.may_act(state) else ()

    engine = Overridden(
        haggling_engine,
        legal_moves=lambda state, seat: () if seat else haggling_engine.legal_moves(state, 0),
        families=families,
    )
    players = seat_players(haggling_engine, ("random", "random-open", "random"), 3)
    table, _ = watched(engine, players)
    assert table.moves[1] == (1, Answer(accepted=False))
    assert 2 not in [seat for seat, _ in table.moves]


@pytest.mark.parametrize("most", [1, OFFERS])
def test_a_match_is_unfinished_when_another_turn_has_begun(haggling_engine, most):
    table, played = watched(haggling_engine, (first, silent), most)
    assert played.turns == most
    assert (played.outcome is None) == (most < OFFERS)
    assert haggling_engine.turns(table.state) == min(most + 1, OFFERS)


@pytest.mark.parametrize("bots", [("random",) * 4, ("greedy", "random"), ("greedy",) * 3])
def test_a_bare_match_with_answers_is_the_logged_one(haggling_engine, bots):
    match = setting(bots)
    players = seat_players(haggling_engine, bots, len(bots))
    bare = BareTable(haggling_engine, match, secret_of(match, 1))
    logged = LoggedTable(match, secret_of(match, 1), 1)
    played = play(haggling_engine, bare, players, match, 1)
    assert played == play(haggling_engine, logged, players, match, 1)
    assert played == Played(len(bots) * (OFFERS - 1) + 1, OFFERS, haggling_engine.outcome(bare.state))
    assert bare.state == logged.state


class Overridden:
    """The engine but for some of its functions."""

    def __init__(self, engine, **functions):
        self._engine = engine
        vars(self).update(functions)

    def __getattr__(self, name):
        return getattr(self._engine, name)
