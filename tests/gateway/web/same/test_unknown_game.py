from tests.gateway.api.test_unknown_game import *  # noqa: F403 - its tests and fixtures
