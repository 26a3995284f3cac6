"""What the suites that go through a whole platform share."""

from collections.abc import Iterator

import pytest

from tests.integration.platform import Up, up


@pytest.fixture(scope="module")
def platform(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Up]:
    """An ordinary `up` for the tests of one file that neither end a part of it nor mind what others play there."""
    with up(tmp_path_factory.mktemp("up")) as running:
        yield running
