"""docs/api.md says what the protos say."""

import importlib.util
import re

import pytest

from tests.docs.pages import DOCS, ROOT


@pytest.fixture(scope="module")
def reference():
    spec = importlib.util.spec_from_file_location("reference", ROOT / "protos" / "reference.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_reference_is_fresh(reference):
    assert (DOCS / "api.md").read_text() == reference.page(), "run `make protos`"


def test_every_public_part_is_in_it_with_its_comment(reference):
    page = reference.page()
    for file in reference.described():
        comments = reference.Comments(file)
        for number, service in enumerate(file.service):
            for place, method in enumerate(service.method):
                said = comments.of((6, number, 2, place))
                assert said
                assert f"### {service.name}/{method.name}\n" in page
                assert said in page
        for message in file.message_type:
            assert f"## {message.name}\n" in page
        for enum in file.enum_type:
            assert f"## {enum.name}\n" in page
    assert "EngineService" not in page
    assert "| `messages` | map of string to string |" in page


def test_every_type_that_is_named_is_described(reference):
    page = reference.page()
    titles = {line[3:].lower().replace(".", "") for line in page.splitlines() if line.startswith("## ")}
    assert set(re.findall(r"\(#([^)]+)\)", page)) <= titles
