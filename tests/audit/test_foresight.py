"""What compaction would keep is what the model's cleaner keeps of the same records."""

import random
from typing import Annotated

import pytest

from tests.audit.records import DELETED, DELETING, FINISHED, Topic, judged
from tierproof.conformance.audit.foresight import growth
from tierproof.model.kafka.compacted_topic import (
    NULL,
    CompactedTopic,
    TopicScope,
    append,
    clean,
)
from tierproof.model.language import Array, State


class OneTopic(State):
    """A topic alone."""

    topics: Annotated[list[CompactedTopic], Array(1)]


SCOPE = TopicScope(topic_records=400, topic_keys=4_000, topic_values=100)


def drawn(seed):
    """A history of whole lives, and the (segment, state) of each of its records."""
    chosen = random.Random(seed)
    topic, told, start = Topic(), [], 0
    for n in range(12):
        length = chosen.randint(1, 5)
        topic.started(f"S{n}", start, start + length - 1)
        told.append((n, 1))
        for state in (FINISHED, DELETING, DELETED)[: chosen.randint(0, 3)]:
            topic.update(f"S{n}", state)
            told.append((n, (FINISHED, DELETING, DELETED).index(state) + 2))
        start += length * chosen.randint(0, 1)
    return topic, told


def cleaned(told, key_of, keys_gone):
    """How many records the model's cleaner leaves, once tombstones have gone, too."""
    state = OneTopic.at_start(SCOPE).copy_for("the test")
    topic = state.topics[0]
    for number, (segment, kind) in enumerate(told):
        append(topic, key_of(number, segment, kind), kind)
        if kind == 4:
            for key in keys_gone(number, segment):
                append(topic, key, NULL)
    clean(topic, topic.end, False)
    clean(topic, topic.end, True)
    return topic.end


@pytest.mark.parametrize("seed", range(20))
def test_keys_of_uuid_and_state_keep_what_the_models_cleaner_keeps(seed):
    topic, told = drawn(seed)
    expected = cleaned(
        told,
        lambda number, segment, kind: segment * 8 + kind,
        lambda number, segment: [segment * 8 + kind for kind in range(1, 5)],
    )
    found = judged(topic).facts.uuid_and_state
    assert (found.records, found.segments_lost) == (expected, 0)


@pytest.mark.parametrize("seed", range(20))
def test_self_contained_values_keep_what_the_models_cleaner_keeps(seed):
    topic, told = drawn(seed)
    expected = cleaned(told, lambda number, segment, kind: segment, lambda number, one: [one])
    assert judged(topic).facts.self_contained.records == expected


@pytest.mark.parametrize("seed", range(20))
def test_the_texts_keys_keep_what_the_models_cleaner_keeps(seed):
    topic, told = drawn(seed)
    ends = [row["end_offset"] for row in topic.rows if row["end_offset"] is not None]
    expected = cleaned(
        told,
        lambda number, segment, kind: ends[segment],
        lambda number, segment: [ends[segment]],
    )
    assert judged(topic).facts.as_written.records == expected


def test_a_finished_copy_loses_its_description_to_its_own_key():
    topic = Topic()
    topic.copied("A", 0, 9)
    found = judged(topic).facts.as_written
    assert (found.records, found.segments_lost, found.lost_bytes) == (1, 1, 10)


def test_the_tombstone_of_a_failed_attempt_takes_its_retry_along():
    topic = Topic()
    topic.started("A", 0, 9)
    topic.copied("B", 0, 9)
    topic.deleted("A")
    found = judged(topic).facts.as_written
    assert (found.records, found.segments_lost) == (0, 1)


def test_growth_goes_on_at_the_rate_of_the_last_month():
    topic = Topic()
    for n in range(60):
        topic.at_ms += 86_400_000
        topic.copied(f"S{n}", n, n)
    found = growth(judged(topic).facts)
    assert found is not None
    assert found["days"] == 30
    assert found["records_a_day"] == 2
    assert found["records_in_a_year"] == 120 + 730


def test_facts_of_parts_add_up():
    whole, first, second = Topic(), Topic(), Topic(topic_id="other")
    for topic in (first, second):
        topic.copied(f"{topic.topic_id[:3]}", 0, 9)
    whole.rows = [
        *first.rows,
        *({**row, "record_offset": 9 + n} for n, row in enumerate(second.rows)),
    ]
    assert judged(first).facts + judged(second).facts == judged(whole).facts
