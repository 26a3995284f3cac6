from tests.gateway.api.test_players import *  # noqa: F403 - its tests and fixtures
