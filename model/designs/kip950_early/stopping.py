"""RemoteLogManager#stopPartitions step by step, on whichever thread; reads that it drains.

Two threads of a broker may come here for one disablement: the one that learns of the
settings, and the one that executes a request. Cancelling is a flag, and no barrier.
"""

from typing import Any

from tierproof.model.designs.kip405.state import Broker, RemovalStep
from tierproof.model.designs.kip405.stopping import end_removal, stop_partition
from tierproof.model.designs.kip405.tasks import cancel_copy_task
from tierproof.model.designs.kip950.controller import note_legal_removal
from tierproof.model.designs.kip950_early.cluster import finish_batch
from tierproof.model.designs.kip950_early.state import (
    WATCH,
    DisableStep,
    FetchAnswer,
    ThreadIndex,
    Topic,
)
from tierproof.model.designs.kip950_early.tiered_state import Tiering
from tierproof.model.kafka.local_retention import raise_log_start
from tierproof.model.kafka.replica import presumes_to_lead
from tierproof.model.language import NONE, action, guard


def first_step(state: Any, broker: int, policy_deletes: bool) -> DisableStep:
    """Where a thread begins to disable: only leaders move the log start and delete."""
    if not policy_deletes:
        return DisableStep.CANCELLING_COPY
    if presumes_to_lead(state, broker):
        return DisableStep.RAISING_LOG_START
    return DisableStep.STOPPING_PARTITION


def finish(state: Any, broker: int, thread: int) -> None:
    """stopPartitions returns: the watch goes on to other news, the handler answers."""
    state.broker[broker].stopped_for = state.broker[broker].tiered_epoch
    state.broker[broker].stopped_in = state.tiered_epoch
    if thread == WATCH:
        finish_batch(state, broker)
    else:
        state.broker[broker].thread[thread].step = DisableStep.ANSWERING


def drain_fetches(state: Any, broker: int) -> None:
    """Fetches that wait in the broker's purgatory are answered."""
    if state.fetch.broker == broker:
        end_fetch(state.fetch, FetchAnswer.OFFSET_OUT_OF_RANGE)


def end_fetch(fetch: Any, answer: int) -> None:
    """The consumer has its answer."""
    fetch.broker = NONE
    fetch.segment = NONE
    fetch.offset = 0
    fetch.answer = answer


@guard
def is_cancelling_copy(state: Topic, broker: Broker, thread: ThreadIndex) -> bool:
    """The thread stops copying, and nothing else: retain."""
    return state.broker[broker].thread[thread].step == DisableStep.CANCELLING_COPY


@action(guards=[is_cancelling_copy], actor="broker {broker}")
def thread_cancels_copy(state: Topic, broker: Broker, thread: ThreadIndex) -> None:
    """Cancel the copy task; expiration and reads go on.

    **Who**: a thread that disables with retain.
    **Kafka**: KIP-950, RemoteLogManager Change: the copier pool's tasks are cancelled, those
    of the expiration pool "will remain unchanged".
    **Left out**: nothing.
    """
    cancel_copy_task(state, broker)
    finish(state, broker, thread)


@guard
def is_raising_log_start(state: Topic, broker: Broker, thread: ThreadIndex) -> bool:
    """The thread of a leader is to move the log start: delete."""
    return state.broker[broker].thread[thread].step == DisableStep.RAISING_LOG_START


@action(guards=[is_raising_log_start], actor="broker {broker}")
def thread_raises_log_start(state: Topic, broker: Broker, thread: ThreadIndex) -> None:
    """Move the log start to the local log start.

    **Who**: a thread that disables with delete, at a broker that believes to lead.
    **Kafka**: KIP-950, Execution of RemoteLogManager#stopPartitions, b.
    **Left out**: a local log start above the high watermark, which is refused.
    """
    me = state.broker[broker]
    if state.elected_leader == broker and state.tiering == Tiering.DELETED:
        note_legal_removal(state, broker)
    raise_log_start(me, me.local_log_start_offset)
    me.thread[thread].step = DisableStep.DRAINING_FETCHES


@guard
def is_draining_fetches(state: Topic, broker: Broker, thread: ThreadIndex) -> bool:
    """The thread has moved the log start; fetches of what is below may still wait."""
    return state.broker[broker].thread[thread].step == DisableStep.DRAINING_FETCHES


@action(guards=[is_draining_fetches], actor="broker {broker}")
def thread_drains_fetches(state: Topic, broker: Broker, thread: ThreadIndex) -> None:
    """Answer the remote fetches that wait; from now on none is routed below the log start.

    **Who**: a thread that disables with delete, at a broker that believes to lead.
    **Kafka**: KIP-950, DISABLING: "draining fetch requests in RemoteFetchPurgatory".
    **Left out**: nothing.
    """
    drain_fetches(state, broker)
    state.broker[broker].thread[thread].step = DisableStep.STOPPING_PARTITION


def stop_and_wait(state: Any, broker: int, thread: int) -> None:
    """Cancel, list, and wait for the removal of what is listed, if anything is."""
    me = state.broker[broker]
    stop_partition(state, broker, presumes_to_lead(state, broker), True)
    if me.to_remove != 0:
        me.thread[thread].step = DisableStep.WAITING_FOR_REMOVAL
        return
    if me.removal_step != RemovalStep.IDLE:
        end_removal(state, broker)
    finish(state, broker, thread)


@guard
def is_stopping_partition(state: Topic, broker: Broker, thread: ThreadIndex) -> bool:
    """The thread is to cancel all tasks."""
    return state.broker[broker].thread[thread].step == DisableStep.STOPPING_PARTITION


@guard
def removes_nothing(state: Topic, broker: Broker) -> bool:
    """No removal is under way: stopPartitions of one partition are taken one after the other."""
    return state.broker[broker].removal_step == RemovalStep.IDLE


@action(guards=[is_stopping_partition, removes_nothing], actor="broker {broker}")
def thread_stops_partition(state: Topic, broker: Broker, thread: ThreadIndex) -> None:
    """Cancel every task; a leader lists what is then marked, deleted, and told as deleted.

    **Who**: a thread that disables with delete.
    **Kafka**: RemoteLogManager#stopPartitions, RemoteStorageManager#deleteLogSegmentData.
    **Left out**: nothing.
    """
    stop_and_wait(state, broker, thread)


@guard
def waits_for_removal(state: Topic, broker: Broker, thread: ThreadIndex) -> bool:
    """The thread waits for the removal that it began."""
    return state.broker[broker].thread[thread].step == DisableStep.WAITING_FOR_REMOVAL


@action(guards=[waits_for_removal, removes_nothing], actor="broker {broker}")
def thread_ends_removal(state: Topic, broker: Broker, thread: ThreadIndex) -> None:
    """The removal is over, be it done or failed.

    **Who**: a thread that disables with delete.
    **Kafka**: RemoteLogManager#stopPartitions returns; its errors are logged.
    **Left out**: nothing.
    """
    finish(state, broker, thread)
