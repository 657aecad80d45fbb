"""KIP-405's repairs of how a new leader begins, in the publisher that tells it."""

from tierproof.invariants.vocabulary import is_due
from tierproof.model.designs.kip405.copying import copy_task_finds_log_start
from tierproof.model.designs.kip405.expiring import expiration_task_plans_retention
from tierproof.model.designs.kip405.metadata import broker_reads_metadata
from tierproof.model.designs.kip405.redefined import TASK_DECIDES
from tierproof.model.designs.kip405.repairs import cleaning_up, taking_over
from tierproof.model.designs.kip405.state import Broker
from tierproof.model.designs.kip950.publisher import apply_leadership, broker_applies_leadership
from tierproof.model.designs.kip950.state import ClusterRecord, Topic
from tierproof.model.language import Variant


def apply_leadership_and_ask_anew(state: Topic, broker: int, record: ClusterRecord) -> None:
    """Partition#makeLeader; a leader of a tiered topic then reads all metadata first."""
    apply_leadership(state, broker, record)
    if state.broker[broker].is_metadata_assigned:
        taking_over.ask_anew(state, broker)


def take_log_start_over(state: Topic, broker: Broker) -> None:
    """A leader of a tiered topic raises its log start to the first readable offset."""
    if state.broker[broker].settings.remote_storage_enable:
        taking_over.take_log_start_over(state, broker)


def take_log_start_over_once_ready(state: Topic, broker: Broker) -> None:
    """A new leader takes the log start over with the record that completes its cache."""
    if state.broker[broker].metadata_position == state.broker[broker].metadata_assigned_end:
        take_log_start_over(state, broker)


ASK_ANEW = Variant(
    name=taking_over.ASK_ANEW.name,
    because=taking_over.ASK_ANEW.because,
    define={apply_leadership: apply_leadership_and_ask_anew},
)
TAKE_OVER = Variant(
    name=taking_over.TAKE_OVER.name,
    because=taking_over.TAKE_OVER.because,
    effect={copy_task_finds_log_start: take_log_start_over},
    also={
        broker_applies_leadership: take_log_start_over,
        broker_reads_metadata: take_log_start_over_once_ready,
    },
    parts=(ASK_ANEW,),
    after=(ASK_ANEW,),
)
DELETE_UNFINISHED = Variant(
    name=cleaning_up.DELETE_UNFINISHED.name,
    because=cleaning_up.DELETE_UNFINISHED.because,
    parts=(ASK_ANEW,),
    also={expiration_task_plans_retention: cleaning_up.plan_unfinished},
    define={is_due: cleaning_up.is_due_or_unfinished},
    redefines={is_due: TASK_DECIDES},
)
