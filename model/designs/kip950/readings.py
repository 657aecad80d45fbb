"""Where Kafka ships something else than KIP-950 says: the letter of the text, as variants."""

from tierproof.model.designs.kip405.actors import EXPIRATION
from tierproof.model.designs.kip405.expiring import has_expiration_task
from tierproof.model.designs.kip405.metadata import unassign_metadata
from tierproof.model.designs.kip405.state import Broker, RunStep
from tierproof.model.designs.kip405.stopping import stop_partition
from tierproof.model.designs.kip405.tasks import cancel_copy_task
from tierproof.model.designs.kip950.publisher import (
    PUBLISHER,
    broker_stops_partition,
    finish_batch,
)
from tierproof.model.designs.kip950.readings_older_broker import OLDER_BROKER
from tierproof.model.designs.kip950.readings_record_times import RECORD_TIMES
from tierproof.model.designs.kip950.state import PublisherStep, Topic
from tierproof.model.kafka.remote_metadata_cache import next_tracked
from tierproof.model.kafka.replica import presumes_to_lead
from tierproof.model.language import NONE, Variant, guard


def stop_copying_only(state: Topic, broker: Broker) -> None:
    """Cancel copying; a leader's expiration task continues below the new log start.

    KIP-950, RemoteLogManager Change: "we will let tasks scheduled [...] in the
    RemoteDataExpirationThreadPool to successfully delete all remote segments before the
    log start offset and then unregister themselves". Kafka: not shipped.
    """
    if presumes_to_lead(state, broker):
        cancel_copy_task(state, broker)
    else:
        stop_partition(state, broker, False, True)
    state.broker[broker].publisher = PublisherStep.IDLE
    finish_batch(state, broker)


@guard
def is_not_tiered(state: Topic, broker: Broker) -> bool:
    """The broker's log is not tiered any more."""
    return not state.broker[broker].settings.remote_storage_enable


@guard
def has_nothing_below_log_start(state: Topic, broker: Broker) -> bool:
    """No segment that the broker knows of ends below its log start."""
    replica = state.broker[broker]
    id = next_tracked(replica.cache, NONE)
    while id != NONE:
        if state.segment[id].end_offset < replica.log_start_offset:
            return False
        id = next_tracked(replica.cache, id)
    return True


@EXPIRATION.action(
    RunStep.IDLE,
    guards=[
        PUBLISHER.stands_at((PublisherStep.IDLE,)),
        has_expiration_task,
        is_not_tiered,
        has_nothing_below_log_start,
    ],
)
def expiration_task_unregisters(state: Topic, broker: Broker) -> None:
    """End the expiration task of a disabled topic once nothing is left below the log start.

    Kafka: KIP-950, RemoteLogManager Change; not shipped.
    """
    state.broker[broker].expiration_task = False
    unassign_metadata(state, broker)


READINGS = (
    Variant(
        name="text_expiration_deletes",
        because="KIP-950 lets expiration tasks delete; Kafka ships one synchronous delete.",
        effect={broker_stops_partition: stop_copying_only},
        add_system=(expiration_task_unregisters,),
    ),
    OLDER_BROKER,
    RECORD_TIMES,
)
