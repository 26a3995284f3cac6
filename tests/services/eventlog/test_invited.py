"""Who may claim a seat: invitations, private matches, reserved seats, and matches for whoever comes next."""

from msgspec.structs import replace

from services.common.refusals import Reason
from services.eventlog.commands import Claim, Leave, Withdraw
from services.eventlog.terms import Terms
from tests.services.eventlog.given import ANN, BEN, CAT, DAN, EVE, Hosted, creating

PRIVATE = Terms(private=True)


def opened(terms: Terms, seats: int = 3, **more: object) -> Hosted:
    return Hosted(creating(seats, own_seat=0, terms=terms, **more))


def players(hosted: Hosted) -> list[str | None]:
    return [seat.player for seat in hosted.facts.seats]


def test_a_private_match_is_claimed_with_an_invitation():
    hosted = opened(PRIVATE)
    hosted.refuses(BEN, Claim(1), Reason.NOT_ALLOWED)
    hosted.refuses(BEN, Claim(), Reason.NOT_ALLOWED)
    hosted.do(BEN, Claim(1, invitation="first"))
    assert players(hosted) == [ANN, BEN, None]
    assert hosted.fold().facts.used == ["first"]


def test_its_creator_and_admins_need_none():
    hosted = opened(PRIVATE)
    hosted.do(ANN, Claim(1))
    hosted.do(EVE, Claim(2), admin=True)
    assert players(hosted) == [ANN, ANN, EVE]


def test_an_invitation_is_used_once():
    for terms in (PRIVATE, None):
        hosted = opened(terms)
        hosted.do(BEN, Claim(1, invitation="first"))
        hosted.refuses(CAT, Claim(2, invitation="first"), Reason.EXPIRED)
        hosted.do(BEN, Leave(1))
        hosted.refuses(BEN, Claim(1, invitation="first"), Reason.EXPIRED)
        hosted.do(BEN, Claim(1, invitation="second"))


def test_who_gave_a_private_seat_up_is_remembered_once():
    hosted = opened(PRIVATE)
    for invitation in ("first", "second"):
        hosted.do(BEN, Claim(1, invitation=invitation))
        hosted.do(BEN, Leave(1))
    assert hosted.fold().facts.guests == [BEN]
    public = opened(None)
    public.do(BEN, Claim(1))
    public.do(BEN, Leave(1))
    assert public.facts.guests == []


def test_a_reserved_seat_is_its_players_alone():
    hosted = Hosted(creating(3, terms=Terms(reserved=(CAT, "", BEN))))
    hosted.refuses(DAN, Claim(0), Reason.SEAT_TAKEN)
    hosted.do(DAN, Claim())
    hosted.refuses(EVE, Claim(), Reason.SEAT_TAKEN)
    hosted.do(BEN, Claim())
    hosted.do(CAT, Claim(0))
    assert players(hosted) == [CAT, DAN, BEN]


def test_who_has_a_seat_reserved_needs_no_invitation():
    hosted = opened(replace(PRIVATE, reserved=("", "", BEN)))
    hosted.refuses(CAT, Claim(1), Reason.NOT_ALLOWED)
    hosted.do(BEN, Claim())
    assert players(hosted) == [ANN, None, BEN]


def test_nobody_is_paired_with_themselves():
    hosted = opened(Terms(quick=True))
    hosted.refuses(ANN, Claim(), Reason.SEAT_TAKEN)
    hosted.refuses(ANN, Claim(1), Reason.SEAT_TAKEN)
    hosted.do(BEN, Claim())
    hosted.do(ANN, Leave(0))
    hosted.do(ANN, Claim())
    assert players(hosted) == [ANN, BEN, None]


def test_a_withdrawal_gives_the_seat_up_before_the_start_and_never_after():
    hosted = opened(None, seats=2)
    hosted.refuses(BEN, Withdraw(0), Reason.NOT_YOUR_SEAT)
    hosted.refuses(BEN, Withdraw(2), Reason.UNKNOWN_SEAT)
    assert hosted.do(ANN, Withdraw(0)) == ["match.seat_released"]
    hosted.do(ANN, Claim(0))
    hosted.do(BEN, Claim(1))
    hosted.refuses(ANN, Withdraw(0), Reason.ALREADY_STARTED)
