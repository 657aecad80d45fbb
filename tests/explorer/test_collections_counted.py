"""Designs with sets, sequences and bags have as many states as plain Python finds by itself.

The searches here share no code with the toys: they use tuples and frozensets, and define
the steps again.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest

from tests.toys import alternating_bit, election, reactions
from tierproof.diagrams.text import trace_as_text
from tierproof.model.language import Design, Interpreter
from tierproof.model.language.errors import SequenceFull
from tierproof.model.language.layout import layout_of
from tierproof.spark_explorer.memory import MemoryExecution
from tierproof.spark_explorer.results import Verdict, trace_as_dict
from tierproof.spark_explorer.search import explore

Counted = tuple[int, int]
"""Distinct states, and the initial one with every step."""


def counted(initial: Any, steps: Callable[[Any], Iterable[Any]]) -> Counted:
    """What a search by hand finds."""
    met, pending, generated = {initial}, [initial], 1
    while pending:
        for after in steps(pending.pop()):
            generated += 1
            if after not in met:
                met.add(after)
                pending.append(after)
    return len(met), generated


def explored(design: Design, name: str) -> Any:
    return explore(design, design.scope(name), MemoryExecution, scope_name=name)


def frames_by_hand(words: int, room: int) -> Counted:
    def steps(state: Any) -> Iterator[Any]:
        acknowledged, accepted, frames, answers = state
        if acknowledged < words and len(frames) < room:
            yield acknowledged, accepted, (*frames, acknowledged), answers
        if frames and len(answers) < room:
            took = accepted + (frames[0] == accepted)
            yield acknowledged, took, frames[1:], (*answers, frames[0] % 2)
        if answers:
            is_answer = answers[0] == acknowledged % 2 and acknowledged < accepted
            yield acknowledged + is_answer, accepted, frames, answers[1:]
        for at in range(len(frames)):
            yield acknowledged, accepted, frames[:at] + frames[at + 1 :], answers

    return counted((0, 0, (), ()), steps)


def molecules_by_hand(molecules: int, leaks: int) -> Counted:
    def steps(state: Any) -> Iterator[Any]:
        *vessel, left = state
        hydrogen, oxygen, water = vessel
        if hydrogen >= 2 and oxygen >= 1:
            yield hydrogen - 2, oxygen - 1, water + 2, left
        if water >= 2:
            yield hydrogen + 2, oxygen + 1, water - 2, left
        for species in range(3):
            if left and vessel[species]:
                less = [count - (species == at) for at, count in enumerate(vessel)]
                yield (*less, left - 1)

    return counted((molecules, molecules // 2, 0, leaks), steps)


def ballots_by_hand(voters: int, candidates: int) -> Counted:
    quorums = [
        frozenset(chosen)
        for size in range(voters // 2 + 1, voters + 1)
        for chosen in combinations(range(voters), size)
    ]

    def steps(state: Any) -> Iterator[Any]:
        votes, elected = state
        for voter in range(voters):
            if not any(voter in some for some in votes):
                for one in range(candidates):
                    more = [some | {voter} if one == at else some for at, some in enumerate(votes)]
                    yield tuple(more), elected
        for one in range(candidates):
            for quorum in quorums:
                if one not in elected and quorum <= votes[one]:
                    yield votes, elected | {one}

    return counted((tuple(frozenset() for _ in range(candidates)), frozenset()), steps)


@pytest.mark.parametrize(
    ("design", "scope", "by_hand"),
    [
        pytest.param(alternating_bit.DESIGN, "two", frames_by_hand(2, 2), id="two frames"),
        pytest.param(alternating_bit.DESIGN, "three", frames_by_hand(3, 3), id="three frames"),
        pytest.param(reactions.DESIGN, "small", molecules_by_hand(4, 1), id="a small vessel"),
        pytest.param(reactions.DESIGN, "large", molecules_by_hand(20, 3), id="a large vessel"),
        pytest.param(election.DESIGN, "three", ballots_by_hand(3, 2), id="three voters"),
        pytest.param(election.DESIGN, "four", ballots_by_hand(4, 3), id="four voters"),
    ],
)
def test_a_search_finds_as_many_states_and_steps_as_one_by_hand(design, scope, by_hand):
    result = explored(design, scope)
    assert (result.distinct_states, result.generated_states) == by_hand
    assert result.verdict is Verdict.HOLDS
    assert all(entry.reached for entry in result.witnesses)


def test_a_subset_that_is_a_parameter_is_shown_as_a_set_and_the_trace_replays():
    result = explored(election.DESIGN.without("is_majority"), "three")
    (broken,) = result.properties
    assert broken.verdict is Verdict.VIOLATED
    assert broken.trace is not None
    assert [str(step) for step in broken.trace.steps] == [
        "candidate_wins(candidate=1, quorum={})",
        "candidate_wins(candidate=0, quorum={})",
    ]
    assert "elected: {1} → {0, 1}" in trace_as_text(trace_as_dict(broken.trace))
    assert broken.trace.states[-1].elected == {0, 1}


def test_a_sequence_that_overflows_names_its_bound_and_the_limit_to_add():
    sends = alternating_bit.sender_sends.with_guards([alternating_bit.has_a_word])
    design = replace(alternating_bit.DESIGN, system=(sends,), environment=(), witnesses=())
    with pytest.raises(SequenceFull) as caught:
        explored(design, "two")
    assert str(caught.value) == (
        "action 'sender_sends' appends to frames, which holds at most 2 elements (frames=2): "
        "add a @limit that is false while len(state.frames) == scope.frames"
    )


def test_a_state_takes_the_bits_that_its_domains_need():
    bits = {
        design.name: [placed.bits for placed in layout_of(design.state, design.scope(name)).leaves]
        for design, name in (
            (alternating_bit.DESIGN, "two"),
            (reactions.DESIGN, "small"),
            (election.DESIGN, "four"),
        )
    }
    assert bits["alternating_bit"] == [2, 2, 2, 1, 1, 1, 1, 2, 1, 1]
    assert bits["reactions"] == [3, 3, 3, 1]
    assert bits["election"] == [4, 4, 4, 3]


def test_every_state_reached_by_hand_is_described_by_what_it_holds():
    interpreter = Interpreter(alternating_bit.DESIGN, alternating_bit.Line())
    state = interpreter.initial_states()[0]
    for step in ("sender_sends", "sender_sends", "receiver_takes"):
        state = next(
            after for taken, after in interpreter.successors(state) if taken.action == step
        )
    assert state.fields() == {
        "acknowledged": 0,
        "accepted": 1,
        "frames": [alternating_bit.Frame(word=0, bit=False)],
        "answers": [False],
    }
