"""What the mails propose in place of the empty snapshot: one rule for where a replay begins."""

from tierproof.model.designs.kip405_producers.repairs import (
    build_snapshot,
    copy_finds_no_batches,
    has_local_segment,
)
from tierproof.model.designs.kip405_producers.state import ProducedPartition, ProducedTopic
from tierproof.model.designs.kip952.alternatives import regenerate_snapshot
from tierproof.model.designs.kip952.making import copy_makes_snapshot, make_snapshot
from tierproof.model.designs.kip952.readings import ONLY_COPIED, UNREGISTERED
from tierproof.model.language import Variant


def regenerate_from_either_tier(
    state: ProducedTopic, segment: int, scope: ProducedPartition
) -> None:
    """From the newest local snapshot; without one, from the log start, be it remote or local."""
    build_snapshot(state, segment)


NAME = "proposal_replay_from_either_tier"
BECAUSE = "what the local log does not say of producers, the remote segment before it does"

IN_PLACE_OF_EMPTY = Variant(
    name=NAME,
    because=BECAUSE,
    define={make_snapshot: regenerate_from_either_tier},
    fence={copy_makes_snapshot: has_local_segment},
    add_system=(copy_finds_no_batches,),
    after=(ONLY_COPIED, UNREGISTERED),
)
IN_PLACE_OF_LOCAL_LOG = Variant(
    name=NAME,
    because=BECAUSE,
    define={regenerate_snapshot: regenerate_from_either_tier},
    fence={copy_makes_snapshot: has_local_segment},
    add_system=(copy_finds_no_batches,),
)
"""The same, where a replay of the local log takes the place of the empty file."""
