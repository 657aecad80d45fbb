"""Repairs of writers: who may append, what a leader waits for, and what it deletes."""

from tierproof.model.designs.kip1266.copying import (
    copy_task_publishes_finished,
    copy_task_stores_object,
    is_cache_ready,
    release_segment,
    store_defers_copy,
    store_fails_copy,
)
from tierproof.model.designs.kip1266.deleting import (
    has_in_hand,
    is_segment_due,
    may_be_deleted,
    task_publishes_delete_finished,
    task_publishes_delete_started,
)
from tierproof.model.designs.kip1266.leadership import broker_learns_leader
from tierproof.model.designs.kip1266.metadata import has_read_all, topic_takes_records
from tierproof.model.designs.kip1266.state import (
    COPYING,
    DELETER,
    Broker,
    TaskStep,
    ThreadIndex,
    Topic,
)
from tierproof.model.kafka.remote_segment import SegmentState
from tierproof.model.kafka.scope import SegmentId
from tierproof.model.language import Variant, fence, guard

NOTHING_BREAKS = "No committed scope breaks without it, neither alone nor with all repairs."

# -- the topic takes records from the leader of the latest epoch only


def leads_in_latest_epoch(state: Topic, broker: int) -> bool:
    """The broker is the elected leader, and knows of the latest election."""
    return state.elected_leader == broker and state.broker[broker].term == state.leader_epoch


@guard
def topic_takes_records_of_leader(state: Topic, broker: Broker) -> bool:
    """Of brokers that write keys, the topic takes the records of the latest leader only."""
    may_write = not state.broker[broker].writes_keys or leads_in_latest_epoch(state, broker)
    return topic_takes_records(state, broker) and may_write


def outdate_threads(state: Topic, broker: Broker) -> None:
    """The segments that the threads work on are of an earlier epoch."""
    for thread in state.broker[broker].thread:
        if state.broker[broker].writes_keys and thread.step != TaskStep.IDLE:
            thread.is_outdated = True


@fence(stays=NOTHING_BREAKS)
def is_copy_current(state: Topic, broker: Broker) -> bool:
    """The copy was begun in the broker's epoch.

    In between another leader may have deleted the attempt.
    """
    return not state.broker[broker].thread[COPYING].is_outdated


@fence(stays=NOTHING_BREAKS)
def is_deletion_current(state: Topic, broker: Broker, thread: ThreadIndex) -> bool:
    """The thread took the segment up in the broker's epoch.

    In between another leader may have deleted the segment, and tombstoned its keys.
    """
    return not state.broker[broker].thread[thread].is_outdated


@guard
def is_writer_refused(state: Topic, broker: Broker, thread: ThreadIndex) -> bool:
    """The broker writes keys and is not the latest leader, or the thread is of an earlier epoch."""
    writer = state.broker[broker]
    is_current = leads_in_latest_epoch(state, broker) and not writer.thread[thread].is_outdated
    return writer.writes_keys and not is_current


@DELETER.action(
    tuple(step for step in TaskStep if step != TaskStep.IDLE),
    TaskStep.IDLE,
    guards=[is_writer_refused],
    to="remote_metadata",
)
def refused_task_gives_up(state: Topic, broker: Broker, thread: ThreadIndex) -> None:
    """A thread whose record is refused leaves its segment as it is.

    Kafka: ours: a fenced producer's exception.
    """
    release_segment(state.broker[broker].thread[thread])


FENCE_WRITERS = Variant(
    name="repair_fence_writers",
    because="a broker that no longer leads still publishes",
    test={topic_takes_records: topic_takes_records_of_leader},
    also={broker_learns_leader: outdate_threads},
    fence={
        copy_task_publishes_finished: is_copy_current,
        task_publishes_delete_started: is_deletion_current,
        task_publishes_delete_finished: is_deletion_current,
    },
    add_system=(refused_task_gives_up,),
)

# -- the store


@fence(protects="tombstone_only_after_deletion", scope="zombie")
def does_store_take_it(state: Topic, broker: Broker) -> bool:
    """The store was never asked to delete the object.

    Else a zombie stores it behind its deletion, where nobody looks for it any more.
    """
    return not state.segment[state.broker[broker].thread[COPYING].segment].was_deleted


STORE_REMEMBERS = Variant(
    name="repair_store_remembers_deletions",
    because="a zombie stores its object behind the tombstones of its segment",
    fence={
        copy_task_stores_object: does_store_take_it,
        store_defers_copy: does_store_take_it,
        store_fails_copy: does_store_take_it,
    },
)

# -- a new leader


@fence(protects="leader_serves_what_is_within_retention", scope="zombie")
def is_cache_complete(state: Topic, broker: Broker) -> bool:
    """The broker has read all that is in the topic.

    Where writers are fenced, a leader that has done so once since its election knows all.
    """
    return state.broker[broker].cache.is_initialized and has_read_all(state, broker)


READ_TO_THE_END = Variant(
    name="repair_read_to_the_end",
    because="a new leader acts before it has read what its predecessor wrote",
    test={is_cache_ready: is_cache_complete},
)


@guard
def is_segment_due_or_given_up(state: Topic, broker: Broker, segment: SegmentId) -> bool:
    """The cache lists the segment as expired, or as anything but a finished copy.

    Where writers are fenced, nobody will finish what an earlier leader began.
    """
    leader = state.broker[broker]
    known = leader.cache.state[segment]
    if known == SegmentState.ABSENT or has_in_hand(leader, segment):
        return False
    return known != SegmentState.COPY_SEGMENT_FINISHED or may_be_deleted(state, segment)


DELETE_GIVEN_UP = Variant(
    name="repair_delete_copies_given_up",
    because="copies that nobody will finish stay until they expire",
    test={is_segment_due: is_segment_due_or_given_up},
)
