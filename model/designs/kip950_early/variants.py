"""Where the text is silent, or says two things: the other readings.

A name that begins with `text_` follows a letter of one of the two texts, or fills a gap of
theirs the other way round; docs/assumptions.md says which. Repairs of ours are in `repairs`.
"""

from tierproof.model.designs.kip405.expiring import has_expiration_task, has_no_run
from tierproof.model.designs.kip405.metadata import broker_reads_metadata, pass_record
from tierproof.model.designs.kip405.state import Broker, RemovalStep
from tierproof.model.designs.kip405.stopping import end_removal, stop_partition
from tierproof.model.designs.kip405.tasks import cancel_copy_task
from tierproof.model.designs.kip950.variants import (
    expiration_task_unregisters,
    has_nothing_below_log_start,
    is_not_tiered,
)
from tierproof.model.designs.kip950_early.controller import (
    believes_active,
    complete,
    has_all_answers,
)
from tierproof.model.designs.kip950_early.learning import (
    broker_starts_tasks,
    is_watch_idle,
    start_tasks,
)
from tierproof.model.designs.kip950_early.requests import broker_executes_request, take_in_hand
from tierproof.model.designs.kip950_early.state import (
    Controller,
    DisableStep,
    RequestSlot,
    ThreadIndex,
    Topic,
)
from tierproof.model.designs.kip950_early.stopping import finish, thread_stops_partition
from tierproof.model.designs.kip950_early.tiered_epoch import broker_reads_metadata_of_its_epoch
from tierproof.model.designs.kip950_early.tiered_state import TieredState
from tierproof.model.kafka.remote_metadata_cache import apply_record, forget_segment
from tierproof.model.kafka.replica import presumes_to_lead
from tierproof.model.language import Variant, action, guard

# -- what the tiered epoch fences


@action(guards=broker_starts_tasks.guards, actor="broker {broker}")
def broker_starts_tasks_unfenced(state: Topic, broker: Broker) -> None:
    """Schedule the tasks of a leader or of a follower; the cache is as it is.

    **Who**: the thread that learns of settings.
    **Kafka**: RemoteLogManager#onLeadershipChange, which knows of no tiered epoch.
    **Left out**: nothing.
    """
    start_tasks(state, broker)


@action(
    guards=broker_reads_metadata_of_its_epoch.guards, actor="broker {broker}", to="remote_metadata"
)
def broker_reads_metadata_of_this_epoch_only(state: Topic, broker: Broker) -> None:
    """Apply the next record, unless its segment is of any older tiered epoch.

    **Who**: the broker's consumer of the metadata topic.
    **Kafka**: KIP-950, Tiered Epoch: a "boundary"; the text names no policy beside it.
    **Left out**: nothing.
    """
    me = state.broker[broker]
    record = state.metadata_topic[me.metadata_position]
    if state.segment[record.segment].tiered_epoch >= me.tiered_epoch:
        apply_record(me.cache, state.segment, record.segment, record.kind)
    pass_record(me)


@action(guards=broker_starts_tasks.guards, actor="broker {broker}")
def broker_starts_tasks_of_this_epoch_only(state: Topic, broker: Broker) -> None:
    """Schedule the tasks; the cache gives up what is of any older tiered epoch.

    **Who**: the thread that learns of settings.
    **Kafka**: as `broker_reads_metadata_of_this_epoch_only`.
    **Left out**: nothing.
    """
    me = state.broker[broker]
    for i in range(len(state.segment)):
        if state.segment[i].tiered_epoch < me.tiered_epoch:
            forget_segment(me.cache, i)
    start_tasks(state, broker)


# -- what a request does, and when it is answered


@action(guards=broker_executes_request.guards, actor="network", to="broker {broker}")
def broker_acknowledges_request(state: Topic, broker: Broker, slot: RequestSlot) -> None:
    """Answer at once: what is to be done, the watch or the metadata log brings about.

    **Who**: a request handler.
    **Kafka**: KIP-950 has stopPartitions follow from the change of the settings (3 and 4), and
    says of the request only that it is answered.
    **Left out**: nothing.
    """
    take_in_hand(state, slot, DisableStep.ANSWERING)


@action(guards=thread_stops_partition.guards, actor="broker {broker}")
def thread_stops_partition_and_answers(state: Topic, broker: Broker, thread: ThreadIndex) -> None:
    """Cancel every task and list what is to go; it is deleted behind the answer.

    **Who**: a thread that disables with delete.
    **Kafka**: KIP-950, Remote Log Disablement Policy: "deleted asynchronously".
    **Left out**: nothing.
    """
    me = state.broker[broker]
    stop_partition(state, broker, presumes_to_lead(state, broker), True)
    if me.to_remove == 0 and me.removal_step != RemovalStep.IDLE:
        end_removal(state, broker)
    finish(state, broker, thread)


# -- who deletes


@action(guards=thread_stops_partition.guards, actor="broker {broker}")
def thread_stops_copying_only(state: Topic, broker: Broker, thread: ThreadIndex) -> None:
    """Cancel copying; a leader's expiration task goes on below the new log start.

    **Who**: a thread that disables with delete.
    **Kafka**: KIP-950 as accepted, RemoteLogManager Change: tasks of the expiration pool
    "delete all remote segments before the log start offset and then unregister themselves".
    **Left out**: nothing.
    """
    if presumes_to_lead(state, broker):
        cancel_copy_task(state, broker)
    else:
        stop_partition(state, broker, False, True)
    finish(state, broker, thread)


# -- what the controller accepts and writes


@guard
def is_acceptable_at_any_time(state: Topic, is_enabled: bool) -> bool:
    """Only another disablement is refused while the topic is DISABLING."""
    return bool(is_enabled or state.tiered_state != TieredState.DISABLING)


@action(guards=[has_all_answers, believes_active], actor="controller {controller}")
def controller_completes_unfenced(state: Topic, controller: Controller) -> None:
    """Write DISABLED, whoever is the active controller by now.

    **Who**: a controller that believes to be the active one.
    **Kafka**: KIP-950, Completion of disablement, which asks for nothing but answers.
    **Left out**: nothing.
    """
    complete(state, controller)


FENCE_UNREAD = Variant(
    name="text_tiered_epoch_is_only_stored",
    because="The text stores the tiered epoch with segments, and names nobody who reads it.",
    replace={
        "broker_reads_metadata_of_its_epoch": broker_reads_metadata,
        "broker_starts_tasks": broker_starts_tasks_unfenced,
    },
)
FENCE_ALL = Variant(
    name="text_tiered_epoch_hides_all_that_is_older",
    because='The tiered epoch "establishes a boundary", and knows of no policy.',
    replace={
        "broker_reads_metadata_of_its_epoch": broker_reads_metadata_of_this_epoch_only,
        "broker_starts_tasks": broker_starts_tasks_of_this_epoch_only,
    },
)
ACKNOWLEDGE = Variant(
    name="text_request_is_only_acknowledged",
    because="The text has the watch call stopPartitions, and the request only be answered.",
    replace={"broker_executes_request": broker_acknowledges_request},
)
ANSWER_FIRST = Variant(
    name="text_answer_before_deletion",
    because='Remote data is deleted "asynchronously as part of the disablement process".',
    replace={"thread_stops_partition": thread_stops_partition_and_answers},
)
EXPIRATION_DELETES = Variant(
    name="text_expiration_deletes",
    because="KIP-950 as accepted lets expiration tasks delete what stopPartitions deletes.",
    replace={"thread_stops_partition": thread_stops_copying_only},
    add_system=(
        expiration_task_unregisters.with_guards(
            [
                is_watch_idle,
                has_expiration_task,
                has_no_run,
                is_not_tiered,
                has_nothing_below_log_start,
            ]
        ),
    ),
)
ENABLE_ANY_TIME = Variant(
    name="text_enabling_while_disabling",
    because="Only new disablement requests are rejected while the topic is DISABLING.",
    replace={"is_acceptable": is_acceptable_at_any_time},
)
UNFENCED = Variant(
    name="text_completion_is_not_fenced",
    because="The text has the controller write DISABLED once all have answered; no epoch is asked.",
    replace={"controller_completes": controller_completes_unfenced},
)

SHARED = (FENCE_UNREAD, FENCE_ALL, ANSWER_FIRST, EXPIRATION_DELETES, ENABLE_ANY_TIME)
"""Those of all three designs."""
