"""KIP-950 as accepted and shipped: tiered storage can be disabled, topic by topic (KRaft, 3.9+).

It is KIP-405, changed: `CHANGE` says by what. Read in this order: `state`, `controller`,
`publisher`, `environment`; then `readings` of the text and `repairs` of ours.

Modelled: settings and their validation, one log of the cluster that brokers apply in
batches, leadership before settings; settings that a broker refuses; what a broker starts,
stops and deletes when settings change; restarts into the newest settings; interrupted
threads; all that KIP-405 has.
Simplified: as in KIP-405; changes of who is in sync are known at once.
Not modelled: reads in flight, controller failover, ZooKeeper; as in KIP-405.
"""

from tierproof.invariants.histories import note_committed_records
from tierproof.invariants.legal_removal import DISABLED_WITH_DELETE
from tierproof.invariants.liveness import (
    disabled_topic_is_emptied,
    enabled_topic_is_copied,
    read_only_topic_is_emptied,
)
from tierproof.invariants.remote_metadata import quiet_store_holds_finished_segments_only
from tierproof.invariants.tiering import (
    cancelled_copy_never_finishes,
    disabled_topic_copies_nothing_new,
    disabled_topic_has_no_tasks,
    disabled_topic_leaves_no_objects,
    disabling_decides_on_remote_data,
    enabled_topic_is_copied_and_expired,
    every_replica_can_take_over_without_remote,
    quiet_topic_holds_finished_segments_only,
    read_only_topic_copies_nothing_new,
    read_only_topic_has_no_copy_task,
    read_only_topic_has_one_retention,
    read_only_topic_is_readable,
)
from tierproof.invariants.witnesses import (
    delete_dangles,
    disable_deletes_everything,
    segment_is_copied_again,
    topic_is_tiered_again,
)
from tierproof.model.designs import kip405
from tierproof.model.designs.kip405.leadership import broker_learns_leader, controller_elects_leader
from tierproof.model.designs.kip405.local import broker_raises_start_to_delete
from tierproof.model.designs.kip405.rebuilding import follower_builds_on_remote_tier
from tierproof.model.designs.kip405.restarting import (
    broker_loses_disk,
    broker_restarts,
    has_leader_epoch_left,
    lone_leader_restarts,
)
from tierproof.model.designs.kip405.start import tiered_partition
from tierproof.model.designs.kip405.stopping import broker_learns_deletion, user_deletes_topic
from tierproof.model.designs.kip950.controller import (
    controller_alters_config,
    has_room_in_cluster_log,
    log_leadership,
    log_removal,
)
from tierproof.model.designs.kip950.environment import (
    broker_updates_log_config_amid_deletion,
    builds_on_tiered_log,
    copy_is_interrupted,
    expiration_is_interrupted,
    has_removed_what_it_chose,
    log_own_election,
    take_newest_settings,
)
from tierproof.model.designs.kip950.proposals import PROPOSALS
from tierproof.model.designs.kip950.publisher import (
    broker_applies_leadership,
    broker_finishes_batch,
    broker_raises_log_start,
    broker_refuses_settings,
    broker_starts_tasks,
    broker_stops_copying,
    broker_stops_partition,
    broker_updates_log_config,
)
from tierproof.model.designs.kip950.readings import READINGS
from tierproof.model.designs.kip950.repairs import REPAIRS
from tierproof.model.designs.kip950.state import TieredTopic, Topic
from tierproof.model.kafka.local_retention import UNSET
from tierproof.model.language import Edit, history


def begin_with_settings(state: Topic) -> None:
    """The controller and every broker have the same settings; local.retention.ms is unset."""
    for replica in state.broker:
        replica.settings.local_retention_ms = UNSET
    state.settings = state.broker[0].settings


CHANGE = Edit(
    # The metadata publisher applies elections, deletions of the topic, and settings.
    drop=(
        broker_learns_leader,
        broker_learns_deletion,
        quiet_store_holds_finished_segments_only,
    ),
    add_system=(
        broker_applies_leadership,
        broker_updates_log_config,
        broker_refuses_settings,
        broker_starts_tasks,
        broker_stops_copying,
        broker_raises_log_start,
        broker_stops_partition,
        broker_finishes_batch,
        copy_is_interrupted,
        expiration_is_interrupted,
    ),
    add_environment=(controller_alters_config, broker_updates_log_config_amid_deletion),
    # A broker learns of one election after the other.
    # What the controller decides, it logs.
    fence={
        # Local segments are deleted under the log's lock.
        broker_raises_start_to_delete: has_removed_what_it_chose,
        follower_builds_on_remote_tier: builds_on_tiered_log,
        controller_elects_leader: (has_room_in_cluster_log, has_leader_epoch_left),
        user_deletes_topic: has_room_in_cluster_log,
        lone_leader_restarts: has_room_in_cluster_log,
    },
    also={
        tiered_partition: begin_with_settings,
        controller_elects_leader: log_leadership,
        user_deletes_topic: log_removal,
        lone_leader_restarts: log_own_election,
    },
    # A broker that restarts loads its log under the newest settings.
    first={
        broker_restarts: take_newest_settings,
        lone_leader_restarts: take_newest_settings,
        broker_loses_disk: take_newest_settings,
    },
    add_properties=(
        quiet_topic_holds_finished_segments_only,
        every_replica_can_take_over_without_remote,
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
        disabled_topic_is_emptied,
        read_only_topic_is_emptied,
        enabled_topic_is_copied,
    ),
    add_witnesses=(
        topic_is_tiered_again,
        delete_dangles,
        disable_deletes_everything,
        segment_is_copied_again,
    ),
)

SMOKE = TieredTopic(
    offsets=2,
    segment_ids=1,
    leader_epochs=2,
    metadata_records=4,
    planned_deletions=2,
    retention_bytes=1,
    config_changes=2,
    unapplied_records=1,
)

DESIGN = kip405.DESIGN.derive(
    name="kip950",
    title="KIP-950: disable tiered storage on a topic",
    document="KIP-950 as accepted, KRaft part; Apache Kafka 4.x",
    change=CHANGE,
    state=Topic,
    # What a later variant puts first in a step comes first: a restart finishes a local deletion
    # (a repair) before a follower looks where its log begins (a proposal).
    variants=(*READINGS, *PROPOSALS, *REPAIRS),
    scopes={
        # One segment, a stable leader: settings, copies and deletions against each other.
        "smoke": SMOKE,
        # One broker, every combination of the settings.
        "alone": SMOKE.replace(brokers=1, all_settings=1),
        # One change of the settings, a leader change and a restart.
        "default": SMOKE.replace(config_changes=1, elections=1, restarts=1),
        # One broker, and a store that fails.
        "alone_failures": SMOKE.replace(brokers=1, failed_deletes=1),
        # One change of the settings, and a leader change before or after it.
        "voted": SMOKE.replace(config_changes=1, elections=1),
        # One change of the settings and a leader change, apart or in one batch.
        "elections": SMOKE.replace(unapplied_records=2, config_changes=1, elections=1),
        # A store that fails.
        "failures": SMOKE.replace(failed_deletes=1),
        # One broker, every combination of the settings, one by one or two at once.
        "settings": SMOKE.replace(brokers=1, all_settings=1, config_changes=3, unapplied_records=2),
        # One broker, two changes of the settings, one by one or at once, and a restart.
        "two_changes": SMOKE.replace(brokers=1, all_settings=1, unapplied_records=2, restarts=1),
        # A segment expires by time; settings change just while local segments are deleted.
        "retention": SMOKE.replace(config_changes=1, clock_ms=1, racing_deletions=1),
        # A second attempt to copy, after the topic is tiered again.
        "again": SMOKE.replace(segment_ids=2, metadata_records=6),
        # One broker, and room for two more copies after the topic is tiered again.
        "alone_again": SMOKE.replace(brokers=1, segment_ids=3, metadata_records=8),
        # One broker, one change of the settings, and a crash.
        "restart": SMOKE.replace(brokers=1, unapplied_records=2, config_changes=1, restarts=1),
        # As `restart`, with room for a second copy; a reading takes the restart for an upgrade.
        "upgrade": SMOKE.replace(
            brokers=1,
            segment_ids=2,
            metadata_records=6,
            unapplied_records=2,
            config_changes=1,
            restarts=1,
        ),
        # Batches, a leader change, and a store that fails.
        "deep": SMOKE.replace(unapplied_records=2, elections=1, failed_deletes=1),
    },
).with_history(DISABLED_WITH_DELETE, history(broker_applies_leadership=note_committed_records))
