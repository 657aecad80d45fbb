"""What holds for all tests: no test fails because the machine is busy."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "busy_machine",
    settings.default,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("busy_machine")
