"""The topic's settings in the cluster: what is written, and how brokers come to know it.

With KRaft each change is a record of a log, which brokers apply in order, one or several at a
time. With ZooKeeper a watch tells brokers that there is news, and they read what is newest.
"""

from tierproof.model.designs.kip405.state import Broker, Settings
from tierproof.model.designs.kip950_early.state import EarlyTopic, Image, Topic
from tierproof.model.kafka.local_retention import UNSET
from tierproof.model.kafka.tiered_state import (
    HANDLER,
    WATCH,
    DisableStep,
    Policy,
    TieredState,
    Tiering,
    tiering,
)
from tierproof.model.language import NONE, guard, limit

# -- settings


def set_settings(settings: Settings, value: Tiering, scope: EarlyTopic) -> None:
    """Assign the settings that the text's correspond to in Kafka: retain is read-only.

    Local retention counts only while tiering is enabled; then it keeps as little as a record.
    """
    settings.remote_storage_enable = value != Tiering.DELETED
    settings.remote_log_copy_disable = value == Tiering.RETAINED
    settings.remote_log_delete_on_disable = value == Tiering.DELETED
    is_enabled = value == Tiering.ENABLED
    settings.local_retention_bytes = min(1, scope.retention_bytes) if is_enabled else UNSET
    settings.local_retention_ms = UNSET


def write_config(state: Topic, is_enabled: bool, policy: Policy, scope: EarlyTopic) -> None:
    """The config ZNode, or a ConfigRecord."""
    state.policy = policy
    state.tiering = tiering(is_enabled, policy)
    set_settings(state.settings, state.tiering, scope)


def write_tiered_state(state: Topic) -> None:
    """The topics ZNode, or a TopicRecord: ENABLED or DISABLING, as the settings are."""
    if state.tiering == Tiering.ENABLED:
        state.tiered_state = TieredState.ENABLED
        return
    state.tiered_epoch += 1
    state.tiered_state = TieredState.DISABLING


# -- news


def log_image(state: Topic) -> None:
    """KRaft: append what is true now to the metadata log."""
    image = state.cluster_log[state.cluster_end]
    image.tiering = state.tiering
    image.policy = state.policy
    image.tiered_epoch = state.tiered_epoch
    image.leader = state.elected_leader
    image.leader_epoch = state.leader_epoch
    state.cluster_end += 1


def tell_watches(state: Topic) -> None:
    """ZooKeeper: every broker has news to read; one that applies older news reads again."""
    state.cluster_end = 1
    for b in range(len(state.broker)):
        state.broker[b].position = 0


def fold_cluster_log(state: Topic) -> None:
    """Drop what every broker has applied; brokers that were removed do not count."""
    least = state.cluster_end
    for b in range(len(state.broker)):
        if not state.broker[b].is_removed:
            least = min(least, state.broker[b].position - state.broker[b].batch)
    if least <= 0:
        return
    for b in range(len(state.broker)):
        state.broker[b].position = max(0, state.broker[b].position - least)
    for i in range(state.cluster_end):
        if i + least < state.cluster_end:
            state.cluster_log[i] = state.cluster_log[i + least]
        else:
            clear_image(state.cluster_log[i])
    state.cluster_end -= least


def clear_image(image: Image) -> None:
    """A slot of the log that is not used."""
    image.tiering = Tiering.ENABLED
    image.policy = Policy.RETAIN
    image.tiered_epoch = 0
    image.leader = 0
    image.leader_epoch = 0


def finish_batch(state: Topic, broker: int) -> None:
    """The broker has applied what it learned."""
    state.broker[broker].batch = 0
    fold_cluster_log(state)


def take_newest(state: Topic, broker: Broker, scope: EarlyTopic) -> None:
    """Begin a process with the newest image, or with the ZNodes as they are."""
    starting = state.broker[broker]
    starting.thread[WATCH].step = DisableStep.IDLE
    starting.thread[HANDLER].step = DisableStep.IDLE
    starting.handled_for = NONE
    starting.handled_epoch = NONE
    starting.stopped_for = NONE
    starting.tiering = state.tiering
    starting.policy = state.policy
    starting.tiered_epoch = state.tiered_epoch
    set_settings(starting.settings, state.tiering, scope)
    starting.position = state.cluster_end
    finish_batch(state, broker)


@limit
def has_room_in_cluster_log(state: Topic) -> bool:
    """Some broker lags by fewer records than the scope holds."""
    return state.cluster_end < len(state.cluster_log)


@guard
def is_in_cluster(state: Topic, broker: Broker) -> bool:
    """The broker was not removed."""
    return not state.broker[broker].is_removed
