"""A real history stepped through the model, as lines and as ITF that opens in `serve`."""

import json

import pytest

from tests.audit.records import DELETED, DELETING, FINISHED, Topic, judged, uuid
from tierproof.conformance.audit.reading import NotReadable
from tierproof.conformance.audit.stepped import DESIGN, itf_of
from tierproof.conformance.audit.tracing import MOST_SEGMENTS, trace_of
from tierproof.model.kafka.scope import TieredScope
from tierproof.model.language.itf import trace_of_itf


@pytest.fixture
def topic():
    found = Topic()
    found.copied("A", 100, 199)
    found.copied("B", 200, 299, {0: 200, 3: 250})
    return found


def test_the_model_says_no_at_the_record_that_is_accused(topic):
    topic.started("C", 300, 399)
    topic.update("C", DELETING, DELETED, FINISHED)
    steps = trace_of(judged(topic), "orders-0")["steps"]
    assert [step["is_legal"] for step in steps] == [True] * 7 + [False]
    assert steps[-1]["accused"] == ["late_copy"]
    assert "the model says no, as it found DELETE_SEGMENT_FINISHED" in steps[-1]["words"]


def test_a_step_names_the_segment_whose_place_it_takes(topic):
    topic.copied("A2", 100, 199)
    steps = trace_of(judged(topic), "orders-0")["steps"]
    assert f"takes the place of {uuid('A')}" in steps[-1]["words"]
    assert steps[1]["accused"] == ["listed_nowhere"]


def test_of_a_long_history_the_accused_segments_are_stepped():
    topic = Topic()
    for n in range(500):
        topic.copied(f"S{n}", n, n)
    topic.copied("again", 250, 250)
    found = trace_of(judged(topic), "orders-0")
    assert found["left_out"] > 0
    named = {step["segment_id"] for step in found["steps"]}
    assert {uuid("S250"), uuid("again")} <= named
    assert len(named) <= MOST_SEGMENTS


@pytest.mark.parametrize("name", ["orders-1", "orders", "payments-0"])
def test_a_partition_that_is_not_there_is_refused_by_name(topic, name):
    with pytest.raises(NotReadable, match=name):
        trace_of(judged(topic), name)


def opened(topic):
    found = json.loads(itf_of(judged(topic), "orders-0"))
    scope = TieredScope(**found["#meta"]["tierproof"]["scope"])
    return trace_of_itf(found, DESIGN, scope)


def test_a_history_is_a_trace_of_the_design(topic):
    trace = opened(topic)
    last = trace.states[-1]
    assert [state.name for state in last.told] == ["COPY_SEGMENT_FINISHED"] * 2
    assert last.cache.epoch[0].referenced == {0, 1}
    assert not last.is_forbidden


def test_the_trace_of_a_forbidden_record_ends_with_the_violation(topic):
    topic.update("A", DELETED, DELETING)
    trace = opened(topic)
    assert [state.is_forbidden for state in trace.states[-2:]] == [False, True]
    assert len([step for step in trace.steps if step.action == "broker_reads_record"]) == 5
