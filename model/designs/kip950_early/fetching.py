"""A consumer's remote fetch: routed, queued in the purgatory, read by the fetcher pool."""

from tierproof.model.designs.kip405.local import believes_to_lead
from tierproof.model.designs.kip405.state import Broker
from tierproof.model.designs.kip950_early.state import FetchAnswer, Topic
from tierproof.model.designs.kip950_early.stopping import end_fetch
from tierproof.model.kafka.fetch_routing import FetchRoute, fetch_route
from tierproof.model.kafka.leader_epoch_lineage import epoch_for_offset
from tierproof.model.kafka.remote_metadata_cache import lookup
from tierproof.model.kafka.scope import Offset
from tierproof.model.language import NONE, action, guard


def serving_segment(state: Topic, broker: int, offset: int) -> int:
    """The id that the broker's cache has for the offset, by its lineage; or NONE."""
    me = state.broker[broker]
    epoch = epoch_for_offset(me.lineage, offset)
    if epoch == NONE:
        return NONE
    return int(lookup(me.cache, state.segment, epoch, offset))


@guard
def has_no_fetch(state: Topic) -> bool:
    """No other remote fetch is under way."""
    return state.fetch.broker == NONE


@guard
def is_routed_to_remote(state: Topic, broker: Broker, offset: Offset) -> bool:
    """The broker sends a fetch of the offset to the remote tier, and has a segment for it."""
    me = state.broker[broker]
    route = fetch_route(
        me.settings.remote_storage_enable,
        me.log_start_offset,
        me.local_log_start_offset,
        me.log_end_offset,
        offset,
    )
    return bool(route == FetchRoute.REMOTE and serving_segment(state, broker, offset) != NONE)


@action(
    guards=[has_no_fetch, believes_to_lead, is_routed_to_remote],
    actor="consumer",
    to="broker {broker}",
    budget="fetches",
)
def consumer_fetches(state: Topic, broker: Broker, offset: Offset) -> None:
    """The fetch waits in the purgatory while the fetcher pool reads the segment.

    **Who**: a consumer, at a broker that believes to lead.
    **Kafka**: ReplicaManager#fetchMessages, DelayedRemoteFetch, RemoteLogManager#asyncRead.
    **Left out**: several fetches at a time.
    """
    state.fetch.broker = broker
    state.fetch.offset = offset
    state.fetch.segment = serving_segment(state, broker, offset)
    state.fetch.answer = FetchAnswer.NOTHING


@guard
def has_fetch(state: Topic) -> bool:
    """A remote fetch is under way."""
    return state.fetch.broker != NONE


@action(guards=[has_fetch], actor="fetcher pool", to="remote_store")
def fetcher_reads_segment(state: Topic) -> None:
    """The object is read, if it is there, and the consumer has its answer.

    **Who**: a thread of the fetcher pool.
    **Kafka**: RemoteLogReader#call, RemoteStorageManager#fetchLogSegment.
    **Left out**: nothing.
    """
    is_there = state.segment[state.fetch.segment].object_exists
    end_fetch(state.fetch, FetchAnswer.RECORDS if is_there else FetchAnswer.STORE_ERROR)
