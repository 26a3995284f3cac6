"""docker-compose.yml as a contract: fresh, of the Compose specification's form, and complete."""

import json
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from ruamel.yaml import YAML

from engines.core import games
from tests.deploy import compose

# check-jsonschema ships the specification's own schema, under its own licence.
SCHEMA = files("check_jsonschema") / "builtin_schemas" / "vendor" / "compose-spec.json"
KEY = {"TIDELOG_CLUSTER_KEY": "a key of this test"}


@pytest.fixture(scope="module")
def specification() -> Draft202012Validator:
    return Draft202012Validator(json.loads(SCHEMA.read_text()))


def test_what_is_committed_is_what_the_template_and_the_games_give(tmp_path):
    subprocess.run([sys.executable, compose.ROOT / "deploy" / "generate.py", tmp_path], check=True)
    for committed in (compose.FILE, compose.ROOT / "deploy" / "prometheus.yml"):
        assert (tmp_path / committed.name).read_text() == committed.read_text(), "run `make deploy`"


def test_it_is_of_the_form_that_the_specification_demands(specification):
    errors = [error.message for error in specification.iter_errors(compose.raw())]
    assert not errors


def test_the_specification_refuses_what_it_does_not_know(specification):
    document = compose.raw()
    document["services"]["gateway"]["comand"] = "tidelog serve gateway"
    assert not specification.is_valid(document)


def test_every_game_has_an_engine_service_and_the_gateway_knows_each():
    found = compose.services(KEY)
    engines = {service.command[3]: service for service in found.values() if service.command[2:3] == ("engine",)}
    assert sorted(engines) == sorted(games.names())
    addresses = dict(item.split("=") for item in found["gateway"].environment["TIDELOG_ENGINE"].split(","))
    listens = {game: int(service.command[-1].rpartition(":")[2]) for game, service in engines.items()}
    assert addresses == {game: f"{engines[game].name}:{listens[game]}" for game in engines}


def test_it_does_not_start_without_a_cluster_key():
    with pytest.raises(compose.Unset, match="secret"):
        compose.services({})


def test_every_role_has_the_cluster_key_and_the_store_has_not():
    having = {name for name, service in compose.services(KEY).items() if KEY.items() <= service.environment.items()}
    assert having == {name for name, row in compose.raw()["services"].items() if row["image"] == "tidelog"}
    assert "store" not in having


def test_the_key_that_seals_secrets_goes_to_the_engines_and_the_gateway_alone():
    found = compose.services({**KEY, "TIDELOG_SECRET_KEY": "another"})
    having = {name for name, service in found.items() if service.environment.get("TIDELOG_SECRET_KEY") == "another"}
    assert having == set(found) - {"store", "bots"}


def test_gateway_and_dashboard_publish_a_port_and_to_this_machine_alone_unless_told_otherwise():
    published = {name: row["ports"] for name, row in compose.raw()["services"].items() if "ports" in row}
    assert list(published) == ["gateway", "grafana"]
    grpc, http = published["gateway"]
    assert [compose.interpolated(port, {}) for port in (grpc, http)] == ["127.0.0.1:50051:50051", "127.0.0.1:8080:8080"]
    assert compose.interpolated(grpc, {"TIDELOG_PUBLISH": "50051"}) == "50051:50051"
    assert compose.interpolated(http, {"TIDELOG_PUBLISH_HTTP": "80"}) == "80:8080"
    assert [compose.interpolated(port, {}) for port in published["grafana"]] == ["127.0.0.1:3000:3000"]


def test_what_is_counted_is_shown_to_those_who_ask_for_it():
    asked = set(compose.services(KEY, "metrics")) - set(compose.services(KEY))
    assert asked == {"prometheus", "grafana"}


def test_every_role_answers_prometheus_where_it_asks():
    (job,) = YAML(typ="safe", pure=True).load(compose.ROOT / "deploy" / "prometheus.yml")["scrape_configs"]
    (found,) = job["dns_sd_configs"]
    roles = {name: each for name, each in compose.services(KEY).items() if each.command[0] == "tidelog"}
    assert sorted(found["names"]) == sorted(roles)
    assert {each.environment["TIDELOG_METRICS"] for each in roles.values()} == {str(found["port"])}
    for service in roles.values():
        listens = [*service.command, service.environment.get("TIDELOG_LISTEN", "")]
        assert any(word.startswith("0.0.0.0:") for word in listens), "a role answers on the host it listens on"


def test_what_is_mounted_and_built_is_here():
    mounted = {source for service in compose.services(KEY, "metrics").values() for source in service.mounts.values()}
    volumes = set(compose.raw()["volumes"])
    assert volumes <= mounted
    build = compose.raw()["services"]["gateway"]["build"]
    for path in (*(mounted - volumes), Path(build["context"]) / build["dockerfile"]):
        assert (compose.ROOT / path).is_file(), path
