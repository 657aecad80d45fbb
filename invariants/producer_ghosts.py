"""The ghost of batches: of what was committed at an offset, which batch it was.

`note_committed_batches` belongs after every action that may commit, and after the elections
that take back what was committed (`tierproof.invariants.histories`).
"""

from __future__ import annotations

from tierproof.invariants.producer_fields import ProducedTopic, WrittenBatch
from tierproof.model.kafka.keyed_log import BatchKind
from tierproof.model.kafka.leader_epoch_lineage import epoch_for_offset
from tierproof.model.language import NONE


def note_committed_batches(state: ProducedTopic) -> None:
    """Note the batch of each committed record, from a log that has the record of its epoch.

    What an unclean election has taken back is forgotten, so that its offset can be noted again.
    """
    for written in state.committed:
        if written.epoch == NONE and written.is_noted:
            forget_batch(written)
    for b in range(len(state.broker)):
        log = state.broker[b]
        for offset in range(log.log_end_offset):
            written, batch = state.committed[offset], log.batch[offset]
            is_new = written.epoch != NONE and not written.is_noted
            is_same = epoch_for_offset(log.lineage, offset) == written.epoch
            if is_new and is_same and batch.kind != BatchKind.ABSENT:
                written.kind = batch.kind
                written.producer = batch.producer
                written.producer_epoch = batch.epoch
                written.sequence = batch.first_sequence
                written.is_noted = True


def forget_batch(written: WrittenBatch) -> None:
    """Nothing is committed at the offset any more."""
    written.kind = BatchKind.ABSENT
    written.producer = NONE
    written.producer_epoch = NONE
    written.sequence = NONE
    written.is_noted = False
