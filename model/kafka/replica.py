"""What replicas agree on: who leads without being a zombie, and what is committed.

`state` is duck-typed: `broker[b]` has `presumed_leader`, `leader_epoch` and
`log_end_offset`; `elected_leader` and `leader_epoch` are the controller's record.
"""

from __future__ import annotations

from typing import Any


def presumes_to_lead(state: Any, broker: int) -> bool:
    """The broker believes to be the leader; it may be a zombie."""
    return bool(state.broker[broker].presumed_leader == broker)


def is_leading(state: Any, broker: int) -> bool:
    """The controller elected the broker, and the broker knows it in the current epoch."""
    return bool(
        state.elected_leader == broker
        and presumes_to_lead(state, broker)
        and state.broker[broker].leader_epoch == state.leader_epoch
    )


def high_watermark(state: Any) -> int:
    """What every replica has. Left out: that brokers learn of it late, and a smaller ISR."""
    least = state.broker[0].log_end_offset
    for b in range(len(state.broker)):
        least = min(least, state.broker[b].log_end_offset)
    return int(least)


def is_copy_enabled(replica: Any) -> bool:
    """LogConfig.remoteLogEnabledAndRemoteCopyEnabled, in the settings of one replica."""
    return bool(
        replica.settings.remote_storage_enable and not replica.settings.remote_log_copy_disable
    )
