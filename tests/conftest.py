"""What holds for all tests: no test fails because the machine is busy."""

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "busy_machine",
    settings.default,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("busy_machine")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A slow test has as long as it takes: the limit of the others is wall time of any machine."""
    for item in items:
        if item.get_closest_marker("slow") and not item.get_closest_marker("timeout"):
            item.add_marker(pytest.mark.timeout(0))
