from tests.gateway.api.test_replays import *  # noqa: F403 - its tests and fixtures
