"""What a broker does when it begins to lead, or to run: KIP-405's repairs, for these designs.

In KRaft leaders are learned with the settings, so that KIP-405's own edits find no place.
"""

from tierproof.model.designs.kip405.copying import copy_task_finds_log_start
from tierproof.model.designs.kip405.leadership import become_leader
from tierproof.model.designs.kip405.local import broker_removes_segments
from tierproof.model.designs.kip405.metadata import broker_reads_metadata
from tierproof.model.designs.kip405.repairs.taking_over import (
    ASK_ANEW,
    TAKE_OVER,
    take_log_start_over,
    take_log_start_over_once_ready,
)
from tierproof.model.designs.kip405.restarting import broker_restarts, lone_leader_restarts
from tierproof.model.designs.kip405.state import Broker
from tierproof.model.designs.kip950_early.state import Topic
from tierproof.model.kafka.local_retention import first_not_removed
from tierproof.model.kafka.local_segments import first_base, remove_segments
from tierproof.model.language import NONE, Variant

# -- a new leader


def lead_once_all_is_read(state: Topic, broker: int) -> None:
    """Lead; forget how far the remote tier reached, and wait until all metadata is read."""
    become_leader(state, broker)
    log = state.broker[broker]
    if log.is_metadata_assigned:
        log.highest_remote_offset = NONE
        log.metadata_assigned_end = state.metadata_end
        log.cache.is_initialized = log.metadata_position >= state.metadata_end


READ_ALL = Variant(
    name=ASK_ANEW.name, because=ASK_ANEW.because, define={become_leader: lead_once_all_is_read}
)


def lead_from_what_can_be_read(state: Topic, broker: int) -> None:
    """Lead; take the log start over, if the cache knows it."""
    become_leader(state, broker)
    if state.broker[broker].is_metadata_assigned:
        take_log_start_over(state, broker)


TAKE_START_OVER = Variant(
    name=TAKE_OVER.name,
    because=TAKE_OVER.because,
    effect={copy_task_finds_log_start: take_log_start_over},
    also={broker_reads_metadata: take_log_start_over_once_ready},
    define={become_leader: lead_from_what_can_be_read},
    after=(READ_ALL,),
)

# -- a process that begins amid a local deletion


def finish_local_deletion(state: Topic, broker: Broker) -> None:
    """Remove what the last process had chosen to remove: its local log start was written down.

    Kafka: ours; the local log start has no checkpoint, and begins at the first file.
    """
    log = state.broker[broker]
    if first_not_removed(log) > first_base(log):
        remove_segments(log, first_not_removed(log))


FINISH_LOCALLY = Variant(
    name="repair_write_local_log_start_through",
    because="A crash amid a local deletion brings back what the disable let go of.",
    first={
        broker_restarts: finish_local_deletion,
        lone_leader_restarts: finish_local_deletion,
    },
)
