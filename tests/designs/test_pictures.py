"""The picture of a state shows its values, and what is wrong with it."""

import re
import xml.etree.ElementTree as ElementTree
from dataclasses import replace

import pytest

from tests.designs.stored_traces import DESIGNS, STORED, trace_of
from tests.invariants.states import SCOPE, copied, partition, read, tell
from tierproof.diagrams import offsets_as_svg
from tierproof.model.designs.pictures.tiering import (
    ACTIVE,
    ALL_READ,
    DANGLING,
    GONE,
    HOLE,
    LEFT,
    LOCAL,
    LOST,
    ORPHAN,
    OUTDATED,
    OVERLAP,
    PLAIN,
    READ,
    READABLE,
    REMOVED,
    SERVED,
    STALE,
    UNREADABLE,
    tiering,
)
from tierproof.model.kafka.remote_segment import SegmentState
from tierproof.model.language import Interpreter
from tierproof.model.language.offset_picture import Look, pictures_of
from tierproof.register import register_of

KIP405 = DESIGNS["kip405"]
FINISHED, DELETING = SegmentState.COPY_SEGMENT_FINISHED, SegmentState.DELETE_SEGMENT_STARTED


def drawn(*changes):
    return tiering(KIP405, partition(*changes), SCOPE)


def spans(picture, meaning):
    return [(row, box.first, box.end) for row, box in picture.boxes(meaning)]


def row_of(picture, name):
    (found,) = [row for row in picture.rows if row.name == name]
    return found


def labels(row):
    return [mark.label for mark in row.marks]


# -- a tiered partition


def test_segments_of_each_log_and_the_copy_are_where_they_are():
    picture = drawn()
    both = [("broker 0", 2, 4), ("broker 1", 0, 2), ("broker 1", 2, 4)]
    assert spans(picture, LOCAL) == both
    assert spans(picture, ACTIVE) == [("broker 0", 4, 5), ("broker 1", 4, 5)]
    assert spans(picture, "copy finished") == [("remote tier", 0, 2)]
    assert [box.label for _, box in picture.boxes(SERVED)] == [
        *["remote, id 0"] * 2,
        *["local"] * 3,
    ]
    assert {box.look for row in picture.rows for box in row.boxes} == {
        *(Look.PLAIN, Look.ACTIVE, Look.DONE, Look.FAINT),
    }


def test_values_have_the_names_that_kafka_gives_them():
    assert labels(row_of(drawn(), "broker 0")) == [
        "log start 0",
        "local log start 2",
        "highest remote 1",
        "high watermark 5",
        "log end 5",
    ]


def test_a_committed_offset_that_is_nowhere_at_the_leader_is_unreadable():
    def lose(state):
        state.segment[0].object_exists = False

    assert spans(drawn(lose), HOLE) == [(READABLE, 0, 1), (READABLE, 1, 2)]
    assert spans(drawn(lose), GONE[FINISHED]) == [("remote tier", 0, 2)]
    assert spans(drawn(), HOLE) == []


def test_what_a_user_has_deleted_is_not_unreadable():
    def delete(state):
        state.segment[0].object_exists = False
        state.legal_end = state.broker[0].log_start_offset = 2

    assert spans(drawn(delete), HOLE) == []
    assert spans(drawn(delete), REMOVED) == [(READABLE, 0, 1), (READABLE, 1, 2)]


def test_what_may_be_deleted_is_what_the_design_says():
    def delete(state):
        state.segment[0].object_exists = False
        state.legal_end = state.broker[0].log_start_offset = 2

    nothing_may = replace(PLAIN, removable_end=lambda state: 0)
    picture = tiering(KIP405, partition(delete), SCOPE, nothing_may)
    assert spans(picture, HOLE) == [(READABLE, 0, 1), (READABLE, 1, 2)]


def test_an_object_without_metadata_is_an_orphan():
    def forget(state):
        tell(state, 0, DELETING, SegmentState.DELETE_SEGMENT_FINISHED)

    assert spans(drawn(forget), ORPHAN) == [("remote tier", 0, 2)]
    (found,) = drawn(forget).boxes(ORPHAN)
    assert found[1].look == Look.STRAY
    assert spans(drawn(), ORPHAN) == []


def test_a_copy_that_is_being_deleted_is_no_orphan():
    def start(state):
        tell(state, 0, DELETING)

    assert spans(drawn(start), DANGLING) == [("remote tier", 0, 2)]
    assert spans(drawn(start), ORPHAN) == []


def test_finished_copies_of_the_same_offset_overlap():
    def copy_again(state):
        copied(state, 1, 2)
        state.segment[1].start_offset = 1

    assert spans(drawn(copy_again), OVERLAP) == [("remote tier", 0, 2), ("remote tier", 1, 4)]
    assert spans(drawn(lambda state: copied(state, 1, 2)), OVERLAP) == []


def test_what_a_broker_has_read_is_drawn_where_it_is_not_all():
    def start(state):
        tell(state, 0, DELETING)
        read(state, 0)

    picture = drawn(start)
    assert row_of(picture, f"{READ} of broker 0").text == ALL_READ
    assert spans(picture, OUTDATED) == [(f"{READ} of broker 1", 0, 2)]
    assert picture.boxes(OUTDATED)[0][1].label == "id 0 copy finished"


def lose_object(state):
    state.segment[0].object_exists = False


def keep_on_the_follower(state):
    lose_object(state)
    state.broker[1].log_start_offset = 0


def lose_on_both(state):
    lose_object(state)
    for replica in state.broker:
        replica.starts_segment[0] = False


def forget_metadata(state):
    tell(state, 0, DELETING, SegmentState.DELETE_SEGMENT_FINISHED)


def copy_once_more(state):
    copied(state, 1, 2)
    state.segment[1].start_offset = 1


def delete_unread(state):
    tell(state, 0, DELETING)


@pytest.mark.parametrize(
    ("change", "row", "word"),
    [
        (lambda state: None, None, None),
        (keep_on_the_follower, READABLE, UNREADABLE),
        (lose_on_both, READABLE, LOST),
        (lose_object, "remote tier", "object lost"),
        (forget_metadata, "remote tier", "leaked"),
        (copy_once_more, "remote tier", "twice"),
        (delete_unread, f"{READ} of broker 0", STALE),
    ],
)
def test_what_is_wrong_has_a_word(change, row, word):
    picture = drawn(change)
    found = {(one.name, box.wrong) for one in picture.rows for box in one.boxes if box.wrong}
    assert (row, word) in found if word else not found


def test_a_leader_that_is_not_elected_is_an_old_one():
    def elect_another(state):
        state.elected_leader, state.leader_epoch = 1, 1

    picture = drawn(elect_another)
    assert row_of(picture, "broker 0").alarm == "old leader (epoch 0)"
    assert row_of(picture, "broker 1").notes[0] == "elected, epoch 1"
    assert not any(row.alarm for row in drawn().rows)


# -- stored traces


ACTIVE_ONES = r"offset (\d+)(?:, [^,.]*,)?(?: is)? in the active"
"""What the start of a story says of the active segment."""
BEGINNINGS = [
    pytest.param(f"{design.name}/{one.name}", found, id=f"{design.name}-{one.name}")
    for design in DESIGNS.values()
    for one in register_of(design).findings
    if one.text and (found := re.findall(ACTIVE_ONES, one.text.steps[0].sentence, re.IGNORECASE))
]


@pytest.mark.parametrize(("name", "offsets"), BEGINNINGS)
def test_the_active_segment_is_where_a_story_begins_with_it(name, offsets):
    (picture,) = pictures_of(trace_of(STORED[name]), [0])
    active = picture.boxes(ACTIVE)
    assert {box.first for _, box in active} == {int(offset) for offset in offsets}
    assert all(box.end > box.first for _, box in active)


def test_an_old_leader_is_marked_and_what_it_destroys_is_unreadable():
    trace = trace_of(STORED["kip405/zombie_acts_on_remote_tier"])
    before, *between, after = pictures_of(trace, range(len(trace) + 1))
    assert spans(before, HOLE) == []
    assert spans(after, HOLE) == [(READABLE, 0, 1)]
    alarms = {row_of(picture, "broker 0").alarm.partition(" (")[0] for picture in between}
    assert "old leader" in alarms


@pytest.mark.parametrize(
    ("name", "row", "said"),
    [
        (
            "log_cleaner/deleted_key_comes_back",
            "last committed",
            "stale: consumers read 0 at 0 for key 0",
        ),
        (
            "kip405_producers/follower_on_the_remote_tier_forgets_producers",
            READABLE,
            "twice: the batch at offset 2 was committed before",
        ),
    ],
)
def test_what_a_finding_does_to_keys_and_batches_is_marked_in_the_end_and_not_at_first(
    name, row, said
):
    trace = trace_of(STORED[name])
    before, after = pictures_of(trace, (0, len(trace)))
    assert said in row_of(after, row).wrong
    assert not any(one.wrong for one in before.rows)


def test_a_leader_that_lacks_a_producer_has_lost_it():
    trace = trace_of(STORED["kip405_producers/follower_on_the_remote_tier_forgets_producers"])
    said = {
        words
        for picture in pictures_of(trace, range(len(trace) + 1))
        for row in picture.rows
        if row.name == "producers in memory"
        for words in row.wrong
    }
    assert said == {"lost: P0 with its batch at offset 0"}


def test_an_orphan_is_in_the_last_picture_of_a_leak():
    trace = trace_of(STORED["kip405/deletion_overtakes_a_copy"])
    before, after = pictures_of(trace, (0, len(trace)))
    assert spans(before, LEFT) == []
    assert spans(after, LEFT) != []


def test_values_are_those_of_the_state_at_every_step():
    trace = trace_of(STORED["kip405/zombie_acts_on_remote_tier"])
    pictures = pictures_of(trace, range(len(trace) + 1))
    assert len(pictures) == len(trace) + 1
    for state, picture in zip(trace.states, pictures, strict=True):
        for b, broker in enumerate(state.broker):
            highest = broker.highest_remote_offset
            assert labels(row_of(picture, f"broker {b}")) == [
                f"log start {broker.log_start_offset}",
                f"local log start {broker.local_log_start_offset}",
                f"highest remote {'none' if highest < 0 else highest}",
                f"high watermark {broker.high_watermark}",
                f"log end {broker.log_end_offset}",
            ]


def topic_at_the_end(name):
    trace = trace_of(STORED[f"kip1266/{name}"])
    (picture,) = pictures_of(trace, [len(trace)])
    return row_of(picture, "metadata topic").text.splitlines()


def test_records_of_the_compacted_metadata_topic_are_listed_with_their_keys():
    assert topic_at_the_end("retry_takes_the_key_over")[3:] == [
        "key (end 0, epoch 0): id 1 COPY_SEGMENT_STARTED",
        "key (end 0, epoch 0): id 1 COPY_SEGMENT_FINISHED",
        "key (highest offset of epoch 0): highest offset 0",
        "key (end 0, epoch 0): tombstone",
    ]


def test_a_key_is_told_as_the_scheme_of_the_design_has_it():
    by_id = topic_at_the_end("object_comes_behind_its_tombstone")
    assert by_id[-1] == "key (id 0): tombstone"
    by_state = topic_at_the_end("tombstones_of_states_need_an_order")
    assert by_state[0] == "key (id 0, COPY_SEGMENT_STARTED): id 0 COPY_SEGMENT_STARTED"
    of_partition = topic_at_the_end("partition_markers_add_up")
    assert of_partition[-1] == "key (partition): DELETE_PARTITION_FINISHED"


@pytest.mark.parametrize("name", DESIGNS)
def test_every_design_draws_its_states(name):
    design = DESIGNS[name]
    scope = design.scope("smoke")
    state = Interpreter(design, scope).initial_states()[0]
    assert design.picture is not None
    picture = design.picture(design, state, scope)
    ElementTree.fromstring(offsets_as_svg([("Before", picture)]))
    assert len(picture.rows) > 1
    assert picture.end >= max(box.end for row in picture.rows for box in row.boxes)
