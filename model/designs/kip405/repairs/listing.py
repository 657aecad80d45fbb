"""A segment that another replaces stays listed, so that retention finds it (KAFKA-20932)."""

from collections.abc import Sequence

from tierproof.model.kafka.fields import Segment
from tierproof.model.kafka.remote_metadata_cache import EpochState, replace_others
from tierproof.model.language import Variant


def replace_and_list_others(
    state: EpochState, segment: Sequence[Segment], epoch: int, start_offset: int, last_offset: int
) -> None:
    """As Kafka's, but an id with the very same start becomes unreferenced, too."""
    for i in range(len(segment)):
        if i not in state.referenced:
            continue
        is_covered = state.highest_offset <= last_offset
        is_later = segment[i].lineage[epoch] > start_offset
        if segment[i].lineage[epoch] == start_offset or (is_covered and is_later):
            state.referenced.discard(i)
            state.unreferenced.add(i)


LIST_REPLACED = Variant(
    name="repair_list_replaced_segments",
    because="a segment whose start another takes over is listed for no epoch, and never deleted",
    define={replace_others: replace_and_list_others},
)
