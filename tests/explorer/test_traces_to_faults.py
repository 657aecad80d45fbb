"""A fault of a design has the shortest trace to it; what was found until then is reported, too."""

import json
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from tests.explorer.commands import tierproof
from tests.explorer.test_exit_statuses import FAULTY
from tests.explorer.test_faulty_designs import (
    DESIGN,
    Cell,
    cell_grows,
    cell_outgrows,
    cell_sleeps,
    cell_writes_outside,
    divides_by_what_is_left,
    is_far_from_five,
    searched,
    stays_below_four,
    value_divides,
    walked,
)
from tierproof.model.language import DesignError, Guard, Property, guard, liveness
from tierproof.model.language.errors import NothingChanged
from tierproof.model.language.trace import Trace
from tierproof.spark_explorer.cuts import FAULTY as CUT
from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.question import Question
from tierproof.spark_explorer.results import Result, Verdict
from tierproof.spark_explorer.search import explore

GUARDED = """
@invariant()
def value_is_not_two(state: Cell) -> bool:
    return state.value != 2

DESIGN = replace(DESIGN, properties=(value_is_not_two,))
"""
IMPORTS = "from dataclasses import replace\nfrom tierproof import invariant\n"


def fault_of(explored, **changes) -> DesignError:
    with pytest.raises(DesignError) as caught:
        explored(DESIGN, **changes)
    return caught.value


def found_by(error: DesignError) -> Result:
    assert isinstance(error.found, Result)
    return error.found


@pytest.mark.parametrize("explored", [searched, walked])
@pytest.mark.parametrize(
    ("changes", "length", "step"),
    [
        ({"system": (cell_outgrows,)}, 5, "cell_outgrows()"),
        ({"system": (cell_writes_outside,)}, 3, "cell_writes_outside()"),
        ({"system": (cell_sleeps,)}, 0, "cell_sleeps()"),
        ({"properties": (value_divides,)}, 2, "None"),
        (
            {"witnesses": (divides_by_what_is_left,), "bounds": is_far_from_five},
            4,
            "cell_grows()",
        ),
    ],
)
def test_the_trace_leads_to_the_state_and_the_step_that_fails_is_named(
    explored, changes, length, step
):
    error = fault_of(explored, **changes)
    assert error.trace is not None
    if explored is walked and "bounds" in changes:
        length, step = length + 1, "None"  # a walk goes to the state outside the bounds
    assert (len(error.trace), str(error.step)) == (length, step)
    assert found_by(error).fault is not None


@guard
def divides_by_two_less(state: Cell) -> bool:
    return 6 // (2 - state.value) > 0


def goal_of(value: int, premise: Guard | None = None) -> Property:
    def ends(state: Cell) -> bool:
        return 6 // (value - state.value) > 0

    return liveness(premise=premise, weak=())(ends)


@pytest.mark.parametrize(
    ("entry", "length"), [(goal_of(3), 3), (goal_of(9, premise=divides_by_two_less), 2)]
)
def test_a_goal_or_a_premise_that_fails_has_the_shortest_trace(entry, length):
    error = fault_of(searched, properties=(stays_below_four, entry))
    assert isinstance(error.trace, Trace)
    assert len(error.trace) == length
    assert "ZeroDivisionError" in str(error)
    assert error.trace.states[-1].value == length
    verdicts = {one.name: one.verdict for one in found_by(error).properties}
    assert verdicts == {"stays_below_four": Verdict.VIOLATED, "ends": Verdict.INCOMPLETE}


@pytest.mark.parametrize("explored", [searched, walked])
def test_what_was_found_until_then_is_reported_and_nothing_holds(explored):
    error = fault_of(explored, system=(cell_outgrows,), properties=(stays_below_four,))
    (entry,) = found_by(error).properties
    assert entry.verdict is Verdict.VIOLATED
    assert entry.trace is not None
    assert len(entry.trace) == 4


def test_counts_until_a_fault_are_those_of_the_levels_before_and_of_its_own():
    found = found_by(fault_of(searched, system=(cell_outgrows,)))
    assert (found.distinct_states, found.depth, found.frontier_sizes) == (6, 5, (1,) * 6)
    assert found.cut == CUT
    assert found.verdict is Verdict.INCOMPLETE


def test_the_other_states_of_the_level_are_explored_before_the_search_ends():
    design = replace(DESIGN, system=(cell_grows, cell_sleeps))
    with pytest.raises(NothingChanged) as caught:
        explore(design, design.scope("small"), MemoryExecution)
    assert found_by(caught.value).distinct_states == 2  # cell_grows comes first


def test_a_result_with_a_fault_is_never_whole():
    found = found_by(fault_of(searched, system=(cell_outgrows,)))
    with pytest.raises(ValueError, match="a fault cuts"):
        replace(found, cut=None)


def test_the_command_prints_the_verdicts_the_trace_and_the_sentence(tmp_path):
    (tmp_path / "faulty.py").write_text(IMPORTS + FAULTY + GUARDED)
    done = tierproof("explore", "faulty:DESIGN", "--out", "found", folder=tmp_path)
    assert done.returncode == 4
    assert "VIOLATED value_is_not_two after 2 steps, the fewest" in done.stdout
    assert "FAULT of the design after 3 steps, the fewest" in done.stdout
    assert "A function fails by cell_outgrows() in the state after step 3." in done.stdout
    assert done.stderr.count("'cell_outgrows' assigned 4 to value") == 1
    written = json.loads((tmp_path / "found" / "result.json").read_text())
    assert (written["fault"]["trace_length"], written["fault"]["step"]) == (3, "cell_outgrows()")


@pytest.mark.spark
def test_spark_finds_the_same_trace_to_a_fault():
    from tierproof.spark_explorer.spark.execution import SparkExecution

    question = Question(design="tests.toys.overflowing:DESIGN")
    asked: dict[str, Any] = {"question": question, "master": "local[2]"}
    errors = []
    for on_driver in (10_000, 0):
        with pytest.raises(DesignError) as caught:
            explore(*question.resolve(), partial(SparkExecution, **asked, on_driver=on_driver))
        errors.append(caught.value)
    first, second = errors
    assert first.trace is not None
    assert second.trace is not None
    assert str(first) == str(second)
    assert len(first.trace) == 5
    assert (first.trace.steps, first.step) == (second.trace.steps, second.step)
