from tests.gateway.api.test_watch import *  # noqa: F403 - its tests and fixtures

del test_a_slow_reader_is_ended_with_the_cursor_to_go_on_from  # noqa: F821 - its transport is gRPC's: test_streams.py
