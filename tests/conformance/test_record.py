"""Where the laws look in a match."""

import pytest

from services.cli.laws.record import NOTABLE, SPREAD, WHOLE, looked_at, spread


def test_a_short_match_is_looked_at_in_full():
    assert looked_at(WHOLE, ([], [3]), 5) == set(range(WHOLE))


@pytest.mark.parametrize("seed", range(5))
def test_a_long_one_from_end_to_end_and_where_it_is_notable(seed):
    hiding, busy = list(range(10, 900)), [7, 11]
    chosen = looked_at(1000, (hiding, busy), seed)
    assert {0, 999, *spread(hiding, NOTABLE, seed), *busy} <= chosen
    assert SPREAD + NOTABLE - 6 <= len(chosen) <= SPREAD + NOTABLE + 4
    assert max(b - a for a, b in zip(sorted(chosen), sorted(chosen)[1:], strict=False)) <= 1000 / SPREAD + 1


def test_seeds_look_at_different_steps():
    assert len({tuple(spread(range(1000), SPREAD, seed)) for seed in range(SPREAD)}) == SPREAD
