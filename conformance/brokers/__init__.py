"""Counterexamples played on released Kafka brokers.

A scenario is the stored trace of a finding. What a user, an operator or a fault does in it is done
to real brokers; what brokers do by themselves is awaited. Then the brokers are asked what the
broken property speaks of.

    for result in confirm_all([(scenario, trace, claim)], ["4.4.0"], folder, jars):
        result.outcome, result.found, result.seen
"""

from tierproof.conformance.brokers.confirming import Confirmation, Outcome
from tierproof.conformance.brokers.errors import CannotRun
from tierproof.conformance.brokers.releases import NEWEST, RELEASES, Release, class_path
from tierproof.conformance.brokers.scenarios import NOT_EXPRESSIBLE, SCENARIOS, Scenario
from tierproof.conformance.brokers.side_by_side import confirm_all
from tierproof.conformance.brokers.table import as_markdown, in_words

__all__ = [
    "NEWEST",
    "NOT_EXPRESSIBLE",
    "RELEASES",
    "SCENARIOS",
    "CannotRun",
    "Confirmation",
    "Outcome",
    "Release",
    "Scenario",
    "as_markdown",
    "class_path",
    "confirm_all",
    "in_words",
]
