"""One broker's cache of remote metadata: what the recordings do not show of it in full.

Transitions, drops and exceptions are held against recordings in `tests/conformance`.
"""

import pytest

from tests.kafka.lineages import lineage_of
from tierproof.conformance.cache import Session
from tierproof.model.kafka.remote_metadata_cache import (
    CacheOutcome,
    apply_record,
    find_highest_remote_offset,
    find_log_start_offset,
    forget_all,
    is_listed,
    is_referenced,
    lookup,
)
from tierproof.model.kafka.remote_segment import SegmentState
from tierproof.model.language import NONE


def after(*operations):
    """The session after operations in the words of the recordings."""
    session = Session(operations)
    for operation in operations:
        session.answer_to(operation)
    return session


def listed(session, epoch=0):
    return [session.names[id] for id in session.listed(epoch)]


def test_segments_that_all_serve_are_listed_by_their_start_in_the_epoch():
    session = after(
        "init",
        "add early 0 99 0:0,1:50",
        "add late 10 40 1:10",
        "upd early COPY_SEGMENT_FINISHED",
        "upd late COPY_SEGMENT_FINISHED",
    )
    assert listed(session, 1) == ["late", "early"]


def test_one_unreferenced_segment_makes_the_list_go_by_segment_start():
    session = after(
        "init",
        "add early 0 99 0:0,1:50",
        "add late 10 40 1:10",
        "upd early COPY_SEGMENT_FINISHED",
        "upd late COPY_SEGMENT_FINISHED",
        "add open 100 120 1:100",
    )
    assert listed(session, 1) == ["early", "late", "open"]


def test_of_two_segments_with_one_start_the_one_that_serves_is_listed_first():
    session = after("init", "add a 0 9 0:0", "add b 0 9 0:0", "upd b COPY_SEGMENT_FINISHED")
    assert listed(session) == ["b", "a"]


def test_a_segment_finished_again_by_another_id_is_listed_as_unreferenced():
    session = after(
        "init",
        "add a 0 9 0:0",
        "add b 0 9 0:0",
        "upd a COPY_SEGMENT_FINISHED",
        "upd b COPY_SEGMENT_FINISHED",
    )
    assert listed(session) == ["b", "a"]
    assert is_listed(session.cache, 0, 0)
    assert not is_referenced(session.cache, 0, 0)


def test_a_late_duplicate_below_the_highest_offset_hides_the_first_from_every_list():
    session = after(
        "init",
        "add a 0 9 0:0",
        "add next 10 19 0:10",
        "add b 0 9 0:0",
        "upd a COPY_SEGMENT_FINISHED",
        "upd next COPY_SEGMENT_FINISHED",
        "upd b COPY_SEGMENT_FINISHED",
    )
    assert listed(session) == ["b", "next"]
    assert session.list_all().startswith("a/COPY_SEGMENT_FINISHED")


def test_a_lookup_does_not_fall_back_to_a_longer_segment_before():
    session = after(
        "init",
        "add long 0 99 0:0",
        "add short 10 19 0:10",
        "upd long COPY_SEGMENT_FINISHED",
        "upd short COPY_SEGMENT_FINISHED",
    )
    assert lookup(session.cache, session.segment, 0, 9) == 0
    assert lookup(session.cache, session.segment, 0, 19) == 1
    assert lookup(session.cache, session.segment, 0, 20) == NONE


def test_a_record_of_the_topic_adds_or_updates():
    session = Session(["add a 0 9 0:0"])
    cache, segment = session.cache, session.segment
    unknown = apply_record(cache, segment, 0, SegmentState.COPY_SEGMENT_FINISHED)
    assert unknown == CacheOutcome.DROPPED
    for target in list(SegmentState)[1:]:
        assert apply_record(cache, segment, 0, target) == CacheOutcome.APPLIED
    assert cache.state[0] == SegmentState.ABSENT


def test_a_copy_may_be_announced_twice_but_not_after_it_has_finished():
    session = Session(["add a 0 9 0:0"])
    cache, segment = session.cache, session.segment
    for outcome in (CacheOutcome.APPLIED, CacheOutcome.APPLIED):
        assert apply_record(cache, segment, 0, SegmentState.COPY_SEGMENT_STARTED) == outcome
    apply_record(cache, segment, 0, SegmentState.COPY_SEGMENT_FINISHED)
    late = apply_record(cache, segment, 0, SegmentState.COPY_SEGMENT_STARTED)
    assert late == CacheOutcome.DROPPED
    assert is_referenced(cache, 0, 0)


def test_a_dropped_cache_knows_nothing():
    session = after("init", "add a 0 9 0:0", "upd a COPY_SEGMENT_FINISHED")
    forget_all(session.cache)
    assert session.cache == Session(["add a 0 9 0:0"]).cache
    assert session.list_all() == ""
    assert session.highest("0") == "null"
    assert not session.cache.is_initialized


# -- what the remote log manager asks


FINISHED = (
    "init",
    "add a 0 99 0:0",
    "add b 100 299 0:100,1:200",
    "upd a COPY_SEGMENT_FINISHED",
    "upd b COPY_SEGMENT_FINISHED",
)


@pytest.mark.parametrize(
    ("lineage", "log_end_offset", "answer"),
    [
        ("0:0,1:200", 400, (299, 1)),
        ("0:0,1:200", 300, (299, 1)),
        ("0:0,1:200", 299, (298, 1)),
        ("0:0,1:200", 250, (249, 1)),
        ("0:0,2:150", 400, (149, 0)),
        ("0:0", 400, (199, 0)),
        ("3:0", 400, (NONE, NONE)),
        ("", 400, (NONE, NONE)),
    ],
)
def test_the_highest_remote_offset_is_cut_where_its_leader_ended(lineage, log_end_offset, answer):
    session = after(*FINISHED, "highest 9")
    found = find_highest_remote_offset(session.cache, lineage_of(lineage), log_end_offset)
    assert found == answer


def test_deletion_does_not_lower_the_highest_remote_offset():
    deleted = ("upd b DELETE_SEGMENT_STARTED", "upd b DELETE_SEGMENT_FINISHED", "highest 9")
    session = after(*FINISHED, *deleted)
    assert find_highest_remote_offset(session.cache, lineage_of("0:0,1:200"), 400) == (299, 1)


@pytest.mark.parametrize(("lineage", "start"), [("0:0,1:200", 0), ("1:200", 100), ("5:9", 777)])
def test_the_log_start_is_that_of_the_first_segment_listed_in_the_earliest_epoch(lineage, start):
    session = after(*FINISHED, "highest 9")
    found = find_log_start_offset(session.cache, session.segment, lineage_of(lineage), 777)
    assert found == start
