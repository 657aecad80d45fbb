"""The TLA+ twin of KIP-405's core has the bounds of its scopes, and TLC counts the same states.

TLC itself is not run here: `benchmarks/run.py --kip405 SCOPE` does, and leaves its counts in
benchmarks/results. A change of the model that changes a count has to change the twin.
"""

import json
import re
from pathlib import Path

import pytest

from tierproof.model.designs import kip405
from tierproof.model.language import Scope
from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.search import explore

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"
TWIN = BENCHMARKS / "kip405_core"
SCOPES = {
    "smoke": kip405.DESIGN.scope("smoke"),
    "size_of_one": kip405.DESIGN.scope("size_of_one"),
    "size_of_two": kip405.DESIGN.scope("size_of_two"),
    "size": kip405.DESIGN.scope("size"),
    "two_elections": kip405.DESIGN.scope("smoke").replace(elections=2, leader_epochs=3),
}
JUDGED = "log_start_never_moves_back"
"""Counts do not need the others, of which some are liveness and take longer than the search."""
CONFIGURATIONS = {path.stem: path for path in sorted(TWIN.glob("*.cfg"))}


def scope_of(configuration: str) -> Scope:
    """The bounds that a configuration stands for: its name begins with theirs."""
    longest = max((name for name in SCOPES if configuration.startswith(name)), key=len)
    return SCOPES[longest]


def snake_case(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


def actions_of_twin() -> set[str]:
    """The actions that the twin's `Step` is made of, by their names in the design."""
    written = (TWIN / "Kip405Core.tla").read_text()
    step = written[written.index("\nStep ==") : written.index("\nBehaviours ==")]
    return {snake_case(name) for name in re.findall(r"([A-Z]\w+)\(", step)}


@pytest.mark.parametrize("configuration", CONFIGURATIONS)
def test_the_twin_is_bounded_as_its_scope_is(configuration):
    written = CONFIGURATIONS[configuration].read_text()
    bounds = dict(scope_of(configuration))
    for name, value in re.findall(r"^    (\w+) = (\w+)$", written, re.MULTILINE):
        expected = bounds.pop(snake_case(name))
        assert value == (str(bool(expected)).upper() if name == "IsSizeLimited" else str(expected))
    assert bounds.pop("record_bytes") == 1
    assert bounds.pop("planned_deletions") > 1  # no bound in the twin
    assert set(bounds.values()) == {0}, "what the twin does not have cannot happen"


@pytest.mark.parametrize("configuration", CONFIGURATIONS)
def test_what_the_twin_claims_has_the_name_of_a_property(configuration):
    written = CONFIGURATIONS[configuration].read_text()
    claimed = re.findall(r"^(?:INVARIANT|PROPERTIES) (.*)$", written, re.MULTILINE)
    names = {snake_case(name) for line in claimed for name in line.split()}
    assert names <= {entry.name for entry in kip405.DESIGN.properties}


COMPILED_ANYWAY = ("smoke", "size_of_one")
"""Scopes that other tests compile, too."""


@pytest.mark.parametrize(
    "scope",
    [
        name if name in COMPILED_ANYWAY else pytest.param(name, marks=pytest.mark.slow)
        for name in SCOPES
    ],
)
def test_tlc_counted_the_same_and_the_twin_has_every_action_that_occurs(scope):
    written = json.loads((BENCHMARKS / "results" / f"kip405_core_{scope}.json").read_text())
    counted_by_tlc = written["medians"]["tlc"]
    result = explore(kip405.DESIGN, SCOPES[scope], MemoryExecution, only=[JUDGED])
    assert result.distinct_states == counted_by_tlc["distinct_states"]
    assert result.generated_states == counted_by_tlc["generated_states"]
    assert {name for name, times in result.actions.items() if times} <= actions_of_twin()
