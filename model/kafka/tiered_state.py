"""The tiering of a topic that is disabled in stages (KIP-950 as first proposed).

The tiered state, the answers to alter-config calls, and how far a broker has come.
"""

from __future__ import annotations

from enum import IntEnum

from tierproof.model.kafka.topic_config import TieringState
from tierproof.model.language import Lifecycle


class TieredState(IntEnum):
    """`tiered_state` of a topic: in its ZNode, or in its TopicRecord."""

    ENABLED = 0
    DISABLING = 1
    DISABLED = 2


TIERED_STATE = Lifecycle(
    TieredState,
    [
        ("disable", TieredState.ENABLED, TieredState.DISABLING),
        ("complete", TieredState.DISABLING, TieredState.DISABLED),
        ("enable", TieredState.DISABLED, TieredState.ENABLED),
    ],
    source='KIP-950, State Transitions: "ENABLED → DISABLING → DISABLED → ENABLED"',
)


class Policy(IntEnum):
    """remote.log.disable.policy; retain where it is not given."""

    RETAIN = 0
    DELETE = 1


class Tiering(IntEnum):
    """What remote.storage.enable and the policy say together; numbered as TieringState."""

    ENABLED = TieringState.ENABLED
    RETAINED = TieringState.READ_ONLY
    """Disabled with retain: the remote log is read and expires, nothing is copied."""
    DELETED = TieringState.DISABLED
    """Disabled with delete: the remote log is deleted."""


class DisableStep(IntEnum):
    """How far a thread of a broker has come with a change of the topic's tiering.

    From CANCELLING_COPY to WAITING_FOR_REMOVAL it is in RemoteLogManager#stopPartitions.
    """

    IDLE = 0
    CONFIG_TO_APPLY = 1
    STARTING_TASKS = 2
    CANCELLING_COPY = 3
    RAISING_LOG_START = 4
    DRAINING_FETCHES = 5
    STOPPING_PARTITION = 6
    WAITING_FOR_REMOVAL = 7
    ANSWERING = 8


DISABLEMENT = Lifecycle(
    DisableStep,
    [
        ("broker crashes or is removed", list(DisableStep)[1:], DisableStep.IDLE),
        ("handler answers at once, in variants", DisableStep.IDLE, DisableStep.ANSWERING),
    ],
    source="KIP-950, Disablement: RemoteLogManager#stopPartitions; TopicConfigHandler",
)


WATCH = 0
"""The thread that learns of settings: the metadata publisher, or that of a ZooKeeper watch."""
HANDLER = 1
"""The thread that executes requests of controllers."""


class AlterConfigAnswer(IntEnum):
    """The answer to an alter-config call that is about tiering."""

    NONE = 0
    TIERED_STORAGE_DISABLEMENT_IN_PROGRESS = 1
    INVALID_REQUEST = 2
    """Code 42: an unsupported policy."""
    INVALID_CONFIG = 3
    """Tiered storage and compaction exclude each other."""


def tiering(is_enabled: bool, policy: Policy) -> Tiering:
    """What remote.storage.enable and the policy say together."""
    if is_enabled:
        return Tiering.ENABLED
    return Tiering.DELETED if policy == Policy.DELETE else Tiering.RETAINED


def answer(
    tiered_state: TieredState,
    was_enabled: bool,
    is_enabled: bool,
    is_policy_supported: bool,
    is_compacted: bool,
) -> AlterConfigAnswer:
    """Public Interfaces, Exceptions; Non-Goals, on compacted topics.

    Enabling while a disablement is in progress is refused as well: the text names new
    disablements only, but has the tiered epoch guarantee that all activities are completed
    "before permitting the re-enablement". Not refused: another policy alone.
    """
    if not is_policy_supported:
        return AlterConfigAnswer.INVALID_REQUEST
    if is_enabled and not was_enabled and is_compacted:
        return AlterConfigAnswer.INVALID_CONFIG
    if tiered_state == TieredState.DISABLING and (is_enabled or was_enabled):
        return AlterConfigAnswer.TIERED_STORAGE_DISABLEMENT_IN_PROGRESS
    return AlterConfigAnswer.NONE
