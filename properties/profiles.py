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
    phases=[Phase.reuse, Phase.generate, Phase.shrink],
    verbosity=Verbosity.quiet,
)
"""How `check` drives: a hundred walks of fifty steps. Change it with `settings(DRIVING, ...)`."""

PROFILES: Mapping[str, Settings] = {
    "quick": Settings(DRIVING, max_examples=20, stateful_step_count=30),
    "default": DRIVING,
    "ci": Settings(DRIVING, derandomize=True, database=None),
    "thorough": Settings(
        DRIVING,
        max_examples=1000,
        stateful_step_count=100,
        phases=[*DRIVING.phases, Phase.target],
    ),
}
"""Settings by name.

`ci` takes the same walks in every run. `thorough` takes minutes; half of its walks are changes of
those that took the most different actions.
"""


def settings_of(given: Settings | str, *, is_aimed: bool = False) -> Settings:
    """The settings of a profile, or those that are given. Raises UnknownName.

    `is_aimed`: some of the walks are changes of those that came closest to an aim.
    """
    found = PROFILES[closest("profile", given, PROFILES)] if isinstance(given, str) else given
    if not is_aimed or Phase.target in found.phases:
        return found
    return Settings(found, phases=[*found.phases, Phase.target])
