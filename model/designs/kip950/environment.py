"""What nobody controls: brokers that lose their memory, and threads that are interrupted.

Also local retention, which keeps the log's lock until it has removed what it chose, and races
with new settings, which do not take that lock.
"""

from tierproof.model.designs.kip405.actors import COPIER, EXPIRATION
from tierproof.model.designs.kip405.cleaning_up import is_cancelled
from tierproof.model.designs.kip405.copying import release
from tierproof.model.designs.kip405.expiring import end_run, is_run_cancelled
from tierproof.model.designs.kip405.local import broker_raises_start_to_delete
from tierproof.model.designs.kip405.state import AttemptStep, Broker, RunStep
from tierproof.model.designs.kip950.controller import log_leadership
from tierproof.model.designs.kip950.publisher import (
    AFTER_SETTINGS,
    PUBLISHER,
    apply_settings,
    finish_batch,
    log_takes_settings,
)
from tierproof.model.designs.kip950.state import PublisherStep, Topic
from tierproof.model.kafka.local_retention import (
    Reason,
    first_not_removed,
    raise_start_to_delete,
    retained_from,
)
from tierproof.model.kafka.local_segments import first_base
from tierproof.model.kafka.scope import SegmentId
from tierproof.model.language import fence, guard

# -- brokers that restart


def take_newest_settings(state: Topic, broker: int) -> None:
    """Load the log under the settings of the first image, so that no change is seen in them.

    Kafka: BrokerMetadataPublisher#initializeManagers.
    """
    replica = state.broker[broker]
    replica.settings = state.settings
    replica.tiering = state.tiering
    replica.batch = state.cluster_end - replica.position
    replica.publisher = PublisherStep.IDLE
    finish_batch(state, broker)


def log_own_election(state: Topic, broker: int) -> None:
    """Append a PartitionChangeRecord of the restarted leader, which has applied it already."""
    log_leadership(state)
    state.broker[broker].batch = 1
    finish_batch(state, broker)


# -- threads


@COPIER.action(
    (
        AttemptStep.STARTED,
        AttemptStep.STORED,
        AttemptStep.FINISHED,
        AttemptStep.DELETE_STARTED,
        AttemptStep.DELETE_FINISHED,
    ),
    AttemptStep.IDLE,
    guards=[is_cancelled],
)
def copy_is_interrupted(state: Topic, segment: SegmentId) -> None:
    """The interrupt of the cancellation reaches the waiting thread, which leaves all as it is.

    Kafka: RLMTask#cancel is future.cancel(true); RLMTask#run swallows InterruptedException.
    Left out: a clean-up by the storage plugin.
    """
    release(state, segment)


@EXPIRATION.action(RunStep.DELETE_STARTED, RunStep.IDLE, guards=[is_run_cancelled])
def expiration_is_interrupted(state: Topic, broker: Broker) -> None:
    """The interrupt reaches the expiring thread while it waits: DELETE_SEGMENT_STARTED dangles.

    Kafka: RLMTask#cancel is future.cancel(true); RLMTask#run swallows InterruptedException.
    Left out: an object that is deleted all the same.
    """
    end_run(state, broker)


# -- followers


@guard
def builds_on_tiered_log(state: Topic, follower: Broker) -> bool:
    """The follower's own log is tiered; otherwise RemoteStorageException, and another try.

    A log that is not tiered, and begins where a remote segment ends, promises what it lacks.
    Kafka: TierStateMachine#buildRemoteLogAuxState.
    """
    return state.broker[follower].settings.remote_storage_enable


# -- local retention


@fence(
    protects=("log_start_passes_only_what_may_go", "object_deleted_only_when_not_needed"),
    scope="alone",
)
def has_removed_what_it_chose(state: Topic, broker: Broker) -> bool:
    """The segments that the last run chose are removed: deleteOldSegments keeps the log's lock.

    Without the lock a second run would choose the same segments again. If copying is disabled in
    between, it moves the log start in place of the local log start past them, and gives up what
    the remote tier still holds.
    """
    replica = state.broker[broker]
    return first_not_removed(replica) == first_base(replica)


@PUBLISHER.action(
    PublisherStep.LEADERSHIP_APPLIED,
    AFTER_SETTINGS,
    guards=[
        log_takes_settings,
        *broker_raises_start_to_delete.guards,
        has_removed_what_it_chose,
    ],
    budget="racing_deletions",
)
def broker_updates_log_config_amid_deletion(state: Topic, broker: Broker, reason: Reason) -> None:
    """Segments are chosen under the old settings; the start offset advances under the new.

    Kafka: LogManager#updateTopicConfig takes no lock of the log; UnifiedLog#deleteSegments
    asks anew whether copying is enabled, and moves the log start if not.
    Left out: new settings that come earlier, before it is asked what is eligible.
    """
    replica = state.broker[broker]
    kept, rolls = retained_from(replica, reason, state.clock)
    apply_settings(state, broker)
    raise_start_to_delete(replica, kept, rolls)


SYSTEM = (
    copy_is_interrupted,
    expiration_is_interrupted,
)
