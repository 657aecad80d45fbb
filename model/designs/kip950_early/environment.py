"""Brokers that crash, lose their disk or are removed; local retention of a disabled topic."""

from tierproof.model.designs.kip405.local import has_replica
from tierproof.model.designs.kip405.replication import empty_log
from tierproof.model.designs.kip405.restarting import forget_memory, is_not_elected
from tierproof.model.designs.kip405.state import Broker
from tierproof.model.designs.kip950_early.actors import OPERATOR
from tierproof.model.designs.kip950_early.cluster import finish_batch, take_newest
from tierproof.model.designs.kip950_early.requests import drop_answers, drop_requests_to
from tierproof.model.designs.kip950_early.state import EarlyTopic, Topic
from tierproof.model.designs.kip950_early.stopping import drain_fetches
from tierproof.model.kafka.local_retention import first_not_removed
from tierproof.model.kafka.local_segments import first_base
from tierproof.model.kafka.remote_metadata_cache import next_tracked
from tierproof.model.kafka.tiered_state import Tiering
from tierproof.model.language import NONE, fence

# -- a process ends, and another begins


def begin_process(state: Topic, broker: Broker, scope: EarlyTopic) -> None:
    """Begin a process with the newest settings: KRaft's first image, or the ZNodes as they are.

    A request that is on its way still arrives: its sender tries until it is answered.
    """
    drain_fetches(state, broker)
    take_newest(state, broker, scope)


def count_process(state: Topic, broker: Broker) -> None:
    """The broker epoch rises with each process; that of a broker with a new disk is left out."""
    state.broker[broker].broker_epoch += 1


@OPERATOR.action(
    guards=[has_replica, is_not_elected], to="broker {broker}", budget="removed_brokers"
)
def operator_removes_broker(state: Topic, broker: Broker, scope: EarlyTopic) -> None:
    """Shut a broker down for good, and give up its replica.

    Kafka: KIP-950, Failure Modes: "Broker Dies in DISABLING State"; the text does not speak
    of a broker that never comes back. Left out: a replica elsewhere in its place.
    """
    drop_requests_to(state, broker)
    forget_memory(state, broker)
    begin_process(state, broker, scope)
    removed = state.broker[broker]
    empty_log(removed)
    removed.presumed_leader = NONE
    removed.is_removed = True
    state.in_sync.discard(broker)
    for c in range(len(state.controller)):
        drop_answers(state.controller[c], broker)
    finish_batch(state, broker)


# -- local retention


@fence(stays="No committed scope deletes locally twice and changes settings in between.")
def has_removed_what_it_chose(state: Topic, broker: Broker) -> bool:
    """The segments that the last run chose are removed: deleteOldSegments keeps the log's lock.

    Segments are chosen, and the start moves, under one reading of the settings. If a run began
    over what another has chosen, new settings could move another start past the same segments.
    """
    replica = state.broker[broker]
    return first_not_removed(replica) == first_base(replica)


@fence(protects="local_log_expires_after_the_remote_log", scope="retention")
def has_no_remote_log_to_expire_first(state: Topic, broker: Broker) -> bool:
    """While a disabled topic is retained, the broker knows of no remote segment.

    "Local logs are only expired if there is no data in remote storage". One retention then
    counts for both parts of the log: what expires locally first would leave a gap behind the
    remote log.
    """
    replica = state.broker[broker]
    return replica.tiering != Tiering.RETAINED or next_tracked(replica.cache, NONE) == NONE
