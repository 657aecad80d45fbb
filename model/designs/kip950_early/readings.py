"""Where the text is silent, or says two things: the other readings.

A name that begins with `text_` follows a letter of one of the two texts, or fills a gap of
theirs the other way round; docs/assumptions.md says which. Repairs of ours are in `repairs`.
"""

from tierproof.model.designs.kip405.actors import EXPIRATION
from tierproof.model.designs.kip405.expiring import has_expiration_task
from tierproof.model.designs.kip405.metadata import (
    broker_reads_metadata,
    pass_record,
    unassign_metadata,
)
from tierproof.model.designs.kip405.state import Broker, RemovalStep, RunStep
from tierproof.model.designs.kip405.stopping import end_removal, stop_partition
from tierproof.model.designs.kip405.tasks import cancel_copy_task
from tierproof.model.designs.kip950.readings import has_nothing_below_log_start, is_not_tiered
from tierproof.model.designs.kip950_early.actors import LEARNER
from tierproof.model.designs.kip950_early.controller import (
    believes_active,
    controller_completes,
    is_acceptable,
    is_active,
)
from tierproof.model.designs.kip950_early.learning import (
    broker_starts_tasks,
    start_tasks,
)
from tierproof.model.designs.kip950_early.requests import begin_request, broker_executes_request
from tierproof.model.designs.kip950_early.state import RequestSlot, Thread, Topic
from tierproof.model.designs.kip950_early.stopping import finish, thread_stops_partition
from tierproof.model.kafka.remote_metadata_cache import apply_record, forget_segment
from tierproof.model.kafka.replica import presumes_to_lead
from tierproof.model.kafka.tiered_state import DisableStep, TieredState
from tierproof.model.language import Variant, guard

# -- what the tiered epoch fences


def start_tasks_unfenced(state: Topic, broker: Broker) -> None:
    """Schedule the tasks of a leader or of a follower; the cache stays as it is.

    Kafka: RemoteLogManager#onLeadershipChange, which knows of no tiered epoch.
    """
    start_tasks(state, broker)


FENCE_UNREAD = Variant(
    name="text_tiered_epoch_is_only_stored",
    because="The text stores the tiered epoch with segments, and does not say who reads it.",
    effect={
        broker_reads_metadata: broker_reads_metadata.effect,
        broker_starts_tasks: start_tasks_unfenced,
    },
)


def read_metadata_of_this_epoch(state: Topic, broker: Broker) -> None:
    """Apply the next record, unless its segment is of any older tiered epoch.

    Kafka: KIP-950, Tiered Epoch: a "boundary"; the text names no policy beside it.
    """
    reader = state.broker[broker]
    record = state.metadata_topic[reader.metadata_position]
    if state.segment[record.segment].tiered_epoch >= reader.tiered_epoch:
        apply_record(reader.cache, state.segment, record.segment, record.kind)
    pass_record(reader)


def start_tasks_of_this_epoch(state: Topic, broker: Broker) -> None:
    """Forget segments of any older tiered epoch, and schedule the tasks.

    Kafka: as `read_metadata_of_this_epoch`.
    """
    starting = state.broker[broker]
    for i in range(len(state.segment)):
        if state.segment[i].tiered_epoch < starting.tiered_epoch:
            forget_segment(starting.cache, i)
    start_tasks(state, broker)


FENCE_ALL = Variant(
    name="text_tiered_epoch_hides_all_that_is_older",
    because='The tiered epoch "establishes a boundary"; the text names no policy beside it.',
    effect={
        broker_reads_metadata: read_metadata_of_this_epoch,
        broker_starts_tasks: start_tasks_of_this_epoch,
    },
)

# -- what a request does, and when it is answered


def acknowledge_request(state: Topic, broker: Broker, slot: RequestSlot) -> None:
    """Answer at once: the watch or the metadata log has the broker disable.

    Kafka: KIP-950 has stopPartitions follow from the change of the settings (3 and 4), and
    says of the request only that it is answered.
    """
    begin_request(state, slot, DisableStep.ANSWERING)


ACKNOWLEDGE = Variant(
    name="text_request_is_only_acknowledged",
    because="The text has the watch call stopPartitions, and the request only be answered.",
    effect={broker_executes_request: acknowledge_request},
)


def stop_partition_and_answer(state: Topic, broker: Broker, thread: Thread) -> None:
    """Cancel every task and list the segments to delete, which happens after the answer.

    Kafka: KIP-950, Remote Log Disablement Policy: "deleted asynchronously".
    """
    stopping = state.broker[broker]
    stop_partition(state, broker, presumes_to_lead(state, broker), True)
    if not stopping.to_remove and stopping.removal_step != RemovalStep.IDLE:
        end_removal(state, broker)
        stopping.removal_step = RemovalStep.IDLE
    finish(state, broker, thread)


ANSWER_FIRST = Variant(
    name="text_answer_before_deletion",
    because='Remote data is deleted "asynchronously as part of the disablement process".',
    effect={thread_stops_partition: stop_partition_and_answer},
)

# -- who deletes


def stop_copying_only(state: Topic, broker: Broker, thread: Thread) -> None:
    """Cancel copying; a leader's expiration task deletes below the new log start.

    Kafka: KIP-950 as accepted, RemoteLogManager Change: tasks of the expiration pool "delete
    all remote segments before the log start offset and then unregister themselves".
    """
    if presumes_to_lead(state, broker):
        cancel_copy_task(state, broker)
    else:
        stop_partition(state, broker, False, True)
    finish(state, broker, thread)


@EXPIRATION.action(
    RunStep.IDLE,
    guards=[
        LEARNER.stands_at((DisableStep.IDLE,)),
        has_expiration_task,
        is_not_tiered,
        has_nothing_below_log_start,
    ],
)
def expiration_task_unregisters(state: Topic, broker: Broker) -> None:
    """End the expiration task of a disabled topic once nothing is left below the log start.

    Kafka: KIP-950, RemoteLogManager Change; not shipped.
    """
    state.broker[broker].expiration_task = False
    unassign_metadata(state, broker)


EXPIRATION_DELETES = Variant(
    name="text_expiration_deletes",
    because="KIP-950 as accepted lets expiration tasks delete what stopPartitions deletes.",
    effect={thread_stops_partition: stop_copying_only},
    add_system=(expiration_task_unregisters,),
)

# -- what the controller accepts and writes


@guard
def is_acceptable_at_any_time(state: Topic, is_enabled: bool) -> bool:
    """Only another disablement is refused while the topic is DISABLING."""
    return is_enabled or state.tiered_state != TieredState.DISABLING


ENABLE_ANY_TIME = Variant(
    name="text_enabling_while_disabling",
    because="Only new disablement requests are rejected while the topic is DISABLING.",
    test={is_acceptable: is_acceptable_at_any_time},
)
UNFENCED = Variant(
    name="text_completion_is_not_fenced",
    because="The text has the controller write DISABLED once all have answered; no epoch is asked.",
    unfence={controller_completes: is_active},
    fence={controller_completes: believes_active},
)

SHARED = (FENCE_UNREAD, FENCE_ALL, ANSWER_FIRST, EXPIRATION_DELETES, ENABLE_ANY_TIME)
"""Those of all three designs."""
