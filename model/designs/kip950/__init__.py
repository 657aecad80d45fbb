"""KIP-950 as accepted and shipped: tiered storage can be disabled, topic by topic (KRaft, 3.9+).

Stands on KIP-405, whose state and actions it takes over. Read in this order: `state`,
`controller`, `publisher`, `environment`; `variants` says what would happen otherwise.

Modelled: settings and their validation, one log of the cluster that brokers apply in
batches, leadership before settings; what a broker starts, stops and deletes when settings
change; restarts into the newest settings; interrupted threads; all that KIP-405 has.
Simplified: as in KIP-405; changes of who is in sync are known at once.
Not modelled: reads in flight, controller failover, ZooKeeper; as in KIP-405.
"""

from typing import Any, TypeVar

from tierproof.invariants.liveness import (
    disabled_topic_is_emptied,
    enabled_topic_is_copied,
    read_only_topic_is_emptied,
)
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
    topic_is_tiered_again,
)
from tierproof.model.designs import kip405
from tierproof.model.designs.kip405 import tiered_partition
from tierproof.model.designs.kip950.controller import (
    controller_alters_config,
    controller_elects_leader,
    copy_settings,
    user_deletes_topic,
)
from tierproof.model.designs.kip950.environment import (
    broker_loses_disk,
    broker_raises_start_and_is_noted,
    broker_restarts,
    broker_updates_log_config_amid_deletion,
    copy_is_interrupted,
    expiration_is_interrupted,
    lone_leader_restarts,
)
from tierproof.model.designs.kip950.findings import FINDINGS
from tierproof.model.designs.kip950.publisher import (
    broker_applies_leadership,
    broker_finishes_batch,
    broker_raises_log_start,
    broker_starts_tasks,
    broker_stops_copying,
    broker_stops_partition,
    broker_updates_log_config,
)
from tierproof.model.designs.kip950.state import TieredTopic, Topic
from tierproof.model.designs.kip950.variants import VARIANTS
from tierproof.model.kafka.local_retention import UNSET
from tierproof.model.language import Action, Design, Property, initial

Entry = TypeVar("Entry", Action, Property)


def without(entries: tuple[Entry, ...], *names: str) -> tuple[Entry, ...]:
    """What KIP-950 takes over from KIP-405 as it is: all but these."""
    return tuple(entry for entry in entries if entry.name not in names)


NOT_FAIR = ("leader_appends_record", "broker_checkpoints_log_start")
"""Producers need not go on, and nothing waits for a checkpoint: these are the environment's."""

SYSTEM = (
    broker_applies_leadership,
    broker_updates_log_config,
    broker_starts_tasks,
    broker_stops_copying,
    broker_raises_log_start,
    broker_stops_partition,
    broker_finishes_batch,
    broker_raises_start_and_is_noted,
    *without(
        kip405.SYSTEM,
        "broker_learns_leader",
        "broker_learns_deletion",
        "broker_raises_start_to_delete",
        *NOT_FAIR,
    ),
    copy_is_interrupted,
    expiration_is_interrupted,
)
ENVIRONMENT = (
    controller_alters_config,
    controller_elects_leader,
    user_deletes_topic,
    broker_restarts,
    lone_leader_restarts,
    broker_loses_disk,
    broker_updates_log_config_amid_deletion,
    *(entry for entry in kip405.SYSTEM if entry.name in NOT_FAIR),
    *without(
        kip405.ENVIRONMENT,
        "controller_elects_leader",
        "user_deletes_topic",
        "broker_restarts",
        "lone_leader_restarts",
        "broker_loses_disk",
    ),
)
PROPERTIES = (
    *without(kip405.PROPERTIES, "quiet_store_holds_finished_segments_only"),
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
)
WITNESSES = (
    *kip405.WITNESSES,
    topic_is_tiered_again,
    delete_dangles,
    disable_deletes_everything,
)


@initial
def tiered_topic(state: Topic, scope: Any) -> None:
    """KIP-405's tiered partition; local retention keeps as little as one record."""
    tiered_partition.effect(state, scope)
    for b in range(len(state.broker)):
        state.broker[b].settings.local_retention_ms = UNSET
    copy_settings(state.settings, state.broker[0].settings)


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

DESIGN = Design(
    name="kip950",
    title="KIP-950: disable tiered storage on a topic",
    document="KIP-950 as accepted, KRaft part; Apache Kafka 4.x",
    state=Topic,
    initial=(tiered_topic,),
    system=SYSTEM,
    environment=ENVIRONMENT,
    properties=PROPERTIES,
    witnesses=WITNESSES,
    variants=VARIANTS,
    findings=FINDINGS,
    scopes={
        # One segment, a stable leader: settings, copies and deletions against each other.
        "smoke": SMOKE,
        # One change of the settings, a leader change and a restart.
        "default": SMOKE.replace(config_changes=1, elections=1, restarts=1),
        # One change of the settings and a leader change, apart or in one batch.
        "elections": SMOKE.replace(unapplied_records=2, config_changes=1, elections=1),
        # A store that fails.
        "failures": SMOKE.replace(failed_deletes=1),
        # One broker, every combination of the settings, one by one or two at once.
        "settings": SMOKE.replace(brokers=1, all_settings=1, config_changes=3, unapplied_records=2),
        # A segment expires by time; settings change just while local segments are deleted.
        "retention": SMOKE.replace(config_changes=1, clock_ms=1, racing_deletions=1),
        # A second attempt to copy, after the topic is tiered again.
        "again": SMOKE.replace(segment_ids=2, metadata_records=6),
        # Batches, a leader change, and a store that fails.
        "deep": SMOKE.replace(unapplied_records=2, elections=1, failed_deletes=1),
    },
)
