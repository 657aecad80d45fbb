"""Readers whose question the broker answers in several steps: lookups by time.

Fetches by offset are no action: invariants ask at every state what a fetch would get.
"""

from typing import Any

from tierproof.model.designs.kip405.copying import is_cache_ready
from tierproof.model.designs.kip405.local import leads
from tierproof.model.designs.kip405.state import Broker, Partition, RecordTime
from tierproof.model.kafka.expiration_task import next_real_epoch
from tierproof.model.kafka.leader_epoch_lineage import epoch_for_offset, is_in_lineage
from tierproof.model.kafka.remote_metadata_cache import CachedState, next_listed
from tierproof.model.language import NONE, action


def segment_at_time(state: Any, broker: int, timestamp: int, finished_only: bool) -> int:
    """The first listed segment with a record of that time or later, or NONE.

    From the epoch of the log start on. KAFKA-15802: only finished segments have an index.
    """
    me = state.broker[broker]
    epoch = epoch_for_offset(me.lineage, me.log_start_offset)
    while epoch != NONE:
        id = next_listed(me.cache, state.segment, epoch, NONE)
        while id != NONE:
            it = state.segment[id]
            is_finished = me.cache.state[id] == CachedState.COPY_SEGMENT_FINISHED
            if (
                (is_finished or not finished_only)
                and it.max_timestamp >= timestamp
                and it.end_offset >= me.log_start_offset
                and is_in_lineage(it, me.lineage, me.log_end_offset)
            ):
                return int(id)
            id = next_listed(me.cache, state.segment, epoch, id)
        epoch = next_real_epoch(me.lineage, epoch)
    return NONE


@action(
    guards=[leads, is_cache_ready],
    actor="consumer",
    to="broker {broker}",
    budget="time_lookups",
    stutters=True,
)
def consumer_looks_up_time(state: Partition, broker: Broker, timestamp: RecordTime) -> None:
    """Ask the leader for the first offset of a time: it goes to the index of a remote segment.

    **Who**: a consumer.
    **Kafka**: RemoteLogManager#findOffsetByTimestamp, RemoteIndexCache#lookupTimestamp.
    **Left out**: the search in the local log that follows if no remote segment has the time.
    """
    state.index_fetched = segment_at_time(state, broker, timestamp, True)
