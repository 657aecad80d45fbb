"""Profiles: how many walks Hypothesis takes, how long they are, and where it begins."""

from __future__ import annotations

from collections.abc import Mapping

from hypothesis import HealthCheck, Phase, Verbosity
from hypothesis import settings as Settings

from tierproof.model.language.errors import closest

DRIVING = Settings(
    max_examples=100,
    stateful_step_count=50,
    deadline=None,
    report_multiple_bugs=False,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.reuse, Phase.generate, Phase.target, Phase.shrink],
    verbosity=Verbosity.quiet,
)
"""How `check` drives: a hundred walks of fifty steps. Change it with `settings(DRIVING, ...)`."""

PROFILES: Mapping[str, Settings] = {
    "quick": Settings(DRIVING, max_examples=20, stateful_step_count=30),
    "default": DRIVING,
    "ci": Settings(DRIVING, derandomize=True, database=None),
    "thorough": Settings(DRIVING, max_examples=1000, stateful_step_count=100),
}
"""Settings by name. `ci` takes the same walks in every run; `thorough` takes minutes."""


def settings_of(given: Settings | str) -> Settings:
    """The settings of a profile, or those that are given. Raises UnknownName."""
    return PROFILES[closest("profile", given, PROFILES)] if isinstance(given, str) else given
