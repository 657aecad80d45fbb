"""A search visits one of the states that differ only in which of the alike things is which."""

from collections import Counter
from collections.abc import Iterator
from itertools import permutations, product
from math import factorial
from typing import Annotated, Any

import pytest

from tests.explorer.commands import tierproof
from tests.toys import election, mutex, two_phase_commit
from tests.toys.alike import alike
from tierproof.model.language import (
    NONE,
    Array,
    Bag,
    Design,
    Index,
    Scope,
    Sequence,
    Set,
    State,
    action,
    bound,
    guard,
    initial,
    invariant,
    witness,
)
from tierproof.model.language.errors import NothingAlike
from tierproof.model.language.layout import ArrayNode, BagNode, Leaf, RecordNode, SequenceNode
from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.question import Question
from tierproof.spark_explorer.results import Result, Verdict
from tierproof.spark_explorer.search import explore
from tierproof.spark_explorer.symmetry import TOO_MANY


class Yard(Scope):
    dogs: int = bound(1, 6, default=3)


Dog = Annotated[int, Index(Yard.dogs, alike=True)]
MaybeDog = Annotated[int, Index(Yard.dogs, optional=True)]


class Pack(State):
    """Every way in which a state can name alike things, fields that name each other included."""

    follows: Annotated[list[MaybeDog], Array(Yard.dogs)]
    leader: MaybeDog
    inside: Annotated[set[int], Set(Yard.dogs)]
    queue: Annotated[list[Dog], Sequence(2)]
    barks: Annotated[Counter[int], Bag(Yard.dogs, at_most=1)]


@initial
def first_leads(state: Pack) -> None:
    """The first dog leads, so that initial states are not symmetric."""
    state.leader = 0


@initial
def last_is_inside(state: Pack, dog: Dog) -> None:
    """Some dog is inside."""
    state.inside.add(dog)


@guard
def is_no_leader(state: Pack, dog: Dog) -> bool:
    """The dog does not lead."""
    return state.leader != dog


@guard
def has_room(state: Pack, dog: Dog) -> bool:
    """The queue has room, and the dog is not in it."""
    return len(state.queue) < 2 and dog not in state.queue


@guard
def somebody_waits(state: Pack) -> bool:
    """The queue is not empty."""
    return len(state.queue) > 0


@action(guards=[is_no_leader], actor="dog {dog}", stutters=True)
def dog_follows(state: Pack, dog: Dog) -> None:
    """Follow the leader."""
    state.follows[dog] = state.leader


@action(guards=[has_room], actor="dog {dog}")
def dog_queues(state: Pack, dog: Dog) -> None:
    """Wait at the door."""
    state.queue.append(dog)


@action(guards=[somebody_waits], actor="door", stutters=True)
def door_opens(state: Pack) -> None:
    """The first in the queue comes in, barks and leads."""
    dog = state.queue.pop(0)
    state.inside.add(dog)
    state.leader = dog


@action(actor="dog {dog}", stutters=True)
def dog_barks(state: Pack, dog: Dog) -> None:
    """Bark once."""
    state.barks[dog] = 1


@invariant()
def not_all_bark_inside(state: Pack) -> bool:
    """Not everybody is inside and barks while following another."""
    return not all(
        state.barks[dog] == 1 and dog in state.inside and state.follows[dog] not in (NONE, dog)
        for dog in range(len(state.follows))
    )


@witness()
def a_ring_of_two(state: Pack) -> bool:
    """Two dogs follow each other."""
    return any(
        state.follows[dog] == other and state.follows[other] == dog and dog != other
        for dog in range(len(state.follows))
        for other in range(len(state.follows))
    )


PACK = Design(
    name="pack",
    title="A pack of dogs",
    state=Pack,
    initial=(first_leads, last_is_inside),
    system=(dog_follows, dog_queues, door_opens, dog_barks),
    properties=(not_all_bark_inside,),
    witnesses=(a_ring_of_two,),
    scopes={"two": Yard(dogs=2), "three": Yard(), "six": Yard(dogs=6)},
)


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
        made[0].keep_states()
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
    whole = {
        min(orbit(design, scope, one), key=repr) for one in states_of(design, scope, symmetry=False)
    }
    assert {min(one, key=repr) for one in reduced} == whole
    assert len(reduced) == len(whole)


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


def test_a_counterexample_names_the_things_as_the_initial_state_does():
    found = explore(PACK, PACK.scope("three"), MemoryExecution).properties[0]
    assert found.verdict is Verdict.VIOLATED
    assert found.trace is not None
    assert not PACK.properties[0].function(found.trace.states[-1])


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
    }
    assert "5 resource_managers are alike" in result.symmetry.statements[0]


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
