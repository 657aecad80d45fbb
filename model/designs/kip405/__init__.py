"""KIP-405 as shipped: segments are copied to a remote tier, read from there, and expired.

Read in this order: `state`, `metadata`, `tasks`, `copying`, `expiring`, `local`, `leadership`.
Modelled: records in segments, lineages, one metadata topic that each broker reads at its own
pace, tasks whose cancellation nobody waits for, copies and deletions step by step, both
retentions by time, size and log start. `RECORDED` adds what only recordings do.
"""

from dataclasses import replace
from typing import Any

from model.designs.kip405.copying import (
    cancelled_copy_leaves_its_attempt,
    copy_deletes_object,
    copy_misses_snapshot,
    copy_publishes_delete_finished,
    copy_publishes_delete_started,
    copy_publishes_finished,
    copy_publishes_started,
    copy_records_progress,
    copy_stores_object,
    copy_task_chooses_segment,
    copy_task_finds_highest_remote_offset,
    copy_task_finds_log_start,
    store_fails_clean_up,
    store_fails_copy,
)
from model.designs.kip405.expiring import (
    cancelled_expiration_ends,
    expiration_deletes_object,
    expiration_publishes_delete_finished,
    expiration_publishes_delete_started,
    expiration_task_plans_old_epochs,
    expiration_task_plans_retention,
    expiration_task_raises_log_start,
    forget_plan,
    store_fails_expiration,
)
from model.designs.kip405.leadership import broker_learns_leader, controller_elects_leader
from model.designs.kip405.local import (
    broker_deletes_old_segments,
    leader_appends_record,
    time_passes,
    user_deletes_records,
)
from model.designs.kip405.metadata import broker_reads_metadata
from model.designs.kip405.reconfiguring import (
    broker_applies_retention,
    broker_applies_tiering,
    broker_loses_snapshots,
    broker_reloads_metadata,
    removal_deletes_object,
    removal_ends,
    removal_goes_on_to_metadata,
    removal_goes_on_to_objects,
    removal_publishes_delete_finished,
    removal_publishes_delete_started,
    store_fails_removal,
)
from model.designs.kip405.state import Partition, TieredPartition
from model.kafka.leader_epoch_lineage import clear
from model.language import NONE, Design, initial

SYSTEM = (
    leader_appends_record,
    broker_reads_metadata,
    copy_task_finds_log_start,
    copy_task_finds_highest_remote_offset,
    copy_task_chooses_segment,
    copy_publishes_started,
    copy_stores_object,
    copy_publishes_finished,
    copy_records_progress,
    copy_publishes_delete_started,
    cancelled_copy_leaves_its_attempt,
    copy_deletes_object,
    copy_publishes_delete_finished,
    expiration_task_plans_retention,
    expiration_task_raises_log_start,
    expiration_publishes_delete_started,
    expiration_deletes_object,
    expiration_publishes_delete_finished,
    expiration_task_plans_old_epochs,
    cancelled_expiration_ends,
    broker_deletes_old_segments,
    broker_learns_leader,
)
ENVIRONMENT = (
    controller_elects_leader,
    time_passes,
    user_deletes_records,
    store_fails_copy,
    store_fails_clean_up,
    store_fails_expiration,
)
RECORDINGS = (
    copy_misses_snapshot,
    broker_applies_retention,
    broker_applies_tiering,
    removal_publishes_delete_started,
    removal_goes_on_to_objects,
    removal_deletes_object,
    removal_goes_on_to_metadata,
    removal_publishes_delete_finished,
    removal_ends,
    store_fails_removal,
    broker_reloads_metadata,
    broker_loses_snapshots,
)


@initial
def empty_partition(state: Partition) -> None:
    """Broker 0 leads an empty topic in epoch 0; the topic is not tiered and keeps everything."""
    for i in range(len(state.segment)):
        clear(state.segment[i].lineage)
        state.segment[i].copier = NONE
    for b in range(len(state.broker)):
        me = state.broker[b]
        me.starts_segment[0] = True
        me.lineage[0] = 0
        me.highest_remote_offset = NONE
        me.copied_offset = NONE
        me.settings.local_retention_ms = -2
        me.settings.local_retention_bytes = -2
        forget_plan(me)


DESIGN = Design(
    name="kip405",
    title="KIP-405: tiered storage as shipped",
    document="KIP-405; Apache Kafka trunk at d79bd502ec",
    state=Partition,
    initial=(empty_partition,),
    system=SYSTEM,
    environment=ENVIRONMENT,
    scopes={"recording": TieredPartition(brokers=1)},
)

RECORDED: Any = replace(DESIGN, name="kip405-recorded", environment=ENVIRONMENT + RECORDINGS)
"""KIP-405 with what recordings do besides: settings that change, caches that are read again."""
