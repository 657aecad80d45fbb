"""KIP-950 before it was accepted: tiered epochs, DISABLING, and a request to every broker.

A diff of KIP-405: `IN_STAGES` is what the proposal changes in any cluster, `KRAFT` and
`ZOOKEEPER` add how settings are written and learned. Read in this order: `state`, `cluster`,
`controller`, `requests`, `learning`, `stopping`, `tiered_epoch`, `fetching`, `environment`;
then `kraft` and `zookeeper`. `readings` has what the text leaves open, `repairs` what we would
change, `proposals` what mails propose instead.

Modelled: the two writes of a ZooKeeper controller, the tiered epoch and what it can fence, a
queue of disablements that is lost with its controller, two controllers at once, requests that
are lost, duplicated and late, watch and request as two triggers on two threads of a broker,
both policies, a policy that changes alone, remote fetches in flight, brokers that crash or
are removed; all that KIP-405 has.
Simplified: retain is what Kafka calls read-only today; one fetch at a time.
Not modelled: deletion of the topic; a ZooKeeper session that ends without a crash.
"""

from tierproof.invariants import disablement, liveness, remote_metadata, tiering, witnesses
from tierproof.invariants.disablement_ghosts import IN_ANY_CLUSTER, IN_KRAFT, IN_ZOOKEEPER
from tierproof.model.designs import kip405
from tierproof.model.designs.kip405.copying import copy_task_chooses_segment
from tierproof.model.designs.kip405.leadership import broker_learns_leader, controller_elects_leader
from tierproof.model.designs.kip405.local import broker_raises_start_to_delete
from tierproof.model.designs.kip405.metadata import broker_reads_metadata
from tierproof.model.designs.kip405.rebuilding import follower_builds_on_remote_tier
from tierproof.model.designs.kip405.restarting import (
    broker_loses_disk,
    broker_restarts,
    lone_leader_restarts,
)
from tierproof.model.designs.kip405.start import tiered_partition
from tierproof.model.designs.kip405.stopping import broker_learns_deletion, user_deletes_topic
from tierproof.model.designs.kip950.environment import (
    builds_on_tiered_log,
    copy_is_interrupted,
    expiration_is_interrupted,
)
from tierproof.model.designs.kip950_early import (
    cluster,
    controller,
    environment,
    fetching,
    kraft,
    learning,
    proposals,
    readings,
    repairs,
    requests,
    stopping,
    tiered_epoch,
    zookeeper,
)
from tierproof.model.designs.kip950_early.cluster import set_settings
from tierproof.model.designs.kip950_early.controller import begin_controllers
from tierproof.model.designs.kip950_early.scopes import SCOPES, THRICE
from tierproof.model.designs.kip950_early.state import EarlyTopic, Topic
from tierproof.model.kafka.tiered_state import Tiering
from tierproof.model.language import NONE, Edit


def begin_enabled(state: Topic, scope: EarlyTopic) -> None:
    """The topic is enabled; local retention keeps as little as one record; nothing is asked."""
    for b in range(len(state.broker)):
        state.broker[b].handled_for = NONE
        set_settings(state.broker[b].settings, Tiering.ENABLED, scope)
    state.settings = state.broker[0].settings
    state.fetch.broker = NONE
    state.fetch.segment = NONE
    begin_controllers(state)


IN_STAGES = kip405.DESIGN.derive(
    name="kip950_early",
    title="KIP-950 as first proposed, but for how brokers learn of settings",
    document="KIP-950, Under Discussion",
    state=Topic,
    scopes=SCOPES,
    change=Edit(
        drop=(
            user_deletes_topic,
            broker_learns_deletion,
            remote_metadata.quiet_store_holds_finished_segments_only,
        ),
        # A broker that starts reads the newest settings, before its log is loaded by them.
        first={
            broker_restarts: (environment.begin_process, environment.count_process),
            lone_leader_restarts: (environment.begin_process, environment.count_process),
            broker_loses_disk: environment.begin_process,
            copy_task_chooses_segment: tiered_epoch.stamp_tiered_epoch,
        },
        effect={broker_reads_metadata: tiered_epoch.read_metadata_of_its_epoch},
        also={tiered_partition: begin_enabled},
        fence={
            broker_raises_start_to_delete: (
                environment.has_removed_what_it_chose,
                environment.has_no_remote_log_to_expire_first,
            ),
            follower_builds_on_remote_tier: builds_on_tiered_log,
        },
        add_system=(
            requests.controller_sends_request,
            requests.controller_hears_answer,
            *controller.SYSTEM,
            requests.broker_executes_request,
            requests.broker_answers,
            learning.broker_starts_tasks,
            *stopping.SYSTEM,
            fetching.fetcher_reads_segment,
            copy_is_interrupted,
            expiration_is_interrupted,
        ),
        add_environment=(
            controller.cluster_elects_controller,
            *requests.ENVIRONMENT,
            fetching.consumer_fetches,
            environment.operator_removes_broker,
        ),
        add_properties=(
            tiering.read_only_topic_is_readable,
            tiering.cancelled_copy_never_finishes,
            liveness.disabled_topic_is_emptied,
            liveness.read_only_topic_is_emptied,
            liveness.enabled_topic_is_copied,
            disablement.disabled_state_is_true_of_every_broker,
            disablement.disabled_state_copies_nothing_new,
            disablement.disabled_state_leaves_no_objects,
            disablement.settled_topic_holds_finished_segments_only,
            disablement.disabled_state_lets_every_replica_take_over,
            disablement.disabled_topic_finishes_no_older_copy,
            disablement.disabled_topic_serves_no_remote_read,
            disablement.policy_is_bound_to_the_tiered_epoch,
            disablement.older_tiered_epochs_are_invisible,
            disablement.retained_segments_stay_visible,
            disablement.request_acts_in_its_own_tiered_epoch,
            disablement.request_comes_from_the_active_controller,
            disablement.disabling_twice_is_disabling_once,
            disablement.local_log_expires_after_the_remote_log,
            disablement.offsets_are_in_order,
            disablement.remote_log_ends_one_past_the_local_start,
            disablement.disabling_ends,
            disablement.settings_and_tiered_state_agree,
        ),
        add_witnesses=(
            witnesses.topic_is_tiered_again,
            witnesses.delete_dangles,
            witnesses.disable_deletes_everything,
        ),
    ),
).with_history(*IN_ANY_CLUSTER)

KRAFT = IN_STAGES.derive(
    name="kip950_early_kraft",
    title="KIP-950 as first proposed, KRaft: DISABLING and DisableRemoteTopic",
    document="KIP-950, Under Discussion, KRaft part",
    scopes={**SCOPES, "thrice": THRICE},
    change=Edit(
        # Leaders are learned from the cluster's log, as settings are, one election after the other.
        drop=(broker_learns_leader,),
        fence={
            controller_elects_leader: cluster.has_room_in_cluster_log,
            lone_leader_restarts: cluster.has_room_in_cluster_log,
        },
        also={
            controller_elects_leader: cluster.log_image,
            lone_leader_restarts: kraft.log_and_read_election,
        },
        add_system=(learning.broker_applies_leadership, learning.broker_applies_settings),
        add_environment=kraft.ENVIRONMENT,
    ),
    variants=(
        *readings.SHARED,
        readings.ACKNOWLEDGE,
        *repairs.IN_KRAFT,
        *proposals.IN_KRAFT,
    ),
).with_history(*IN_KRAFT)

ZOOKEEPER = IN_STAGES.derive(
    name="kip950_early_zookeeper",
    title="KIP-950 as first proposed, ZooKeeper: two ZNodes, a watch and DisableRemoteTopic",
    document="KIP-950, Under Discussion, ZooKeeper part",
    change=Edit(
        add_system=(zookeeper.controller_writes_tiered_state, learning.broker_reads_settings),
        add_environment=zookeeper.ENVIRONMENT,
    ),
    variants=(
        *readings.SHARED,
        readings.ACKNOWLEDGE,
        readings.UNFENCED,
        *repairs.IN_ZOOKEEPER,
        *proposals.IN_ZOOKEEPER,
    ),
).with_history(*IN_ZOOKEEPER)
