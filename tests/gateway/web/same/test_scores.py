from tests.gateway.api.test_scores import *  # noqa: F403 - its tests and fixtures
