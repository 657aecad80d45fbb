"""The topic's settings in the cluster: what is written, and how brokers come to know it.

With KRaft each change is a record of a log, which brokers apply in order, one or several at a
time. With ZooKeeper a watch tells them that there is news, and they read what is newest.
"""

from typing import Any

from tierproof.model.designs.kip405.state import Broker
from tierproof.model.designs.kip950.controller import note_legal_removal, set_tiering
from tierproof.model.designs.kip950_early.state import HANDLER, WATCH, DisableStep, Topic
from tierproof.model.designs.kip950_early.tiered_state import TieredState, Tiering, tiering
from tierproof.model.kafka.local_retention import UNSET
from tierproof.model.language import NONE, guard, limit

# -- settings


def set_settings(settings: Any, value: int, scope: Any) -> None:
    """What the text's settings come to in Kafka: disabled with retain is read-only.

    Local retention counts only while tiering is enabled; then it keeps as little as a record.
    """
    local = min(1, scope.retention_bytes) if value == Tiering.ENABLED else UNSET
    set_tiering(
        settings,
        value != Tiering.DELETED,
        value == Tiering.RETAINED,
        value == Tiering.DELETED,
        local,
    )


def write_config(state: Any, is_enabled: bool, policy: int, scope: Any) -> None:
    """The config ZNode, or a ConfigRecord."""
    state.policy = policy
    state.tiering = tiering(is_enabled, policy)
    set_settings(state.settings, state.tiering, scope)
    if state.tiering == Tiering.DELETED:
        note_legal_removal(state, state.elected_leader)


def write_tiered_state(state: Any) -> None:
    """The topics ZNode, or a TopicRecord: as the settings are, tiering is on, or is to end."""
    if state.tiering == Tiering.ENABLED:
        state.tiered_state = TieredState.ENABLED
        return
    state.tiered_epoch += 1
    state.tiered_state = TieredState.DISABLING
    if state.tiering == Tiering.DELETED:
        state.deleted_below = state.tiered_epoch


# -- news


def log_image(state: Any) -> None:
    """KRaft: append what is true now to the metadata log."""
    at = state.cluster_log[state.cluster_end]
    at.tiering = state.tiering
    at.policy = state.policy
    at.tiered_epoch = state.tiered_epoch
    at.leader = state.elected_leader
    at.leader_epoch = state.leader_epoch
    state.cluster_end += 1


def tell_watches(state: Any) -> None:
    """ZooKeeper: every broker has news to read; who is at work on older news will read again."""
    state.cluster_end = 1
    for b in range(len(state.broker)):
        state.broker[b].position = 0


def fold_cluster_log(state: Any) -> None:
    """Drop what every broker has applied; brokers that were removed do not count."""
    least = int(state.cluster_end)
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


def clear_image(image: Any) -> None:
    """A place of the log that is not used."""
    image.tiering = Tiering.ENABLED
    image.policy = 0
    image.tiered_epoch = 0
    image.leader = 0
    image.leader_epoch = 0


def finish_batch(state: Any, broker: int) -> None:
    """The watch's thread is done with what it learned."""
    me = state.broker[broker]
    me.batch = 0
    me.thread[WATCH].step = DisableStep.IDLE
    fold_cluster_log(state)


def take_newest(state: Any, broker: int, scope: Any) -> None:
    """A broker that starts begins with the newest image, or reads the ZNodes."""
    me = state.broker[broker]
    me.thread[HANDLER].step = DisableStep.IDLE
    me.handled_for = NONE
    me.handled_epoch = NONE
    me.stopped_for = NONE
    me.stopped_in = NONE
    me.tiering = state.tiering
    me.policy = state.policy
    me.tiered_epoch = state.tiered_epoch
    set_settings(me.settings, state.tiering, scope)
    me.position = state.cluster_end
    finish_batch(state, broker)
    if state.tiering == Tiering.DELETED:
        note_legal_removal(state, state.elected_leader)


@limit
def has_room_in_cluster_log(state: Topic) -> bool:
    """Some broker lags by fewer records than the scope holds."""
    return state.cluster_end < len(state.cluster_log)


@guard
def is_in_cluster(state: Topic, broker: Broker) -> bool:
    """The broker was not removed."""
    return not state.broker[broker].is_removed
