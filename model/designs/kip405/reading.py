"""Readers whose question the broker answers in several steps: lookups by time.

Fetches by offset are no action: invariants ask at every state what a fetch would get.
"""

from tierproof.model.designs.kip405.actors import CONSUMER
from tierproof.model.designs.kip405.local import leads
from tierproof.model.designs.kip405.state import Broker, Partition, RecordTime
from tierproof.model.kafka.expiration_task import next_real_epoch
from tierproof.model.kafka.leader_epoch_lineage import epoch_for_offset, is_in_lineage
from tierproof.model.kafka.remote_metadata_cache import next_listed
from tierproof.model.kafka.remote_segment import SegmentState
from tierproof.model.language import NONE, fence


def segment_at_time(state: Partition, broker: int, timestamp: int, finished_only: bool) -> int:
    """The first listed segment with a record of that time or later, or NONE.

    From the epoch of the log start on. KAFKA-15802: only finished segments have an index.
    """
    log = state.broker[broker]
    epoch = epoch_for_offset(log.lineage, log.log_start_offset)
    while epoch != NONE:
        id = next_listed(log.cache, state.segment, epoch, NONE)
        while id != NONE:
            segment = state.segment[id]
            is_finished = log.cache.state[id] == SegmentState.COPY_SEGMENT_FINISHED
            if (
                (is_finished or not finished_only)
                and segment.max_timestamp >= timestamp
                and segment.end_offset >= log.log_start_offset
                and is_in_lineage(segment, log.lineage, log.log_end_offset)
            ):
                return id
            id = next_listed(log.cache, state.segment, epoch, id)
        epoch = next_real_epoch(log.lineage, epoch)
    return NONE


@fence(stays="no property compares the answer to a lookup by time with the records (KAFKA-15181)")
def is_leader_cache_ready(state: Partition, leader: Broker) -> bool:
    """The leader has read what was in the metadata topic when it was assigned (KAFKA-15181)."""
    return state.broker[leader].cache.is_initialized


@CONSUMER.action(
    guards=[leads, is_leader_cache_ready],
    to="broker {leader}",
    budget="time_lookups",
    stutters=True,
)
def consumer_looks_up_time(state: Partition, leader: Broker, timestamp: RecordTime) -> None:
    """Ask the leader for the first offset of a time: it fetches the index of a remote segment.

    Kafka: RemoteLogManager#findOffsetByTimestamp, RemoteIndexCache#lookupTimestamp. Left out:
    the search in the local log that follows if no remote segment has the time.
    """
    state.index_fetched = segment_at_time(state, leader, timestamp, True)
