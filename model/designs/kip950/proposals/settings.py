"""Proposals of what the controller accepts."""

from tierproof.model.designs.kip405.state import Settings
from tierproof.model.designs.kip950.controller import controller_alters_config
from tierproof.model.designs.kip950.state import Topic
from tierproof.model.kafka.local_retention import UNSET
from tierproof.model.language import Variant, guard

# -- no reset of delete-on-disable


@guard
def keeps_delete_on_disable(state: Topic, enable: bool, delete_on_disable: bool) -> bool:
    """Where remote storage is off and stays off, remote.log.delete.on.disable is not reset."""
    settings = state.settings
    stays_off = not settings.remote_storage_enable and not enable
    return delete_on_disable or not (stays_off and settings.remote_log_delete_on_disable)


KEEP_DELETE_ON_DISABLE = Variant(
    name="proposal_keep_delete_on_disable",
    because="a broker refuses a disable together with the reset of delete-on-disable",
    fence={controller_alters_config: keeps_delete_on_disable},
)


# -- a disable in two requests


def keeps_all_locally(settings: Settings) -> bool:
    """Local retention is retention, or unset: nothing is deleted locally that does not expire."""
    return settings.local_retention_bytes in (UNSET, settings.retention_bytes) and (
        settings.local_retention_ms in (UNSET, settings.retention_ms)
    )


@guard
def has_kept_all_locally(state: Topic, enable: bool) -> bool:
    """A disable comes after local retention was set to retention, or unset."""
    is_disable = state.settings.remote_storage_enable and not enable
    return not is_disable or keeps_all_locally(state.settings)


KEEP_LOCALLY_FIRST = Variant(
    name="proposal_keep_locally_before_a_disable",
    because="a follower that has not applied a disable deletes what the disable is to keep",
    fence={controller_alters_config: has_kept_all_locally},
)
"""Not enough: a follower that has applied neither change deletes as before (`elections` with two
changes of the settings)."""


@guard
def every_broker_keeps_all_locally(state: Topic, enable: bool) -> bool:
    """A disable comes once every broker has applied settings by which it keeps all locally.

    BrokerHeartbeat's CurrentMetadataOffset is not enough for it: it also advances where a broker
    refuses a change, so brokers have to report what they have applied.
    """
    is_disable = state.settings.remote_storage_enable and not enable
    return not is_disable or (
        keeps_all_locally(state.settings)
        and all(
            replica.batch == 0 and replica.position >= state.cluster_end for replica in state.broker
        )
    )


KEEP_LOCALLY_EVERYWHERE = Variant(
    name="proposal_keep_locally_everywhere_before_a_disable",
    because="a follower that lags by two changes still deletes what the disable is to keep",
    fence={controller_alters_config: every_broker_keeps_all_locally},
)
"""Not enough, in the same scope: a follower that has deleted a segment before can be elected before
it applies the disable."""
