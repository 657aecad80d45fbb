"""A consumer's remote fetch: routed, queued in the purgatory, read by the fetcher pool."""

from tierproof.model.designs.kip405.local import believes_to_lead
from tierproof.model.designs.kip405.state import Broker
from tierproof.model.designs.kip950_early.actors import CONSUMER, FETCHER
from tierproof.model.designs.kip950_early.state import FetchAnswer, Topic
from tierproof.model.designs.kip950_early.stopping import end_fetch
from tierproof.model.kafka.fetch_routing import FetchRoute, fetch_route
from tierproof.model.kafka.leader_epoch_lineage import epoch_for_offset
from tierproof.model.kafka.remote_metadata_cache import lookup
from tierproof.model.kafka.scope import Offset
from tierproof.model.language import NONE, guard


def serving_segment(state: Topic, broker: int, offset: int) -> int:
    """The id that the broker's cache has for the offset, by its lineage; or NONE."""
    serving = state.broker[broker]
    epoch = epoch_for_offset(serving.lineage, offset)
    if epoch == NONE:
        return NONE
    return lookup(serving.cache, state.segment, epoch, offset)


@guard
def has_no_fetch(state: Topic) -> bool:
    """No other remote fetch is under way."""
    return state.fetch.broker == NONE


@guard
def is_routed_to_remote(state: Topic, leader: Broker, offset: Offset) -> bool:
    """The broker routes a fetch of the offset to the remote tier, and has a segment for it."""
    serving = state.broker[leader]
    route = fetch_route(
        serving.settings.remote_storage_enable,
        serving.log_start_offset,
        serving.local_log_start_offset,
        serving.log_end_offset,
        offset,
    )
    return route == FetchRoute.REMOTE and serving_segment(state, leader, offset) != NONE


@CONSUMER.action(
    guards=[has_no_fetch, believes_to_lead, is_routed_to_remote],
    to="broker {leader}",
    budget="fetches",
)
def consumer_fetches(state: Topic, leader: Broker, offset: Offset) -> None:
    """Fetch from the remote tier; the fetch waits in the purgatory until the segment is read.

    Kafka: ReplicaManager#fetchMessages, DelayedRemoteFetch, RemoteLogManager#asyncRead. Left
    out: several fetches at a time.
    """
    state.fetch.broker = leader
    state.fetch.offset = offset
    state.fetch.segment = serving_segment(state, leader, offset)
    state.fetch.answer = FetchAnswer.NOTHING


@guard
def has_fetch(state: Topic) -> bool:
    """A remote fetch is under way."""
    return state.fetch.broker != NONE


@FETCHER.action(guards=[has_fetch], to="remote_store")
def fetcher_reads_segment(state: Topic) -> None:
    """Read the object, if it is there, and answer the consumer.

    Kafka: RemoteLogReader#call, RemoteStorageManager#fetchLogSegment.
    """
    is_there = state.segment[state.fetch.segment].object_exists
    end_fetch(state.fetch, FetchAnswer.RECORDS if is_there else FetchAnswer.STORE_ERROR)
