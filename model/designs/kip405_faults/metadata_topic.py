"""The replicas of the metadata topic: what an acknowledgement of a record is worth.

TopicBasedRemoteLogMetadataManager publishes with acks=all: a record is acknowledged once every
replica in sync has it. KIP-1235 (KAFKA-19858, 4.3) asks for two of them. Two replicas are
modelled; the third that the default has would only have to fail, too.
"""

from tierproof.model.designs.kip405.cleaning_up import (
    copy_publishes_delete_finished,
    copy_publishes_delete_started,
)
from tierproof.model.designs.kip405.copying import (
    copy_publishes_finished,
    copy_publishes_started,
)
from tierproof.model.designs.kip405.expiring import (
    expiration_publishes_delete_finished,
    expiration_publishes_delete_started,
)
from tierproof.model.designs.kip405.state import RecordKind
from tierproof.model.designs.kip405.stopping import (
    removal_publishes_delete_finished,
    removal_publishes_delete_started,
)
from tierproof.model.designs.kip405_faults.actors import METADATA_LEADER
from tierproof.model.designs.kip405_faults.state import FaultyTopic
from tierproof.model.language import fence, guard

PUBLISHING = (
    copy_publishes_started,
    copy_publishes_finished,
    copy_publishes_delete_started,
    copy_publishes_delete_finished,
    expiration_publishes_delete_started,
    expiration_publishes_delete_finished,
    removal_publishes_delete_started,
    removal_publishes_delete_finished,
)
"""Every action that appends to the metadata topic."""


def begin_replicated(state: FaultyTopic) -> None:
    """Both replicas of the metadata topic are in sync."""
    state.metadata_replicated_end = state.metadata_end
    state.is_metadata_replica_in_sync = True


@fence(protects="no_committed_record_lost", scope="lost_metadata")
def has_two_metadata_replicas(state: FaultyTopic) -> bool:
    """min.insync.replicas of the metadata topic is 2: else NOT_ENOUGH_REPLICAS (KIP-1235).

    The leader alone would acknowledge a record that is lost with it. Brokers that have read the
    record act on it; those that read later never learn of the segment.
    """
    return state.is_metadata_replica_in_sync


def publish_to_replicas(state: FaultyTopic, segment: int, kind: RecordKind) -> int:
    """Append a record; a replica in sync has it before it is acknowledged."""
    record = state.metadata_topic[state.metadata_end]
    record.segment = segment
    record.kind = kind
    state.metadata_end += 1
    if state.is_metadata_replica_in_sync:
        state.metadata_replicated_end = state.metadata_end
    return state.metadata_end


@guard
def is_metadata_replica_in_sync(state: FaultyTopic) -> bool:
    """Both replicas of the metadata topic are in sync."""
    return state.is_metadata_replica_in_sync


@METADATA_LEADER.action(guards=[is_metadata_replica_in_sync], budget="metadata_shrinks")
def metadata_replica_falls_behind(state: FaultyTopic) -> None:
    """A replica of the metadata topic is slow, or its broker restarts: the leader is left alone.

    Kafka: Partition#maybeShrinkIsr, of __remote_log_metadata.
    """
    state.is_metadata_replica_in_sync = False


@guard
def is_metadata_replica_behind(state: FaultyTopic) -> bool:
    """The leader of the metadata topic is alone in sync."""
    return not state.is_metadata_replica_in_sync


@METADATA_LEADER.action(guards=[is_metadata_replica_behind])
def metadata_replica_catches_up(state: FaultyTopic) -> None:
    """The replica has fetched all records of the metadata topic, and is in sync again.

    Kafka: Partition#maybeExpandIsr, of __remote_log_metadata.
    """
    begin_replicated(state)


@METADATA_LEADER.action(guards=[is_metadata_replica_behind], budget="metadata_losses")
def metadata_leader_is_lost(state: FaultyTopic) -> None:
    """The leader's disk is lost: the replica that was behind leads, without the last records.

    Readers keep what they have read, and skip the offsets that they have read when other records
    take them: ConsumerTask#shouldProcess.

    Kafka: an unclean election in __remote_log_metadata. Left out: a leader that comes back with
    an empty disk, of which the replicas truncate all that they have; the time-out of a publisher
    that waits to read a record which is lost.
    """
    for n in range(len(state.metadata_topic)):
        if n >= state.metadata_replicated_end:
            state.metadata_topic[n].segment = 0
            state.metadata_topic[n].kind = RecordKind.NOTHING
    state.metadata_end = state.metadata_replicated_end
    state.is_metadata_replica_in_sync = True
