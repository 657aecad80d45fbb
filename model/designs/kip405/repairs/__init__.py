"""Repairs of ours, one for each cause, and all of them together: `repair_all`."""

from tierproof.model.designs.kip405.repairs.cleaning_up import (
    DELETE_UNFINISHED,
    FENCE_STORE,
    PLAN_ONCE,
    SPARE_COPIES,
)
from tierproof.model.designs.kip405.repairs.counting import (
    COUNT_ABOVE,
    COUNT_FROM_LOG_START,
    COUNT_SERVING,
    COUNT_UP_TO_HIGHEST,
    EXPIRE_OLDEST_FIRST,
)
from tierproof.model.designs.kip405.repairs.fencing import FENCE, FENCE_EPOCHS
from tierproof.model.designs.kip405.repairs.forgetting import FORGET
from tierproof.model.designs.kip405.repairs.in_sync import IN_SYNC_FROM_THE_START
from tierproof.model.designs.kip405.repairs.listing import LIST_REPLACED
from tierproof.model.designs.kip405.repairs.offsets import (
    DELETE_EVERYWHERE,
    FORGET_TRUNCATED,
    WRITE_THROUGH,
)
from tierproof.model.designs.kip405.repairs.taking_over import ASK_ANEW, LEAD_ANEW, TAKE_OVER
from tierproof.model.designs.kip405.repairs.topic_deletion import DELETE_TO_THE_END
from tierproof.model.language import Variant

REPAIR_ALL = Variant(
    name="repair_all",
    because="every repair of KIP-405 together",
    parts=(
        FENCE_EPOCHS,
        FENCE_STORE,
        DELETE_UNFINISHED,
        SPARE_COPIES,
        PLAN_ONCE,
        FORGET,
        FORGET_TRUNCATED,
        TAKE_OVER,
        WRITE_THROUGH,
        DELETE_EVERYWHERE,
        IN_SYNC_FROM_THE_START,
        COUNT_ABOVE,
        COUNT_UP_TO_HIGHEST,
        COUNT_SERVING,
        COUNT_FROM_LOG_START,
        EXPIRE_OLDEST_FIRST,
        DELETE_TO_THE_END,
        LIST_REPLACED,
    ),
)
REPAIRS = (*REPAIR_ALL.parts, REPAIR_ALL)

__all__ = [
    "ASK_ANEW",
    "FENCE",
    "FENCE_STORE",
    "FORGET",
    "FORGET_TRUNCATED",
    "LEAD_ANEW",
    "REPAIRS",
    "REPAIR_ALL",
    "TAKE_OVER",
    "WRITE_THROUGH",
]
