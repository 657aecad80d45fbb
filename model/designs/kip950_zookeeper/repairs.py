"""Repairs of the appendix: those of the early proposal, for its own request and watch."""

from typing import Any

from tierproof.model.designs.kip405.state import Broker
from tierproof.model.designs.kip950_early import repairs
from tierproof.model.designs.kip950_early.learning import reaction, read_znodes
from tierproof.model.designs.kip950_early.repairs import first_step_once, is_of_the_brokers_epoch
from tierproof.model.designs.kip950_early.requests import ARRIVES, take_in_hand
from tierproof.model.designs.kip950_early.state import DisableStep, RequestSlot, Topic
from tierproof.model.designs.kip950_zookeeper.stop_replica import (
    broker_reads_settings_only,
    has_no_stale_epoch,
)
from tierproof.model.language import Variant, action


@action(guards=broker_reads_settings_only.guards, actor="broker {broker}", to="ZooKeeper")
def broker_reads_settings_and_moves_start(state: Topic, broker: Broker, scope: Any) -> None:
    """Read the ZNodes; a disable with delete moves the log start under one lock.

    **Who**: the thread of the broker's watch.
    **Kafka**: ours: LogManager#updateTopicConfig raises the log start of a leader.
    **Left out**: nothing.
    """
    step = reaction(state, broker, state.broker[broker].tiering, state.tiering)
    repairs.applies_at_once(state, broker, step)
    starts = step == DisableStep.STARTING_TASKS
    read_znodes(state, broker, step if starts else DisableStep.IDLE, scope)


@action(
    guards=[*ARRIVES, has_no_stale_epoch, is_of_the_brokers_epoch],
    actor="network",
    to="broker {broker}",
)
def broker_executes_stop_replica_once(state: Topic, broker: Broker, slot: RequestSlot) -> None:
    """Begin stopPartitions, unless the broker has done it in this tiered epoch; then answer.

    **Who**: a request handler of a broker that has applied the disablement.
    **Kafka**: ours: the tiered epoch is in StopReplica, and a broker remembers its own.
    **Left out**: nothing.
    """
    state.broker[broker].controller_epoch = state.request[slot].controller_epoch
    take_in_hand(state, slot, first_step_once(state, broker))


REPAIR_TIERED_EPOCH = Variant(
    name=repairs.TIERED_EPOCH.name,
    because=repairs.TIERED_EPOCH.because,
    replace={
        "broker_executes_stop_replica": broker_executes_stop_replica_once,
        "controller_hears_answer": repairs.controller_hears_answer_of_its_epoch,
    },
    add_system=repairs.TIERED_EPOCH.add_system,
)
REPAIR_RAISE_FIRST = Variant(
    name=repairs.RAISE_FIRST,
    because=repairs.AT_ONCE,
    replace={"broker_reads_settings_only": broker_reads_settings_and_moves_start},
)
