"""What the mail of a finding proposes where it is another change than its repair."""

from tierproof.model.kafka.cleaner_transactions import CleanedTransactions, collect_aborted
from tierproof.model.kafka.keyed_log import KeyedLog
from tierproof.model.language import Variant


def collect_aborted_from(
    read: CleanedTransactions, log: KeyedLog, start_offset: int, end_offset: int
) -> None:
    """LocalLog#collectAbortedTransactions asks the index from its base offset on.

    So transactions whose ABORT marker lies before `start_offset` are left out, for both passes.
    """
    for marker in range(start_offset, log.log_end_offset):
        batch = log.batch[marker]
        if batch.has_index_entry and batch.transaction_first < end_offset:
            read.is_pending[marker] = True


COLLECT_FROM_BASE_OFFSET = Variant(
    name="proposal_collect_aborted_from_the_base_offset",
    because="a transaction that ended before a pass begins to read says nothing of what it reads",
    define={collect_aborted: collect_aborted_from},
)

PROPOSALS = (COLLECT_FROM_BASE_OFFSET,)
