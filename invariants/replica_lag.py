"""A replica that lags is not in sync, and does not get in sync again before it has caught up."""

from __future__ import annotations

from tierproof.invariants.fields import Partition
from tierproof.invariants.vocabulary import current_leader, is_in_sync
from tierproof.model.language import NONE, liveness


@liveness(source="replica.lag.time.max.ms", weak=("leader_drops_slow_follower",), stays=True)
def in_sync_replicas_keep_up(state: Partition) -> bool:
    """In the end, every replica in sync has all records of the leader, and keeps up with it.

    Only the leader's look for slow followers is fair: a follower may be slow for ever. Whether it
    is taken out of sync again and again is what `followers_get_in_sync` does not ask. Kafka
    believes it because a follower that gets in sync has reached the high watermark, which the
    leader raises as soon as the follower is out. Not checked: producers that write for ever.
    """
    leader = current_leader(state)
    if leader == NONE:
        return True
    end = state.broker[leader].log_end_offset
    return all(
        not is_in_sync(state, b) or state.broker[b].log_end_offset >= end
        for b in range(len(state.broker))
    )
