from tests.gateway.api.test_imports import *  # noqa: F403 - its tests and fixtures

del test_the_order_and_the_limits_of_pieces_are_kept  # noqa: F821 - a body is in order, of any size: test_refusals.py
