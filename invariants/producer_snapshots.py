"""Producer snapshots: right on disk and in the remote tier, there in time, and no harm to recovery.

A snapshot of an offset says what everything before it says of each producer.
"""

from __future__ import annotations

from collections.abc import Sequence

from tierproof.invariants.producer_fields import ProducedTopic, ProducerLimits
from tierproof.invariants.producer_history import (
    last_batch_below,
    last_sequence_below,
    must_be_known,
)
from tierproof.invariants.recovered_producers import recover_the_same, stored_entry
from tierproof.invariants.vocabulary import committed_end, holds_committed
from tierproof.model.kafka.leader_epoch_lineage import epoch_for_offset
from tierproof.model.kafka.producer_state import SnapshotEntry, SnapshotFile
from tierproof.model.kafka.snapshot_copy import has_snapshot_to_copy
from tierproof.model.language import NONE, Step, invariant, step_property

# -- what snapshots say


def is_right(
    state: ProducedTopic, snapshot: Sequence[SnapshotEntry], end_offset: int, scope: ProducerLimits
) -> bool:
    """The snapshot says of each producer what the committed batches before the offset say.

    Of a producer that may be forgotten it may say nothing; of one that wrote nothing it must.
    """
    for p in range(len(state.client)):
        epoch, sequence = stored_entry(snapshot[p])
        last = last_batch_below(state, end_offset, p)
        if last == NONE:
            if epoch != NONE:
                return False
            continue
        written = state.committed[last].producer_epoch
        is_same = epoch == written and sequence == last_sequence_below(
            state, end_offset, p, written
        )
        if not is_same and (epoch != NONE or must_be_known(state, last, scope)):
            return False
    return True


def is_of_committed(state: ProducedTopic, segment: int) -> bool:
    """What the segment has was committed, from its start to its end."""
    copy = state.segment[segment]
    return copy.end_offset < committed_end(state) and all(
        holds_committed(state, segment, offset)
        for offset in range(copy.start_offset, copy.end_offset + 1)
    )


@invariant(source="KIP-952: SnapRight")
def copied_snapshots_are_right(state: ProducedTopic, scope: ProducerLimits) -> bool:
    """A stored producer snapshot says what the log up to the end of its segment says.

    Kafka believes it because the file that is copied was written when the next segment began.
    A replica that begins on the segment knows of producers what the snapshot says, and no more.
    Suspended for a producer that has expired. Not checked: transactions; objects of records that
    an unclean election dropped.
    """
    for i in range(len(state.segment)):
        copy = state.segment[i]
        is_due = copy.object_exists and copy.has_snapshot and is_of_committed(state, i)
        if is_due and not is_right(state, copy.snapshot, copy.end_offset + 1, scope):
            return False
    return True


@invariant(source="ProducerStateManager: SnapRight, on disk")
def local_snapshots_are_right(state: ProducedTopic, scope: ProducerLimits) -> bool:
    """A readable snapshot file says what the log before its offset says.

    It is what a broker recovers from, and what it copies. Suspended as
    `copied_snapshots_are_right`. Not checked: files of offsets that are not committed, and of
    logs that have other records.
    """
    end = committed_end(state)
    for b in range(len(state.broker)):
        log = state.broker[b]
        for offset in range(log.log_start_offset + 1, min(end, log.log_end_offset) + 1):
            is_there = log.snapshot[offset].file == SnapshotFile.READABLE
            is_due = is_there and has_committed_before(state, b, offset)
            if is_due and not is_right(state, log.snapshot[offset].producer, offset, scope):
                return False
    return True


def has_committed_before(state: ProducedTopic, broker: int, end_offset: int) -> bool:
    """The log has, from its start to the offset, what was committed there."""
    log = state.broker[broker]
    for offset in range(log.log_start_offset, end_offset):
        written = epoch_for_offset(log.lineage, offset)
        if written != NONE and written != state.committed[offset].epoch:
            return False
    return True


@invariant(source="KIP-952, Rejected Alternatives: a snapshot that is missing means a fault")
def every_object_has_its_snapshot(state: ProducedTopic) -> bool:
    """Every object has a producer snapshot, so one that is missing was lost in the store.

    Kafka believes it because LogSegmentData requires the file. A follower that begins on an
    object without it cannot tell an upgrade from a fault of the store or of its plugin.
    """
    return all(copy.has_snapshot or not copy.object_exists for copy in state.segment)


# -- when and where they are made


@step_property(source="KIP-952: making a snapshot does not change local recovery")
def making_a_snapshot_changes_no_recovery(
    before: ProducedTopic, after: ProducedTopic, step: Step
) -> bool:
    """What the copier would recover is the same before and after it makes a snapshot for a copy.

    Recovered from its disk: by a crash, by a clean restart, and by a truncation down to the high
    watermark. Not checked: truncation below it, which takes an unclean election; snapshots that
    are corrupt or removed later.
    """
    if step.action != "copy_makes_snapshot":
        return True
    copier = before.segment[step.segment].copier
    return all(
        recover_the_same(before.broker[copier], after.broker[copier], p)
        for p in range(len(before.client))
    )


@step_property(source="KIP-952: nothing is published before the inputs of the copy exist")
def inputs_exist_before_copy_is_published(
    before: ProducedTopic, after: ProducedTopic, step: Step
) -> bool:
    """COPY_SEGMENT_STARTED is published only for a segment whose producer snapshot exists.

    As shipped Kafka looks for the snapshot earlier and fails later: the record is published
    anew by each run. Not checked: the other files of LogSegmentData, which always exist.
    """
    if step.action != "copy_publishes_started":
        return True
    return has_snapshot_to_copy(before, step.segment)
