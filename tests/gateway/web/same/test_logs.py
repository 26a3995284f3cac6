from tests.gateway.api.test_logs import *  # noqa: F403 - its tests and fixtures
