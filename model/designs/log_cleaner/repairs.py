"""Repairs, which are ours: what a first pass must not believe of transactions that have ended."""

from tierproof.model.kafka.cleaner_transactions import CleanedTransactions, collect_aborted
from tierproof.model.kafka.keyed_log import KeyedLog
from tierproof.model.kafka.offset_map import collect_for_map
from tierproof.model.kafka.sized_segments import indexed_position
from tierproof.model.language import Variant


def segment_base(log: KeyedLog, base: int, offset: int, index_interval_bytes: int) -> int:
    """Reading begins where the segment begins, so that every marker of it is read."""
    return base


READ_WHOLE_SEGMENT = Variant(
    name="repair_read_whole_segment",
    because="the first pass collects the aborted transactions of the whole segment",
    define={indexed_position: segment_base},
)


def collect_unended(
    read: CleanedTransactions, log: KeyedLog, start_offset: int, end_offset: int, position: int
) -> None:
    """A transaction whose marker lies before the first batch to read is over."""
    collect_aborted(read, log, start_offset, end_offset)
    for marker in range(position):
        read.is_pending[marker] = False


FORGET_ENDED_TRANSACTIONS = Variant(
    name="repair_forget_ended_transactions",
    because="an ABORT marker before the first batch to read is never met",
    define={collect_for_map: collect_unended},
)

REPAIRS = (READ_WHOLE_SEGMENT, FORGET_ENDED_TRANSACTIONS)
