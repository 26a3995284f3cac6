"""What is absent is skipped where people work, and fails where everything is required."""

import pytest

from tests import requirements


@pytest.fixture
def without_node(monkeypatch):
    monkeypatch.setattr(requirements.shutil, "which", {}.get)


@pytest.mark.usefixtures("without_node")
def test_a_test_without_its_tool_is_skipped(monkeypatch):
    monkeypatch.delenv(requirements.REQUIRE_ALL, raising=False)
    with pytest.raises(pytest.skip.Exception, match=r"needs Node\.js"):
        requirements.needs_buf()


@pytest.mark.usefixtures("without_node")
def test_where_all_is_required_it_fails(monkeypatch):
    monkeypatch.setenv(requirements.REQUIRE_ALL, "1")
    with pytest.raises(pytest.fail.Exception, match=r"Node\.js is missing"):
        requirements.needs_node()


def test_buf_is_looked_for_in_its_own_folder(monkeypatch, tmp_path):
    monkeypatch.delenv(requirements.REQUIRE_ALL, raising=False)
    monkeypatch.setattr(requirements.shutil, "which", {"node": "/bin/node"}.get)
    monkeypatch.setattr(requirements, "PROTOS", tmp_path)
    with pytest.raises(pytest.skip.Exception, match="npm ci"):
        requirements.needs_buf()
