import pytest

from tidelog.client.payloads import from_payloads, to_payload
from tidelog.games.lost_seas.v1.lost_seas_pb2 import Move

MOVE = Move()


@pytest.mark.parametrize(
    "values", [(), ({"cell": 1, "kind": "take"},), ({"a": [1, None]}, "text", 7), (MOVE, MOVE), ({"a": 1}, MOVE)]
)
def test_many_payloads_are_what_they_are_one_by_one(values):
    payloads = [to_payload(value if not isinstance(value, str) else f'"{value}"') for value in values]
    assert from_payloads(payloads) == values
