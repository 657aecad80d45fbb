"""Histories: the ghosts of a partition, noted beside the steps of its actions.

`committed[o]` is the record that was committed at o; below `legal_end` a user has permitted
deletion. No action of a design assigns them, no guard reads them. A design that adds actions
which raise a high watermark, or permit deletion, adds a history of these.
"""

from __future__ import annotations

from typing import Any

from tierproof.invariants.vocabulary import removable_end
from tierproof.model.kafka.leader_epoch_lineage import epoch_for_offset
from tierproof.model.kafka.replica import presumes_to_lead
from tierproof.model.language import NONE, history


def note_committed_records(state: Any) -> None:
    """What lies below the high watermark of a broker that believes to lead is committed."""
    for b in range(len(state.broker)):
        if presumes_to_lead(state, b):
            note_committed_at(state, b)


def note_committed_at(state: Any, leader: int) -> None:
    """Note the records of this leader at offsets at which none was committed before."""
    log = state.broker[leader]
    for offset in range(log.high_watermark):
        committed = state.committed[offset]
        if committed.epoch == NONE:
            committed.epoch = epoch_for_offset(log.lineage, offset)
            committed.bytes = log.records[offset].bytes
            committed.timestamp = log.records[offset].timestamp


COMMITTED = history(
    follower_fetches=note_committed_records,
    leader_appends_record=note_committed_records,
    leader_shrinks_in_sync=note_committed_records,
    broker_learns_leader=note_committed_records,
    lone_leader_restarts=note_committed_records,
)
"""The actions of KIP-405 that raise a leader's high watermark."""


def note_deleted_records(state: Any, offset: int) -> None:
    """DeleteRecords permits the deletion of everything below an offset."""
    state.legal_end = max(state.legal_end, offset)


LEGAL_END = history(user_deletes_records=note_deleted_records)


def note_unclean_election(state: Any, leader: int) -> None:
    """Before an unclean election: what the new leader lacks is no longer committed.

    What retention permits to delete by the settings of the old leader stays permitted.
    """
    state.legal_end = max(state.legal_end, removable_end(state))
    first = 0
    while first < len(state.committed) and has_committed_record(state, leader, first):
        first += 1
    for offset in range(first, len(state.committed)):
        state.committed[offset].epoch = NONE
        state.committed[offset].bytes = 0
        state.committed[offset].timestamp = 0


def has_committed_record(state: Any, broker: int, offset: int) -> bool:
    """The replica has what was committed at the offset, locally or by its lineage."""
    log = state.broker[broker]
    if offset < log.log_start_offset:
        return True
    epoch = epoch_for_offset(log.lineage, offset)
    return bool(offset < log.log_end_offset and epoch == state.committed[offset].epoch)
