"""Interpreter, memory and Spark agree on every count, verdict and trace; networkx too."""

from collections.abc import Iterable
from dataclasses import dataclass

import networkx as nx
import numpy as np
import pytest

from tests.toys import clock, counter, courier, digraph, jugs, locks, mutex, two_phase_commit
from tierproof.model.language import Design, Interpreter, Property, State
from tierproof.model.language.properties import PropertyKind
from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.native.kernel import Kernel
from tierproof.spark_explorer.question import Question
from tierproof.spark_explorer.results import Result
from tierproof.spark_explorer.search import explore

TOYS = {
    "clock": (clock.DESIGN, "half_day"),
    "counter": (counter.DESIGN, "ten"),
    "courier": (courier.DESIGN, "two"),
    "courier_edited": (courier.DESIGN.with_variants("all", "unfenced"), "two"),
    "courier_counted": (courier.DESIGN.with_history(courier.COUNTED), "two"),
    "jugs": (jugs.DESIGN, "three_and_five"),
    "locks": (locks.DESIGN, "two"),
    "locks_in_turn": (locks.DESIGN.with_variant("one_at_a_time"), "two"),
    "two_phase_commit": (two_phase_commit.DESIGN, "three"),
    "two_phase_commit_ablated": (two_phase_commit.DESIGN.without("is_init"), "three"),
}


@dataclass
class Interpreted:
    """The reachable graph, walked state by state in CPython."""

    graph: "nx.MultiDiGraph[State]"
    generated: int
    depth: int
    violated: set[str]


def interpreted(design: Design, scope: str) -> Interpreted:
    interpreter = Interpreter(design, design.scope(scope))
    frontier = interpreter.initial_states()
    graph: nx.MultiDiGraph[State] = nx.MultiDiGraph()
    graph.add_nodes_from(frontier)
    found = Interpreted(graph, len(frontier), -1, set())
    while frontier:
        found.depth += 1
        fresh: dict[State, None] = {}
        for state in frontier:
            found.violated |= {entry.name for entry in interpreter.violated_in(state)}
            for step, after in interpreter.successors(state):
                found.generated += 1
                found.violated |= {e.name for e in interpreter.violated_by(state, step, after)}
                if interpreter.unlawful_changes(state, after):
                    found.violated.add("law")
                if after not in graph:
                    fresh[after] = None
                graph.add_edge(state, after, step)
        frontier = list(fresh)
    return found


def premise_states(design: Design, scope: str, claim: Property, states: Iterable[State]) -> int:
    interpreter = Interpreter(design, design.scope(scope))
    assert claim.premise is not None
    return sum(interpreter.holds("premise", claim.premise, state) for state in states)


def in_memory(design: Design, scope: str, threads: int = 2) -> Result:
    return explore(design, design.scope(scope), lambda kernel: MemoryExecution(kernel, threads))


@pytest.mark.parametrize("toy", TOYS)
def test_compiled_and_interpreted_executions_agree(toy):
    design, scope = TOYS[toy]
    expected, result = interpreted(design, scope), in_memory(design, scope)
    assert result.distinct_states == len(expected.graph)
    assert result.generated_states == expected.generated
    assert result.depth == expected.depth
    claimed = {
        entry.name
        for entry in result.properties
        if entry.occurrences and entry.kind in (PropertyKind.INVARIANT, PropertyKind.STEP)
    }
    for entry, claim in zip(result.properties, design.properties, strict=False):
        if claim.premise is not None:
            assert entry.premise_states == premise_states(design, scope, claim, expected.graph)
    lawless = any(e.occurrences for e in result.properties if e.kind == PropertyKind.LAW)
    assert claimed | ({"law"} if lawless else set()) == expected.violated


@pytest.mark.parametrize("toy", TOYS)
def test_counterexamples_are_as_short_as_networkx_finds_them(toy):
    design, scope = TOYS[toy]
    graph = interpreted(design, scope).graph
    interpreter = Interpreter(design, design.scope(scope))
    roots = set(interpreter.initial_states())
    distance = nx.multi_source_dijkstra_path_length(graph, roots, weight=lambda *_: 1)
    for entry in in_memory(design, scope).properties:
        if entry.trace is not None and entry.kind == PropertyKind.INVARIANT:
            bad = [
                steps
                for state, steps in distance.items()
                if entry.name in {one.name for one in interpreter.violated_in(state)}
            ]
            assert len(entry.trace) == min(bad)


@pytest.mark.parametrize("seed", range(6))
def test_any_digraph_is_explored_as_networkx_does(seed):
    drawn = nx.gnp_random_graph(40, 0.05, seed=seed, directed=True)
    drawn.add_edges_from([(0, 1), (0, 2), (1, 3), (3, 39)])
    design = digraph.digraph(40, frozenset(drawn.edges))
    result = in_memory(design, "graph")
    reached = nx.descendants(drawn, 0) | {0}
    assert result.distinct_states == len(reached)
    assert result.generated_states == 1 + sum(degree for _, degree in drawn.out_degree(reached))
    assert result.depth == max(nx.single_source_shortest_path_length(drawn, 0).values())
    trace = result.properties[0].trace
    assert trace is not None
    assert len(trace) == nx.shortest_path_length(drawn, 0, 39)


def test_states_outside_the_bounds_are_checked_and_not_expanded():
    design = digraph.digraph(6, {(0, 1), (1, 5), (5, 2), (1, 2)}, farthest=4)
    result = in_memory(design, "graph")
    assert result.distinct_states == 3  # 0, 1, 2: node 5 is seen and not entered
    assert result.generated_states == 4
    trace = result.properties[0].trace
    assert trace is not None
    assert [state.at for state in trace.states] == [0, 1, 5]


@pytest.mark.parametrize("threads", [1, 3])
def test_the_number_of_threads_changes_nothing(threads):
    usual = in_memory(counter.DESIGN, "ten")
    other = in_memory(counter.DESIGN, "ten", threads)
    assert without_times(other) == without_times(usual)


@pytest.mark.spark
@pytest.mark.parametrize("partitions", [1, 2])
@pytest.mark.parametrize("toy", ["counter", "jugs", "mutex", "two_phase_commit", "alike_commit"])
def test_spark_and_memory_give_the_same_result_trace_for_trace(toy, partitions):
    from tierproof.spark_explorer.spark.execution import SparkExecution

    more = {"alike_commit": (two_phase_commit.ALIKE, "five"), "mutex": (mutex.DESIGN, "three")}
    design, scope = (TOYS | more)[toy]
    words = {"alike_commit": "two_phase_commit:ALIKE"}.get(toy, f"{toy}:DESIGN")
    question = Question(design=f"tests.toys.{words}", scope=scope)
    result = explore(
        design,
        design.scope(scope),
        lambda kernel: SparkExecution(
            kernel,
            question,
            master="local[2]",
            on_driver=0,
            partitions=partitions,
        ),
    )
    expected = without_times(in_memory(design, scope))
    assert without_times(result) == {**expected, "engine": "spark"}
    assert result.on_spark is not None
    assert 1 <= result.on_spark.jobs <= result.on_spark.levels <= result.depth + 1
    assert (result.on_spark.shuffled is not None) == (partitions > 1)


def test_packing_is_a_bijection_on_the_states_of_a_design():
    design, scope = TOYS["two_phase_commit"]
    kernel = Kernel(design, design.scope(scope))
    states = list(interpreted(design, scope).graph)
    packed = np.array([kernel.pack(state) for state in states])
    assert len(np.unique(packed, axis=0)) == len(states)
    assert [kernel.unpack(words) for words in packed] == states
    assert len({kernel.fingerprint(state) for state in states}) == len(states)


def without_times(result: Result) -> dict[str, object]:
    plain = result.as_dict()
    return {
        name: value
        for name, value in plain.items()
        if not name.endswith("seconds") and name != "on_spark"
    }
