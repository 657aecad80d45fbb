"""Repairs of what KIP-950 permits, all of them ours and in no document: one for each cause.

`INHERITED` are KIP-405's, of causes that KIP-405 has already.
"""

from tierproof.model.designs.kip405.repairs.cleaning_up import SPARE_COPIES
from tierproof.model.designs.kip405.repairs.counting import (
    COUNT_ABOVE,
    COUNT_SERVING,
    COUNT_UP_TO_HIGHEST,
)
from tierproof.model.designs.kip405.repairs.in_sync import IN_SYNC_FROM_THE_START
from tierproof.model.designs.kip405.repairs.offsets import (
    DELETE_EVERYWHERE,
    WRITE_THROUGH,
)
from tierproof.model.designs.kip950.repairs.awaiting import (
    AWAIT_CANCELLED_THREADS,
    CANCELLED_COPIES_TURN_BACK,
    has_no_task_or_thread,
    has_task_to_cancel,
)
from tierproof.model.designs.kip950.repairs.deleting import (
    DELETE_UNTIL_NOTHING_IS_LEFT,
    DISABLE_TOGETHER,
    ONE_CHANGE_AT_A_TIME,
    RETRY_REMOVAL,
    ZOMBIES_DISABLE_AS_FOLLOWERS,
)
from tierproof.model.designs.kip950.repairs.fencing import FENCE, FENCE_STORE
from tierproof.model.designs.kip950.repairs.forgetting import FORGET_DELETED_OFFSETS
from tierproof.model.designs.kip950.repairs.log_starts import (
    DELETE_BY_ONE_READING,
    FINISH_LOCALLY,
    FOLLOWERS_FETCH_ANEW,
    RAISE_EVERYWHERE,
    RAISE_LOG_START_FIRST,
)
from tierproof.model.designs.kip950.repairs.retaining import EXPIRE_REMOTE_FIRST
from tierproof.model.designs.kip950.repairs.settings import REJECT_READ_ONLY
from tierproof.model.designs.kip950.repairs.taking_over import DELETE_UNFINISHED, TAKE_OVER
from tierproof.model.designs.kip950.repairs.versions import REFUSE_WHILE_BROKERS_ARE_OLDER
from tierproof.model.language import Variant

INHERITED = (
    FENCE,
    FENCE_STORE,
    DELETE_UNFINISHED,
    SPARE_COPIES,
    COUNT_ABOVE,
    COUNT_UP_TO_HIGHEST,
    COUNT_SERVING,
    TAKE_OVER,
    WRITE_THROUGH,
    DELETE_EVERYWHERE,
    IN_SYNC_FROM_THE_START,
)
SINGLE_REPAIRS = (
    FORGET_DELETED_OFFSETS,
    AWAIT_CANCELLED_THREADS,
    RETRY_REMOVAL,
    DELETE_UNTIL_NOTHING_IS_LEFT,
    DISABLE_TOGETHER,
    ZOMBIES_DISABLE_AS_FOLLOWERS,
    RAISE_LOG_START_FIRST,
    RAISE_EVERYWHERE,
    DELETE_BY_ONE_READING,
    ONE_CHANGE_AT_A_TIME,
    REJECT_READ_ONLY,
    FOLLOWERS_FETCH_ANEW,
    FINISH_LOCALLY,
    REFUSE_WHILE_BROKERS_ARE_OLDER,
    EXPIRE_REMOTE_FIRST,
    *INHERITED,
)
REPAIRS = (
    *SINGLE_REPAIRS,
    Variant(
        name="repair_all",
        because="What still fails with every repair needs another one.",
        parts=SINGLE_REPAIRS,
    ),
)

__all__ = [
    "AWAIT_CANCELLED_THREADS",
    "CANCELLED_COPIES_TURN_BACK",
    "INHERITED",
    "REPAIRS",
    "SINGLE_REPAIRS",
    "has_no_task_or_thread",
    "has_task_to_cancel",
]
