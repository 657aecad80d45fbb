"""Repairs of what KIP-405 ships, all of them ours; the findings say what each is for."""

# kip950 and kip950_early build on these: FENCE, FORGET, ASK_ANEW, LEAD_ANEW and TAKE_OVER. Each
# is an edit of kip405's actions, so a design that is derived from kip405 chooses it as it stands
# (`parts=(FENCE, ...)`), and edits only the actions that it adds itself: e.g.
# fence={publisher_stops_partition: deletes_as_leader}. A design that drops one of the actions
# edited here states its own edit of the action that takes its place.

from tierproof.model.designs.kip405.repairs.counting import COUNT_ONCE
from tierproof.model.designs.kip405.repairs.fencing import FENCE
from tierproof.model.designs.kip405.repairs.forgetting import FORGET
from tierproof.model.designs.kip405.repairs.offsets import FORGET_TRUNCATED, WRITE_THROUGH
from tierproof.model.designs.kip405.repairs.taking_over import ASK_ANEW, LEAD_ANEW, TAKE_OVER
from tierproof.model.language import Variant

REPAIR_ALL = Variant(
    name="repair_all",
    because="every repair of KIP-405 together",
    parts=(COUNT_ONCE, FORGET_TRUNCATED, WRITE_THROUGH, FENCE, LEAD_ANEW, TAKE_OVER),
)
REPAIRS = (*REPAIR_ALL.parts, REPAIR_ALL)

__all__ = [
    "ASK_ANEW",
    "COUNT_ONCE",
    "FENCE",
    "FORGET",
    "FORGET_TRUNCATED",
    "LEAD_ANEW",
    "REPAIRS",
    "REPAIR_ALL",
    "TAKE_OVER",
    "WRITE_THROUGH",
]
