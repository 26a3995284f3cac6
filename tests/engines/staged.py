"""What the tests of all games stage: luck arranged beforehand, and matches to be created."""

import pytest

from engines.core.errors import IllegalOptions
from engines.core.options import read_options


class Rigged:
    """Luck that gives what is told for a label, one result after the other, and else always the first."""

    def __init__(self, **results):
        self.results = {label: [told] if isinstance(told, int) else list(told) for label, told in results.items()}

    def draw(self, label, n):
        result = self.results[label].pop(0) if self.results.get(label) else 0
        assert 0 <= result < n, (label, n, result)
        return result

    def used_up(self):
        return not any(self.results.values())


class Proposal:
    """Options, by their values, and seats of a match to be created."""

    def __init__(self, engine, catalog, seats, **options):
        self.engine, self.catalog, self.seats, self.options = engine, catalog, seats, options

    def refuses(self, rule_id):
        with pytest.raises(IllegalOptions) as refused:
            self.engine.initial(self.catalog, read_options(self.engine, self.options), self.seats, 1)
        assert refused.value.rule == rule_id
