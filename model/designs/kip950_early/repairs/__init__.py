"""Repairs of what the early texts permit, all of them ours and in no document: one for a cause.

`stopping` has those of causes that KIP-950 has as well, under the same names.
"""

from tierproof.model.designs.kip405.repairs.cleaning_up import SPARE_COPIES
from tierproof.model.designs.kip405.repairs.counting import (
    COUNT_ABOVE,
    COUNT_SERVING,
    COUNT_UP_TO_HIGHEST,
)
from tierproof.model.designs.kip405.repairs.in_sync import IN_SYNC_FROM_THE_START
from tierproof.model.designs.kip405.repairs.offsets import (
    FORGET_TRUNCATED,
    WRITE_THROUGH,
)
from tierproof.model.designs.kip950.repairs.deleting import RETRY_REMOVAL
from tierproof.model.designs.kip950.repairs.fencing import FENCE_STORE
from tierproof.model.designs.kip950.repairs.log_starts import FINISH_LOCALLY
from tierproof.model.designs.kip950_early.repairs import deleting, fencing
from tierproof.model.designs.kip950_early.repairs.controllers import (
    BOUND_IN_KRAFT,
    BOUND_IN_ZOOKEEPER,
    COMPARE,
    FORGET_REMOVED,
)
from tierproof.model.designs.kip950_early.repairs.leading import (
    TAKE_OVER_IN_KRAFT,
    TAKE_OVER_IN_ZOOKEEPER,
    UNFINISHED,
)
from tierproof.model.designs.kip950_early.repairs.requests import (
    ACTIVE_CONTROLLER,
    ANSWERS,
    ONCE,
    SETTINGS_FIRST,
    TIERED_EPOCH,
)
from tierproof.model.designs.kip950_early.repairs.stopping import (
    AWAIT,
    DISABLE_TOGETHER,
    FETCH_ANEW_IN_KRAFT,
    FETCH_ANEW_IN_ZOOKEEPER,
    FORGET_DELETED,
    RAISE_EVERYWHERE_IN_ZOOKEEPER,
    RAISE_FIRST_IN_KRAFT,
    RAISE_FIRST_IN_ZOOKEEPER,
    READ_FIRST,
)
from tierproof.model.designs.kip950_early.repairs.text import CONTINUITY
from tierproof.model.language import Variant

INHERITED = (
    FENCE_STORE,
    UNFINISHED,
    SPARE_COPIES,
    FORGET_TRUNCATED,
    WRITE_THROUGH,
    IN_SYNC_FROM_THE_START,
    COUNT_ABOVE,
    COUNT_UP_TO_HIGHEST,
    COUNT_SERVING,
)
"""KIP-405's repairs, of causes that KIP-405 has already."""
OF_ALL = (
    TIERED_EPOCH,
    ONCE,
    SETTINGS_FIRST,
    ANSWERS,
    ACTIVE_CONTROLLER,
    FORGET_REMOVED,
    AWAIT,
    FORGET_DELETED,
    READ_FIRST,
    DISABLE_TOGETHER,
    RETRY_REMOVAL,
    FINISH_LOCALLY,
    CONTINUITY,
    *INHERITED,
)
OF_KRAFT = (
    *OF_ALL,
    deleting.IN_KRAFT,
    fencing.IN_KRAFT,
    TAKE_OVER_IN_KRAFT,
    FETCH_ANEW_IN_KRAFT,
    RAISE_FIRST_IN_KRAFT,
    BOUND_IN_KRAFT,
)
OF_ZOOKEEPER = (
    *OF_ALL,
    deleting.IN_ZOOKEEPER,
    fencing.IN_ZOOKEEPER,
    TAKE_OVER_IN_ZOOKEEPER,
    FETCH_ANEW_IN_ZOOKEEPER,
    RAISE_FIRST_IN_ZOOKEEPER,
    BOUND_IN_ZOOKEEPER,
    COMPARE,
)
OF_APPENDIX = (*OF_ZOOKEEPER, deleting.ASK_BEFORE_DISABLING, RAISE_EVERYWHERE_IN_ZOOKEEPER)


def together(*parts: Variant) -> Variant:
    """All repairs at once, under one name."""
    because = "Each repair leaves the causes of the others in place."
    return Variant(name="repair_all", because=because, parts=parts)


IN_KRAFT = (*OF_KRAFT, together(*OF_KRAFT))
IN_ZOOKEEPER = (*OF_ZOOKEEPER, together(*OF_ZOOKEEPER))
IN_APPENDIX = (*OF_APPENDIX, together(*OF_APPENDIX))

__all__ = ["IN_APPENDIX", "IN_KRAFT", "IN_ZOOKEEPER"]
