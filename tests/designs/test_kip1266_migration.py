"""KIP-1266's migration, step by step: what each step does to segments that are live."""

from __future__ import annotations

import pytest

from tests.designs.kip1266_steps import copy, expire
from tests.designs.step_by_step import Walk, act
from tierproof.invariants.metadata_compaction import plan_is_carried_out, topic_was_migrated
from tierproof.model.designs.kip1266.scenarios import begin, elect, read
from tierproof.model.designs.kip1266.state import EXPIRING
from tierproof.model.designs.kip1266_migration import DESIGN
from tierproof.model.kafka.compacted_topic import CleanupPolicy
from tierproof.model.kafka.remote_segment import SegmentState
from tierproof.model.language import Step

RETENTION = act("operator_sets_retention")
ENABLE = act("operator_enables_compaction")


def upgrade(broker: int) -> Step:
    """A broker gets the new version."""
    return act("operator_upgrades_broker", broker=broker)


def expired(count: int) -> Step:
    """The oldest records expire."""
    return act("retention_removes_metadata", count=count)


def walk_of(scope: str, *variants: str, **bounds: int) -> Walk:
    """The migration in one of its scopes."""
    return Walk(DESIGN, DESIGN.scope(scope).replace(**bounds), *variants)


def test_an_existing_cluster_has_keyless_records_that_all_have_read() -> None:
    walk = walk_of("smoke")
    assert [walk.state.metadata.record[n].key for n in range(2)] == [-1, -1]
    for broker in walk.state.broker:
        assert broker.cache.state[0] == SegmentState.COPY_SEGMENT_FINISHED
    assert walk.state.policy == CleanupPolicy.DELETE


def test_step_1_removes_what_describes_a_live_segment() -> None:
    found = walk_of("smoke").violated_after(RETENTION, expired(1))
    assert {"live_segments_stay_known", "compaction_loses_no_object"} <= found


def test_the_four_steps_lose_the_log() -> None:
    walk = walk_of("smoke")
    walk.take(
        RETENTION,
        upgrade(1),
        *read(1, 2),
        *elect(1),
        begin(1),
        act("broker_removes_local_segment", broker=1),
        act("broker_removes_local_segment", broker=0),
        upgrade(0),
        act("retention_window_passes"),
    )
    found = walk.violated_after(ENABLE)
    assert "live_segments_stay_known" in found
    assert walk.state.metadata.end == 0


def test_a_leader_that_reads_an_expired_topic_gives_the_log_up() -> None:
    walk = walk_of("smoke")
    found = walk.violated_after(
        RETENTION,
        act("broker_removes_local_segment", broker=1),
        expired(2),
        upgrade(1),
        *elect(1),
        begin(1),
    )
    assert "leader_serves_what_is_within_retention" in found
    assert walk.state.broker[1].log_start == 1


def test_a_bootstrap_waits_for_what_has_expired() -> None:
    walk = walk_of("smoke")
    walk.take(RETENTION, upgrade(1), expired(2))
    assert not walk.state.broker[1].cache.is_initialized
    assert not walk.can(act("broker_reads_metadata", broker=1))
    walk.take(*elect(1))
    assert not walk.can(begin(1))


def test_a_broker_whose_position_is_past_what_has_expired_is_ready() -> None:
    walk = walk_of("smoke", "repair_ready_at_the_position")
    walk.take(RETENTION, upgrade(1), expired(2))
    assert walk.state.broker[1].cache.is_initialized


def test_a_tombstone_kills_the_consumer_of_an_old_broker() -> None:
    steps = (upgrade(1), *read(1, 2), *elect(1), begin(1), *expire(1))
    walk = walk_of("default", topic_records=8)
    walk.take(*steps, act("broker_publishes_tombstone", broker=1))
    left = walk.state.metadata.end - walk.state.broker[0].position
    assert "consumers_survive" in walk.violated_after(*read(0, left))


def test_a_feature_level_keeps_keys_and_tombstones_back_until_all_are_upgraded() -> None:
    walk = walk_of("default", "repair_feature_gates_writing", topic_records=8)
    walk.take(upgrade(1), *read(1, 2), *elect(1), begin(1), *expire(1))
    assert not walk.can(act("broker_publishes_tombstone", broker=1))
    assert not walk.can(act("operator_upgrades_feature"))
    walk.take(upgrade(0), act("operator_upgrades_feature"))
    assert all(broker.writes_keys for broker in walk.state.broker)


def test_compaction_enabled_early_has_keyless_records_to_drop() -> None:
    walk = walk_of("new_segment", "text_compaction_enabled_early")
    found = walk.violated_after(ENABLE)
    assert "compacted_topic_has_keys_only" in found
    assert not walk.can(copy(0)[0]), "an old broker's record is refused"


def test_the_cleaner_drops_live_keyless_records() -> None:
    walk = walk_of("smoke", "text_compaction_enabled_early")
    walk.take(ENABLE)
    found = walk.violated_after(act("cleaner_cleans", clean_end=1, is_late=False))
    assert "live_segments_stay_known" in found


def test_compaction_waits_for_all_brokers_and_one_window() -> None:
    walk = walk_of("smoke")
    assert not walk.can(ENABLE)
    walk.take(RETENTION, upgrade(1))
    assert not walk.can(act("retention_window_passes"))


def upgraded(*variants: str, **bounds: int) -> Walk:
    """Every broker has the code and the feature, and broker 1 leads."""
    walk = walk_of("smoke", *variants, **bounds)
    walk.take(upgrade(1), *read(1, 2), *elect(1), begin(1), upgrade(0))
    walk.take(act("operator_upgrades_feature"))
    return walk


DELETE_KEYLESS = act("operator_deletes_keyless_records")


@pytest.mark.parametrize("variants", [(), ("text_backfill_left_out",)])
def test_a_backfill_gives_every_live_segment_a_key_before_compaction(
    variants: tuple[str, ...],
) -> None:
    walk = upgraded(*variants, "repair_all")
    walk.take(act("leader_backfills", broker=1, segment=0))
    assert not walk.can(DELETE_KEYLESS), "the highest offset is still untold"
    walk.take(act("leader_backfills_highest_offset", broker=1))
    assert not walk.can(ENABLE), "records without keys are still there"
    walk.take(*read(0, 2), DELETE_KEYLESS)
    assert walk.violated_after(ENABLE) == set()
    assert walk.state.metadata.end == 2
    assert walk.state.replayed.state[0] == SegmentState.COPY_SEGMENT_FINISHED


def test_nothing_without_a_key_is_deleted_before_every_broker_has_read_it() -> None:
    walk = upgraded("repair_all")
    walk.take(act("leader_backfills", broker=1, segment=0))
    walk.take(act("leader_backfills_highest_offset", broker=1), *read(0, 1))
    assert not walk.can(DELETE_KEYLESS)


def test_a_feature_level_makes_threads_take_up_their_work_anew() -> None:
    walk = walk_of("smoke", "repair_all", expirations=1, topic_records=6)
    walk.take(upgrade(1), *read(1, 2), *elect(1), begin(1), upgrade(0))
    walk.take(*expire(1)[:2], act("operator_upgrades_feature"))
    assert not walk.can(expire(1)[2])
    assert walk.can(act("refused_task_gives_up", broker=1, thread=EXPIRING))


def test_a_backfill_left_out_leaves_live_segments_to_the_cleaner() -> None:
    walk = walk_of("smoke", "text_backfill_left_out")
    walk.take(upgrade(1), *elect(1), upgrade(0))
    walk.take(ENABLE)
    found = walk.violated_after(act("cleaner_cleans", clean_end=1, is_late=False))
    assert "live_segments_stay_known" in found


def test_compaction_of_keyless_records_can_be_refused() -> None:
    walk = walk_of(
        "smoke", "text_compaction_enabled_early", "repair_refuse_compaction_of_keyless_records"
    )
    assert not walk.can(ENABLE)


def test_the_plan_is_carried_out_also_where_nothing_is_left_to_serve() -> None:
    walk = walk_of("smoke")
    walk.take(RETENTION, upgrade(1), *elect(1), upgrade(0), act("retention_window_passes"))
    walk.take(ENABLE)
    assert plan_is_carried_out(walk.state)
    assert not topic_was_migrated(walk.state)
