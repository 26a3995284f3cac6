import pytest

from engines.core import games
from services.cli.laws.profiles import profile
from services.cli.laws.record import Matches, variants

SHORT_BESIDES, SOAK_BESIDES = 2, 50
SOAKED_AT_ONCE = 25
"""A test has three minutes."""


def pytest_generate_tests(metafunc):
    """A test that asks for `matches` gets those of one variant: as many of a mode as the game's profile says, two of
    others; many more under `soak`.
    """
    if "matches" in metafunc.fixturenames:
        runs = [run for game in games.names() for variant in variants(game) for run in runs_of(game, variant)]
        metafunc.parametrize("matches", runs, indirect=True, scope="session")


def runs_of(game, variant):
    short, soak = profile(game).matches if variant in profile(game).modes else (SHORT_BESIDES, SOAK_BESIDES)
    yield pytest.param((game, variant, range(short)), id=f"{game}-{variant}")
    for first in range(short, soak, SOAKED_AT_ONCE):
        seeds = range(first, min(first + SOAKED_AT_ONCE, soak))
        yield pytest.param((game, variant, seeds), id=f"{game}-{variant}-soak-{first}", marks=pytest.mark.soak)


@pytest.fixture(scope="session")
def matches(request):
    """All laws look at the same matches before others are played: to play them takes longer than to look."""
    return Matches(*request.param)
