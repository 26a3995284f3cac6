"""What operators do to a match: it is judged, written and folded as every other command is."""

import pytest

from services.common.refusals import Reason
from services.eventlog import snapshots
from services.eventlog.checking import earlier
from services.eventlog.commands import Abort, Claim, Leave, Quarantine, Release, Start, Submit
from services.eventlog.lifecycle import Aborted, AbortReason, Quarantined, Released, SecretRevealed
from services.eventlog.match import Status
from tests.services.eventlog.given import ANN, BEN, EASY, SECRET, Hosted, creating, play_on, started

OPERATOR = "tidelog|operator"
OPERATIONS = (Abort("cheats"), Quarantine("looked into"), Release("all is well"))
kinds = pytest.mark.parametrize("command", OPERATIONS, ids=lambda command: type(command).__name__)


def operate(hosted, command, **order):
    return hosted.do(OPERATOR, command, admin=True, **order)


def last(hosted, back=0):
    return hosted.event(hosted.facts.version - back)[1].payload


@pytest.mark.parametrize("match", [lambda: Hosted(creating(2, own_seat=0)), lambda: play_on(started(3), commands=7)])
def test_an_abort_ends_the_match_and_reveals_its_secret(match):
    hosted = match()
    assert operate(hosted, Abort("cheats")) == ["match.aborted", "match.secret_revealed"]
    assert last(hosted, 1) == Aborted(AbortReason.ADMIN, OPERATOR, "cheats")
    assert last(hosted) == SecretRevealed(SECRET.hex())
    assert (hosted.facts.status, hosted.facts.outcome, hosted.facts.owing) == (Status.ABORTED, None, ())


def test_a_match_out_of_service_takes_no_command_but_an_operators():
    hosted = play_on(started(2), commands=5)
    seat = hosted.facts.owing[0]
    assert operate(hosted, Quarantine("looked into")) == ["match.quarantined"]
    assert last(hosted) == hosted.facts.quarantine == Quarantined(OPERATOR, "looked into")
    for player, command in ((ANN, Leave(0)), ([ANN, BEN][seat], Submit(seat, EASY)), (ANN, Start()), (BEN, Claim())):
        refused = hosted.refuses(player, command, Reason.QUARANTINED)
        assert refused.version == hosted.facts.version
    hosted.refuses(OPERATOR, Quarantine("again"), Reason.QUARANTINED, admin=True)
    assert operate(hosted, Release("all is well")) == ["match.released"]
    assert last(hosted) == Released(OPERATOR, "all is well")
    assert hosted.facts.quarantine is None
    assert play_on(hosted).facts.status is Status.FINISHED


def test_who_holds_no_seat_is_not_told_of_it():
    """Spectators may be kept behind the log, where it has not happened yet."""
    hosted = play_on(started(2), commands=5)
    asked = {Claim(): Reason.ALREADY_STARTED, Leave(0): Reason.NOT_YOUR_SEAT, Submit(0, EASY): Reason.NOT_YOUR_SEAT}
    for _ in range(2):
        for command, reason in asked.items():
            assert hosted.refuses("guest|stranger", command, reason).version is None
        if hosted.facts.quarantine is None:
            operate(hosted, Quarantine("looked into"))


def test_nobodys_decision_changes_while_the_match_is_out_of_service():
    hosted = play_on(started(3), commands=5)
    stood = list(hosted.facts.decisions), hosted.facts.owing
    operate(hosted, Quarantine("looked into"))
    operate(hosted, Release("all is well"))
    assert (hosted.facts.decisions, hosted.facts.owing) == stood


def test_a_match_out_of_service_can_be_aborted():
    hosted = started(2)
    operate(hosted, Quarantine("looked into"))
    operate(hosted, Abort("cheats"))
    assert hosted.facts.status is Status.ABORTED


@kinds
def test_players_do_none_of_it(command):
    started(2).refuses(ANN, command, Reason.NOT_ALLOWED)


@kinds
def test_what_is_over_stays_as_it_is(command):
    hosted = play_on(started(2))
    hosted.refuses(OPERATOR, command, Reason.MATCH_OVER, admin=True)


@kinds
@pytest.mark.parametrize("why", ["", "  ", "x" * 201])
def test_a_reason_is_given_and_short(command, why):
    hosted = started(2)
    if isinstance(command, Release):
        operate(hosted, Quarantine("looked into"))
    refused = hosted.refuses(OPERATOR, type(command)(why), Reason.MALFORMED, admin=True)
    assert "`$.reason`" in refused.message


def test_a_match_in_service_is_not_released():
    started(2).refuses(OPERATOR, Release("all is well"), Reason.NOT_QUARANTINED, admin=True)


def test_what_an_operator_sends_again_is_known_again():
    hosted = started(2)
    for request, command in enumerate((Quarantine("looked into"), Release("all is well"), Abort("cheats"))):
        operate(hosted, command, request_id=f"operation {request}")
        version = hosted.facts.version
        handled = find(hosted, f"operation {request}", command)
        assert (handled.first, handled.last) == (version - isinstance(command, Abort), version)


def find(hosted, request_id, command):
    return earlier(hosted.facts, hosted.order(OPERATOR, command, request_id, admin=True))


def test_a_snapshot_keeps_the_quarantine():
    hosted = started(2)
    operate(hosted, Quarantine("looked into"))
    found = snapshots.load(snapshots.parse(snapshots.dump(hosted.aggregate)), hosted.unborn())
    assert found.facts.quarantine == Quarantined(OPERATOR, "looked into")
    assert hosted.fold().facts.quarantine == Quarantined(OPERATOR, "looked into")
