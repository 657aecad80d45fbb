"""What the mail proposes where that is not our repair: settings and StopReplica under one lock."""

from tierproof.model.designs.kip405.state import Broker
from tierproof.model.designs.kip950_early.actors import REQUEST_HANDLER
from tierproof.model.designs.kip950_early.learning import broker_reads_settings
from tierproof.model.designs.kip950_early.proposals import (
    is_for_applied_disablement,
    is_not_for_applied_disablement,
)
from tierproof.model.designs.kip950_early.requests import (
    broker_executes_request,
    clear_request,
    reaches,
)
from tierproof.model.designs.kip950_early.state import RequestSlot, Topic
from tierproof.model.designs.kip950_early.stopping import RETURNED
from tierproof.model.kafka.tiered_state import HANDLER, WATCH, DisableStep
from tierproof.model.language import Variant, guard


@guard
def holds_no_lock_to_stop(state: Topic, broker: Broker) -> bool:
    """No StopReplica of the broker is in stopPartitions, which holds replicaStateChangeLock."""
    return state.broker[broker].thread[HANDLER].step in RETURNED


@guard
def holds_no_lock_to_learn(state: Topic, broker: Broker) -> bool:
    """The watch does not apply settings, which it does under replicaStateChangeLock."""
    return state.broker[broker].thread[WATCH].step == DisableStep.IDLE


@REQUEST_HANDLER.action(guards=[reaches, holds_no_lock_to_learn, is_not_for_applied_disablement])
def broker_refuses_to_disable(state: Topic, broker: Broker, slot: RequestSlot) -> None:
    """Answer with an error unless the applied settings are those of this disablement.

    Kafka: ours: ReplicaManager#stopReplicas. Left out: the answer, which changes nothing.
    """
    clear_request(state.request[slot])


REFUSE_UNTIL_DISABLED = Variant(
    name="proposal_refuse_until_settings_disable",
    because="a request overtakes the settings, and a late one runs beside the enable",
    fence={
        broker_executes_request: (holds_no_lock_to_learn, is_for_applied_disablement),
        broker_reads_settings: holds_no_lock_to_stop,
    },
    add_system=(broker_refuses_to_disable,),
)

PROPOSALS = (REFUSE_UNTIL_DISABLED,)
