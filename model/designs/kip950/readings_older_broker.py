"""A rolling upgrade: one broker is of Kafka 3.6 to 3.8, the controller of 3.9.

The older broker has tiered storage and none of KIP-950. Nothing keeps an operator from the new
settings: the controller asks for no metadata.version, and no feature, before it accepts them
(3.9: ControllerConfigurationValidator#validate, LogConfig#validate and
ConfigurationControlManager#validateAlterConfig test names and values alone).
"""

from tierproof.model.designs.kip405.restarting import broker_restarts
from tierproof.model.designs.kip405.state import Broker
from tierproof.model.designs.kip950.publisher import (
    PUBLISHER,
    broker_refuses_settings,
    broker_updates_log_config,
    newest_settings,
    update_log_config,
)
from tierproof.model.designs.kip950.state import PublisherStep, Topic
from tierproof.model.kafka.topic_config import tiering_state
from tierproof.model.language import Variant, guard

OLDER = 0
"""The broker that is upgraded last: it leads at the beginning."""


def is_older(state: Topic, broker: int) -> bool:
    """Whether the broker's version is one without KIP-950: none is, unless a reading says so."""
    return False


def is_older_until_it_restarts(state: Topic, broker: int) -> bool:
    """One broker is older as long as the restart that upgrades it is left.

    Without a restart in the scope no broker is older.
    """
    return broker == OLDER and state.restarts > 0


@guard
def is_of_an_older_version(state: Topic, broker: Broker) -> bool:
    """The broker's version is one without KIP-950."""
    return is_older(state, broker)


@guard
def has_this_version(state: Topic, broker: Broker) -> bool:
    """The broker's version has KIP-950."""
    return not is_older(state, broker)


@PUBLISHER.action(
    PublisherStep.LEADERSHIP_APPLIED,
    (PublisherStep.IDLE, PublisherStep.STARTING_TASKS),
    guards=[is_of_an_older_version],
)
def older_broker_updates_log_config(state: Topic, broker: Broker) -> None:
    """Give the log the settings that the older version knows; only switching on has effects.

    remote.log.copy.disable and remote.log.delete.on.disable are unknown to it and ignored.
    Where remote storage is switched off it logs "not supported" as a warning: the tasks
    continue, the log start stays, and nothing is deleted.
    Kafka: 3.8: LogManager#updateTopicConfig with LogConfig#fromProps, which passes over unknown
    names; TopicConfigHandler#maybeBootstrapRemoteLogComponents.
    Left out: what else differs between the versions; one task that copies and expires.
    """
    replica = state.broker[broker]
    was_enable = replica.settings.remote_storage_enable
    enable = newest_settings(state, broker).remote_storage_enable
    starts = enable and not was_enable
    update_log_config(state, broker, PublisherStep.STARTING_TASKS if starts else PublisherStep.IDLE)
    replica.settings.remote_log_copy_disable = False
    replica.settings.remote_log_delete_on_disable = False
    replica.tiering = tiering_state(enable, False)


OLDER_BROKER = Variant(
    name="kafka_3_8_broker",
    because="KIP-950 is said to be compatible with all versions that support tiered storage.",
    define={is_older: is_older_until_it_restarts},
    fence={
        broker_updates_log_config: has_this_version,
        broker_refuses_settings: has_this_version,
        # The restart is the upgrade.
        broker_restarts: is_of_an_older_version,
    },
    add_system=(older_broker_updates_log_config,),
)
