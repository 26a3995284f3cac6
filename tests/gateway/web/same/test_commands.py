from tests.gateway.api.test_commands import *  # noqa: F403 - its tests and fixtures
