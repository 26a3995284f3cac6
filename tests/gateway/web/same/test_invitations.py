from tests.gateway.api.test_invitations import *  # noqa: F403 - its tests and fixtures
