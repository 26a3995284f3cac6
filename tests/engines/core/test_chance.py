from collections import Counter

import pytest

from engines.core import chance
from engines.core.chance import MatchChance, SeededChance

KEY = bytes(range(32))


def draws(luck, n, count=300):
    return [luck.draw("die", n) for _ in range(count)]


@pytest.mark.parametrize("make", [lambda: MatchChance(KEY, 7), lambda: SeededChance(7)], ids=["match", "seeded"])
def test_draws_are_in_range_and_repeat_with_their_source(make):
    numbers = draws(make(), 6)
    assert set(numbers) == set(range(6))
    assert numbers == draws(make(), 6)


@pytest.mark.parametrize("make", [lambda: MatchChance(KEY, 7), lambda: SeededChance(7)], ids=["match", "seeded"])
def test_each_outcome_comes_about_as_often(make):
    counts = Counter(draws(make(), 3, 3000))
    assert all(abs(count - 1000) < 120 for count in counts.values())


@pytest.mark.parametrize("luck", [MatchChance(KEY, 7), SeededChance(7)], ids=["match", "seeded"])
@pytest.mark.parametrize("n", [0, -1, 2**64 + 1])
def test_a_draw_needs_an_outcome_and_no_more_than_its_bits_hold(luck, n):
    with pytest.raises(ValueError, match="outcomes"):
        luck.draw("die", n)


def test_one_outcome_is_no_luck():
    assert draws(MatchChance(KEY, 1), 1, 3) == draws(SeededChance(1), 1, 3) == [0, 0, 0]


def test_a_match_draws_by_key_version_label_and_place():
    first = MatchChance(KEY, 1).draw("die", 2**64)
    assert first != MatchChance(KEY[::-1], 1).draw("die", 2**64)
    assert first != MatchChance(KEY, 2).draw("die", 2**64)
    assert first != MatchChance(KEY, 1).draw("card", 2**64)
    assert len(set(draws(MatchChance(KEY, 1), 2**64))) == 300


def test_the_luck_of_the_next_command_begins_anew():
    luck = MatchChance(KEY, 1)
    draws(luck, 99)
    luck.begin(2)
    assert draws(luck, 99) == draws(MatchChance(KEY, 2), 99)


def test_a_seed_is_bytes_or_a_number_of_either_sign():
    assert draws(SeededChance(-3), 99) != draws(SeededChance(3), 99)
    assert draws(SeededChance(b"a"), 99) != draws(SeededChance(b"b"), 99)


def test_a_number_that_would_favour_some_outcomes_is_drawn_again(monkeypatch):
    # Of 2^64 numbers and three quarters as many outcomes, the last quarter is drawn again.
    n = 3 << 62
    monkeypatch.setattr(
        chance, "Keyed", lambda _: lambda message: (b"\xff" * 8 if message[-1] < 2 else bytes(8)) + bytes(24)
    )
    assert MatchChance(KEY, 1).draw("die", n) == 0
    assert max(draws(SeededChance(1), n)) < n
