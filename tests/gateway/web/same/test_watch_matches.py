from tests.gateway.api.test_watch_matches import *  # noqa: F403 - its tests and fixtures

del test_a_slow_client_is_told_that_it_was_too_slow  # noqa: F821 - its transport is gRPC's: test_streams.py
