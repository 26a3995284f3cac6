from services.eventlog.requests import REMEMBERED, Handled, Requests, extend, find, remember
from tests.services.eventlog.given import ANN, BEN

DIGEST = b"digest!!"


def key(number: int) -> bytes:
    return number.to_bytes(16, "big")


def remembered(count: int) -> Requests:
    requests: Requests = {}
    for number in range(count):
        remember(requests, ANN, key(number), Handled(DIGEST, number + 1, number + 1, number % 4))
    return requests


def test_nothing_is_found_of_a_player_who_asked_for_nothing():
    assert find({}, ANN, key(0)) is None
    assert find(remembered(3), BEN, key(0)) is None


def test_every_remembered_request_is_found_as_it_was_handled():
    requests = remembered(REMEMBERED)
    for number in range(REMEMBERED):
        assert find(requests, ANN, key(number)) == Handled(DIGEST, number + 1, number + 1, number % 4)


def test_the_257th_request_forgets_the_first():
    requests = remembered(REMEMBERED + 1)
    assert find(requests, ANN, key(0)) is None
    assert find(requests, ANN, key(1)) is not None
    assert find(requests, ANN, key(REMEMBERED)) is not None


def test_a_command_without_a_seat_is_told_from_one_of_seat_0():
    requests: Requests = {}
    remember(requests, ANN, key(1), Handled(DIGEST, 1, 1, None))
    remember(requests, ANN, key(2), Handled(DIGEST, 2, 2, 0))
    assert [find(requests, ANN, key(number)).seat for number in (1, 2)] == [None, 0]


def test_a_command_ends_where_its_last_entry_stands():
    requests = remembered(2)
    extend(requests, ANN, 9)
    assert find(requests, ANN, key(0)).last == 1
    assert find(requests, ANN, key(1)) == Handled(DIGEST, 2, 9, 1)


def test_a_key_is_not_found_across_the_border_of_two_records():
    """The bytes of a record's end and the next one's beginning may look like a key."""
    requests: Requests = {}
    remember(requests, ANN, b"\1" * 16, Handled(b"\2" * 8, 3, 4, 1))
    remember(requests, ANN, b"\5" * 16, Handled(b"\2" * 8, 5, 6, 1))
    across = bytes(requests[ANN][20:36])
    assert find(requests, ANN, across) is None
    remember(requests, ANN, across, Handled(b"\7" * 8, 7, 7, 2))
    assert find(requests, ANN, across) == Handled(b"\7" * 8, 7, 7, 2)


def test_a_record_takes_33_bytes():
    assert {len(records) for records in remembered(10).values()} == {330}
