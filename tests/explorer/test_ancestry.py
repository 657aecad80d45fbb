"""The way to a state: by the step with the least label, from the least state, sought backwards."""

from collections.abc import Iterator

import pytest

from tests.toys import counter, digraph, jugs, mutex, two_phase_commit
from tierproof.model.language import Design
from tierproof.model.language.errors import NonDeterministic
from tierproof.spark_explorer import ancestry
from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.native.kernel import Kernel
from tierproof.spark_explorer.native.seeking import Origins
from tierproof.spark_explorer.search import Search

SPACES = {
    "two_phase_commit": (two_phase_commit.DESIGN, "three"),
    "jugs": (jugs.DESIGN, "three_and_five"),
    "mutex": (mutex.DESIGN, "three"),
    "counter": (counter.DESIGN, next(iter(counter.DESIGN.scopes))),
    "digraph": (digraph.digraph(6, {(0, 1), (1, 5), (5, 2), (1, 2), (2, 0)}, farthest=4), "graph"),
}


def searched(design: Design, scope: str, threads: int) -> tuple[Kernel, MemoryExecution]:
    kernel = Kernel(design, design.scope(scope))
    execution = MemoryExecution(kernel, threads)
    Search(kernel, execution).run()
    return kernel, execution


def levels_of(kernel: Kernel) -> Iterator[tuple[int, int, set[tuple[int, int]]]]:
    """Level, fingerprint and all origins (label, parent) of each state, by CPython alone."""
    interpreter = kernel.interpreter
    states = {kernel.fingerprint(one): one for one in interpreter.initial_states()}
    known, level = set(states), 0
    yield from ((0, found, {(number, 0)}) for number, found in enumerate(states))
    while states:
        reached: dict[int, set[tuple[int, int]]] = {}
        after = {}
        for parent, state in states.items():
            for step, successor in interpreter.successors(state):
                found = kernel.fingerprint(successor)
                if found not in known and interpreter.within_bounds(successor):
                    after[found] = successor
                    label = interpreter.steps.label(step)
                    reached.setdefault(found, set()).add((label, parent))
        states, level, known = after, level + 1, known | set(after)
        yield from ((level, found, origins) for found, origins in reached.items())


def told(origins: Origins) -> dict[tuple[int, int], tuple[int, int]]:
    return {place: (origin.label, origin.parent) for place, origin in origins.items()}


@pytest.mark.parametrize("masks", [0, 100], ids=["by action", "by label"])
@pytest.mark.parametrize("name", SPACES)
def test_every_state_is_reached_by_the_least_label_from_the_least_parent(name, masks, monkeypatch):
    monkeypatch.setattr(ancestry, "MOST_MASKS", masks)
    monkeypatch.setattr(ancestry, "BLOCK", 7)
    kernel, execution = searched(*SPACES[name], 2)
    wanted = {(level, found): min(origins) for level, found, origins in levels_of(kernel)}
    assert told(execution.origins(wanted)) == wanted


def test_one_state_brings_those_on_its_way():
    kernel, execution = searched(*SPACES["jugs"], 1)
    wanted = {(level, found): min(origins) for level, found, origins in levels_of(kernel)}
    level, found = max(wanted)
    way = told(execution.origins([(level, found)]))
    assert len(way) == level + 1
    while level:
        found, level = wanted[level, found][1], level - 1
        assert way[level, found] == wanted[level, found]


def test_a_state_that_is_not_where_it_should_be_is_said_to_be_missing():
    _, execution = searched(*SPACES["jugs"], 1)
    with pytest.raises(NonDeterministic, match="no state of level 1 has the fingerprint 0x1"):
        execution.origins([(1, 1)])
