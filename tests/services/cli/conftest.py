import pytest

from tests.services.cli.command import Command


@pytest.fixture
def tidelog(capsys) -> Command:
    return Command(capsys)
