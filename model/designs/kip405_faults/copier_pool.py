"""The threads of a broker that copy, for all of its partitions; a store that never answers.

Kafka has no time limit for copyLogSegmentData: a request that neither returns nor fails keeps its
thread, and the copy task of its partition (Aiven-Open/tiered-storage-for-apache-kafka 820, 596).
One other partition stands for all the others of the broker.
"""

from tierproof.model.designs.kip405.actors import COPIER
from tierproof.model.designs.kip405.copying import has_read_own_record
from tierproof.model.designs.kip405.state import AttemptStep, Broker
from tierproof.model.designs.kip405_faults.actors import OTHER_COPIER
from tierproof.model.designs.kip405_faults.state import FaultyPartition, FaultyTopic, OtherCopy
from tierproof.model.kafka.scope import SegmentId
from tierproof.model.language import NONE, guard


def begin_shared(state: FaultyTopic, scope: FaultyPartition) -> None:
    """Another partition of each broker has a segment to copy, if the scope says so."""
    for broker in state.broker:
        broker.other_copy = OtherCopy.WAITING if scope.is_shared == 1 else OtherCopy.NONE


# -- a store that never answers


def release_from_store(state: FaultyTopic, segment: int) -> None:
    """The thread has done with the id, or is gone; the caller says that it is IDLE."""
    copy = state.segment[segment]
    state.broker[copy.copier].copying.discard(segment)
    copy.copier = NONE
    copy.is_cancelled = False
    copy.awaits = 0
    copy.is_hung = False


@guard
def does_store_answer(state: FaultyTopic, segment: SegmentId) -> bool:
    """The store answers the request of the copying thread, or fails it."""
    return not state.segment[segment].is_hung


@COPIER.action(
    AttemptStep.STARTED,
    guards=[has_read_own_record, does_store_answer],
    to="remote_store",
    budget="hung_copies",
)
def store_never_answers_copy(state: FaultyTopic, segment: SegmentId) -> None:
    """The store neither returns nor throws: the thread waits, also where its task is cancelled.

    Kafka: RemoteStorageManager#copyLogSegmentData. Left out: an object that is stored all the same;
    a store that heeds the interrupt of a cancelled task.
    """
    state.segment[segment].is_hung = True


# -- the pool


def copies_of(state: FaultyTopic, broker: int) -> int:
    """How many threads of the broker copy a segment, of this partition or of the other."""
    own = sum(1 for copy in state.segment if copy.copier == broker)
    return own + (1 if state.broker[broker].other_copy == OtherCopy.RUNNING else 0)


@guard
def has_free_copier(state: FaultyTopic, broker: Broker, scope: FaultyPartition) -> bool:
    """A thread of the copier pool is free."""
    return copies_of(state, broker) < scope.copier_threads


@OTHER_COPIER.action(OtherCopy.WAITING, OtherCopy.RUNNING, guards=[has_free_copier])
def other_copy_starts(state: FaultyTopic, broker: Broker) -> None:
    """A free thread begins to copy the segment of the other partition.

    Kafka: RemoteLogManager.RLMCopyTask, in the pool that all partitions share.
    """


@OTHER_COPIER.action(OtherCopy.RUNNING, OtherCopy.ENDED, to="remote_store")
def other_copy_ends(state: FaultyTopic, broker: Broker) -> None:
    """The other partition's segment is copied, and its thread is free.

    Kafka: RemoteLogManager.RLMCopyTask. Left out: that the store may fail or hang this copy, too.
    """


def restart_other_copy(state: FaultyTopic, broker: int) -> None:
    """The broker crashes: the other partition's segment has to be copied anew."""
    if state.broker[broker].other_copy == OtherCopy.RUNNING:
        state.broker[broker].other_copy = OtherCopy.WAITING


SYSTEM = (other_copy_starts, other_copy_ends)
ENVIRONMENT = (store_never_answers_copy,)
