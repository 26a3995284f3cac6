"""The whole life of a match, command by command."""

from dataclasses import replace

import pytest

from engines.core.errors import IllegalMove
from services.common.refusals import Reason, Refused
from services.eventlog import deciding
from services.eventlog.commands import BotSeat, Claim, Leave, Start
from services.eventlog.lifecycle import Aborted, AbortReason, SecretRevealed
from services.eventlog.match import Status
from tests.services.eventlog.given import (
    ANN,
    BEN,
    CAT,
    EDITION,
    EVE,
    MATCH,
    NOON,
    PLAYERS,
    SECRET,
    YOUNG,
    Hosted,
    creating,
    play_on,
    started,
)

END = ["match.finished", "match.secret_revealed"]


def places(hosted: Hosted) -> dict[int, int]:
    return {standing.seat: standing.place for standing in hosted.facts.outcome.ranking}


def bots(*seats: int) -> tuple[BotSeat, ...]:
    return tuple(BotSeat(seat, f"bot|{seat}", f"bot {seat}") for seat in seats)


def test_a_match_is_created_with_all_seats_open():
    hosted = Hosted(creating(3))
    assert hosted.types == ["match.created"]
    assert [seat.player for seat in hosted.facts.seats] == [None] * 3
    assert (hosted.facts.status, hosted.facts.created.creator) == (Status.OPEN, ANN)


def test_its_creator_may_claim_a_seat_and_give_others_to_bots():
    hosted = Hosted(creating(4, own_seat=2, name="Ann", bots=bots(0, 3)))
    assert hosted.types == ["match.created", "match.seat_claimed", "match.seat_claimed", "match.seat_claimed"]
    assert [(seat.player, seat.name, seat.bot) for seat in hosted.facts.seats] == [
        ("bot|0", "bot 0", True),
        (None, "", False),
        (ANN, "Ann", False),
        ("bot|3", "bot 3", True),
    ]


def test_a_claim_without_a_seat_takes_the_first_open_one():
    hosted = Hosted(creating(3, own_seat=0))
    hosted.do(BEN, Claim(name="Ben"))
    assert hosted.facts.seats[1].player == BEN


def test_the_last_claim_starts_the_match():
    hosted = Hosted(creating(own_seat=0))
    assert hosted.do(BEN, Claim(1))[:3] == ["match.seat_claimed", "match.started", "lost_seas.first_player_set"]
    assert hosted.facts.status is Status.RUNNING


def test_a_match_of_bots_starts_when_it_is_created():
    hosted = Hosted(creating(2, YOUNG, bots=bots(0, 1)))
    assert hosted.types[:4] == ["match.created", "match.seat_claimed", "match.seat_claimed", "match.started"]
    assert hosted.facts.owing == (0,)


def test_without_auto_start_its_creator_starts_it():
    hosted = Hosted(creating(own_seat=0, auto_start=False))
    assert hosted.do(BEN, Claim(1)) == ["match.seat_claimed"]
    assert hosted.do(ANN, Start())[:2] == ["match.started", "lost_seas.first_player_set"]


def test_an_admin_may_start_it_too():
    hosted = Hosted(creating(own_seat=0, auto_start=False))
    hosted.do(BEN, Claim(1))
    assert hosted.do(EVE, Start(), admin=True)[0] == "match.started"


def test_leaving_before_the_start_releases_the_seat():
    hosted = Hosted(creating(3, own_seat=0))
    hosted.do(BEN, Claim(1))
    assert hosted.do(ANN, Leave(0)) == ["match.seat_released"]
    assert [seat.player for seat in hosted.facts.seats] == [None, BEN, None]
    hosted.do(CAT, Claim(0))
    assert hosted.facts.seats[0].player == CAT


@pytest.mark.parametrize(("leaver", "seat"), [(ANN, 0), (BEN, 1)])
def test_of_two_seats_the_other_wins_when_one_leaves(leaver, seat):
    hosted = play_on(started(2), commands=9)
    assert hosted.do(leaver, Leave(seat)) == ["match.resigned", *END]
    assert places(hosted) == {1 - seat: 1, seat: 2}
    assert (hosted.facts.status, hosted.facts.owing) == (Status.FINISHED, ())


@pytest.mark.parametrize("seats", [3, 4])
def test_autopilot_plays_the_seats_that_were_left_to_the_end(seats):
    hosted = play_on(started(seats), commands=30)
    hosted.do(PLAYERS[seats - 1], Leave(seats - 1))
    play_on(hosted, commands=5)
    hosted.do(ANN, Leave(0))
    assert [seat.vacant for seat in hosted.facts.seats] == [True, *[False] * (seats - 2), True]
    play_on(hosted)
    assert hosted.types[-3:] == ["lost_seas.game_ended", *END]
    assert (places(hosted)[0], places(hosted)[seats - 1]) == (seats - 1, seats)
    assert min(places(hosted)[seat] for seat in range(1, seats - 1)) == 1


def test_a_seat_that_is_left_on_its_turn_is_played_in_the_same_command():
    hosted = started(3)
    assert hosted.facts.owing == (0, 1, 2)
    assert hosted.do(BEN, Leave(1)) == ["match.resigned", "lost_seas.sides_chosen"]
    assert hosted.facts.owing == (0, 2)
    assert hosted.event(hosted.facts.version)[0].seat == 1


@pytest.mark.parametrize("more", [{}, {"bots": bots(2)}])
def test_a_match_that_all_persons_left_is_aborted(more):
    hosted = Hosted(creating(3, own_seat=0, **more))
    hosted.do(BEN, Claim(1))
    if not more:
        hosted.do(CAT, Claim(2))
        hosted.do(CAT, Leave(2))
    hosted.do(BEN, Leave(1))
    assert hosted.do(ANN, Leave(0)) == ["match.resigned", "match.aborted", "match.secret_revealed"]
    assert hosted.event(hosted.facts.version - 1)[1].payload == Aborted(AbortReason.ALL_LEFT)
    assert (hosted.facts.status, hosted.facts.outcome) == (Status.ABORTED, None)


def test_a_person_who_leaves_a_bot_alone_aborts_the_match():
    hosted = Hosted(creating(own_seat=0, bots=bots(1)))
    assert hosted.do(ANN, Leave(0))[1] == "match.aborted"


def test_a_bot_that_leaves_is_played_by_autopilot():
    hosted = Hosted(creating(3, own_seat=0, bots=bots(1)))
    hosted.do(BEN, Claim(2))
    hosted.do("bot|1", Leave(1))
    assert places(play_on(hosted))[1] == 3


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("options", [YOUNG, creating().options], ids=["young", "expeditions"])
def test_the_last_move_finishes_the_match_and_reveals_its_secret(seats, options):
    hosted = play_on(started(seats, options), seats)
    assert hosted.types[-3:] == ["lost_seas.game_ended", *END]
    assert hosted.event(hosted.facts.version)[1].payload == SecretRevealed(SECRET.hex())
    commands = [version for version in range(1, hosted.facts.version + 1) if hosted.event(version)[1].req]
    assert commands[-1] <= hosted.facts.version - 3
    assert hosted.facts.opened


def test_the_same_order_secret_and_time_give_the_same_bytes():
    once, again = (play_on(started(4), seed=5) for _ in range(2))
    assert once.entries == again.entries


def test_time_never_goes_back():
    hosted = started(2)
    ahead = hosted.facts.at
    hosted.at = NOON - 1_000_000
    play_on(hosted, commands=3)
    assert {hosted.event(version)[0].at for version in range(hosted.facts.version - 2, hosted.facts.version + 1)} == {
        ahead
    }


def test_all_entries_of_a_command_have_one_time():
    hosted = Hosted(creating(own_seat=0))
    before = hosted.facts.version
    hosted.do(BEN, Claim(1))
    assert len({hosted.event(version)[0].at for version in range(before + 1, hosted.facts.version + 1)}) == 1


@pytest.mark.parametrize(
    ("command", "reason", "rule"),
    [
        (creating(5), Reason.ILLEGAL_OPTIONS, "LS-1"),
        (creating(2, type(YOUNG)(first_player="seat_3")), Reason.ILLEGAL_OPTIONS, "LS-7"),
        (creating(2, type(YOUNG)(young_explorers=True, majority_ties=True)), Reason.ILLEGAL_OPTIONS, "LS-25"),
        (creating(own_seat=2), Reason.UNKNOWN_SEAT, ""),
        (creating(own_seat=-1), Reason.UNKNOWN_SEAT, ""),
        (creating(bots=bots(2)), Reason.UNKNOWN_SEAT, ""),
        (creating(own_seat=0, bots=bots(0)), Reason.SEAT_TAKEN, ""),
        (creating(bots=bots(1, 1)), Reason.SEAT_TAKEN, ""),
    ],
)
def test_a_match_that_can_not_be_is_refused(command, reason, rule):
    with pytest.raises(Refused) as refused:
        Hosted(command)
    assert (refused.value.reason, refused.value.rule) == (reason, rule)


def test_an_unknown_game_and_a_broken_edition_are_refused():
    hosted = Hosted()
    unknown = hosted.order(ANN, type(creating())("no_game", None, 2, ""))
    for order, edition, reason in [
        (unknown, EDITION, Reason.UNKNOWN_GAME),
        (hosted.order(ANN, creating()), EDITION.replace(b'"copies": 2', b'"copies": 3', 1), Reason.INVALID_EDITION),
        (hosted.order(ANN, creating()), b"{}", Reason.INVALID_EDITION),
    ]:
        with pytest.raises(Refused) as refused:
            deciding.create(order, edition, MATCH, SECRET, NOON)
        assert refused.value.reason is reason


def test_an_autopilot_that_moves_against_the_rules_is_no_refusal_of_the_command():
    """Whatever a command raises but Refused, the aggregate is dropped."""
    hosted = started(3)

    def broken(state, seat):
        raise IllegalMove("LS-0", f"{state.seats} {seat}")

    hosted.aggregate.engine = replace(hosted.aggregate.engine, autopilot=broken)
    with pytest.raises(IllegalMove):
        hosted.do(CAT, Leave(2))
