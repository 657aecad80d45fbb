"""Where the empty snapshot lives: the text does not say. The design has it in the log directory."""

from tierproof.model.designs.kip405_producers.repairs import (
    copy_finds_no_batches,
    has_local_segment,
)
from tierproof.model.designs.kip405_producers.state import ProducedPartition, ProducedTopic
from tierproof.model.designs.kip952.making import copy_makes_snapshot, make_snapshot
from tierproof.model.kafka.local_segments import first_base
from tierproof.model.kafka.producer_snapshots import empty_snapshot, register_empty_snapshot
from tierproof.model.kafka.snapshot_replay import continue_newest_snapshot
from tierproof.model.language import Variant


def make_snapshot_for_the_copy(
    state: ProducedTopic, segment: int, scope: ProducedPartition
) -> None:
    """The thread keeps the empty snapshot itself; the log directory is as before."""
    state.segment[segment].is_snapshot_made = True


ONLY_COPIED = Variant(
    name="text_snapshot_is_only_copied",
    because='"upload it whenever a segment is due to be archived": a file for the copy alone',
    define={make_snapshot: make_snapshot_for_the_copy},
)


def make_unregistered_snapshot(
    state: ProducedTopic, segment: int, scope: ProducedPartition
) -> None:
    """The file is put into the log directory; the running ProducerStateManager is not told."""
    copy = state.segment[segment]
    empty_snapshot(state.broker[copy.copier].snapshot[copy.end_offset + 1])
    copy.is_snapshot_made = True


UNREGISTERED = Variant(
    name="text_snapshot_is_found_at_restart",
    because='"create an empty producer snapshot file": the manager learns of it when it restarts',
    define={make_snapshot: make_unregistered_snapshot},
)


def regenerate_from_newest(state: ProducedTopic, segment: int, scope: ProducedPartition) -> None:
    """With what the newest snapshot says, and the batches after it, in the log directory."""
    copy = state.segment[segment]
    log, end = state.broker[copy.copier], copy.end_offset + 1
    register_empty_snapshot(log.snapshot[end])
    continue_newest_snapshot(log, end, first_base(log))


REGENERATE = Variant(
    name="repair_regenerate_the_snapshot",
    because="an empty snapshot says that nobody wrote what is before it",
    define={make_snapshot: regenerate_from_newest},
    fence={copy_makes_snapshot: has_local_segment},
    add_system=(copy_finds_no_batches,),
    after=(ONLY_COPIED, UNREGISTERED),
)
"""The proposal repaired by the first alternative that the text rejects."""

READINGS = (ONLY_COPIED, UNREGISTERED)
