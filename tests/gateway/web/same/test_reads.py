from tests.gateway.api.test_reads import *  # noqa: F403 - its tests and fixtures
