"""A trace in plain words."""

from tests.diagrams.samples import crash, disagreement, step, trace, violated, witness
from tierproof.diagrams import trace_as_text


def test_every_step_has_its_number_actor_call_statement_and_changes():
    text = trace_as_text(disagreement(), violated())
    assert "1. TM: tm_commits()\n   Decide commit and tell everybody.\n" in text
    assert "2. RM 2: rm_receives_commit(rm=2)\n" in text
    assert "       rm[2]: WORKING → COMMITTED\n" in text


def test_it_begins_with_the_verdict_and_ends_with_where():
    lines = trace_as_text(disagreement(), violated()).splitlines()
    told = "No manager has committed while another has aborted."
    assert lines[0] == f"VIOLATED no_commit_beside_an_abort after 3 steps, the fewest: {told}"
    assert lines[-1] == "no_commit_beside_an_abort is broken by step 3."


def test_one_step_is_no_steps():
    assert "after 1 step, the fewest: " in trace_as_text(trace(step()), violated())


def test_the_first_state_is_told():
    told = "a field that is not named has the value with which it is declared"
    text = trace_as_text(trace(step()), violated())
    assert f"Initially ({told})\n    crashes=1, leader[0]=0\n" in text
    assert "    nothing else\n" in trace_as_text(disagreement(), violated())


def test_a_fault_and_an_addressee_are_named():
    text = trace_as_text(trace(crash(), step()), witness())
    assert "1. environment to broker 1: environment_crashes_broker(" in text
    assert "2. broker 1 to remote store: broker_copies_segment(broker=1, segment=0)" in text


def test_a_fault_that_befalls_its_own_actor_is_marked():
    text = trace_as_text(trace(crash() | {"actor": "broker 1", "to": ""}))
    assert "1. broker 1 (environment): environment_crashes_broker(" in text


def test_numbers_are_aligned():
    lines = trace_as_text(trace(*[step()] * 10)).splitlines()
    assert [line[:3] for line in lines if ". broker" in line] == [f"{n:>2}." for n in range(1, 11)]


def test_a_trace_stands_alone_without_a_property():
    assert trace_as_text(trace(step())).startswith("Initially ")
