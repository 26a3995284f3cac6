"""The dashboard asks for what there is: each query is parsed and held against what running roles answer."""

import asyncio
import json
from collections.abc import Iterator
from urllib.error import HTTPError
from urllib.request import urlopen

import promql_parser
import pytest
from prometheus_client.parser import text_string_to_metric_families

from services.cli.platform import Settings, running
from tests.deploy import compose
from tests.integration.platform import SHORT
from tidelog.client import connect

FILE = compose.ROOT / "deploy" / "grafana" / "tidelog.json"
SCRAPED = {"instance", "job"}
"""Labels that Prometheus itself puts on what it scrapes."""

PARTS = ("lhs", "rhs", "expr", "args", "vector_selector")


@pytest.fixture(scope="module")
def dashboard():
    return json.loads(FILE.read_text())


def queries(dashboard) -> Iterator[str]:
    for panel in dashboard["panels"]:
        yield from (target["expr"] for target in panel["targets"])


def nodes(node) -> Iterator[object]:
    yield node
    for part in PARTS:
        below = getattr(node, part, None)
        for each in below if isinstance(below, list) else [below] if below is not None else []:
            yield from nodes(each)


def parsed(query):
    return list(nodes(promql_parser.parse(query.replace("$__rate_interval", "5m"))))


def asked(query) -> tuple[set[str], set[str]]:
    """The names of the samples that a query is about, and all labels that it names."""
    found = parsed(query)
    selectors = [node for node in found if isinstance(node, promql_parser.VectorSelector)]
    labels = {matcher.name for selector in selectors for matcher in selector.matchers.matchers}
    for node in found:
        if isinstance(node, promql_parser.AggregateExpr) and node.modifier is not None:
            labels |= set(node.modifier.labels)
    return {selector.name for selector in selectors}, labels


@pytest.fixture(scope="module")
def exposed(tmp_path_factory) -> dict[str, set[str]]:
    """The samples that the roles of a platform answer on which somebody plays and asks wrongly; the labels of each."""
    return asyncio.run(_exposed(tmp_path_factory.mktemp("platform")))


async def _exposed(data) -> dict[str, set[str]]:
    settings = Settings("127.0.0.1:0", data, metrics=True, http="127.0.0.1:0")
    async with running(settings) as platform, connect(platform.address, guest="Ann") as ann:
        match = (await ann.create(SHORT, 2, bots={0: "greedy", 1: "random"})).match_id
        async for _ in ann.watch(match):
            pass
        with pytest.raises(HTTPError, match="404"):
            await asyncio.to_thread(urlopen, f"http://{platform.http}/nowhere")
        found: dict[str, set[str]] = {}
        for child in platform.children.values():
            text = await asyncio.to_thread(scraped, child.metrics)
            for family in text_string_to_metric_families(text):
                for sample in family.samples:
                    found.setdefault(sample.name, set()).update(sample.labels)
    return found


def scraped(port: int) -> str:
    with urlopen(f"http://127.0.0.1:{port}/metrics") as answer:
        return answer.read().decode()


def test_each_query_asks_for_samples_and_labels_that_are_there(dashboard, exposed):
    for query in queries(dashboard):
        names, labels = asked(query)
        assert names, query
        for name in names:
            assert name in exposed, f"nobody counts {name}: {query}"
        known = SCRAPED.union(*(exposed[name] for name in names))
        assert labels <= known, f"{labels - known} are no labels of {names}: {query}"


def test_what_is_counted_is_shown(dashboard, exposed):
    shown = {name for query in queries(dashboard) for name in asked(query)[0]}
    ours = {name for name in exposed if name.startswith("tidelog_") and not name.endswith("_created")}
    families = {name.removesuffix("_bucket").removesuffix("_sum").removesuffix("_count") for name in ours}
    assert {name for name in families if not any(each.startswith(name) for each in shown)} == set()


def test_the_parser_finds_what_a_query_is_about():
    names, labels = asked('sum by (game) (rate(first{a="b"}[$__rate_interval])) / on (job) max(second) or third')
    assert (names, labels) == ({"first", "second", "third"}, {"game", "a"})


def test_it_can_be_imported(dashboard):
    panels = dashboard["panels"]
    assert len({panel["id"] for panel in panels}) == len(panels)
    assert len({panel["title"] for panel in panels}) == len(panels)
    variables = {variable["name"] for variable in dashboard["templating"]["list"]}
    assert variables == {"datasource", "game"}
    assert dashboard["schemaVersion"] >= 39
    cells = [
        (panel["gridPos"]["x"] + column, panel["gridPos"]["y"] + row)
        for panel in panels
        for column in range(panel["gridPos"]["w"])
        for row in range(panel["gridPos"]["h"])
    ]
    assert len(set(cells)) == len(cells), "panels lie on each other"
    assert max(x for x, _ in cells) < 24
    for panel in panels:
        assert panel["description"]
        assert panel["fieldConfig"]["defaults"]["unit"]
        for asking in (panel, *panel["targets"]):
            assert asking["datasource"] == {"type": "prometheus", "uid": "${datasource}"}


def test_what_provisions_it_names_what_is_mounted():
    grafana = compose.services({"TIDELOG_CLUSTER_KEY": "key"}, "metrics")["grafana"]
    places = {source: inside for inside, source in grafana.mounts.items()}
    home = grafana.environment["GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH"]
    assert places["./deploy/grafana/tidelog.json"] == home
    provider = compose.ROOT / "deploy" / "grafana" / "provider.yml"
    assert f"path: {home.rpartition('/')[0]}\n" in provider.read_text()
