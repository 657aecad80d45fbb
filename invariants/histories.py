"""Histories: the ghosts of a partition, noted beside the steps of its actions.

`committed[o]` is the record that was committed at o; below `legal_end` a user has permitted
deletion. No action of a design assigns them, no guard reads them. A design that adds actions
which raise a high watermark, or permit deletion, adds a history of these.
"""

from __future__ import annotations

from tierproof.invariants.fields import Partition
from tierproof.invariants.vocabulary import removable_end
from tierproof.model.kafka.fields import Replica
from tierproof.model.kafka.leader_epoch_lineage import epoch_for_offset
from tierproof.model.kafka.replica import presumes_to_lead
from tierproof.model.language import NONE, history


def note_committed_records(state: Partition) -> None:
    """Note what is below the high watermark of a broker that believes to lead, and is committed.

    Committed means in every replica in sync (KIP-966): a zombie commits nothing by itself.
    """
    for b in range(len(state.broker)):
        if presumes_to_lead(state, b):
            log = state.broker[b]
            for offset in range(log.high_watermark):
                epoch = epoch_for_offset(log.lineage, offset)
                if state.committed[offset].epoch == NONE and is_in_sync_with(state, offset, epoch):
                    state.committed[offset].epoch = epoch
                    state.committed[offset].bytes = log.records[offset].bytes
                    state.committed[offset].timestamp = log.records[offset].timestamp


def is_in_sync_with(state: Partition, offset: int, epoch: int) -> bool:
    """Every replica in sync has the record that this epoch wrote at the offset."""
    return all(
        b not in state.in_sync or has_record(state.broker[b], offset, epoch)
        for b in range(len(state.broker))
    )


def has_record(log: Replica, offset: int, epoch: int) -> bool:
    """The log has the record that this epoch wrote at the offset, or begins after it."""
    if offset < log.log_start_offset:
        return True
    return offset < log.log_end_offset and epoch_for_offset(log.lineage, offset) == epoch


COMMITTED = history(
    follower_fetches=note_committed_records,
    leader_appends_record=note_committed_records,
    leader_shrinks_in_sync=note_committed_records,
    broker_learns_leader=note_committed_records,
    lone_leader_restarts=note_committed_records,
)
"""The actions of KIP-405 that raise a leader's high watermark."""


def note_deleted_records(state: Partition, offset: int) -> None:
    """DeleteRecords permits the deletion of everything below an offset."""
    state.legal_end = max(state.legal_end, offset)


LEGAL_END = history(user_deletes_records=note_deleted_records)


def note_unclean_election(state: Partition, leader: int) -> None:
    """Before an unclean election: what the new leader lacks is no longer committed.

    What retention permits to delete by the settings of the old leader stays permitted.
    """
    state.legal_end = max(state.legal_end, removable_end(state))
    first = 0
    while first < len(state.committed) and has_record(
        state.broker[leader], first, state.committed[first].epoch
    ):
        first += 1
    for offset in range(first, len(state.committed)):
        state.committed[offset].epoch = NONE
        state.committed[offset].bytes = 0
        state.committed[offset].timestamp = 0
