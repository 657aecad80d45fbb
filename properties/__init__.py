"""Driving: Hypothesis walks any design at scopes far beyond exhaustion, and shrinks what it finds.

    from hypothesis import settings
    from tierproof.properties import DRIVING, check

    def test_my_design_holds_at_large():
        driven = check(DESIGN, Cluster(brokers=5), settings=settings(DRIVING, max_examples=30))
        assert not driven.never_taken

Walks prove nothing, but reach scopes that no search completes. A run without a violation
returns `Driven`: how many states were checked, which actions no walk took and which
witnesses were reached. A violation is an AssertionError that prints a trace to paste. Each walk
does without some of the actions (swarm testing); `towards=` leads walks to rare states.
"""

from tierproof.properties.machine import DesignMachine, Driven, check, machine_for
from tierproof.properties.profiles import DRIVING, PROFILES
from tierproof.properties.strategies import reachable_states, scopes, traces
from tierproof.properties.violation import Violation

__all__ = [
    "DRIVING",
    "PROFILES",
    "DesignMachine",
    "Driven",
    "Violation",
    "check",
    "machine_for",
    "reachable_states",
    "scopes",
    "traces",
]
