"""Changes that suggest themselves and are not enough; no page proposes them."""

from tierproof.model.designs.kip405.copying import copy_publishes_started
from tierproof.model.designs.kip405.missing_snapshots import has_snapshot
from tierproof.model.language import Variant

LOOK_FIRST = Variant(
    name="proposal_look_for_the_snapshot_first",
    because="the thread knows what it lacks before it publishes anything",
    fence={copy_publishes_started: has_snapshot},
)
"""Nothing is left of a failed attempt then, and nothing moves the log start past the segment."""

PROPOSALS = (LOOK_FIRST,)
