"""Where the empty snapshot lives: the text does not say. The design has it in the log directory."""

from tierproof.model.designs.kip405_producers.state import ProducedPartition, ProducedTopic
from tierproof.model.designs.kip952.alternatives import regenerate_snapshot
from tierproof.model.designs.kip952.making import make_snapshot
from tierproof.model.kafka.producer_snapshots import empty_snapshot
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

REGENERATE = Variant(
    name="repair_regenerate_the_snapshot",
    because="an empty snapshot says that nobody wrote what is before it",
    define={make_snapshot: regenerate_snapshot},
    after=(ONLY_COPIED, UNREGISTERED),
)
"""The proposal repaired by the first alternative that the text rejects."""

READINGS = (ONLY_COPIED, UNREGISTERED)
