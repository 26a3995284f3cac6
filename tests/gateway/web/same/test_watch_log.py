from tests.gateway.api.test_watch_log import *  # noqa: F403 - its tests and fixtures

del test_a_reader_of_nothing_ends_typed_and_goes_on_later  # noqa: F821 - its transport is gRPC's: test_streams.py
