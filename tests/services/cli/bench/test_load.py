from services.cli.bench.load import Sent, Table
from tidelog.client.answers import CaughtUp, End, Entry, LegalMoves, Situation


def situation(version, decision=None):
    legal = None if decision is None else LegalMoves(("move",), ())
    return Situation(f"{version}-ab", None, legal, decision)


def entry(version, decision=None):
    return Entry(f"{version}-ab", version, 0, 0, "game.moved", {}, situation(version, decision))


def test_a_decision_is_made_once_however_often_it_is_told():
    table = Table("MATCH")
    table.hear(0, CaughtUp("3-ab", situation(3, decision=3)), [])
    table.hear(0, entry(4, decision=3), [])
    table.hear(1, entry(4, decision=3), [])
    table.hear(0, entry(6, decision=6), [])
    table.hear(0, End("6-ab", None), [])
    turns = [table.turns.get_nowait() for _ in range(table.turns.qsize())]
    assert [turn and (turn[0], turn[1].decision) for turn in turns] == [(0, 3), (1, 3), (0, 6), None]


def test_a_move_is_told_when_the_other_seat_has_what_follows_it():
    table, told = Table("MATCH", sent=Sent(0, "3-ab", 0.0)), []
    table.hear(0, entry(4), told)
    table.hear(1, entry(3), told)
    assert not told
    table.hear(1, entry(4), told)
    table.hear(1, entry(5), told)
    assert len(told) == 1
