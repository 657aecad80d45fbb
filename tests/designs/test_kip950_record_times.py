"""Retention where record times do not follow the offsets: in each tier, and across the two."""

import pytest

from tests.designs.kip950_steps import COPIED, READ_ONLY, after, apply_settings, is_enabled
from tests.designs.step_by_step import act
from tierproof.model.designs.kip950 import DESIGN
from tierproof.model.kafka.local_retention import Reason

SCOPE = DESIGN.scope("retention")
BACKWARDS = DESIGN.with_variant("kafka_record_times_out_of_order")
REPAIRED = BACKWARDS.with_variant("repair_expire_remote_segments_first")
EXPIRE_LOCALLY = act("broker_raises_start_to_delete", broker=0, reason=int(Reason.TIME))
REMOVED_LOCALLY = (
    *COPIED,
    act("broker_raises_start_to_delete", broker=0, reason=int(Reason.SIZE)),
    act("broker_removes_segments", broker=0),
)
OLD_AND_READ_ONLY = (
    *REMOVED_LOCALLY,
    act("time_passes", ms=1),
    READ_ONLY,
    *apply_settings(0),
    act("broker_stops_copying", broker=0),
)


def test_the_later_record_is_the_older_one_and_both_are_committed():
    state = after(scope=SCOPE, design=BACKWARDS)
    for replica in state.broker:
        assert [record.timestamp for record in replica.records] == [1, 0]
    assert [record.timestamp for record in state.committed] == [1, 0]


def test_an_old_local_segment_of_a_read_only_topic_raises_the_log_start_past_the_remote_log():
    state = after(*OLD_AND_READ_ONLY, EXPIRE_LOCALLY, scope=SCOPE, design=BACKWARDS)
    assert state.broker[0].log_start_offset == 2
    assert state.segment[0].object_exists


def test_while_copying_is_enabled_it_waits_for_its_copy():
    steps = (*REMOVED_LOCALLY, act("time_passes", ms=1), EXPIRE_LOCALLY)
    state = after(*steps, scope=SCOPE, design=BACKWARDS)
    assert state.broker[0].log_start_offset == 0


@pytest.mark.parametrize(("design", "is_expired"), [(BACKWARDS, True), (REPAIRED, False)])
def test_repaired_it_stays_until_the_remote_log_before_it_has_expired(design, is_expired):
    state = after(*OLD_AND_READ_ONLY, scope=SCOPE, design=design)
    assert is_enabled(state, EXPIRE_LOCALLY, design, SCOPE) is is_expired


def test_repaired_a_log_that_begins_locally_expires_as_ever():
    steps = (act("time_passes", ms=1), READ_ONLY, *apply_settings(0))
    design = DESIGN.with_variant("repair_expire_remote_segments_first")
    state = after(*steps, scope=SCOPE, design=design)
    assert is_enabled(state, EXPIRE_LOCALLY, design, SCOPE)
