"""What the mails propose in place of the empty snapshot: one rule for where a replay begins."""

from tierproof.model.designs.kip405_producers.repairs import remote_segment_before
from tierproof.model.designs.kip405_producers.state import ProducedPartition, ProducedTopic
from tierproof.model.designs.kip952.alternatives import regenerate_snapshot
from tierproof.model.designs.kip952.making import make_snapshot
from tierproof.model.designs.kip952.readings import (
    ONLY_COPIED,
    UNREGISTERED,
    regenerate_from_newest,
)
from tierproof.model.kafka.local_segments import first_base
from tierproof.model.kafka.producer_snapshots import register_empty_snapshot
from tierproof.model.kafka.snapshot_replay import newest_snapshot_before, replay_batches
from tierproof.model.language import NONE, Variant


def regenerate_from_either_tier(
    state: ProducedTopic, segment: int, scope: ProducedPartition
) -> None:
    """From the newest local snapshot; without one, from the log start, be it remote or local.

    A log start in the remote tier: the snapshot of the remote segment before the local log, and
    the local batches. Later snapshots stay.
    """
    copy = state.segment[segment]
    log, end = state.broker[copy.copier], copy.end_offset + 1
    stored = remote_segment_before(state, copy.copier)
    if newest_snapshot_before(log, end) == NONE and stored != NONE:
        register_empty_snapshot(log.snapshot[end])
        log.snapshot[end].producer = state.segment[stored].snapshot
        replay_batches(log.snapshot[end].producer, log, first_base(log), end)
    else:
        regenerate_from_newest(state, segment, scope)


NAME = "proposal_replay_from_either_tier"
BECAUSE = "what the local log does not say of producers, the remote segment before it does"

IN_PLACE_OF_EMPTY = Variant(
    name=NAME,
    because=BECAUSE,
    define={make_snapshot: regenerate_from_either_tier},
    after=(ONLY_COPIED, UNREGISTERED),
)
IN_PLACE_OF_LOCAL_LOG = Variant(
    name=NAME, because=BECAUSE, define={regenerate_snapshot: regenerate_from_either_tier}
)
"""The same, where a replay of the local log takes the place of the empty file."""
