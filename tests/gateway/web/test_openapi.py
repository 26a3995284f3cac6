"""The description of the HTTP API: valid, fresh, whole, and served."""

import json
import subprocess
import sys

from openapi_spec_validator import validate

from gateway.main import SERVICES
from gateway.web.app import DESCRIPTION
from gateway.web.rpcs import rpcs_of
from tests.docs.pages import ROOT


def document():
    return json.loads(DESCRIPTION.read_text())


def test_it_is_what_the_protos_say(tmp_path):
    written = tmp_path / "openapi.json"
    subprocess.run([sys.executable, ROOT / "protos" / "openapi.py", written], check=True)
    assert written.read_text() == DESCRIPTION.read_text(), "run `make protos`"


def test_it_is_valid():
    validate(document())


class Anything:
    def __getattr__(self, name):
        return name


def test_every_rpc_is_in_it_with_a_summary_and_no_other():
    paths = document()["paths"]
    assert paths.keys() == {f"/api/v1/{name}" for name in rpcs_of(dict.fromkeys(SERVICES, Anything()))}
    assert all(call["post"]["summary"] for call in paths.values())


def test_every_field_and_value_is_described():
    for name, schema in document()["components"]["schemas"].items():
        assert schema["description"], name
        for field, kind in schema.get("properties", {}).items():
            assert kind.get("description") or "$ref" in kind, f"{name}.{field}"


async def test_it_is_served(web):
    answer = await web.http.get("/api/v1/openapi.json")
    assert answer.headers["content-type"] == "application/json"
    assert answer.json() == document()
