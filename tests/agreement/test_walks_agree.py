"""What random walks come to is reachable, and what they find violated a search finds violated."""

import numpy as np
import pytest

from tests.toys import counter, courier, digraph, jugs, two_phase_commit
from tierproof.model.designs import kip405
from tierproof.model.language import Design, Interpreter
from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.native.kernel import Kernel
from tierproof.spark_explorer.native.packing import fingerprints
from tierproof.spark_explorer.native.walker import Walker
from tierproof.spark_explorer.results import Result, Verdict
from tierproof.spark_explorer.search import Search, explore
from tierproof.spark_explorer.simulation import simulate

TOYS = {
    "counter": (counter.DESIGN, "ten"),
    "courier": (courier.DESIGN, "two"),
    "digraph": (digraph.digraph(6, {(0, 1), (1, 5), (5, 2), (1, 2), (2, 0)}, farthest=4), "graph"),
    "jugs": (jugs.DESIGN, "three_and_five"),
    "two_phase_commit": (two_phase_commit.DESIGN, "three"),
}
DEPTH, WALKS, SEED = 25, 300, 5


def reachable(design: Design, scope: str) -> set[int]:
    """The fingerprints of all states, those outside the bounds too."""
    kernel = Kernel(design, design.scope(scope))
    execution = MemoryExecution(kernel, 1)
    Search(kernel, execution).run()
    blocks = execution.states()
    found = {int(one) for block in blocks for one in fingerprints(block)}
    interpreter = Interpreter(design, design.scope(scope))
    for block in blocks:
        for words in block:
            for _, after in interpreter.successors(kernel.unpack(words)):
                found.add(kernel.fingerprint(after))
    return found


def visited_by_walks(design: Design, scope: str) -> list[int]:
    """The fingerprints of the states that CPython comes to by the steps of the walks."""
    kernel = Kernel(design, design.scope(scope))
    walker, interpreter = Walker(kernel, kernel.initial(), SEED, DEPTH), kernel.interpreter
    found, steps = [], 0
    for number in range(WALKS):
        walker.take(number, 1)
        length = int(walker.walk.covered[1]) - steps
        steps += length
        state = interpreter.initial_states()[int(walker.walk.begun[0])]
        found.append(kernel.fingerprint(state))
        for label in walker.walk.path[:length]:
            step = kernel.steps.step(int(label))
            assert interpreter.is_enabled(state, step)
            state = interpreter.take(state, step)
            found.append(kernel.fingerprint(state))
        assert np.array_equal(kernel.pack(state), walker.walk.here)
    return found


@pytest.mark.parametrize("toy", TOYS)
def test_what_walks_come_to_is_reachable(toy):
    design, scope = TOYS[toy]
    assert set(visited_by_walks(design, scope)) <= reachable(design, scope)


@pytest.mark.parametrize("toy", TOYS)
def test_walks_count_their_steps_and_estimate_their_states(toy):
    design, scope = TOYS[toy]
    passed = visited_by_walks(design, scope)
    result = simulate(design, design.scope(scope), seed=SEED, walks=WALKS, depth=DEPTH)
    assert result.generated_states == len(passed) - WALKS
    assert sum(result.actions.values()) == result.generated_states
    assert result.distinct_states == pytest.approx(len(set(passed)), rel=0.03, abs=1)


def violated(result: Result) -> dict[str, int]:
    """Each violated property and law that is no liveness, with the length of its trace."""
    return {
        entry.name: len(entry.trace)
        for entry in result.properties
        if entry.verdict is Verdict.VIOLATED and entry.trace and entry.trace.cycle_start is None
    }


def test_what_walks_through_kip405_violate_a_search_violates_in_no_more_steps():
    design, scope = kip405.DESIGN, kip405.DESIGN.scope("smoke")
    safety = [entry.name for entry in design.properties if entry.fairness is None]
    searched = violated(explore(design, scope, MemoryExecution, only=safety))
    walked = violated(simulate(design, scope, seed=SEED, walks=3_000, only=safety))
    assert walked
    assert walked.keys() <= searched.keys()
    for name, length in walked.items():
        assert searched[name] <= length
