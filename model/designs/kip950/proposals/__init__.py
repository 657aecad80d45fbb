"""What the mails propose where that is not our repair: other changes against the same causes."""

from tierproof.model.designs.kip950.proposals.deleting import (
    CANCELLED_COPIES_CLEAN_UP,
    CANCELLED_COPIES_DELETE,
    EVERY_LEADER_DELETES,
)
from tierproof.model.designs.kip950.proposals.followers import (
    LEAVE_AFTER_DISABLE,
    LEAVE_BEFORE_DISABLE,
)
from tierproof.model.designs.kip950.proposals.log_starts import (
    COUNT_FROM_THE_FIRST_LOCAL_OFFSET,
    EXPIRE_THE_REMOTE_LOG_FIRST,
    LEADERS_START_LOCALLY,
    REPLICAS_START_LOCALLY,
)
from tierproof.model.designs.kip950.proposals.settings import (
    KEEP_DELETE_ON_DISABLE,
    KEEP_LOCALLY_EVERYWHERE,
    KEEP_LOCALLY_FIRST,
)

PROPOSALS = (
    LEAVE_AFTER_DISABLE,
    LEAVE_BEFORE_DISABLE,
    KEEP_DELETE_ON_DISABLE,
    KEEP_LOCALLY_FIRST,
    KEEP_LOCALLY_EVERYWHERE,
    EVERY_LEADER_DELETES,
    CANCELLED_COPIES_DELETE,
    CANCELLED_COPIES_CLEAN_UP,
    COUNT_FROM_THE_FIRST_LOCAL_OFFSET,
    EXPIRE_THE_REMOTE_LOG_FIRST,
    REPLICAS_START_LOCALLY,
    LEADERS_START_LOCALLY,
)
