"""Repairs of what the early texts permit, all of them ours and in no document."""

from typing import Any

from tierproof.model.designs.kip405.fence import FENCE, fenced
from tierproof.model.designs.kip405.forgetting import FORGET
from tierproof.model.designs.kip405.metadata import assign_metadata
from tierproof.model.designs.kip405.state import Broker
from tierproof.model.designs.kip405.tasks import cancel_tasks
from tierproof.model.designs.kip950.controller import note_legal_removal
from tierproof.model.designs.kip950.repairs import (
    AWAIT_CANCELLED_THREADS,
    has_no_task_or_thread,
    has_task_to_cancel,
)
from tierproof.model.designs.kip950_early.controller import (
    controller_hears_answer,
    drop_answers,
    has_written_state,
    is_active,
    take_off_list,
)
from tierproof.model.designs.kip950_early.learning import (
    apply_settings,
    broker_applies_settings,
    broker_reads_settings,
    reaction,
    read_znodes,
)
from tierproof.model.designs.kip950_early.requests import (
    ARRIVES,
    clear_request,
    reaches,
    take_in_hand,
)
from tierproof.model.designs.kip950_early.state import (
    WATCH,
    Controller,
    DisableStep,
    RequestSlot,
    ThreadIndex,
    Topic,
)
from tierproof.model.designs.kip950_early.stopping import (
    first_step,
    is_stopping_partition,
    stop_and_wait,
    thread_stops_partition,
)
from tierproof.model.designs.kip950_early.tiered_state import Policy, TieredState, Tiering
from tierproof.model.kafka.local_retention import raise_log_start
from tierproof.model.kafka.replica import presumes_to_lead
from tierproof.model.language import NONE, Variant, action, guard

# -- the tiered epoch, in requests and answers


@guard
def is_of_the_brokers_epoch(state: Topic, broker: Broker, slot: RequestSlot) -> bool:
    """The broker has applied the disablement that the request is for, and nothing after it."""
    it, me = state.request[slot], state.broker[broker]
    is_applied = me.tiering != Tiering.ENABLED and me.thread[WATCH].step == DisableStep.IDLE
    return bool(is_applied and me.tiered_epoch == it.meant_for)


def first_step_once(state: Any, broker: int) -> DisableStep:
    """What is left to do for a request: nothing, where the broker has stopped already."""
    me = state.broker[broker]
    if me.stopped_for == me.tiered_epoch:
        return DisableStep.ANSWERING
    return first_step(state, broker, me.policy == Policy.DELETE)


@action(guards=[*ARRIVES, is_of_the_brokers_epoch], actor="network", to="broker {broker}")
def broker_executes_request_once(state: Topic, broker: Broker, slot: RequestSlot) -> None:
    """Begin stopPartitions, unless the broker has done it in this tiered epoch; then answer.

    **Who**: a request handler of a broker that has applied the disablement.
    **Kafka**: ours: the tiered epoch is in the request, and a broker remembers its own.
    **Left out**: nothing.
    """
    take_in_hand(state, slot, first_step_once(state, broker))


@guard
def is_of_an_older_epoch(state: Topic, broker: Broker, slot: RequestSlot) -> bool:
    """The broker knows that the disablement of the request is over."""
    it, me = state.request[slot], state.broker[broker]
    is_over = me.tiering == Tiering.ENABLED and me.tiered_epoch == it.meant_for
    return bool(me.tiered_epoch > it.meant_for or is_over)


@action(guards=[reaches, is_of_an_older_epoch], actor="network", to="broker {broker}")
def broker_refuses_request(state: Topic, broker: Broker, slot: RequestSlot) -> None:
    """A request of an older tiered epoch: nothing is done.

    **Who**: a request handler.
    **Kafka**: ours: an error in answer to an old tiered epoch.
    **Left out**: the answer, which no controller counts.
    """
    clear_request(state.request[slot])


@action(guards=controller_hears_answer.guards, actor="network", to="controller {controller}")
def controller_hears_answer_of_its_epoch(
    state: Topic, controller: Controller, broker: Broker
) -> None:
    """The callback counts an answer only for the disablement that it was given to.

    **Who**: the controller, also one that was voted out.
    **Kafka**: ours: the tiered epoch is in the answer, too.
    **Left out**: nothing.
    """
    me = state.controller[controller]
    if me.arriving >> broker & 1:
        take_off_list(me, broker)
    drop_answers(me, broker)


# -- brokers that are gone, controllers that died between two writes


@guard
def waits_for_removed_broker(state: Topic, controller: Controller, broker: Broker) -> bool:
    """The controller waits for a broker that is no longer there."""
    me = state.controller[controller]
    return bool(me.unanswered >> broker & 1 and state.broker[broker].is_removed)


@action(guards=[waits_for_removed_broker], actor="controller {controller}")
def controller_forgets_broker(state: Topic, controller: Controller, broker: Broker) -> None:
    """A broker that was removed is not waited for.

    **Who**: the controller.
    **Kafka**: ours; the deletion of topics does so for replicas on dead brokers.
    **Left out**: nothing.
    """
    take_off_list(state.controller[controller], broker)


@guard
def sees_settings_without_state(state: Topic, controller: Controller) -> bool:
    """The settings say of tiering what the tiered state does not."""
    is_off = state.tiering != Tiering.ENABLED
    return bool(is_off != (state.tiered_state != TieredState.ENABLED))


@action(
    guards=[is_active, has_written_state, sees_settings_without_state],
    actor="controller {controller}",
    to="ZooKeeper",
)
def controller_compares(state: Topic, controller: Controller) -> None:
    """Find settings without their tiered state, whoever has written them, and set out to write it.

    **Who**: the active controller.
    **Kafka**: ours, for Failure Modes, Controller Failover in DISABLING State.
    **Left out**: nothing.
    """
    state.controller[controller].has_state_to_write = True


# -- what a broker does to its own log


def applies_at_once(state: Any, broker: int, step: int) -> int:
    """The log start moves with the settings, so that no reader finds a log start it cannot read."""
    if step != DisableStep.RAISING_LOG_START:
        return step
    if state.elected_leader == broker:
        note_legal_removal(state, broker)
    raise_log_start(state.broker[broker], state.broker[broker].local_log_start_offset)
    return step


@action(guards=broker_applies_settings.guards, actor="broker {broker}")
def broker_applies_settings_at_once(state: Topic, broker: Broker, scope: Any) -> None:
    """Give the log its new settings; a disable with delete moves the log start under one lock.

    **Who**: the metadata publisher.
    **Kafka**: ours: LogManager#updateTopicConfig raises the log start of a leader.
    **Left out**: nothing.
    """
    image = state.cluster_log[state.broker[broker].position - 1]
    step = reaction(state, broker, state.broker[broker].tiering, image.tiering)
    apply_settings(state, broker, image, applies_at_once(state, broker, step), scope)


@action(guards=broker_reads_settings.guards, actor="broker {broker}", to="ZooKeeper")
def broker_reads_settings_at_once(state: Topic, broker: Broker, scope: Any) -> None:
    """Read the ZNodes; a disable with delete moves the log start under one lock.

    **Who**: the thread of the broker's watch.
    **Kafka**: ours: LogManager#updateTopicConfig raises the log start of a leader.
    **Left out**: nothing.
    """
    step = reaction(state, broker, state.broker[broker].tiering, state.tiering)
    read_znodes(state, broker, applies_at_once(state, broker, step), scope)


# -- threads that are awaited, offsets that are forgotten


@action(guards=[is_stopping_partition, has_task_to_cancel], actor="broker {broker}")
def thread_cancels_tasks_first(state: Topic, broker: Broker, thread: ThreadIndex) -> None:
    """Cancel every task, and let the threads come to their end.

    **Who**: a thread that disables with delete.
    **Kafka**: ours: RemoteLogManager#stopPartitions awaits what it cancels.
    **Left out**: nothing.
    """
    cancel_tasks(state, broker)


@action(guards=thread_stops_partition.guards, actor="broker {broker}")
def thread_stops_partition_and_forgets(state: Topic, broker: Broker, thread: ThreadIndex) -> None:
    """Cancel every task, list what is to be deleted, and forget how far the remote tier went.

    **Who**: a thread that disables with delete.
    **Kafka**: ours: UnifiedLog forgets its highest offset in remote storage.
    **Left out**: nothing.
    """
    state.broker[broker].highest_remote_offset = NONE
    stop_and_wait(state, broker, thread)


@guard
def has_no_cache_to_list(state: Topic, broker: Broker) -> bool:
    """The broker leads, and its cache does not answer."""
    return bool(presumes_to_lead(state, broker) and not state.broker[broker].cache.is_initialized)


@guard
def has_cache_to_list(state: Topic, broker: Broker) -> bool:
    """The broker does not lead, or its cache answers."""
    return bool(not presumes_to_lead(state, broker) or state.broker[broker].cache.is_initialized)


@guard
def is_not_assigned(state: Topic, broker: Broker) -> bool:
    """The broker does not read the partition's metadata."""
    return not state.broker[broker].is_metadata_assigned


@action(
    guards=[is_stopping_partition, has_no_cache_to_list, is_not_assigned],
    actor="broker {broker}",
    to="remote_metadata",
)
def thread_reads_metadata_first(state: Topic, broker: Broker, thread: ThreadIndex) -> None:
    """A leader that knows nothing of the remote log reads it before it deletes.

    **Who**: a thread that disables with delete, at a leader that has restarted.
    **Kafka**: ours: RemoteLogManager#stopPartitions assigns the partition, and waits.
    **Left out**: nothing.
    """
    assign_metadata(state, broker)


TIERED_EPOCH = Variant(
    name="repair_tiered_epoch_in_requests",
    because="A request names no tiered epoch: late, it disables what is enabled again.",
    replace={
        "broker_executes_request": broker_executes_request_once,
        "controller_hears_answer": controller_hears_answer_of_its_epoch,
    },
    add_system=(broker_refuses_request,),
)
FORGET_REMOVED = Variant(
    name="repair_removed_brokers_are_not_awaited",
    because="A broker that never comes back keeps the topic in DISABLING.",
    add_system=(controller_forgets_broker,),
)
COMPARE = Variant(
    name="repair_controller_compares",
    because="A controller that dies between two ZNodes leaves settings without a tiered state.",
    add_system=(controller_compares,),
)


def bound_policy(alone: str) -> Variant:
    """Drop the action by which the policy changes alone."""
    return Variant(
        name="repair_policy_is_bound",
        because="A policy that changes alone has no tiered epoch: it is an argument of a disable.",
        drop=(alone,),
    )


AWAIT = Variant(
    name="repair_await_cancelled_threads",
    because=AWAIT_CANCELLED_THREADS.because,
    replace={
        **{
            name: entry
            for name, entry in AWAIT_CANCELLED_THREADS.replace.items()
            if name != "broker_stops_partition"
        },
        "thread_stops_partition": fenced(thread_stops_partition, has_no_task_or_thread),
    },
    drop=AWAIT_CANCELLED_THREADS.drop,
    add_system=(
        thread_cancels_tasks_first,
        *(a for a in AWAIT_CANCELLED_THREADS.add_system if a.name != "broker_cancels_tasks_first"),
    ),
)
FORGET_DELETED = Variant(
    name=FORGET.name,
    because=FORGET.because,
    replace={**FORGET.replace, "thread_stops_partition": thread_stops_partition_and_forgets},
)
READ_FIRST = Variant(
    name="repair_leader_reads_metadata_to_delete",
    because="A leader that restarted into a disabled topic knows of nothing to delete.",
    replace={"thread_stops_partition": fenced(thread_stops_partition, has_cache_to_list)},
    add_system=(thread_reads_metadata_first,),
)
AT_ONCE = "Between the new settings and the new log start a reader finds nothing."
RAISE_FIRST = "repair_raise_log_start_first"
RAISE_FIRST_KRAFT = Variant(
    name=RAISE_FIRST,
    because=AT_ONCE,
    replace={"broker_applies_settings": broker_applies_settings_at_once},
)
RAISE_FIRST_ZOOKEEPER = Variant(
    name=RAISE_FIRST,
    because=AT_ONCE,
    replace={"broker_reads_settings": broker_reads_settings_at_once},
)
STOPS_LAST = fenced(
    fenced(thread_stops_partition_and_forgets, has_no_task_or_thread), has_cache_to_list
)
"""stopPartitions behind everything that our repairs have it wait for."""


def all_together(*particular: Variant) -> Variant:
    """All repairs at once; `particular` are those of one design."""
    parts = (*particular, FORGET_REMOVED, AWAIT, FORGET_DELETED, READ_FIRST)
    changed = {name: entry for part in parts for name, entry in part.replace.items()}
    return Variant(
        name="repair_all",
        because="The repairs belong together: each leaves a way round it open.",
        replace={**changed, "thread_stops_partition": STOPS_LAST},
        drop=tuple(name for part in parts for name in part.drop),
        add_system=tuple(entry for part in parts for entry in part.add_system),
    )


SHARED = (FORGET_REMOVED, AWAIT, FORGET_DELETED, FENCE, READ_FIRST)
"""Those of all three designs."""
