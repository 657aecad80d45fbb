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

from tierproof.invariants import histories, liveness, remote_metadata, tiering, witnesses
from tierproof.invariants.legal_removal import DISABLED_WITH_DELETE
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
from tierproof.model.designs.kip950 import controller, environment, publisher
from tierproof.model.designs.kip950.proposals import PROPOSALS
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
        remote_metadata.quiet_store_holds_finished_segments_only,
    ),
    add_system=(
        *publisher.SYSTEM,
        *environment.SYSTEM,
    ),
    add_environment=(
        controller.controller_alters_config,
        environment.broker_updates_log_config_amid_deletion,
    ),
    # A broker learns of one election after the other.
    # What the controller decides, it logs.
    fence={
        # Local segments are deleted under the log's lock.
        broker_raises_start_to_delete: environment.has_removed_what_it_chose,
        follower_builds_on_remote_tier: environment.builds_on_tiered_log,
        controller_elects_leader: (controller.has_room_in_cluster_log, has_leader_epoch_left),
        user_deletes_topic: controller.has_room_in_cluster_log,
        lone_leader_restarts: controller.has_room_in_cluster_log,
    },
    also={
        tiered_partition: begin_with_settings,
        controller_elects_leader: controller.log_leadership,
        user_deletes_topic: controller.log_removal,
        lone_leader_restarts: environment.log_own_election,
    },
    # A broker that restarts loads its log under the newest settings.
    first={
        broker_restarts: environment.take_newest_settings,
        lone_leader_restarts: environment.take_newest_settings,
        broker_loses_disk: environment.take_newest_settings,
    },
    add_properties=(
        tiering.quiet_topic_holds_finished_segments_only,
        tiering.every_replica_can_take_over_without_remote,
        tiering.disabling_decides_on_remote_data,
        tiering.read_only_topic_has_one_retention,
        tiering.enabled_topic_is_copied_and_expired,
        tiering.read_only_topic_has_no_copy_task,
        tiering.read_only_topic_is_readable,
        tiering.read_only_topic_copies_nothing_new,
        tiering.disabled_topic_copies_nothing_new,
        tiering.disabled_topic_has_no_tasks,
        tiering.cancelled_copy_never_finishes,
        tiering.disabled_topic_leaves_no_objects,
        liveness.disabled_topic_is_emptied,
        liveness.read_only_topic_is_emptied,
        liveness.enabled_topic_is_copied,
    ),
    add_witnesses=(
        witnesses.topic_is_tiered_again,
        witnesses.delete_dangles,
        witnesses.disable_deletes_everything,
        witnesses.segment_is_copied_again,
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
).with_history(
    DISABLED_WITH_DELETE, history(broker_applies_leadership=histories.note_committed_records)
)
