"""What the mails propose where that is not our repair: other changes against the same causes."""

from tierproof.invariants.disablement_ghosts import note_deleted_epochs
from tierproof.model.designs.kip405.metadata import assign_metadata
from tierproof.model.designs.kip405.state import Broker, RemovalStep
from tierproof.model.designs.kip405.stopping import end_removal, removal_ends, stop_partition
from tierproof.model.designs.kip405.tasks import cancel_tasks
from tierproof.model.designs.kip950.repairs.deleting import RETRY_REMOVAL
from tierproof.model.designs.kip950_early.actors import REQUEST_HANDLER
from tierproof.model.designs.kip950_early.cluster import tell_watches, write_config
from tierproof.model.designs.kip950_early.controller import is_active, write_state_and_enqueue
from tierproof.model.designs.kip950_early.learning import (
    broker_applies_leadership,
    broker_applies_settings,
)
from tierproof.model.designs.kip950_early.repairs.requests import ONCE
from tierproof.model.designs.kip950_early.requests import (
    broker_answers,
    broker_executes_request,
    clear_request,
    reaches,
)
from tierproof.model.designs.kip950_early.state import (
    Controller,
    EarlyTopic,
    RecordCount,
    RequestSlot,
    Thread,
    Topic,
)
from tierproof.model.designs.kip950_early.stopping import (
    disables_as_leader,
    finish,
    thread_stops_partition,
)
from tierproof.model.designs.kip950_early.zookeeper import (
    controller_writes_config,
    controller_writes_tiered_state,
)
from tierproof.model.kafka.replica import presumes_to_lead
from tierproof.model.kafka.tiered_state import HANDLER, WATCH, DisableStep, Policy, Tiering
from tierproof.model.language import NONE, Variant, guard

# -- one lock for settings and requests


def holds_lock(state: Topic, broker: int, thread: int) -> bool:
    """The thread applies settings, or runs stopPartitions: from its beginning to its end."""
    step = state.broker[broker].thread[thread].step
    return DisableStep.STARTING_TASKS <= step <= DisableStep.WAITING_FOR_REMOVAL


@guard
def executes_no_request(state: Topic, broker: Broker) -> bool:
    """The handler does not hold the lock of the partition."""
    return not holds_lock(state, broker, HANDLER)


@guard
def applies_no_settings(state: Topic, broker: Broker) -> bool:
    """The thread that learns of settings does not hold the lock of the partition."""
    return not holds_lock(state, broker, WATCH)


LOCK = Variant(
    name="proposal_one_lock_for_settings_and_requests",
    because="Settings are applied while a request is still executed.",
    fence={
        broker_applies_settings: executes_no_request,
        broker_executes_request: applies_no_settings,
    },
)
"""What two proposals begin with; alone it does not refuse a request that comes late."""

# -- a request of another disablement is refused


def disables_in_epoch_of_request(state: Topic, broker: int, slot: int) -> bool:
    """The settings that the broker has applied disable the topic in the request's tiered epoch."""
    asked = state.broker[broker]
    is_its_epoch = asked.tiered_epoch == state.request[slot].meant_for
    return asked.tiering != Tiering.ENABLED and is_its_epoch


@guard
def is_for_applied_disablement(state: Topic, broker: Broker, slot: RequestSlot) -> bool:
    """The settings that the broker has applied disable the topic in the request's tiered epoch."""
    return disables_in_epoch_of_request(state, broker, slot)


@guard
def is_not_for_applied_disablement(state: Topic, broker: Broker, slot: RequestSlot) -> bool:
    """The broker has applied no such settings yet, or others since."""
    return not disables_in_epoch_of_request(state, broker, slot)


@REQUEST_HANDLER.action(
    DisableStep.IDLE,
    guards=[reaches, is_not_for_applied_disablement, applies_no_settings],
)
def broker_refuses_other_epoch(state: Topic, broker: Broker, slot: RequestSlot) -> None:
    """Answer with an error: the controller asks again as long as it waits for the broker.

    Kafka: ours. Left out: the way of the answer.
    """
    clear_request(state.request[slot])


def forget_stop_as_follower(state: Topic, broker: Broker, records: RecordCount) -> None:
    """A broker that is about to lead forgets that it has stopped the partition.

    Kafka: ours: what it stopped as a follower deleted nothing.
    """
    learning = state.broker[broker]
    image = state.cluster_log[learning.position + records - 1]
    if image.leader_epoch != learning.leader_epoch and image.leader == broker:
        learning.stopped_for = NONE


EPOCH = Variant(
    name="proposal_requests_name_their_tiered_epoch",
    because="A late request disables what is enabled again: nothing says what it is for.",
    parts=(LOCK, ONCE),
    first={broker_applies_leadership: forget_stop_as_follower},
    fence={broker_executes_request: is_for_applied_disablement},
    add_system=(broker_refuses_other_epoch,),
)

# -- a request that comes after the enable is refused


@guard
def is_disabled(state: Topic, broker: Broker) -> bool:
    """The settings that the broker has applied disable the topic."""
    return state.broker[broker].tiering != Tiering.ENABLED


@guard
def is_tiered(state: Topic, broker: Broker) -> bool:
    """The settings that the broker has applied have the topic tiered: still, or again."""
    return state.broker[broker].tiering == Tiering.ENABLED


@REQUEST_HANDLER.action(DisableStep.IDLE, guards=[reaches, is_tiered, applies_no_settings])
def broker_refuses_while_tiered(state: Topic, broker: Broker, slot: RequestSlot) -> None:
    """Answer with an error: the controller asks again as long as it waits for the broker.

    Kafka: ours. Left out: the way of the answer.
    """
    clear_request(state.request[slot])


REFUSE_WHILE_TIERED = Variant(
    name="proposal_one_lock_and_no_request_while_tiered",
    because="A second execution of a request ends after the enable: nothing holds that back.",
    parts=(LOCK,),
    fence={broker_executes_request: is_disabled},
    add_system=(broker_refuses_while_tiered,),
)


# -- a deletion that fails is tried again when the controller asks again


def owes_deletion(state: Topic, broker: int) -> bool:
    """The broker leads a topic that is disabled with delete, and has its metadata still assigned.

    Kafka: ours: a partition whose deletion has not succeeded stays known.
    """
    leader = state.broker[broker]
    is_left = leader.is_metadata_assigned or leader.removal_step != RemovalStep.IDLE
    return presumes_to_lead(state, broker) and leader.tiering == Tiering.DELETED and is_left


def remember_deletion(state: Topic, broker: Broker) -> None:
    """The broker has deleted in the tiered epoch that it knows, and need not do so again."""
    if state.broker[broker].tiering == Tiering.DELETED:
        state.broker[broker].stopped_for = state.broker[broker].tiered_epoch


def stop_partition_and_keep_it(state: Topic, broker: Broker, thread: Thread) -> None:
    """As stopPartitions; a leader whose cache does not answer leaves the deletion to a retry.

    It reads the metadata for that, also of a partition that it does not know since a restart.

    Kafka: ours: RemoteLogManager#stopPartitions, which forgets the partition after an error.
    """
    stopping = state.broker[broker]
    leads = disables_as_leader(state, broker)
    has_deleted_before = stopping.stopped_for == stopping.tiered_epoch
    if leads and not stopping.cache.is_initialized and not has_deleted_before:
        cancel_tasks(state, broker)
        assign_metadata(state, broker)
        finish(state, broker, thread)
        stopping.stopped_for = NONE
        return
    stop_partition(state, broker, leads, True)
    if stopping.to_remove:
        stopping.thread[thread].step = DisableStep.WAITING_FOR_REMOVAL
        return
    if stopping.removal_step != RemovalStep.IDLE:
        end_removal(state, broker)
        stopping.removal_step = RemovalStep.IDLE
    finish(state, broker, thread)


@guard
def has_deleted(state: Topic, broker: Broker) -> bool:
    """No deletion of the broker is left to succeed."""
    return not owes_deletion(state, broker)


@guard
def has_deletion_left(state: Topic, broker: Broker) -> bool:
    """A deletion of the broker has not succeeded."""
    return owes_deletion(state, broker)


@REQUEST_HANDLER.action(
    DisableStep.ANSWERING, DisableStep.IDLE, guards=[has_deletion_left], to="network"
)
def broker_answers_with_error(state: Topic, broker: Broker) -> None:
    """Answer with an error: the controller asks again as long as it waits for the broker.

    Kafka: ours. Left out: the way of the answer.
    """
    state.broker[broker].handled_for = NONE
    state.broker[broker].handled_epoch = NONE


REPEAT_DELETION = Variant(
    name="proposal_retry_repeats_deletion",
    because="A leader that has just restarted cannot list what it has to delete.",
    parts=(RETRY_REMOVAL,),
    first={broker_applies_leadership: forget_stop_as_follower},
    effect={thread_stops_partition: stop_partition_and_keep_it},
    also={removal_ends: remember_deletion},
    fence={broker_answers: has_deleted},
    add_system=(broker_answers_with_error,),
)


# -- one transaction for settings and tiered state


def write_both_znodes(
    state: Topic, controller: Controller, is_enabled: bool, policy: Policy, scope: EarlyTopic
) -> None:
    """Write settings, tiered epoch and tiered state at once; a disablement is enqueued.

    Kafka: ours: one ZooKeeper transaction, as KafkaZkClient#setTopicPartitionStatesRaw sends.
    """
    write_config(state, is_enabled, policy, scope)
    write_state_and_enqueue(state, controller)
    tell_watches(state)


ONE_TRANSACTION = Variant(
    name="proposal_one_transaction_for_both_znodes",
    because="A controller that dies between two ZNodes leaves settings without a tiered state.",
    drop=(controller_writes_tiered_state,),
    effect={controller_writes_config: write_both_znodes},
    fence={controller_writes_config: is_active},
    also={controller_writes_config: note_deleted_epochs},
)

IN_KRAFT = (EPOCH, REFUSE_WHILE_TIERED, REPEAT_DELETION)
IN_ZOOKEEPER = (ONE_TRANSACTION,)
