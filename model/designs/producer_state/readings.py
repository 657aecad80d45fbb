"""A reading of what the design leaves out: records that are older than their append."""

from tierproof.model.designs.producer_state.appending import (
    follower_appends_batch,
    leader_appends_batch,
)
from tierproof.model.designs.producer_state.state import ProducerPartition
from tierproof.model.language import NONE, Variant


def last_base(state: ProducerPartition) -> int:
    """The base of the last batch of the log, or NONE."""
    found = NONE
    for base in range(state.log.log_end_offset):
        if state.log.batch[base].last_offset != NONE:
            found = base
    return found


def take_time_of_records(state: ProducerPartition) -> None:
    """The batch that was appended last has records of the beginning of time.

    message.timestamp.type=CreateTime: the client says when its records are from.
    """
    batch = state.log.batch[last_base(state)]
    batch.timestamp = 0
    if batch.producer != NONE:
        state.log.producer[batch.producer].timestamp = 0


RECORDS_ARE_OLD = Variant(
    name="records_are_old",
    because="a backfill writes records that are older than producer.id.expiration.ms",
    also={
        leader_appends_batch: take_time_of_records,
        follower_appends_batch: take_time_of_records,
    },
)

READINGS = (RECORDS_ARE_OLD,)
