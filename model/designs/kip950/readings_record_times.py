"""Record times that do not follow the offsets, as in a backfill with CreateTime.

Retention by time begins at the oldest segment and stops at the first that it keeps. So it stays
safe within one tier; a read-only topic has a retention in each tier.
"""

from tierproof.model.designs.kip405.start import tiered_partition
from tierproof.model.designs.kip405.state import TieredPartition
from tierproof.model.designs.kip950.state import Topic
from tierproof.model.language import Variant


def stamp_backwards(state: Topic, scope: TieredPartition) -> None:
    """The later the offset, the older the record, while the clock can tell."""
    for replica in state.broker:
        for offset in range(replica.log_end_offset):
            stamp = scope.clock_ms - min(offset, scope.clock_ms)
            replica.records[offset].timestamp = stamp
            state.committed[offset].timestamp = stamp


RECORD_TIMES = Variant(
    name="kafka_record_times_out_of_order",
    because="Producers stamp records as they like: CreateTime is the default.",
    also={tiered_partition: stamp_backwards},
)
