from tests.gateway.api.test_private import *  # noqa: F403 - its tests and fixtures
