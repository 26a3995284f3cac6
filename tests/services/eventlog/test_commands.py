import pytest

from engines.lost_seas.moves import TakeTile
from services.eventlog.commands import BotSeat, Claim, Leave, Order, Start, Submit, Withdraw
from tests.services.eventlog.given import ANN, BEN, EASY, HARD, YOUNG, creating

COMMANDS = [
    creating(),
    creating(3),
    creating(options=YOUNG),
    creating(auto_start=False),
    creating(own_seat=0),
    creating(bots=(BotSeat(0, "bot|1", "one"),)),
    Claim(),
    Claim(0),
    Claim(1),
    Claim(1, bot=True),
    Start(),
    Leave(0),
    Leave(1),
    Withdraw(1),
    Submit(0, EASY),
    Submit(0, HARD),
    Submit(0, TakeTile("LS01", 0)),
    Submit(0, EASY, decision=3),
    Submit(0, EASY, expected_version=3),
]


def digest(command: object) -> bytes:
    return Order(ANN, "1", command).digest


def test_no_two_bodies_share_a_digest():
    assert len({digest(command) for command in COMMANDS}) == len(COMMANDS)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: type(command).__name__)
def test_a_digest_tells_of_the_body_alone(command):
    assert digest(command) == Order(BEN, "2", command, admin=True).digest
    assert len(digest(command)) == 8


def test_the_digest_of_a_move_does_not_tell_its_seat():
    """The seat stands in the entry's header; `earlier` compares it."""
    assert digest(Submit(0, EASY)) == digest(Submit(1, EASY))


def test_a_key_tells_player_and_request_id_apart():
    asked = [("a", "b1"), ("ab", "1"), ("a", "b"), ("b", "a")]
    keys = [Order(player, request, Start()).key for player, request in asked]
    assert len(set(keys)) == 4
    assert {len(key) for key in keys} == {16}


def test_the_seat_that_a_command_names():
    named = {
        type(command).__name__: Order(ANN, "1", command).seat
        for command in (Claim(1), Leave(2), Submit(3, EASY), Withdraw(4))
    }
    assert named == {"Claim": 1, "Leave": 2, "Submit": 3, "Withdraw": 4}
    assert [Order(ANN, "1", command).seat for command in (creating(own_seat=1), Start(), Claim())] == [None] * 3
