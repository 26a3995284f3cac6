"""Every reason to refuse a command; `refuses` compares the aggregate's bytes before and after."""

import pytest

from engines.lost_seas.moves import ChooseSides, ReturnTile, TakeTile
from services.common.refusals import Reason, Refused
from services.eventlog.checking import earlier
from services.eventlog.commands import Claim, Leave, Order, Start, Submit
from services.eventlog.requests import REMEMBERED, Handled
from tests.services.eventlog.given import ANN, BEN, CAT, EASY, EVE, HARD, YOUNG, Hosted, creating, play_on, started


def young() -> Hosted:
    """Ann is to take a tile."""
    return started(2, YOUNG)


def tile(hosted: Hosted, place: int = 0) -> str:
    return hosted.aggregate.catalog.tiles[hosted.state.face_up[place]].id


def imported() -> Hosted:
    hosted = young()
    hosted.aggregate.facts.id = "ANOTHERISLANDANOTHERISLA"
    return hosted


OPEN = Hosted(creating(own_seat=0, auto_start=False))
"""Seat 1 is open. Refusals change nothing, so one match serves them all."""

REFUSED_OPEN = [
    (BEN, Claim(0), Reason.SEAT_TAKEN),
    (BEN, Claim(2), Reason.UNKNOWN_SEAT),
    (BEN, Claim(-1), Reason.UNKNOWN_SEAT),
    (ANN, Start(), Reason.SEATS_OPEN),
    (BEN, Start(), Reason.NOT_ALLOWED),
    (BEN, Leave(0), Reason.NOT_YOUR_SEAT),
    (ANN, Leave(1), Reason.NOT_YOUR_SEAT),
    (ANN, Leave(2), Reason.UNKNOWN_SEAT),
    (ANN, Submit(0, EASY), Reason.NOT_STARTED),
    (BEN, Submit(0, EASY), Reason.NOT_YOUR_SEAT),
    (ANN, Submit(-1, EASY), Reason.UNKNOWN_SEAT),
]
REFUSED_RUNNING = [
    (CAT, Claim(), Reason.ALREADY_STARTED),
    (CAT, Claim(1), Reason.ALREADY_STARTED),
    (ANN, Start(), Reason.ALREADY_STARTED),
    (EVE, Leave(1), Reason.NOT_YOUR_SEAT),
    (EVE, Submit(0, EASY), Reason.NOT_YOUR_SEAT),
    (ANN, Submit(1, EASY), Reason.NOT_YOUR_SEAT),
    (ANN, Submit(2, EASY), Reason.UNKNOWN_SEAT),
]
ANY_COMMAND = [Claim(), Start(), Leave(0), Submit(0, EASY)]


@pytest.mark.parametrize(("player", "command", "reason"), REFUSED_OPEN)
def test_what_an_open_match_refuses(player, command, reason):
    OPEN.refuses(player, command, reason)


@pytest.mark.parametrize(("player", "command", "reason"), REFUSED_RUNNING)
def test_what_a_running_match_refuses(player, command, reason):
    started().refuses(player, command, reason)


def test_a_claim_of_any_seat_is_refused_where_none_is_open():
    hosted = Hosted(creating(own_seat=0, auto_start=False))
    hosted.do(BEN, Claim(1))
    hosted.refuses(CAT, Claim(), Reason.SEAT_TAKEN)


@pytest.mark.parametrize("command", ANY_COMMAND)
def test_a_match_that_is_over_takes_no_command(command):
    hosted = young()
    hosted.do(BEN, Leave(1))
    assert hosted.refuses(ANN, command, Reason.MATCH_OVER).version == hosted.facts.version


@pytest.mark.parametrize("command", ANY_COMMAND)
def test_an_imported_match_takes_no_command(command):
    imported().refuses(ANN, command, Reason.READ_ONLY)


@pytest.mark.parametrize("request_id", ["x" * 65, "é" * 65])
def test_a_request_id_over_64_characters_is_refused(request_id):
    OPEN.refuses(BEN, Claim(1), Reason.MALFORMED, request_id=request_id)


def test_a_request_id_is_never_empty():
    with pytest.raises(Refused, match="1 to 64"):
        Hosted(creating()).carry_out(Order(BEN, "", Claim(1)))


def test_who_left_moves_no_more():
    hosted = started(3)
    hosted.do(BEN, Leave(1))
    hosted.refuses(BEN, Submit(1, EASY), Reason.NOT_YOUR_SEAT)
    hosted.refuses(BEN, Leave(1), Reason.NOT_YOUR_SEAT)


def test_an_illegal_move_is_refused_by_its_rule():
    hosted = young()
    refused = hosted.refuses(ANN, Submit(0, TakeTile(tile(hosted), 16)), Reason.ILLEGAL_MOVE)
    assert (refused.rule, refused.version) == ("LS-11", hosted.facts.version)
    assert hosted.refuses(ANN, Submit(0, ReturnTile(tile(hosted))), Reason.ILLEGAL_MOVE).rule == "LS-25"


def test_a_move_out_of_turn_is_told_apart_from_an_illegal_one():
    hosted = young()
    assert hosted.refuses(BEN, Submit(1, TakeTile(tile(hosted), 0)), Reason.NOT_YOUR_TURN).rule == "LS-27"


def test_a_side_is_chosen_once():
    hosted = started()
    hosted.do(ANN, Submit(0, EASY))
    assert hosted.refuses(ANN, Submit(0, HARD), Reason.NOT_YOUR_TURN).rule == "LS-5"


def test_an_entry_over_its_limit_is_refused_with_nothing_written():
    hosted = Hosted(creating(own_seat=0))
    before = hosted.packed
    with pytest.raises(Refused) as refused:
        hosted.do(BEN, Claim(1, name="B" * 70_000))
    assert refused.value.reason is Reason.TOO_LARGE
    assert hosted.packed == before


def test_a_request_that_is_new_has_no_earlier_one():
    hosted = young()
    assert earlier(hosted.facts, hosted.order(ANN, Submit(0, EASY))) is None


@pytest.mark.parametrize(
    ("player", "command"),
    [(ANN, Submit(0, EASY)), (BEN, Leave(1)), (BEN, Submit(1, HARD, decision=None))],
)
def test_a_repeated_request_finds_the_earlier_one(player, command):
    hosted = started(3)
    order = hosted.order(player, command)
    first = hosted.facts.version + 1
    hosted.carry_out(order)
    last = hosted.facts.version
    play_on(hosted, commands=7)
    assert earlier(hosted.facts, order) == Handled(order.digest, first, last, order.seat)


def test_repeated_creates_claims_and_starts_are_found():
    hosted = Hosted(creating(own_seat=0, auto_start=False))
    create = Order(ANN, "request-1", creating(own_seat=0, auto_start=False))
    claim, start = hosted.order(BEN, Claim()), hosted.order(ANN, Start())
    for order in (claim, start):
        hosted.carry_out(order)
    assert [earlier(hosted.facts, order).first for order in (create, claim, start)] == [1, 3, 4]
    assert [earlier(hosted.facts, order).last for order in (create, claim)] == [2, 3]


def test_a_start_by_an_admin_is_found_when_it_is_repeated():
    hosted = Hosted(creating(own_seat=0, auto_start=False))
    hosted.do(BEN, Claim(1))
    order = hosted.order(EVE, Start(), admin=True)
    hosted.carry_out(order)
    assert earlier(hosted.facts, order).first == 4


@pytest.mark.parametrize(
    "command",
    [Submit(0, HARD), Submit(1, EASY), Submit(0, EASY, decision=3), Submit(0, EASY, expected_version=3), Leave(0)],
)
def test_a_request_id_with_another_body_or_seat_is_refused(command):
    hosted = started(3)
    hosted.do(ANN, Submit(0, EASY), request_id="same")
    with pytest.raises(Refused) as refused:
        earlier(hosted.facts, Order(ANN, "same", command))
    assert refused.value.reason is Reason.REQUEST_ID_REUSED


def test_one_request_id_of_two_players_names_two_requests():
    hosted = started(3)
    hosted.do(ANN, Submit(0, EASY), request_id="same")
    assert earlier(hosted.facts, Order(BEN, "same", Submit(1, EASY))) is None
    hosted.do(BEN, Submit(1, EASY), request_id="same")
    assert earlier(hosted.facts, Order(BEN, "same", Submit(1, EASY))).seat == 1


def test_a_match_remembers_the_last_256_requests_of_a_player():
    hosted = Hosted(creating(3, own_seat=0, auto_start=False))
    orders = [hosted.order(BEN, command) for _ in range(REMEMBERED // 2) for command in (Claim(1), Leave(1))]
    for order in orders:
        hosted.carry_out(order)
    assert earlier(hosted.facts, orders[0]).first == 3
    hosted.do(BEN, Claim(1))
    assert earlier(hosted.facts, orders[0]) is None
    assert earlier(hosted.facts, orders[1]).first == 4
    assert earlier(hosted.facts, Order(ANN, "request-1", creating(3, own_seat=0, auto_start=False))).first == 1


def test_too_few_or_too_many_sides_are_refused():
    hosted = started()
    for sides in ((), EASY.sides * 2):
        assert hosted.refuses(ANN, Submit(0, ChooseSides(sides)), Reason.ILLEGAL_MOVE).rule == "LS-3"
