import pytest

from engines.core import games
from tests.conformance.record import match, profile, variants

SHORT, SOAK = 20, 500
SHORT_BESIDES, SOAK_BESIDES = 2, 50


def pytest_generate_tests(metafunc):
    """A test that asks for `matches` gets those of one variant: twenty of a mode, two of others; 500 under `soak`.

    A game of long matches names its own numbers of a mode in its profile: `MATCHES = (short, soak)`.
    """
    if "matches" in metafunc.fixturenames:
        runs = [run for game in games.names() for variant in variants(game) for run in runs_of(game, variant)]
        metafunc.parametrize("matches", runs, indirect=True)


def runs_of(game, variant):
    of_a_mode = getattr(profile(game), "MATCHES", (SHORT, SOAK))
    short, soak = of_a_mode if variant in profile(game).MODES else (SHORT_BESIDES, SOAK_BESIDES)
    yield pytest.param((game, variant, range(short)), id=f"{game}-{variant}")
    yield pytest.param((game, variant, range(short, soak)), id=f"{game}-{variant}-soak", marks=pytest.mark.soak)


@pytest.fixture
def matches(request):
    """The mode's matches, one after the other."""
    game, variant, seeds = request.param
    return (match(game, variant, seed) for seed in seeds)
