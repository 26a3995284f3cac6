from typing import NamedTuple

import pytest

from engines.core import games
from tests.conformance.record import match, profile, variants

SHORT, SOAK = 20, 500
SHORT_BESIDES, SOAK_BESIDES = 2, 50
SOAKED_AT_ONCE = 25
"""A test has three minutes."""


def pytest_generate_tests(metafunc):
    """A test that asks for `matches` gets those of one variant: twenty of a mode, two of others; 500 under `soak`.

    A game of long matches names its own numbers of a mode in its profile: `MATCHES = (short, soak)`.
    """
    if "matches" in metafunc.fixturenames:
        runs = [run for game in games.names() for variant in variants(game) for run in runs_of(game, variant)]
        metafunc.parametrize("matches", runs, indirect=True, scope="session")


def runs_of(game, variant):
    of_a_mode = getattr(profile(game), "MATCHES", (SHORT, SOAK))
    short, soak = of_a_mode if variant in profile(game).MODES else (SHORT_BESIDES, SOAK_BESIDES)
    yield pytest.param((game, variant, range(short)), id=f"{game}-{variant}")
    for first in range(short, soak, SOAKED_AT_ONCE):
        seeds = range(first, min(first + SOAKED_AT_ONCE, soak))
        yield pytest.param((game, variant, seeds), id=f"{game}-{variant}-soak-{first}", marks=pytest.mark.soak)


class Matches(NamedTuple):
    """Those of a variant, one after the other, as often as they are asked for."""

    game: str
    variant: str
    seeds: range

    def __iter__(self):
        return (match(self.game, self.variant, seed) for seed in self.seeds)


@pytest.fixture(scope="session")
def matches(request):
    """All laws look at the same matches before others are played: to play them takes longer than to look."""
    return Matches(*request.param)
