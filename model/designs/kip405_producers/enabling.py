"""A topic that becomes tiered: the user sets remote.storage.enable, brokers learn of it later."""

from tierproof.model.designs.kip405.actors import BROKER, USER
from tierproof.model.designs.kip405.local import has_replica
from tierproof.model.designs.kip405.state import Broker
from tierproof.model.designs.kip405.tasks import follow_remote_log, schedule_tasks
from tierproof.model.designs.kip405_producers.state import ProducedTopic
from tierproof.model.kafka.replica import presumes_to_lead
from tierproof.model.language import guard


@guard
def is_not_tiered(state: ProducedTopic) -> bool:
    """The topic is not tiered."""
    return not state.is_tiered


@USER.action(guards=[is_not_tiered], to="controller")
def user_enables_remote_storage(state: ProducedTopic) -> None:
    """Set remote.storage.enable of the topic.

    Kafka: IncrementalAlterConfigs.
    """
    state.is_tiered = True


@guard
def has_tiering_to_learn(state: ProducedTopic, broker: Broker) -> bool:
    """The broker has a replica that it does not take for tiered, though the topic is."""
    is_enabled = state.broker[broker].settings.remote_storage_enable
    return has_replica(state, broker) and state.is_tiered and not is_enabled


@BROKER.action(guards=[has_tiering_to_learn], to="controller")
def broker_learns_tiering(state: ProducedTopic, broker: Broker) -> None:
    """Apply remote.storage.enable, and start the tasks of the remote log.

    Kafka: TopicConfigHandler#maybeUpdateRemoteLogComponents.
    """
    state.broker[broker].settings.remote_storage_enable = True
    if presumes_to_lead(state, broker):
        schedule_tasks(state, broker)
    else:
        follow_remote_log(state, broker)
