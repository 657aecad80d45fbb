"""KIP-950 as accepted and shipped: tiered storage can be disabled, topic by topic (KRaft, 3.9+).

Read in this order: `state`, `controller`, `publisher`, `copying`, `deleting`,
`replication`, `environment`; `variants` says what would happen otherwise.

Modelled: settings and their validation, one metadata log that brokers apply in batches,
leadership before settings; tasks whose cancellation nobody waits for; copies and deletions
step by step; retention by time in both tiers; zombies, restarts, a failing store.
Simplified: one partition, one offset a segment, one lineage of committed records, metadata
caches that do not lag, replicas that all count for the high watermark.
Not modelled: unclean elections, replicas that build on the remote tier, DeleteRecords,
retention by size, reads in flight, controller failover, ZooKeeper.
"""

from typing import Any

from invariants.durability import (
    committed_records_stay_readable,
    highest_remote_offset_is_sound,
    local_segment_removed_only_once_copied,
    log_start_passes_only_what_may_go,
    no_committed_record_lost,
    object_deleted_only_when_not_needed,
)
from invariants.fencing import only_the_leader_deletes, only_the_leader_publishes_copies
from invariants.offset_continuity import (
    every_replica_can_take_over_without_remote,
    log_start_never_moves_back,
    new_leader_knows_the_log_start,
    no_unreadable_prefix_without_remote,
    remote_and_local_parts_are_contiguous,
)
from invariants.remote_metadata import (
    every_object_is_tracked,
    metadata_comes_before_objects,
    quiet_store_holds_finished_segments_only,
    served_segment_has_its_object,
)
from invariants.tiering import (
    cancelled_copy_never_finishes,
    disabled_topic_copies_nothing_new,
    disabled_topic_has_no_tasks,
    disabled_topic_leaves_no_objects,
    disabling_decides_on_remote_data,
    enabled_topic_is_copied_and_expired,
    read_only_topic_copies_nothing_new,
    read_only_topic_has_no_copy_task,
    read_only_topic_has_one_retention,
    read_only_topic_is_readable,
)
from invariants.witnesses import (
    delete_dangles,
    disable_deletes_everything,
    segment_is_read_from_remote,
    topic_is_tiered_again,
    zombie_copy_is_published,
)
from model.designs.kip950.controller import controller_alters_config, controller_elects_leader
from model.designs.kip950.copying import (
    copy_is_interrupted,
    copy_publishes_finished,
    copy_publishes_started,
    copy_records_progress,
    copy_stores_object,
    copy_task_chooses_segment,
    copy_task_finds_highest_remote_offset,
    copy_task_finds_log_start,
)
from model.designs.kip950.deleting import (
    broker_deletes_object,
    broker_publishes_delete_finished,
    broker_publishes_delete_started,
    expiration_deletes_object,
    expiration_publishes_delete_finished,
    expiration_task_publishes_delete_started,
    expiration_task_raises_log_start,
    store_fails_delete_on_disable,
    store_fails_expiration,
)
from model.designs.kip950.environment import broker_restarts, time_expires_segment
from model.designs.kip950.findings import FINDINGS
from model.designs.kip950.publisher import (
    broker_applies_leadership,
    broker_lists_remote_segments,
    broker_raises_log_start,
    broker_starts_tasks,
    broker_stops_copying,
    broker_stops_tasks,
    broker_updates_log_config,
    schedule_tasks,
)
from model.designs.kip950.replication import (
    broker_deletes_copied_segment,
    broker_deletes_expired_segment,
    follower_fetches_segment,
    follower_learns_log_start,
    follower_task_finds_highest_remote_offset,
    leader_appends_segment,
)
from model.designs.kip950.state import Partition, TieredTopic
from model.designs.kip950.variants import VARIANTS
from model.language import Design, initial

SYSTEM = (
    broker_applies_leadership,
    broker_updates_log_config,
    broker_starts_tasks,
    broker_stops_copying,
    broker_raises_log_start,
    broker_stops_tasks,
    broker_lists_remote_segments,
    broker_publishes_delete_started,
    broker_deletes_object,
    broker_publishes_delete_finished,
    copy_task_finds_log_start,
    copy_task_finds_highest_remote_offset,
    copy_task_chooses_segment,
    copy_publishes_started,
    copy_stores_object,
    copy_publishes_finished,
    copy_records_progress,
    copy_is_interrupted,
    expiration_task_raises_log_start,
    expiration_task_publishes_delete_started,
    expiration_deletes_object,
    expiration_publishes_delete_finished,
    follower_task_finds_highest_remote_offset,
    leader_appends_segment,
    follower_fetches_segment,
    follower_learns_log_start,
    broker_deletes_copied_segment,
    broker_deletes_expired_segment,
)
ENVIRONMENT = (
    controller_alters_config,
    controller_elects_leader,
    time_expires_segment,
    broker_restarts,
    store_fails_delete_on_disable,
    store_fails_expiration,
)
PROPERTIES = (
    committed_records_stay_readable,
    no_committed_record_lost,
    new_leader_knows_the_log_start,
    log_start_passes_only_what_may_go,
    object_deleted_only_when_not_needed,
    local_segment_removed_only_once_copied,
    highest_remote_offset_is_sound,
    log_start_never_moves_back,
    no_unreadable_prefix_without_remote,
    every_replica_can_take_over_without_remote,
    remote_and_local_parts_are_contiguous,
    only_the_leader_publishes_copies,
    only_the_leader_deletes,
    served_segment_has_its_object,
    metadata_comes_before_objects,
    every_object_is_tracked,
    quiet_store_holds_finished_segments_only,
    disabling_decides_on_remote_data,
    read_only_topic_has_one_retention,
    enabled_topic_is_copied_and_expired,
    read_only_topic_has_no_copy_task,
    read_only_topic_is_readable,
    read_only_topic_copies_nothing_new,
    disabled_topic_copies_nothing_new,
    disabled_topic_has_no_tasks,
    cancelled_copy_never_finishes,
    disabled_topic_leaves_no_objects,
)


@initial
def tiered_topic(state: Partition, scope: Any) -> None:
    """Broker 0 leads a tiered topic with a shorter local retention; nothing is copied yet."""
    state.settings.remote_storage_enable = True
    for b in range(len(state.broker)):
        state.broker[b].log_end_offset = scope.offsets - scope.appends
        state.broker[b].settings.remote_storage_enable = True
        schedule_tasks(state, b)


DESIGN = Design(
    name="kip950",
    title="KIP-950: disable tiered storage on a topic",
    document="KIP-950 as accepted, KRaft part; Apache Kafka 4.x",
    state=Partition,
    initial=(tiered_topic,),
    system=SYSTEM,
    environment=ENVIRONMENT,
    properties=PROPERTIES,
    witnesses=(
        segment_is_read_from_remote,
        zombie_copy_is_published,
        topic_is_tiered_again,
        delete_dangles,
        disable_deletes_everything,
    ),
    variants=VARIANTS,
    findings=FINDINGS,
    scopes={
        # One segment, a stable leader: settings, copies and deletions against each other.
        "smoke": TieredTopic(offsets=1, segment_ids=2, config_changes=2, failed_deletes=1),
        # The same with a leader change and a restart; brokers lag by one metadata record.
        "default": TieredTopic(
            offsets=1,
            segment_ids=2,
            unapplied_records=1,
            config_changes=2,
            elections=1,
            restarts=1,
            failed_deletes=1,
        ),
        # Brokers that lag by two records and apply them one by one, or both at once.
        "batches": TieredTopic(offsets=1, segment_ids=2, config_changes=2, elections=1),
        # Every combination of the four settings, not only the three that matter most.
        "settings": TieredTopic(offsets=1, segment_ids=2, config_changes=2, all_settings=1),
        # Two segments, one of them appended and one that expires.
        "retention": TieredTopic(
            offsets=2, appends=1, segment_ids=3, config_changes=2, expirations=1, failed_deletes=1
        ),
        # Three changes of the settings, batches, a leader change and a restart.
        "deep": TieredTopic(offsets=1, segment_ids=2, config_changes=3, elections=1, restarts=1),
    },
)
