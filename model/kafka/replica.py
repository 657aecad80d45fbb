"""Who leads: by its own belief, or without being a zombie; and who copies.

`state` is duck-typed: `broker[b]` has `presumed_leader` and `leader_epoch`;
`elected_leader` and `leader_epoch` are the controller's record.
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


def is_copy_enabled(replica: Any) -> bool:
    """LogConfig.remoteLogEnabledAndRemoteCopyEnabled, in the settings of one replica."""
    return bool(
        replica.settings.remote_storage_enable and not replica.settings.remote_log_copy_disable
    )
