from services.common.bounded import Bounded


def test_beyond_the_limit_what_was_set_longest_ago_leaves():
    held = Bounded(2)
    held["first"] = 1
    held["second"] = 2
    held["first"] = 3
    held["third"] = 4
    assert dict(held) == {"first": 3, "third": 4}


def test_what_is_set_again_takes_no_room():
    held = Bounded(2)
    for number in range(5):
        held["same"] = number
    held["other"] = 0
    assert dict(held) == {"same": 4, "other": 0}
