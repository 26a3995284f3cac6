"""A game that is not served here is refused by every rpc that takes the name of one, alone or as a filter."""

import pytest
from google.protobuf.descriptor import Descriptor, FieldDescriptor

from services.common.refusals import Reason
from tests.gateway.api.test_private import RPCS
from tests.gateway.floor import ids, refusal
from tests.gateway.waiting import kept

UNSERVED = ["chess", "south_seas", "LOST_SEAS", " ", "x" * 10_000]
"""The second is installed; none has an engine."""

NEEDED = {
    "CreateMatch": {"request_id": "1", "seats": 2},
    "QuickMatch": {"request_id": "2", "seats": 2},
    "ListPlayerMatches": {"player": "a"},
    "GetPlayerStatistics": {"player": "a"},
    "GetHeadToHead": {"player": "a", "other": "b"},
}


def places(message: Descriptor, inside: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    """Where a request names a game: paths of fields."""
    found = []
    for field in message.fields:
        path = (*inside, field.name)
        if path[-1] == "game" and field.type == FieldDescriptor.TYPE_STRING:
            found.append(path)
        if field.message_type is not None and message.full_name.startswith("tidelog.v1."):
            found += places(field.message_type, path)
    return found


NAMING = [
    (name, place) for name, rpc in sorted(RPCS.items()) if not rpc.client_streaming for place in places(rpc.input_type)
]


def test_such_rpcs_are_found():
    assert [name for name, _ in NAMING] == [
        "CreateMatch",
        "DescribeGame",
        "GetHeadToHead",
        "GetMessages",
        "GetPlayerStatistics",
        "GetRules",
        "ListLeaderboard",
        "ListMatches",
        "ListPlayerMatches",
        "QuickMatch",
        "WatchLog",
        "WatchMatches",
    ]
    assert places(RPCS["Play"].input_type) == [("commands", "follow_mine", "game")]


@pytest.mark.parametrize("game", UNSERVED, ids=["no game", "installed", "other case", "a space", "long"])
@pytest.mark.parametrize(("rpc", "place"), NAMING, ids=[name for name, _ in NAMING])
async def test_a_game_that_is_not_served_is_refused(ann, rpc, place, game):
    asked = game
    for name in reversed(place):
        asked = {name: asked}
    call = ann.drained if RPCS[rpc].server_streaming else ann.call
    refused = await refusal(call(rpc, **NEEDED.get(rpc, {}), **asked))
    assert refused.reason is Reason.UNKNOWN_GAME
    assert refused.message == f"{game[:40]!r} is not served here"


async def test_a_refused_creation_or_search_makes_nothing(ann, gateway):
    for rpc in ("CreateMatch", "QuickMatch"):
        refused = await refusal(ann.call(rpc, request_id=next(ids), game="south_seas", seats=2))
        assert refused.reason is Reason.UNKNOWN_GAME
    await kept(gateway)
    assert not (await ann.call("ListMatches")).matches
