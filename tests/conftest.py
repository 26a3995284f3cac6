"""What every suite shares."""

pytest_plugins = ["tests.haggling.known", "tests.store"]
