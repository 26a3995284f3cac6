"""Numbers of enums in requests: those that no enum of ours has are refused, wherever they stand."""

import pytest

from gateway.enums import check_enums
from services.common.refusals import Reason, Refused
from tidelog.v1.matches_pb2 import (
    CreateMatchRequest,
    GetViewRequest,
    GetViewResponse,
    ListMatchesRequest,
    PlayCommand,
    PlayRequest,
    SubmitMoveRequest,
)
from tidelog.v1.payload_pb2 import PAYLOAD_FORM_TYPED
from tidelog.v1.updates_pb2 import INCLUDE_LEGAL, INCLUDE_VIEW


@pytest.mark.parametrize(
    ("request_", "place"),
    [
        (GetViewRequest(accept=99), "$.accept"),
        (GetViewRequest(accept=-1), "$.accept"),
        (SubmitMoveRequest(include=[INCLUDE_VIEW, 9]), "$.include[1]"),
        (ListMatchesRequest(status=77), "$.status"),
        (CreateMatchRequest(log_after_end=7), "$.log_after_end"),
        (PlayCommand(follow_mine=PlayCommand.FollowMine(accept=9)), "$.follow_mine.accept"),
        (
            PlayRequest(commands=[PlayCommand(), PlayCommand(submit=PlayCommand.Submit(include=[5]))]),
            "$.commands[1].submit.include[0]",
        ),
    ],
)
def test_an_unknown_number_is_refused_with_its_place(request_, place):
    with pytest.raises(Refused) as refused:
        check_enums(request_)
    assert refused.value.reason is Reason.MALFORMED
    assert refused.value.message.endswith(f"at `{place}`")


@pytest.mark.parametrize(
    "request_",
    [
        GetViewRequest(),
        GetViewRequest(accept=PAYLOAD_FORM_TYPED),
        SubmitMoveRequest(include=[INCLUDE_VIEW, INCLUDE_LEGAL, 0]),
        PlayRequest(commands=[PlayCommand()]),
        GetViewResponse(),
    ],
)
def test_a_known_one_is_not(request_):
    check_enums(request_)
