from tests.gateway.api.test_lists import *  # noqa: F403 - its tests and fixtures
