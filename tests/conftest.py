"""What every suite shares."""

pytest_plugins = ["tests.store"]
