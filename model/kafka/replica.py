"""Who leads: by its own belief, or without being a zombie; and who copies."""

from __future__ import annotations

from tierproof.model.kafka.fields import Configured, Leadership


def presumes_to_lead(state: Leadership, broker: int) -> bool:
    """The broker believes that it leads; it may be a zombie."""
    return state.broker[broker].presumed_leader == broker


def is_leading(state: Leadership, broker: int) -> bool:
    """The controller elected the broker, and the broker knows it in the current epoch."""
    return (
        state.elected_leader == broker
        and presumes_to_lead(state, broker)
        and state.broker[broker].leader_epoch == state.leader_epoch
    )


def is_copy_enabled(replica: Configured) -> bool:
    """LogConfig.remoteLogEnabledAndRemoteCopyEnabled, in the settings of one replica."""
    return replica.settings.remote_storage_enable and not replica.settings.remote_log_copy_disable
