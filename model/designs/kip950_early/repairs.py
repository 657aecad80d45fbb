"""Repairs of what the early texts permit, all of them ours and in no document."""

from tierproof.model.designs.kip405.metadata import assign_metadata
from tierproof.model.designs.kip405.repairs import FENCE, FORGET
from tierproof.model.designs.kip405.state import Broker
from tierproof.model.designs.kip405.tasks import cancel_tasks
from tierproof.model.designs.kip950.repairs import (
    AWAIT_CANCELLED_THREADS,
    CANCELLED_COPIES_TURN_BACK,
    has_no_task_or_thread,
    has_task_to_cancel,
)
from tierproof.model.designs.kip950_early.actors import CONTROLLER, DISABLER, REQUEST_HANDLER
from tierproof.model.designs.kip950_early.controller import has_written_state, is_active
from tierproof.model.designs.kip950_early.kraft import controller_changes_policy
from tierproof.model.designs.kip950_early.learning import (
    broker_applies_settings,
    broker_reads_settings,
    last_record,
    reaction,
)
from tierproof.model.designs.kip950_early.requests import (
    begin_request,
    broker_executes_request,
    clear_request,
    controller_hears_answer,
    drop_answers,
    reaches,
    take_off_list,
)
from tierproof.model.designs.kip950_early.state import Controller, RequestSlot, Thread, Topic
from tierproof.model.designs.kip950_early.stopping import first_step, thread_stops_partition
from tierproof.model.designs.kip950_early.zookeeper import controller_writes_policy
from tierproof.model.kafka.local_retention import raise_log_start
from tierproof.model.kafka.replica import presumes_to_lead
from tierproof.model.kafka.tiered_state import WATCH, DisableStep, Policy, TieredState, Tiering
from tierproof.model.language import NONE, Variant, guard

# -- the tiered epoch, in requests and answers


@guard
def is_of_the_brokers_epoch(state: Topic, broker: Broker, slot: RequestSlot) -> bool:
    """The broker has applied the disablement that the request is for, and nothing after it."""
    asked = state.broker[broker]
    is_applied = asked.tiering != Tiering.ENABLED and asked.thread[WATCH].step == DisableStep.IDLE
    return is_applied and asked.tiered_epoch == state.request[slot].meant_for


def execute_request_once(state: Topic, broker: Broker, slot: RequestSlot) -> None:
    """Begin stopPartitions, unless the broker has done it in this tiered epoch; then answer.

    Kafka: ours: the tiered epoch is in the request, and a broker remembers its own.
    """
    asked = state.broker[broker]
    if asked.stopped_for == asked.tiered_epoch:
        begin_request(state, slot, DisableStep.ANSWERING)
    else:
        begin_request(state, slot, first_step(state, broker, asked.policy == Policy.DELETE))


@guard
def is_of_an_older_epoch(state: Topic, broker: Broker, slot: RequestSlot) -> bool:
    """The broker knows that the disablement of the request is over."""
    asked, meant_for = state.broker[broker], state.request[slot].meant_for
    is_over = asked.tiering == Tiering.ENABLED and asked.tiered_epoch == meant_for
    return asked.tiered_epoch > meant_for or is_over


@REQUEST_HANDLER.action(guards=[reaches, is_of_an_older_epoch])
def broker_refuses_request(state: Topic, broker: Broker, slot: RequestSlot) -> None:
    """Refuse a request of an older tiered epoch.

    Kafka: ours: an error in answer to an old tiered epoch. Left out: the answer, which no
    controller counts.
    """
    clear_request(state.request[slot])


def hear_answer_of_its_epoch(state: Topic, controller: Controller, broker: Broker) -> None:
    """Count an answer only for the disablement that it was given to.

    Kafka: ours: the tiered epoch is in the answer, too.
    """
    asking = state.controller[controller]
    if broker in asking.arriving:
        take_off_list(asking, broker)
    drop_answers(asking, broker)


TIERED_EPOCH = Variant(
    name="repair_tiered_epoch_in_requests",
    because="A request names no tiered epoch: late, it disables what is enabled again.",
    fence={broker_executes_request: is_of_the_brokers_epoch},
    effect={
        broker_executes_request: execute_request_once,
        controller_hears_answer: hear_answer_of_its_epoch,
    },
    add_system=(broker_refuses_request,),
)

# -- brokers that are gone, controllers that died between two writes


@guard
def waits_for_removed_broker(state: Topic, controller: Controller, broker: Broker) -> bool:
    """The controller waits for a broker that is no longer there."""
    is_awaited = broker in state.controller[controller].unanswered
    return is_awaited and state.broker[broker].is_removed


@CONTROLLER.action(guards=[waits_for_removed_broker])
def controller_forgets_broker(state: Topic, controller: Controller, broker: Broker) -> None:
    """Wait no longer for a broker that was removed.

    Kafka: ours; the deletion of topics does so for replicas on dead brokers.
    """
    take_off_list(state.controller[controller], broker)


FORGET_REMOVED = Variant(
    name="repair_removed_brokers_are_not_awaited",
    because="A broker that never comes back keeps the topic in DISABLING.",
    add_system=(controller_forgets_broker,),
)


@guard
def sees_settings_without_state(state: Topic, controller: Controller) -> bool:
    """The settings say of tiering what the tiered state does not."""
    is_off = state.tiering != Tiering.ENABLED
    return is_off != (state.tiered_state != TieredState.ENABLED)


@CONTROLLER.action(
    guards=[is_active, has_written_state, sees_settings_without_state], to="ZooKeeper"
)
def controller_compares(state: Topic, controller: Controller) -> None:
    """Find settings without their tiered state, which any controller may have written.

    Kafka: ours, for Failure Modes, Controller Failover in DISABLING State.
    """
    state.controller[controller].has_state_to_write = True


COMPARE = Variant(
    name="repair_controller_compares",
    because="A controller that dies between two ZNodes leaves settings without a tiered state.",
    add_system=(controller_compares,),
)

# -- the policy is an argument of a disable

_BOUND = "repair_policy_is_bound"
_UNBOUND = "A policy that changes alone has no tiered epoch: it is an argument of a disable."
BOUND_IN_KRAFT = Variant(name=_BOUND, because=_UNBOUND, drop=(controller_changes_policy,))
BOUND_IN_ZOOKEEPER = Variant(name=_BOUND, because=_UNBOUND, drop=(controller_writes_policy,))

# -- the log start is raised with the settings, so that readers find what it promises


def raise_start_if_it_follows(state: Topic, broker: int, new: Tiering) -> None:
    """Raise the log start of a leader in the step that gives the log its new settings.

    Kafka: ours: LogManager#updateTopicConfig raises the log start under one lock.
    """
    if reaction(state, broker, new) == DisableStep.RAISING_LOG_START:
        raise_log_start(state.broker[broker], state.broker[broker].local_log_start_offset)


def raise_start_by_the_image(state: Topic, broker: Broker) -> None:
    """Raise the log start of a leader if the image deletes the remote log."""
    raise_start_if_it_follows(state, broker, last_record(state, broker).tiering)


def raise_start_by_the_znodes(state: Topic, broker: Broker) -> None:
    """Raise the log start of a leader if the ZNodes delete the remote log."""
    raise_start_if_it_follows(state, broker, state.tiering)


_RAISE_FIRST = "repair_raise_log_start_first"
_TOO_LATE = "Between the new settings and the new log start a reader finds nothing."
RAISE_FIRST_IN_KRAFT = Variant(
    name=_RAISE_FIRST, because=_TOO_LATE, first={broker_applies_settings: raise_start_by_the_image}
)
RAISE_FIRST_IN_ZOOKEEPER = Variant(
    name=_RAISE_FIRST, because=_TOO_LATE, first={broker_reads_settings: raise_start_by_the_znodes}
)

# -- what stopPartitions waits for, and what it forgets


@DISABLER.action(DisableStep.STOPPING_PARTITION, guards=[has_task_to_cancel])
def thread_cancels_tasks_first(state: Topic, broker: Broker, thread: Thread) -> None:
    """Cancel every task, and let the threads come to their end.

    Kafka: ours: RemoteLogManager#stopPartitions awaits what it cancels.
    """
    cancel_tasks(state, broker)


AWAIT = Variant(
    name=AWAIT_CANCELLED_THREADS.name,
    because=AWAIT_CANCELLED_THREADS.because,
    parts=(CANCELLED_COPIES_TURN_BACK,),
    fence={thread_stops_partition: has_no_task_or_thread},
    add_system=(thread_cancels_tasks_first,),
)


def forget_remote_offsets(state: Topic, broker: Broker) -> None:
    """Forget how far the log was copied.

    Kafka: ours: UnifiedLog forgets its highest offset in remote storage.
    """
    state.broker[broker].highest_remote_offset = NONE


FORGET_DELETED = Variant(
    name=FORGET.name,
    because=FORGET.because,
    parts=(FORGET,),
    also={thread_stops_partition: forget_remote_offsets},
)


@guard
def has_no_cache_to_list(state: Topic, broker: Broker) -> bool:
    """The broker leads, and its cache does not answer."""
    return presumes_to_lead(state, broker) and not state.broker[broker].cache.is_initialized


@guard
def has_cache_to_list(state: Topic, broker: Broker) -> bool:
    """The broker does not lead, or its cache answers."""
    return not presumes_to_lead(state, broker) or state.broker[broker].cache.is_initialized


@guard
def is_not_assigned(state: Topic, broker: Broker) -> bool:
    """The broker does not read the partition's metadata."""
    return not state.broker[broker].is_metadata_assigned


@DISABLER.action(
    DisableStep.STOPPING_PARTITION,
    guards=[has_no_cache_to_list, is_not_assigned],
    to="remote_metadata",
)
def thread_reads_metadata_first(state: Topic, broker: Broker, thread: Thread) -> None:
    """Read the remote metadata before deleting: a leader that restarted knows none.

    Kafka: ours: RemoteLogManager#stopPartitions assigns the partition, and waits.
    """
    assign_metadata(state, broker)


READ_FIRST = Variant(
    name="repair_leader_reads_metadata_to_delete",
    because="A leader that restarted into a disabled topic knows of nothing to delete.",
    fence={thread_stops_partition: has_cache_to_list},
    add_system=(thread_reads_metadata_first,),
)

# -- the repairs of each design

OF_ALL = (TIERED_EPOCH, FORGET_REMOVED, AWAIT, FORGET_DELETED, READ_FIRST)
OF_KRAFT = (RAISE_FIRST_IN_KRAFT, BOUND_IN_KRAFT)
OF_ZOOKEEPER = (COMPARE, RAISE_FIRST_IN_ZOOKEEPER, BOUND_IN_ZOOKEEPER)


def together(*parts: Variant) -> Variant:
    """All repairs at once, under one name."""
    because = "The repairs belong together: each leaves a way round it open."
    return Variant(name="repair_all", because=because, parts=parts)


IN_KRAFT = (*OF_ALL, FENCE, *OF_KRAFT, together(*OF_ALL, *OF_KRAFT))
IN_ZOOKEEPER = (*OF_ALL, FENCE, *OF_ZOOKEEPER, together(*OF_ALL, *OF_ZOOKEEPER))
