"""Records as searches give them, made by replaying the toy or by hand."""

from typing import Any

from tests.toys.two_phase_commit import DESIGN
from tierproof.model.language import Step, Trace
from tierproof.spark_explorer.results import trace_as_dict

DISAGREEMENT = (
    Step("tm_commits"),
    Step("rm_receives_commit", (("rm", 2),)),
    Step("rm_chooses_to_abort", (("rm", 0),)),
)
ODD = '<b>&"quoted"</b>; #1 | `x`'


def disagreement() -> dict[str, Any]:
    """A counterexample of the toy without its guard `all_prepared`."""
    broken = DESIGN.without("all_prepared")
    return trace_as_dict(Trace(broken, broken.scope("three"), 0, DISAGREEMENT))


def step(**changed: Any) -> dict[str, Any]:
    """The record of a step."""
    made = {
        "action": "broker_copies_segment",
        "arguments": {"broker": 1, "segment": 0},
        "actor": "broker 1",
        "to": "remote store",
        "statement": "Copy a rolled segment.",
        "is_environment": False,
        "changes": {"broker[1].log_start_offset": [0, 2]},
    }
    return made | changed


def crash() -> dict[str, Any]:
    """The record of a step of the environment."""
    return step(
        action="environment_crashes_broker",
        actor="",
        to="broker 1",
        is_environment=True,
        changes={"crashes": [1, 0]},
    )


def trace(*steps: dict[str, Any]) -> dict[str, Any]:
    """The record of a trace."""
    return {
        "initial": {"crashes": 1, "log[0]": 0, "log[1]": 0, "leader[0]": 0, "leader[1]": 1},
        "start": {"crashes": 0, "log[0]": 0, "log[1]": 0, "leader[0]": -1, "leader[1]": 1},
        "steps": list(steps),
        "python": "()",
    }


def claim(**changed: Any) -> dict[str, Any]:
    """The record of a property that holds."""
    made = {
        "name": "no_commit_beside_an_abort",
        "kind": "invariant",
        "verdict": "HOLDS",
        "statement": "No manager has committed while another has aborted.",
        "source": "TCConsistent",
        "trace_length": None,
        "occurrences": 0,
        "premise_states": None,
        "trace": None,
    }
    return made | changed


def violated(**changed: Any) -> dict[str, Any]:
    """The record of a violated property with its counterexample."""
    found = {"verdict": "VIOLATED", "occurrences": 90, "trace_length": 3, "trace": disagreement()}
    return claim(**(found | changed))


def witness(**changed: Any) -> dict[str, Any]:
    """The record of a witness that was reached."""
    made = {
        "name": "everybody_committed",
        "statement": "The transaction can commit everywhere.",
        "reached": True,
        "trace_length": 1,
        "trace": trace(step()),
    }
    return made | changed


def result(**changed: Any) -> dict[str, Any]:
    """The record of a search of the toy, `Result.as_dict()`."""
    made = {
        "design": "two-phase-commit",
        "scope": "three",
        "bounds": {"resource_managers": 3},
        "variants": [],
        "without": [],
        "engine": "memory",
        "verdict": "HOLDS",
        "cut": None,
        "distinct_states": 288,
        "generated_states": 1146,
        "depth": 10,
        "seconds": 0.002,
        "set_up_seconds": 0.3,
        "collision_probability": 0.0,
        "properties": [claim()],
        "witnesses": [witness()],
        "actions": {act.name: 12 for act in DESIGN.actions},
        "never_taken": [],
        "untaken_edges": [],
    }
    return made | changed
