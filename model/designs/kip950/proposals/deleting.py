"""Proposals of who deletes what a disable leaves, and of copies that it cancels."""

from tierproof.model.designs.kip405.actors import COPIER
from tierproof.model.designs.kip405.cleaning_up import (
    is_cancelled,
    is_not_cancelled,
)
from tierproof.model.designs.kip405.copying import (
    copy_publishes_finished,
    copy_stores_object,
    has_read_own_record,
    release,
)
from tierproof.model.designs.kip405.expiring import (
    expiration_task_plans_retention,
)
from tierproof.model.designs.kip405.metadata import (
    assign_metadata,
    is_cache_ready,
    unassign_metadata,
)
from tierproof.model.designs.kip405.redefined import TASK_DECIDES
from tierproof.model.designs.kip405.restarting import lone_leader_restarts
from tierproof.model.designs.kip405.state import AttemptStep, Broker, RunStep
from tierproof.model.designs.kip405.stopping import stop_partition
from tierproof.model.designs.kip405.tasks import cancel_copy_task, cancel_expiration_task
from tierproof.model.designs.kip950.environment import (
    broker_updates_log_config_amid_deletion,
)
from tierproof.model.designs.kip950.publisher import (
    broker_applies_leadership,
    broker_finishes_batch,
    broker_stops_partition,
    broker_updates_log_config,
    disables_as_leader,
    finish_batch,
    newest_settings,
)
from tierproof.model.designs.kip950.readings import expiration_task_unregisters
from tierproof.model.designs.kip950.repairs.awaiting import (
    CANCELLED_COPIES_TURN_BACK,
    cancelled_copy_turns_back,
)
from tierproof.model.designs.kip950.repairs.deleting import (
    every_replica_has_disabled,
    has_segment_left,
    is_disabled_and_idle,
)
from tierproof.model.designs.kip950.state import PublisherStep, Topic
from tierproof.model.kafka.expiration_task import is_below_log_start, is_planned, plan_deletion
from tierproof.model.kafka.fields import Replica, Segment
from tierproof.model.kafka.remote_metadata_cache import next_tracked
from tierproof.model.kafka.remote_segment import SegmentState
from tierproof.model.kafka.replica import presumes_to_lead
from tierproof.model.kafka.scope import SegmentId
from tierproof.model.language import NONE, Variant, guard

# -- the expiration task of a leader deletes what a disable leaves


def keep_expiration_task(state: Topic, broker: Broker) -> None:
    """A leader cancels its copy task alone; its expiration task stays, and is to delete.

    KIP-950, RemoteLogManager Change. Kafka: ours: RemoteLogManager#stopPartitions.
    """
    if disables_as_leader(state, broker):
        cancel_copy_task(state, broker)
        state.broker[broker].expiration_task = True
    else:
        stop_partition(state, broker, False, True)
    state.broker[broker].publisher = PublisherStep.IDLE
    finish_batch(state, broker)


def is_given_up(state: Topic, broker: int, segment: int) -> bool:
    """The log is not tiered any more, and the cache lists the segment; no thread copies it.

    Kafka: segmentIdsBeingCopied, which RLMExpirationTask passes over.
    """
    log = state.broker[broker]
    is_listed = log.cache.state[segment] != SegmentState.ABSENT
    return is_listed and segment not in log.copying and not log.settings.remote_storage_enable


def plan_given_up(state: Topic, broker: Broker) -> None:
    """Plan the deletion of what is listed for other epochs than those of the log, too."""
    log = state.broker[broker]
    for i in range(len(state.segment)):
        has_place = log.planned_end < len(log.planned)
        if has_place and is_given_up(state, broker, i) and not is_planned(log, i):
            plan_deletion(log, i)


def is_below_log_start_or_given_up(segment: Segment, log: Replica) -> bool:
    """All segments of a log that is not tiered any more count as below its log start."""
    return is_below_log_start(segment, log) or not log.settings.remote_storage_enable


@guard
def has_nothing_listed(state: Topic, broker: Broker) -> bool:
    """The broker knows of no remote segment."""
    return next_tracked(state.broker[broker].cache, NONE) == NONE


@guard
def has_no_run_when_it_enables(state: Topic, broker: Broker) -> bool:
    """A log is tiered again only once the run that deletes has ended; what it left is listed.

    Left out: that a re-enable cancels the run, which may end before it has deleted everything.
    """
    replica = state.broker[broker]
    is_enable = newest_settings(state, broker).remote_storage_enable
    has_ended = replica.run_step == RunStep.IDLE
    return replica.settings.remote_storage_enable or not is_enable or has_ended


@guard
def deletes_no_disabled_log_too_early(state: Topic, broker: Broker) -> bool:
    """The log is tiered, or every replica has applied the disable: the mail waits for DISABLED."""
    is_tiered = state.broker[broker].settings.remote_storage_enable
    return is_tiered or every_replica_has_disabled(state, broker)


def take_the_task(state: Topic, broker: int) -> None:
    """A leader of a disabled topic has the expiration task until nothing is left; no other has it.

    Left out: that the broker must read the metadata topic in order to know what is left.
    """
    replica = state.broker[broker]
    if not is_disabled_and_idle(replica):
        return
    if not presumes_to_lead(state, broker):
        cancel_expiration_task(state, broker)
        if replica.is_metadata_assigned:
            unassign_metadata(state, broker)
    elif has_segment_left(state) and not replica.expiration_task:
        replica.expiration_task = True
        if not replica.is_metadata_assigned:
            assign_metadata(state, broker)


# -- a cancelled copy deletes its object


@COPIER.action(AttemptStep.STORED, AttemptStep.IDLE, guards=[is_cancelled], to="remote_store")
def cancelled_copy_deletes_its_object(state: Topic, segment: SegmentId) -> None:
    """Delete the object that was stored after the cancellation; publish nothing.

    Kafka: ours: RLMCopyTask#copyLogSegment asks isCancelled once copyLogSegmentData has returned.
    """
    state.segment[segment].object_exists = False
    release(state, segment)


CANCELLED_COPIES_DELETE = Variant(
    name="proposal_cancelled_copies_delete_their_objects",
    because="a copy that a disable cancels stores an object that nobody deletes",
    fence={copy_publishes_finished: is_not_cancelled},
    add_system=(cancelled_copy_deletes_its_object,),
)
"""Not enough: each claim of cancelling_is_no_barrier breaks but that no cancelled copy finishes.
The object is there until the thread deletes it, though its segment is deleted; a thread that is
interrupted deletes nothing; a copy still begins; and a cancelled expiration goes on."""

# -- or cleans up as after a failure, and publishes nothing else


@COPIER.action(
    (AttemptStep.STARTED, AttemptStep.STORED),
    AttemptStep.FAILED,
    guards=[has_read_own_record, is_cancelled],
)
def cancelled_copy_cleans_up(state: Topic, segment: SegmentId) -> None:
    """Clean up as after a failure of the store: a cancelled copy publishes nothing else.

    Kafka: ours: RLMCopyTask#copyLogSegment looks whether it is cancelled, in the lock in which
    it publishes. Left out: an upload that the store completes after the thread has ended.
    """


CANCELLED_COPIES_CLEAN_UP = Variant(
    name="proposal_cancelled_copies_clean_up",
    because="a cancelled copy publishes, and an interrupt ends its wait for what it published",
    parts=(CANCELLED_COPIES_TURN_BACK,),
    unfence={copy_stores_object: is_not_cancelled},
    drop=(cancelled_copy_turns_back,),
    add_system=(cancelled_copy_cleans_up,),
    after=(CANCELLED_COPIES_TURN_BACK,),
)

# -- both: the expiration task of every leader deletes, after the copies that were cancelled

EVERY_LEADER_DELETES = Variant(
    name="proposal_expiration_task_of_every_leader_deletes",
    because="a disable deletes once, on one broker, and gives up at the first error",
    parts=(CANCELLED_COPIES_CLEAN_UP,),
    effect={broker_stops_partition: keep_expiration_task},
    also={
        expiration_task_plans_retention: plan_given_up,
        broker_applies_leadership: take_the_task,
        broker_updates_log_config: take_the_task,
        broker_stops_partition: take_the_task,
        broker_finishes_batch: take_the_task,
        lone_leader_restarts: take_the_task,
    },
    define={is_below_log_start: is_below_log_start_or_given_up},
    redefines={is_below_log_start: TASK_DECIDES},
    fence={
        broker_updates_log_config: has_no_run_when_it_enables,
        broker_updates_log_config_amid_deletion: has_no_run_when_it_enables,
        expiration_task_plans_retention: deletes_no_disabled_log_too_early,
        expiration_task_unregisters: (is_cache_ready, has_nothing_listed),
    },
    add_system=(expiration_task_unregisters,),
)
"""`disabled_topic_has_no_tasks` is not meant to hold with it, until the task has unregistered."""
