"""KIP-950 before it was accepted: tiered epochs, DISABLING, and a request to every broker.

The early proposal, with ZooKeeper and with KRaft. Read in this order: `tiered_state`, `state`,
`cluster`, `controller`, `requests`, `learning`, `stopping`, `tiered_epoch`, `fetching`,
`environment`; then `kraft` and `zookeeper`, which say what differs, and `variants`.

Modelled: the two writes of a ZooKeeper controller, the tiered epoch and what it can fence, a
queue of disablements that dies with its controller, two controllers at once, requests that
are lost, doubled and late, watch and request as two triggers on two threads of a broker,
both policies, a policy that changes alone, remote fetches in flight, brokers that crash or
are removed; all that KIP-405 has.
Simplified: retain is what Kafka calls read-only today; one fetch at a time.
Not modelled: deletion of the topic; a ZooKeeper session that ends without a crash.
"""

from typing import Any

from tierproof.invariants.disablement import (
    disabled_state_copies_nothing_new,
    disabled_state_is_true_of_every_broker,
    disabled_state_leaves_no_objects,
    disabled_state_lets_every_replica_take_over,
    disabled_topic_finishes_no_older_copy,
    disabled_topic_serves_no_remote_read,
    disabling_ends,
    disabling_twice_is_disabling_once,
    local_log_expires_after_the_remote_log,
    offsets_are_in_order,
    older_tiered_epochs_are_invisible,
    policy_is_bound_to_the_tiered_epoch,
    remote_log_ends_one_past_the_local_start,
    request_acts_in_its_own_tiered_epoch,
    request_comes_from_the_active_controller,
    retained_segments_stay_visible,
    settings_and_tiered_state_agree,
    settled_topic_holds_finished_segments_only,
)
from tierproof.invariants.liveness import (
    disabled_topic_is_emptied,
    enabled_topic_is_copied,
    read_only_topic_is_emptied,
)
from tierproof.invariants.tiering import (
    cancelled_copy_never_finishes,
    read_only_topic_is_readable,
)
from tierproof.invariants.witnesses import (
    delete_dangles,
    disable_deletes_everything,
    topic_is_tiered_again,
)
from tierproof.model.designs import kip405
from tierproof.model.designs.kip405 import tiered_partition
from tierproof.model.designs.kip950 import NOT_FAIR, without
from tierproof.model.designs.kip950.environment import (
    copy_is_interrupted,
    expiration_is_interrupted,
)
from tierproof.model.designs.kip950_early import register, repairs, variants
from tierproof.model.designs.kip950_early.cluster import set_settings
from tierproof.model.designs.kip950_early.controller import (
    begin_controllers,
    cluster_elects_controller,
    controller_completes,
    controller_hears_answer,
    controller_resigns,
    controller_takes_over,
)
from tierproof.model.designs.kip950_early.environment import (
    broker_loses_disk,
    broker_raises_start_and_is_noted,
    broker_restarts,
    lone_leader_restarts,
    lone_leader_restarts_and_reads,
    operator_removes_broker,
)
from tierproof.model.designs.kip950_early.fetching import consumer_fetches, fetcher_reads_segment
from tierproof.model.designs.kip950_early.kraft import (
    controller_alters_config,
    controller_changes_policy,
    controller_elects_leader,
)
from tierproof.model.designs.kip950_early.learning import (
    broker_applies_leadership,
    broker_applies_settings,
    broker_reads_settings,
    broker_starts_tasks,
)
from tierproof.model.designs.kip950_early.requests import (
    broker_answers,
    broker_executes_request,
    controller_sends_request,
    network_doubles_request,
    network_loses_request,
)
from tierproof.model.designs.kip950_early.scopes import SCOPES
from tierproof.model.designs.kip950_early.state import Topic
from tierproof.model.designs.kip950_early.stopping import (
    thread_cancels_copy,
    thread_drains_fetches,
    thread_ends_removal,
    thread_raises_log_start,
    thread_stops_partition,
)
from tierproof.model.designs.kip950_early.tiered_epoch import (
    broker_reads_metadata_of_its_epoch,
    copy_task_chooses_and_stamps,
)
from tierproof.model.designs.kip950_early.tiered_state import Tiering
from tierproof.model.designs.kip950_early.zookeeper import (
    controller_writes_config,
    controller_writes_policy,
    controller_writes_tiered_state,
)
from tierproof.model.language import NONE, Design, initial

REPLACED = (
    "copy_task_chooses_segment",
    "broker_reads_metadata",
    "broker_raises_start_to_delete",
    "broker_learns_deletion",
)
DISABLES = (
    controller_sends_request,
    controller_hears_answer,
    controller_completes,
    controller_takes_over,
    controller_resigns,
    broker_executes_request,
    broker_answers,
    thread_cancels_copy,
    thread_raises_log_start,
    thread_drains_fetches,
    thread_stops_partition,
    thread_ends_removal,
    broker_starts_tasks,
    copy_task_chooses_and_stamps,
    broker_reads_metadata_of_its_epoch,
    broker_raises_start_and_is_noted,
    fetcher_reads_segment,
    copy_is_interrupted,
    expiration_is_interrupted,
)
"""What both clusters have in common."""

HAPPENS = (
    cluster_elects_controller,
    network_loses_request,
    network_doubles_request,
    consumer_fetches,
    broker_loses_disk,
    operator_removes_broker,
    *(entry for entry in kip405.SYSTEM if entry.name in NOT_FAIR),
)
OTHERS_HAPPEN = (
    "controller_elects_leader",
    "user_deletes_topic",
    "broker_restarts",
    "lone_leader_restarts",
    "broker_loses_disk",
)

KRAFT_SYSTEM = (
    broker_applies_leadership,
    broker_applies_settings,
    *DISABLES,
    *without(kip405.SYSTEM, *REPLACED, "broker_learns_leader", *NOT_FAIR),
)
KRAFT_ENVIRONMENT = (
    controller_alters_config,
    controller_changes_policy,
    controller_elects_leader,
    broker_restarts,
    lone_leader_restarts,
    *HAPPENS,
    *without(kip405.ENVIRONMENT, *OTHERS_HAPPEN),
)
ZOOKEEPER_SYSTEM = (
    controller_writes_tiered_state,
    broker_reads_settings,
    *DISABLES,
    *without(kip405.SYSTEM, *REPLACED, *NOT_FAIR),
)
ZOOKEEPER_ENVIRONMENT = (
    controller_writes_config,
    controller_writes_policy,
    broker_restarts,
    lone_leader_restarts_and_reads,
    *HAPPENS,
    *without(kip405.ENVIRONMENT, *(n for n in OTHERS_HAPPEN if n != "controller_elects_leader")),
)
PROPERTIES = (
    *without(kip405.PROPERTIES, "quiet_store_holds_finished_segments_only"),
    read_only_topic_is_readable,
    cancelled_copy_never_finishes,
    disabled_topic_is_emptied,
    read_only_topic_is_emptied,
    enabled_topic_is_copied,
    disabled_state_is_true_of_every_broker,
    disabled_state_copies_nothing_new,
    disabled_state_leaves_no_objects,
    settled_topic_holds_finished_segments_only,
    disabled_state_lets_every_replica_take_over,
    disabled_topic_finishes_no_older_copy,
    disabled_topic_serves_no_remote_read,
    policy_is_bound_to_the_tiered_epoch,
    older_tiered_epochs_are_invisible,
    retained_segments_stay_visible,
    request_acts_in_its_own_tiered_epoch,
    request_comes_from_the_active_controller,
    disabling_twice_is_disabling_once,
    local_log_expires_after_the_remote_log,
    offsets_are_in_order,
    remote_log_ends_one_past_the_local_start,
    disabling_ends,
    settings_and_tiered_state_agree,
)
WITNESSES = (
    *kip405.WITNESSES,
    topic_is_tiered_again,
    delete_dangles,
    disable_deletes_everything,
)


@initial
def enabled_topic(state: Topic, scope: Any) -> None:
    """KIP-405's tiered partition; local retention keeps as little as one record."""
    tiered_partition.effect(state, scope)
    for b in range(len(state.broker)):
        me = state.broker[b]
        me.handled_for = NONE
        set_settings(me.settings, Tiering.ENABLED, scope)
    state.settings = state.broker[0].settings
    state.fetch.broker = NONE
    state.fetch.segment = NONE
    begin_controllers(state)


BOUND_IN_KRAFT = repairs.bound_policy(controller_changes_policy.name)
BOUND_IN_ZOOKEEPER = repairs.bound_policy(controller_writes_policy.name)

KRAFT = Design(
    name="kip950_early_kraft",
    title="KIP-950 as first proposed, KRaft: DISABLING and DisableRemoteTopic",
    document="KIP-950, Under Discussion, KRaft part",
    state=Topic,
    initial=(enabled_topic,),
    system=KRAFT_SYSTEM,
    environment=KRAFT_ENVIRONMENT,
    properties=PROPERTIES,
    witnesses=WITNESSES,
    variants=(
        *variants.SHARED,
        variants.ACKNOWLEDGE,
        *repairs.SHARED,
        repairs.TIERED_EPOCH,
        repairs.RAISE_FIRST_KRAFT,
        BOUND_IN_KRAFT,
        repairs.all_together(repairs.TIERED_EPOCH, repairs.RAISE_FIRST_KRAFT, BOUND_IN_KRAFT),
    ),
    findings=register.KRAFT,
    scopes=SCOPES,
)
ZOOKEEPER = Design(
    name="kip950_early_zookeeper",
    title="KIP-950 as first proposed, ZooKeeper: two ZNodes, a watch and DisableRemoteTopic",
    document="KIP-950, Under Discussion, ZooKeeper part",
    state=Topic,
    initial=(enabled_topic,),
    system=ZOOKEEPER_SYSTEM,
    environment=ZOOKEEPER_ENVIRONMENT,
    properties=PROPERTIES,
    witnesses=WITNESSES,
    variants=(
        *variants.SHARED,
        variants.ACKNOWLEDGE,
        variants.UNFENCED,
        *repairs.SHARED,
        repairs.TIERED_EPOCH,
        repairs.COMPARE,
        repairs.RAISE_FIRST_ZOOKEEPER,
        BOUND_IN_ZOOKEEPER,
        repairs.all_together(
            repairs.TIERED_EPOCH,
            repairs.COMPARE,
            repairs.RAISE_FIRST_ZOOKEEPER,
            BOUND_IN_ZOOKEEPER,
        ),
    ),
    findings=register.ZOOKEEPER,
    scopes=SCOPES,
)
