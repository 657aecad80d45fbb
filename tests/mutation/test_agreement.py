"""A mutant is one text with two executions: what is compiled and what CPython runs are the same."""

import pytest

from tests.mutation import samples
from tests.toys import courier, locks, mutex, two_phase_commit
from tierproof.model.language import Design, Interpreter, State
from tierproof.model.language.errors import DesignError
from tierproof.model.language.mutation import mutants_of, mutated, places_of
from tierproof.spark_explorer.mutation.exploring import Explored, Limits

TOYS = {
    "shelf": (samples.DESIGN, "two"),
    "mutex": (mutex.DESIGN, "two"),
    "locks": (locks.DESIGN, "two"),
    "courier": (courier.DESIGN, "two"),
    "two_phase_commit": (two_phase_commit.DESIGN, "three"),
}
MOST = 25
"""Mutants of each toy: every so many."""


def interpreted(design: Design, scope: str):
    """The states, and the steps that change something, walked in CPython."""
    interpreter = Interpreter(design, design.scope(scope))
    frontier = interpreter.initial_states()
    met, edges = set(frontier), 0
    while frontier:
        fresh: dict[State, None] = {}
        for state in frontier:
            for _, after in interpreter.successors(state):
                edges += after != state
                if after not in met:
                    fresh[after] = None
        met |= fresh.keys()
        frontier = list(fresh)
    return len(met), edges


@pytest.mark.parametrize("name", TOYS)
def test_the_graph_of_a_mutant_is_that_of_cpython(name):
    design, scope = TOYS[name]
    mutants = [one for place in places_of(design) for one in mutants_of(place)]
    compared = 0
    for mutant in mutants[:: max(1, len(mutants) // MOST)]:
        changed = mutated(design, mutant)
        everything = [one.name for one in design.checked]
        everything += [law.law_name for law in design.laws(design.scope(scope))]
        made = Explored(changed, design.scope(scope), Limits(states=50_000, seconds=60), everything)
        try:
            if made.error is not None:
                with pytest.raises(DesignError):
                    interpreted(changed, scope)
            elif not made.search.cut:
                found = made.distinct, made.sketch.edges
                assert found == interpreted(changed, scope), mutant.diff
                compared += 1
        finally:
            made.close()
    assert compared > 3
