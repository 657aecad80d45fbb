"""Repairs of ours against zombies: metadata is fenced; a new leader takes the log start over.

Remote metadata takes records of the elected leader, in its epoch, only. Before it serves
reads, a new leader has read all metadata, and begins where something can be read.
"""

from dataclasses import replace
from typing import Any

from tierproof.model.designs.kip405.copying import (
    copy_publishes_finished,
    copy_publishes_started,
    copy_task_finds_log_start,
    release,
)
from tierproof.model.designs.kip405.expiring import (
    end_run,
    expiration_publishes_delete_started,
    has_deletion_planned,
    is_deleting,
)
from tierproof.model.designs.kip405.forgetting import FORGET
from tierproof.model.designs.kip405.leadership import become_leader, broker_learns_leader, follow
from tierproof.model.designs.kip405.metadata import broker_reads_metadata, read_next_record
from tierproof.model.designs.kip405.state import AttemptStep, Broker, Partition
from tierproof.model.designs.kip405.stopping import (
    end_removal,
    is_starting_deletes,
    removal_publishes_delete_started,
)
from tierproof.model.kafka.leader_epoch_lineage import is_in_lineage
from tierproof.model.kafka.local_retention import raise_log_start
from tierproof.model.kafka.remote_log_task import CopyTask
from tierproof.model.kafka.remote_metadata_cache import CachedState
from tierproof.model.kafka.replica import is_leading
from tierproof.model.kafka.scope import SegmentId
from tierproof.model.language import NONE, Action, Guard, Variant, action, guard


def fenced(act: Action, by: Guard) -> Action:
    """The action under one more guard."""
    return act.with_guards((*act.guards, by))


@guard
def is_copied_by_the_leader(state: Partition, segment: SegmentId) -> bool:
    """The copying thread belongs to the elected leader, in its epoch."""
    return is_leading(state, state.segment[segment].copier)


@guard
def has_copy_to_refuse(state: Partition, segment: SegmentId) -> bool:
    """A thread of a broker that does not lead wants to publish."""
    it = state.segment[segment]
    wants = it.attempt == AttemptStep.CHOSEN or it.attempt == AttemptStep.STORED
    return bool(wants and not is_leading(state, it.copier))


@action(guards=[has_copy_to_refuse], actor="remote_metadata", to="copy of segment {segment}")
def metadata_refuses_copy(state: Partition, segment: SegmentId) -> None:
    """Refuse a record of a copy by a broker that does not lead; the thread gives up.

    **Who**: whoever keeps the remote metadata.
    **Kafka**: nothing like it; the metadata topic takes records of any broker.
    **Left out**: how the fence knows the epoch.
    """
    release(state, segment)


@guard
def deletes_as_leader(state: Partition, broker: Broker) -> bool:
    """The broker is the elected leader in its epoch; or was the last one of a deleted topic."""
    was_last = state.is_topic_deleted and state.elected_leader == broker
    return bool(was_last or is_leading(state, broker))


@guard
def deletes_as_zombie(state: Partition, broker: Broker) -> bool:
    """The broker is not the elected leader in its epoch, nor the last one of a deleted topic."""
    was_last = state.is_topic_deleted and state.elected_leader == broker
    return not (was_last or is_leading(state, broker))


@action(
    guards=[is_deleting, has_deletion_planned, deletes_as_zombie],
    actor="remote_metadata",
    to="broker {broker}",
)
def metadata_refuses_expiration(state: Partition, broker: Broker) -> None:
    """Refuse the first record of a deletion by a broker that does not lead: the run ends.

    **Who**: whoever keeps the remote metadata.
    **Kafka**: nothing like it; the metadata topic takes records of any broker.
    **Left out**: how the fence knows the epoch.
    """
    end_run(state, broker)


@action(
    guards=[is_starting_deletes, deletes_as_zombie], actor="remote_metadata", to="broker {broker}"
)
def metadata_refuses_removal(state: Partition, broker: Broker) -> None:
    """Refuse the first record of a deletion by a broker that does not lead: the removal ends.

    **Who**: whoever keeps the remote metadata.
    **Kafka**: nothing like it; the metadata topic takes records of any broker.
    **Left out**: how the fence knows the epoch.
    """
    end_removal(state, broker)


FENCE = Variant(
    name="repair_fence_remote_metadata",
    because="a zombie copies and deletes as if it led: nothing asks for its epoch",
    replace={
        "copy_publishes_started": fenced(copy_publishes_started, is_copied_by_the_leader),
        "copy_publishes_finished": fenced(copy_publishes_finished, is_copied_by_the_leader),
        "expiration_publishes_delete_started": fenced(
            expiration_publishes_delete_started, deletes_as_leader
        ),
        "removal_publishes_delete_started": fenced(
            removal_publishes_delete_started, deletes_as_leader
        ),
    },
    add_system=(metadata_refuses_copy, metadata_refuses_expiration, metadata_refuses_removal),
)


# -- the log start


def first_readable_offset(state: Any, broker: int) -> int:
    """The first offset of a finished segment of the lineage, or of the local log."""
    me = state.broker[broker]
    found = max(me.log_start_offset, me.local_log_start_offset)
    for i in range(len(state.segment)):
        it = state.segment[i]
        if me.cache.state[i] == CachedState.COPY_SEGMENT_FINISHED and is_in_lineage(
            it, me.lineage, me.log_end_offset
        ):
            found = min(found, it.start_offset)
    return int(found)


def take_log_start_over(state: Any, broker: int) -> None:
    """A leader whose cache has read to the end begins where something can be read."""
    me = state.broker[broker]
    if me.presumed_leader == broker and me.cache.is_initialized:
        raise_log_start(me, min(first_readable_offset(state, broker), me.high_watermark))


def lead_anew(state: Any, broker: int) -> None:
    """The broker leads, forgets how far the remote tier went, and reads all that was published."""
    me = state.broker[broker]
    me.presumed_leader = broker
    me.leader_epoch = state.leader_epoch
    me.highest_remote_offset = NONE
    become_leader(state, broker)
    me.metadata_assigned_end = state.metadata_end
    me.cache.is_initialized = me.metadata_position >= state.metadata_end


@action(guards=broker_learns_leader.guards, actor="broker {broker}", to="controller")
def broker_learns_leader_and_asks_anew(state: Partition, broker: Broker) -> None:
    """A broker that leads reads all metadata, and asks anew how far the remote tier goes.

    **Who**: the broker's metadata publisher.
    **Kafka**: ours: UnifiedLog forgets its highest offset in remote storage, the cache waits.
    **Left out**: elections in between that it never sees.
    """
    if state.elected_leader == broker:
        lead_anew(state, broker)
    else:
        follow(state, broker)


@action(guards=broker_learns_leader.guards, actor="broker {broker}", to="controller")
def broker_learns_leader_and_log_start(state: Partition, broker: Broker) -> None:
    """A broker that leads reads all metadata, and then takes the log start over.

    **Who**: the broker's metadata publisher.
    **Kafka**: ours, in place of the first run of RLMCopyTask.
    **Left out**: elections in between that it never sees.
    """
    if state.elected_leader == broker:
        lead_anew(state, broker)
        take_log_start_over(state, broker)
    else:
        follow(state, broker)


@action(guards=broker_reads_metadata.guards, actor="broker {broker}", to="remote_metadata")
def broker_reads_metadata_to_lead(state: Partition, broker: Broker) -> None:
    """Apply the next record; a new leader that has read all takes the log start over.

    **Who**: the broker's consumer of the metadata topic.
    **Kafka**: ours, see `broker_learns_leader_and_log_start`.
    **Left out**: as in `broker_reads_metadata`.
    """
    was_initialized = state.broker[broker].cache.is_initialized
    read_next_record(state, broker)
    if not was_initialized:
        take_log_start_over(state, broker)


@action(guards=copy_task_finds_log_start.guards, actor="broker {broker}", to="remote_metadata")
def copy_task_finds_what_can_be_read(state: Partition, broker: Broker) -> None:
    """Take the log start over from what can be read; what is being deleted does not count.

    **Who**: the copy task, in its first run.
    **Kafka**: ours: RemoteLogManager#findLogStartOffset takes a segment in any state.
    **Left out**: nothing.
    """
    take_log_start_over(state, broker)
    state.broker[broker].copy_task = CopyTask.LOG_START_FOUND


LEAD_ANEW = Variant(
    name="repair_leader_asks_anew",
    because="what was deleted counts as copied, and a cache that lags does not know it",
    replace={
        **FORGET.replace,
        "broker_learns_leader": broker_learns_leader_and_asks_anew,
        # Under its old name, so that a bug can take its place.
        "copy_task_finds_log_start": replace(
            copy_task_finds_what_can_be_read, name=copy_task_finds_log_start.name
        ),
    },
)
TAKE_OVER = Variant(
    name="repair_fence_forget_and_take_over",
    because="a new leader promises what was deleted before it came",
    replace={
        **FENCE.replace,
        **FORGET.replace,
        "broker_learns_leader": broker_learns_leader_and_log_start,
        "broker_reads_metadata": broker_reads_metadata_to_lead,
    },
    add_system=FENCE.add_system,
)
