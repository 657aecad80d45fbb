"""Ghost: below `legal_end` records may be gone, as remote storage was disabled with delete.

A disable with delete permits to lose what the elected leader no longer holds locally: at the
moment when the controller accepts it, and at each later moment until the leader has applied
it, or refused it. A restart of a broker into a disabled topic applies it, too. A leader that has
refused the settings keeps the topic tiered: nothing permits to lose what it removes locally then.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from tierproof.model.kafka.cluster_log import ClusterRecordKind, Reader, last_in_batch
from tierproof.model.kafka.topic_config import RemoteData, remote_data
from tierproof.model.language import NONE, History


class TieringSettings(Protocol):
    """The settings of a topic that decide on its remote data."""

    remote_storage_enable: bool
    remote_log_copy_disable: bool
    remote_log_delete_on_disable: bool


class Replica(Protocol):
    """A replica's log, and the settings that it has applied."""

    log_start_offset: int
    local_log_start_offset: int
    log_end_offset: int

    @property
    def settings(self) -> TieringSettings:
        """Those that the broker has applied."""


class ReadingReplica(Replica, Reader, Protocol):
    """A replica whose broker reads the cluster log."""


class ClusterRecord(Protocol):
    """A record of the cluster log."""

    kind: ClusterRecordKind

    @property
    def settings(self) -> TieringSettings:
        """Those of a CONFIG record."""


class LocalLog(Protocol):
    """Where the local part of a log begins, and where it ends."""

    local_log_start_offset: int
    log_end_offset: int


class Removable(Protocol):
    """A partition of which a part may be gone."""

    legal_end: int

    @property
    def broker(self) -> Sequence[LocalLog]:
        """All brokers."""


class Elected(Protocol):
    """A partition with an elected leader."""

    elected_leader: int
    legal_end: int

    @property
    def broker(self) -> Sequence[Replica]:
        """All brokers."""


class TieredTopic(Protocol):
    """A topic whose settings are changed through the cluster log."""

    elected_leader: int
    legal_end: int
    cluster_end: int

    @property
    def settings(self) -> TieringSettings:
        """Those at the controller."""

    @property
    def broker(self) -> Sequence[ReadingReplica]:
        """All brokers."""

    @property
    def cluster_log(self) -> Sequence[ClusterRecord]:
        """What some broker has not applied."""


def note_legal_removal(state: Removable, leader: int) -> None:
    """Ghost: what this leader does not hold locally may be gone."""
    replica = state.broker[leader]
    end = min(replica.local_log_start_offset, replica.log_end_offset)
    state.legal_end = max(state.legal_end, end)


def note_accepted_disable(state: TieredTopic) -> None:
    """Ghost: where the accepted settings delete remote data, what is only remote may be gone."""
    new = state.settings
    data = remote_data(
        new.remote_storage_enable, new.remote_log_copy_disable, new.remote_log_delete_on_disable
    )
    if data == RemoteData.DELETED:
        note_legal_removal(state, state.elected_leader)


def has_refused_to_disable(state: TieredTopic, leader: int) -> bool:
    """The topic is not tiered, its leader's log is, and no settings are left to apply."""
    replica = state.broker[leader]
    if state.settings.remote_storage_enable or not replica.settings.remote_storage_enable:
        return False
    return all(
        state.cluster_log[place].kind != ClusterRecordKind.CONFIG
        for place in range(replica.position, state.cluster_end)
    )


def note_disabled_topic(state: TieredTopic) -> None:
    """Ghost: where the topic is not tiered, what the elected leader lacks locally may be gone."""
    leader = state.elected_leader
    if not state.settings.remote_storage_enable and not has_refused_to_disable(state, leader):
        note_legal_removal(state, leader)


def note_applied_disable(state: TieredTopic, broker: int) -> None:
    """Ghost: where the elected leader's batch disables tiering, what is only remote may be gone.

    Also where the leader refuses the batch: up to then nobody could know.
    """
    replica = state.broker[broker]
    place = last_in_batch(state.cluster_log, replica, ClusterRecordKind.CONFIG)
    if broker == state.elected_leader and place != NONE:
        disables = not state.cluster_log[place].settings.remote_storage_enable
        if replica.settings.remote_storage_enable and disables:
            note_legal_removal(state, broker)


def note_raised_log_start(state: Elected, broker: int) -> None:
    """Ghost: below the local log start of the elected leader records may be gone."""
    if broker == state.elected_leader:
        note_legal_removal(state, broker)


def note_local_deletion(state: TieredTopic, broker: int) -> None:
    """Ghost: what the elected leader of a topic that is not tiered deletes locally may be gone."""
    if broker == state.elected_leader:
        note_disabled_topic(state)


def note_racing_deletion(state: Elected, broker: int) -> None:
    """Ghost: below the log start of an elected leader that is not tiered records may be gone."""
    replica = state.broker[broker]
    if broker == state.elected_leader and not replica.settings.remote_storage_enable:
        state.legal_end = max(state.legal_end, replica.log_start_offset)


DISABLED_WITH_DELETE = History(
    first={
        "broker_restarts": note_disabled_topic,
        "lone_leader_restarts": note_disabled_topic,
        "broker_loses_disk": note_disabled_topic,
        "broker_updates_log_config": note_applied_disable,
        "broker_refuses_settings": note_applied_disable,
        "broker_updates_log_config_amid_deletion": note_applied_disable,
        "broker_raises_log_start": note_raised_log_start,
    },
    also={
        "controller_alters_config": note_accepted_disable,
        "broker_raises_start_to_delete": note_local_deletion,
        "broker_updates_log_config_amid_deletion": note_racing_deletion,
    },
)
"""What may be gone in a topic whose settings change through the cluster log."""
