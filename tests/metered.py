"""What the metrics of this process have counted since a moment: tests share one registry."""

from prometheus_client import REGISTRY

Sample = tuple[str, frozenset[tuple[str, str]]]


def samples() -> dict[Sample, float]:
    """Every sample of ours."""
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in REGISTRY.collect()
        if family.name.startswith("tidelog_")
        for sample in family.samples
        if not sample.name.endswith("_created")
    }


class Metered:
    """`since` asks by how much a sample has grown since this was made."""

    def __init__(self) -> None:
        self._before = samples()

    def since(self, name: str, **labels: str) -> float:
        key = (name, frozenset(labels.items()))
        return now(name, **labels) - self._before.get(key, 0.0)


def now(name: str, **labels: str) -> float:
    return samples().get((name, frozenset(labels.items())), 0.0)
