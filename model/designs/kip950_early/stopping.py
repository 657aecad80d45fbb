"""RemoteLogManager#stopPartitions step by step, on either thread; the fetches that it drains.

Two threads of a broker may execute it for one disablement: the one that learns of the
settings, and the one that executes a request. Cancelling sets a flag, and is no barrier.
"""

from tierproof.model.designs.kip405.state import Broker, RemovalStep
from tierproof.model.designs.kip405.stopping import end_removal, stop_partition
from tierproof.model.designs.kip405.tasks import cancel_copy_task
from tierproof.model.designs.kip950_early.actors import DISABLER
from tierproof.model.designs.kip950_early.cluster import finish_batch
from tierproof.model.designs.kip950_early.state import FetchAnswer, RemoteFetch, Thread, Topic
from tierproof.model.kafka.local_retention import raise_log_start
from tierproof.model.kafka.replica import presumes_to_lead
from tierproof.model.kafka.tiered_state import WATCH, DisableStep
from tierproof.model.language import NONE, fence

FIRST_STEPS = (
    DisableStep.CANCELLING_COPY,
    DisableStep.RAISING_LOG_START,
    DisableStep.STOPPING_PARTITION,
)
RETURNED = (DisableStep.IDLE, DisableStep.ANSWERING)
"""stopPartitions has returned: to the thread that learns of settings, or to the handler."""


def disables_as_leader(state: Topic, broker: int) -> bool:
    """Whether the broker raises its log start and deletes: as a leader does, perhaps a zombie."""
    return presumes_to_lead(state, broker)


def first_step(state: Topic, broker: int, policy_deletes: bool) -> DisableStep:
    """Where a thread begins to disable: only leaders raise the log start and delete."""
    if not policy_deletes:
        return DisableStep.CANCELLING_COPY
    if disables_as_leader(state, broker):
        return DisableStep.RAISING_LOG_START
    return DisableStep.STOPPING_PARTITION


def finish(state: Topic, broker: int, thread: int) -> None:
    """stopPartitions returns: the handler answers, the other thread may learn again."""
    stopped = state.broker[broker]
    stopped.stopped_for = stopped.tiered_epoch
    if thread == WATCH:
        stopped.thread[thread].step = DisableStep.IDLE
        finish_batch(state, broker)
    else:
        stopped.thread[thread].step = DisableStep.ANSWERING


def end_fetch(fetch: RemoteFetch, answer: FetchAnswer) -> None:
    """Answer the consumer."""
    fetch.broker = NONE
    fetch.segment = NONE
    fetch.offset = 0
    fetch.answer = answer


# -- retain


@DISABLER.action(DisableStep.CANCELLING_COPY, RETURNED)
def thread_cancels_copy(state: Topic, broker: Broker, thread: Thread) -> None:
    """Cancel the copy task, to retain the remote log; expiration and reads continue.

    Kafka: KIP-950, RemoteLogManager Change: the copier pool's tasks are cancelled, those of
    the expiration pool "will remain unchanged".
    """
    cancel_copy_task(state, broker)
    finish(state, broker, thread)


# -- delete


@DISABLER.action(DisableStep.RAISING_LOG_START, DisableStep.DRAINING_FETCHES)
def thread_raises_log_start(state: Topic, broker: Broker, thread: Thread) -> None:
    """Raise the log start to the local log start, at a broker that believes to lead.

    Kafka: KIP-950, Execution of RemoteLogManager#stopPartitions, b. Left out: a local log
    start above the high watermark, which is refused.
    """
    leader = state.broker[broker]
    raise_log_start(leader, leader.local_log_start_offset)


def drain_fetches(state: Topic, broker: Broker) -> None:
    """Answer the fetches that wait in the broker's purgatory."""
    if state.fetch.broker == broker:
        end_fetch(state.fetch, FetchAnswer.OFFSET_OUT_OF_RANGE)


@DISABLER.action(DisableStep.DRAINING_FETCHES, DisableStep.STOPPING_PARTITION)
def thread_drains_fetches(state: Topic, broker: Broker, thread: Thread) -> None:
    """Answer the remote fetches that wait; from now on none is routed below the log start.

    Kafka: KIP-950, DISABLING: "draining fetch requests in RemoteFetchPurgatory".
    """
    drain_fetches(state, broker)


@fence(protects="served_segment_has_its_object", scope="again")
def removes_nothing(state: Topic, broker: Broker) -> bool:
    """No removal is under way: the broker stops a partition on one thread after the other.

    A removal deletes what it has listed. If stopPartitions returned before, the topic could be
    enabled again meanwhile, and the removal would delete what its tasks serve.
    """
    return state.broker[broker].removal_step == RemovalStep.IDLE


@DISABLER.action(
    DisableStep.STOPPING_PARTITION,
    (DisableStep.WAITING_FOR_REMOVAL, *RETURNED),
    guards=[removes_nothing],
)
def thread_stops_partition(state: Topic, broker: Broker, thread: Thread) -> None:
    """Cancel every task; a leader lists the segments to delete, and waits for their removal.

    Kafka: RemoteLogManager#stopPartitions, RemoteStorageManager#deleteLogSegmentData.
    """
    stopping = state.broker[broker]
    stop_partition(state, broker, disables_as_leader(state, broker), True)
    if stopping.to_remove:
        stopping.thread[thread].step = DisableStep.WAITING_FOR_REMOVAL
        return
    if stopping.removal_step != RemovalStep.IDLE:
        end_removal(state, broker)
        stopping.removal_step = RemovalStep.IDLE
    finish(state, broker, thread)


@DISABLER.action(DisableStep.WAITING_FOR_REMOVAL, RETURNED, guards=[removes_nothing])
def thread_ends_removal(state: Topic, broker: Broker, thread: Thread) -> None:
    """Return once the removal has ended or failed.

    Kafka: RemoteLogManager#stopPartitions, whose errors are logged.
    """
    finish(state, broker, thread)


SYSTEM = (
    thread_cancels_copy,
    thread_raises_log_start,
    thread_drains_fetches,
    thread_stops_partition,
    thread_ends_removal,
)
