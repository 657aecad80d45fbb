"""Proposals of where a log begins: what counts as copied, what expires, where a replica starts."""

from tierproof.model.designs.kip405.actors import EXPIRATION
from tierproof.model.designs.kip405.expiring import has_expiration_task
from tierproof.model.designs.kip405.metadata import is_cache_ready
from tierproof.model.designs.kip405.repairs.forgetting import highest_still_remote
from tierproof.model.designs.kip405.state import Broker, Partition, RunStep
from tierproof.model.designs.kip950.environment import broker_updates_log_config_amid_deletion
from tierproof.model.designs.kip950.publisher import (
    broker_applies_leadership,
    broker_updates_log_config,
)
from tierproof.model.designs.kip950.repairs.forgetting import FORGET_DELETED_OFFSETS
from tierproof.model.designs.kip950.repairs.retaining import EXPIRE_REMOTE_FIRST
from tierproof.model.designs.kip950.state import PublisherStep, Topic
from tierproof.model.kafka.leader_epoch_lineage import is_in_lineage
from tierproof.model.kafka.local_retention import raise_log_start
from tierproof.model.kafka.local_segments import first_base
from tierproof.model.kafka.remote_segment import SegmentState
from tierproof.model.kafka.replica import presumes_to_lead
from tierproof.model.language import Variant, guard


def is_copied(state: Partition, broker: int, segment: int) -> bool:
    """The cache has the segment in COPY_SEGMENT_FINISHED, and it is of the log's lineage."""
    log = state.broker[broker]
    is_finished = log.cache.state[segment] == SegmentState.COPY_SEGMENT_FINISHED
    return is_finished and is_in_lineage(state.segment[segment], log.lineage, log.log_end_offset)


# -- what counts as copied


def highest_from_the_first_local_offset(state: Partition, broker: int) -> int:
    """The end of what finished segments hold without a gap from the first local offset on.

    The local log start is stale while the topic is disabled: there the log start alone moves.
    """
    log = state.broker[broker]
    end = max(log.log_start_offset, first_base(log))
    for _ in range(len(state.segment)):
        for i in range(len(state.segment)):
            segment = state.segment[i]
            holds_end = segment.start_offset <= end <= segment.end_offset
            if holds_end and is_copied(state, broker, i):
                end = segment.end_offset + 1
    return end - 1


COUNT_FROM_THE_FIRST_LOCAL_OFFSET = Variant(
    name="proposal_count_copies_from_the_first_local_offset",
    because="the local log start is stale once a disabled topic is tiered again",
    parts=(FORGET_DELETED_OFFSETS,),
    define={highest_still_remote: highest_from_the_first_local_offset},
)

# -- what a read-only topic expires first


@guard
def is_read_only_with_nothing_remote(state: Topic, broker: Broker) -> bool:
    """Copying is disabled, no copy is left, and the log start is below the first local segment."""
    log = state.broker[broker]
    is_read_only = log.settings.remote_storage_enable and log.settings.remote_log_copy_disable
    if not is_read_only or log.log_start_offset >= first_base(log):
        return False
    return not any(is_copied(state, broker, i) for i in range(len(state.segment)))


@EXPIRATION.action(
    RunStep.IDLE,
    guards=[has_expiration_task, is_cache_ready, is_read_only_with_nothing_remote],
)
def expiration_task_finds_nothing_remote(state: Topic, broker: Broker) -> None:
    """Raise the log start to the first local segment, so that local retention goes on.

    Kafka: ours: RLMExpirationTask#cleanupExpiredRemoteLogSegments, once a listing has succeeded.
    """
    log = state.broker[broker]
    raise_log_start(log, first_base(log))


EXPIRE_THE_REMOTE_LOG_FIRST = Variant(
    name="proposal_expire_the_remote_log_first",
    because="a log start that is too low would stop local retention for good",
    parts=(EXPIRE_REMOTE_FIRST,),
    add_system=(expiration_task_finds_nothing_remote,),
)

# -- where a replica starts that has no remote log


def start_each_replica_locally(state: Topic, broker: Broker) -> None:
    """A follower that disables raises its log start to its first local offset, as a leader does.

    KIP-950, step 4.2, names no leader. Kafka: ours: TopicConfigHandler, without its filter.
    """
    log = state.broker[broker]
    if log.publisher == PublisherStep.STOPPING_PARTITION:
        raise_log_start(log, max(first_base(log), log.local_log_start_offset))


REPLICAS_START_LOCALLY = Variant(
    name="proposal_each_replica_starts_at_its_first_local_offset",
    because="a follower that disables keeps a log start below its first record",
    also={broker_updates_log_config: start_each_replica_locally},
)
"""Nothing is unreadable (four claims of follower_misses_the_log_start hold), but what another
replica alone has is lost (no_committed_record_lost breaks). Worse than to do it at the election: a
follower keeps its raised log start if the topic is tiered again, and may lead then."""


def start_locally_as_leader(state: Topic, broker: Broker) -> None:
    """A leader without a remote log has its log start at its first local offset, or above.

    It is raised once the settings of the batch are applied: not where the broker reads a
    re-enable together with its election.

    Kafka: ours: BrokerMetadataPublisher#onMetadataUpdate, after DynamicConfigPublisher.
    Left out: a first local offset above the high watermark, which is refused.
    """
    log = state.broker[broker]
    is_amid = log.publisher in (PublisherStep.LEADERSHIP_APPLIED, PublisherStep.RAISING_LOG_START)
    if presumes_to_lead(state, broker) and not log.settings.remote_storage_enable and not is_amid:
        raise_log_start(log, max(first_base(log), log.local_log_start_offset))


LEADERS_START_LOCALLY = Variant(
    name="proposal_new_leader_starts_at_its_first_local_offset",
    because="a replica that is elected after a disable keeps a log start below its first record",
    also={
        broker_applies_leadership: start_locally_as_leader,
        broker_updates_log_config: start_locally_as_leader,
        broker_updates_log_config_amid_deletion: start_locally_as_leader,
    },
)
"""Nothing is unreadable (three claims of follower_misses_the_log_start hold). What another replica
alone has is lost at the election, and until then an in-sync follower cannot take over
(no_committed_record_lost and every_replica_can_take_over_without_remote break)."""
