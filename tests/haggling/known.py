"""Makes the game known for the time of a test."""

from collections.abc import Iterator
from importlib.metadata import EntryPoint

import pytest

from engines.core import games
from engines.core.engine import AnyEngine
from tests import haggling


@pytest.fixture
def haggling_engine(monkeypatch) -> Iterator[AnyEngine]:
    points = [EntryPoint("haggling", "tests.haggling", games.GROUP)]
    monkeypatch.setattr(games, "entry_points", lambda *, group: points if group == games.GROUP else [])
    caches = games._packages, games.engine, games.edition
    for cached in caches:
        cached.cache_clear()
    yield haggling.ENGINE
    monkeypatch.undo()
    for cached in caches:
        cached.cache_clear()
