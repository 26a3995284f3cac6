"""What every suite shares."""

import pytest

pytest.register_assert_rewrite("services.cli.laws")
pytest_plugins = ["tests.haggling.known", "tests.store"]


def pytest_collection_modifyitems(config, items):
    """Soak runs are asked for by name: `-m soak`."""
    if "soak" not in config.option.markexpr:
        long = [item for item in items if item.get_closest_marker("soak")]
        items[:] = [item for item in items if not item.get_closest_marker("soak")]
        config.hook.pytest_deselected(items=long)
