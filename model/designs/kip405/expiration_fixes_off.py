"""Fixes of expiration and of overlapping segments switched off, a variant each."""

from collections.abc import Sequence

from tierproof.model.designs.kip405.redefined import TASK_DECIDES
from tierproof.model.kafka.expiration_task import (
    ExpiringReplica,
    is_considered_before,
    is_taken_up_again,
    log_start_after,
    next_real_epoch,
)
from tierproof.model.kafka.fields import Segment
from tierproof.model.kafka.leader_epoch_lineage import is_in_lineage
from tierproof.model.kafka.remote_metadata_cache import EpochState, replace_others
from tierproof.model.kafka.scope import Lineage
from tierproof.model.language import NONE, Variant


def end_of_last_planned(planned_log_start: int, segment: Segment) -> int:
    """The log start goes to the end of the segment that is planned last (KAFKA-16890)."""
    return segment.end_offset + 1


def replace_one_start(
    state: EpochState, segment: Sequence[Segment], epoch: int, start_offset: int, last_offset: int
) -> None:
    """Remove an id with the very same start; what the new one covers stays (KAFKA-15168)."""
    for i in range(len(segment)):
        if i in state.referenced and segment[i].lineage[epoch] == start_offset:
            state.referenced.discard(i)


def is_in_lineage_from_its_first_epoch(
    segment: Segment, lineage: Lineage, log_end_offset: int
) -> bool:
    """A segment that began in an epoch before the leader's earliest is refused (KAFKA-16511)."""
    first, earliest = next_real_epoch(segment.lineage, NONE), next_real_epoch(lineage, NONE)
    return first >= earliest and is_in_lineage(segment, lineage, log_end_offset)


def is_never_considered_before(log: ExpiringReplica, id: int) -> bool:
    """A segment is planned by each of its epochs, and each time less is left (KAFKA-15479)."""
    return False


def is_never_taken_up_again(segment_state: int) -> bool:
    """A deletion that dangles is like any other segment: retention decides (KAFKA-17428)."""
    return False


EXPIRATION_FIXES_OFF = (
    Variant(
        name="kafka_16890_log_start_of_last_segment",
        because="KAFKA-16890: the next log start goes back with overlapping segments",
        define={log_start_after: end_of_last_planned},
    ),
    Variant(
        name="kafka_15168_overlapped_segment_serves_reads",
        because="KAFKA-15168: the cache finds a segment that ends before the offset",
        define={replace_others: replace_one_start},
    ),
    Variant(
        name="kafka_16511_first_epoch_must_be_known",
        because="KAFKA-16511: a segment whose first epoch the log start has cut never expires",
        define={is_in_lineage: is_in_lineage_from_its_first_epoch},
        redefines={
            is_in_lineage: "what is due and what counts is what this task finds in the lineage; "
            "the objects and the bytes that are compared with it do not move"
        },
    ),
    Variant(
        name="kafka_15479_segment_considered_by_each_epoch",
        because="KAFKA-15479: a segment of two epochs uses the excess up twice",
        define={is_considered_before: is_never_considered_before},
    ),
    Variant(
        name="kafka_17428_dangling_deletion_not_retried",
        because="KAFKA-17428: nobody retries the clean-up of a failed copy",
        define={is_taken_up_again: is_never_taken_up_again},
        redefines={is_taken_up_again: TASK_DECIDES},
    ),
)
