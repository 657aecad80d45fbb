"""A search visits one of the states that differ only in which of the alike things is which."""

from collections.abc import Iterator
from itertools import permutations, product
from math import factorial
from typing import Any

import pytest

from tests.explorer.commands import tierproof
from tests.toys import election, mutex, two_phase_commit
from tests.toys.alike import alike
from tests.toys.pack import PACK
from tierproof.diagrams import write_report
from tierproof.model.language import Design, Scope
from tierproof.model.language.errors import NothingAlike
from tierproof.model.language.layout import ArrayNode, BagNode, Leaf, RecordNode, SequenceNode
from tierproof.pytest_plugin.judging import surprises
from tierproof.pytest_plugin.telling import told_surprises
from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.native.kernel import Kernel
from tierproof.spark_explorer.question import Question
from tierproof.spark_explorer.results import Result, Verdict
from tierproof.spark_explorer.search import explore
from tierproof.spark_explorer.simulation import simulate
from tierproof.spark_explorer.sizing.larger import of_larger
from tierproof.spark_explorer.sizing.size import size
from tierproof.spark_explorer.symmetry import TOO_MANY

# -- an enumeration of permuted states, with nothing of the search


def renamed(node: Any, leaves: tuple[int, ...], names: dict[Any, tuple[int, ...]]) -> Any:
    """What stands at a node, in new names, as tuples and dicts."""
    if isinstance(node, Leaf):
        (value,) = leaves
        new = names.get(node.domain.of)
        if new is None:
            return value
        if node.domain.is_set:
            return frozenset(new[i] for i in range(len(new)) if value >> i & 1)
        return new[value] if value >= 0 else value
    if isinstance(node, RecordNode):
        return tuple(
            (name, renamed(child, leaves[at : at + child.size], names))
            for name, (at, child) in node.fields.items()
        )
    if isinstance(node, SequenceNode):
        parts = _parts(node.element, leaves[1:])
        return tuple(renamed(node.element, part, names) for part in parts[: leaves[0]])
    assert isinstance(node, (ArrayNode, BagNode))
    size = node.count if isinstance(node, ArrayNode) else node.of
    new = names.get(size, tuple(range(node.length)))
    parts = _parts(node.element, leaves)
    return tuple(sorted((new[i], renamed(node.element, p, names)) for i, p in enumerate(parts)))


def _parts(element: Any, leaves: tuple[int, ...]) -> list[tuple[int, ...]]:
    return [leaves[i : i + element.size] for i in range(0, len(leaves), element.size)]


def orbit(design: Design, scope: Scope, leaves: tuple[int, ...]) -> frozenset[Any]:
    """All states that differ from one only in the names of alike things."""
    root = design.layout(scope).root
    sizes = [range(one.evaluate(scope)) for one in design.alike]
    choices = product(*(permutations(size) for size in sizes))
    return frozenset(
        renamed(root, leaves, dict(zip(design.alike, chosen, strict=True))) for chosen in choices
    )


def states_of(design: Design, scope: Scope, *, symmetry: bool) -> list[tuple[int, ...]]:
    """The states that a search visits."""
    made: list[Any] = []

    def execution(kernel: Any) -> MemoryExecution:
        made.append(MemoryExecution(kernel, 2))
        return made[0]

    explore(design, scope, execution, symmetry=symmetry)
    kernel = made[0].kernel
    return [kernel.unpack(words).leaves for level in made[0].states() for words in level]


DECLARED = [
    (two_phase_commit.ALIKE, "three"),
    (election.ALIKE, "three"),
    (alike(election.DESIGN, election.Town.voters), "three"),
    (alike(election.DESIGN, election.Town.candidates), "three"),
    (PACK, "two"),
    (PACK, "three"),
    (alike(mutex.DESIGN, mutex.Workers.workers).with_only("deadlock_free"), "three"),
]
TITLES = [f"{design.name}-{scope}" for design, scope in DECLARED]


@pytest.mark.parametrize(("design", "name"), DECLARED, ids=TITLES)
def test_the_states_that_stand_for_others_stand_for_all_that_are_reached_and_no_more(design, name):
    scope = design.scope(name)
    reduced = [orbit(design, scope, one) for one in states_of(design, scope, symmetry=True)]
    owner = {state: number for number, one in enumerate(reduced) for state in one}
    assert len(owner) == sum(map(len, reduced))
    root = design.layout(scope).root
    same: dict[Any, tuple[int, ...]] = {
        size: tuple(range(size.evaluate(scope))) for size in design.alike
    }
    whole = [renamed(root, one, same) for one in states_of(design, scope, symmetry=False)]
    assert {owner[state] for state in whole} == set(range(len(reduced)))


@pytest.mark.parametrize(
    ("design", "name"),
    [one for one in DECLARED if one[0] is not PACK],
    ids=[title for title in TITLES if "pack" not in title],
)
def test_the_sizes_of_orbits_add_up_to_the_states_of_a_search_without_symmetry(design, name):
    scope = design.scope(name)
    reduced = states_of(design, scope, symmetry=True)
    counted = sum(len(orbit(design, scope, one)) for one in reduced)
    assert counted == len(states_of(design, scope, symmetry=False))
    assert len(reduced) < counted


def outcomes(result: Result) -> Iterator[tuple[str, Any, int | None]]:
    """Each verdict, with the length of its trace, which replays in CPython."""
    entries: tuple[Any, ...] = (*result.properties, *result.witnesses)
    for entry in entries:
        trace = entry.trace
        if trace is not None:
            assert len(trace.states) == len(trace) + 1
        told = getattr(entry, "verdict", None) or getattr(entry, "reached", None)
        yield entry.name, told, None if trace is None else len(trace)


@pytest.mark.parametrize(("design", "name"), DECLARED, ids=TITLES)
def test_verdicts_and_lengths_of_shortest_traces_are_those_of_a_search_without_symmetry(
    design, name
):
    scope = design.scope(name)
    with_it = explore(design, scope, MemoryExecution)
    without = explore(design, scope, MemoryExecution, symmetry=False)
    assert list(outcomes(with_it)) == list(outcomes(without))
    assert with_it.depth == without.depth
    assert with_it.untaken_edges == without.untaken_edges
    assert with_it.never_taken == without.never_taken


def test_an_ablated_guard_breaks_the_same_with_symmetry():
    ablated = two_phase_commit.ALIKE.without("is_init")
    with_it = explore(ablated, ablated.scope("three"), MemoryExecution)
    without = explore(ablated, ablated.scope("three"), MemoryExecution, symmetry=False)
    assert list(outcomes(with_it)) == list(outcomes(without))


def test_more_than_four_things_whose_fields_name_each_other_are_told_apart_and_named():
    result = explore(PACK, PACK.scope("six"), MemoryExecution, max_states=10)
    assert result.symmetry is not None
    assert result.symmetry.reduced == {}
    assert result.symmetry.unreduced == {"dogs": TOO_MANY}


def test_liveness_is_judged_without_symmetry_and_the_result_says_so():
    design = alike(mutex.DESIGN, mutex.Workers.workers)
    with_it = explore(design, design.scope("three"), MemoryExecution)
    without = explore(mutex.DESIGN, design.scope("three"), MemoryExecution)
    assert list(outcomes(with_it)) == list(outcomes(without))
    assert with_it.distinct_states == without.distinct_states
    assert with_it.symmetry is not None
    assert "liveness is judged on every state" in with_it.symmetry.statements[0]
    assert without.symmetry is None


def test_a_result_names_what_is_reduced():
    design = two_phase_commit.ALIKE
    result = explore(design, design.scope("five"), MemoryExecution)
    assert result.symmetry is not None
    assert result.as_dict()["symmetry"] == {
        "reduced": {"resource_managers": 5},
        "unreduced": {},
        "permutations": factorial(5),
        "statements": [
            "symmetry: 5 resource_managers are alike: a state stands for up to 120; counts are of "
            "such states, verdicts and lengths of shortest traces of all"
        ],
    }


def test_random_walks_tell_things_apart_and_say_so():
    design = two_phase_commit.ALIKE
    result = simulate(design, design.scope("three"), seed=1, walks=20, depth=9, threads=1)
    assert result.symmetry is not None
    assert "is not used: random walks tell them apart" in result.symmetry.statements[0]


def test_the_failure_of_a_test_of_a_user_names_the_reduction():
    ablated = two_phase_commit.ALIKE.without("commit_is_sent")
    result = explore(ablated, ablated.scope("three"), MemoryExecution)
    found = surprises(result, {}, allow_incomplete=False)
    assert "\nsymmetry: 3 resource_managers are alike" in told_surprises(result, found, "test_it")


def test_the_report_names_the_reduction(tmp_path):
    result = explore(two_phase_commit.ALIKE, two_phase_commit.ALIKE.scope("three"), MemoryExecution)
    told = write_report([result.as_dict()], {}, tmp_path).read_text("utf-8")
    assert "<p>symmetry: 3 resource_managers are alike" in told


def test_one_thing_alone_is_alike_nothing_and_nothing_is_said_of_it():
    scope = two_phase_commit.Managers(resource_managers=1)
    result = explore(two_phase_commit.ALIKE, scope, MemoryExecution)
    assert result.symmetry is not None
    assert result.symmetry.statements == ()


def test_a_reduced_search_has_another_identity_than_one_that_visits_all_states():
    design = two_phase_commit.ALIKE
    kernels = [Kernel(design, design.scope("three"), why) for why in ("", "switched off")]
    try:
        assert len({kernel.identity for kernel in kernels}) == 2
    finally:
        for kernel in kernels:
            kernel.close()


def test_a_size_is_that_of_all_states_and_says_so():
    found = size(two_phase_commit.ALIKE, two_phase_commit.ALIKE.scope("three"))
    assert found.distinct_states == 288
    assert found.symmetry is not None
    assert "is not used: a size is that of all states" in found.symmetry.statements[0]


def test_an_estimate_is_of_what_a_search_would_visit_and_says_so():
    scope = two_phase_commit.Managers(resource_managers=6)
    found = of_larger(two_phase_commit.ALIKE, scope, "resource_managers")
    assert [one.distinct_states for one in found.known][2] == 80
    assert found.symmetry is not None
    assert found.symmetry.reduced == {"resource_managers": 6}


@pytest.mark.parametrize(
    ("managers", "distinct", "generated"), [(8, 1461, 15287), (12, 6656, 105081)]
)
def test_two_phase_commit_with_twelve_managers_is_within_reach(managers, distinct, generated):
    design = two_phase_commit.ALIKE
    scope = two_phase_commit.Managers(resource_managers=managers)
    result = explore(design, scope, MemoryExecution)
    assert result.verdict is Verdict.HOLDS
    assert (result.distinct_states, result.generated_states) == (distinct, generated)


def test_switching_symmetry_off_is_refused_where_nothing_is_alike():
    question = Question(design="two-phase-commit", scope="three", symmetry=False)
    assert question.put_to(two_phase_commit.ALIKE)
    with pytest.raises(NothingAlike, match="--no-symmetry would do nothing"):
        question.put_to(two_phase_commit.DESIGN)


def test_the_command_says_what_is_reduced_and_switches_it_off():
    words = ("explore", "tests.toys.two_phase_commit:ALIKE", "--scope", "three")
    told = tierproof(*words).stdout
    assert "80 distinct states" in told
    assert "symmetry: 3 resource_managers are alike: a state stands for up to 6" in told
    told = tierproof(*words, "--no-symmetry").stdout
    assert "288 distinct states" in told
    assert "symmetry of resource_managers is not used: it is switched off" in told
