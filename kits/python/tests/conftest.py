"""What several tests of the kit use."""

pytest_plugins = ["pytester"]
