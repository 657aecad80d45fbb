"""KIP-950 as accepted with one remote fetch in flight: a design for tests.

The fetch is as in the early texts' designs: routed to the remote tier, queued, answered by the
store. Nothing drains it when the topic is disabled: of that the KRaft part of the KIP is silent.
"""

from typing import Annotated

from tierproof.model.designs.kip405.local import believes_to_lead
from tierproof.model.designs.kip405.start import tiered_partition
from tierproof.model.designs.kip405.state import Broker
from tierproof.model.designs.kip950 import DESIGN as ACCEPTED
from tierproof.model.designs.kip950.repairs import REPAIRS
from tierproof.model.designs.kip950.state import PublisherStep, TieredTopic, Topic
from tierproof.model.designs.kip950_early.actors import CONSUMER, FETCHER
from tierproof.model.designs.kip950_early.state import FetchAnswer, RemoteFetch
from tierproof.model.kafka.fetch_routing import FetchRoute, fetch_route
from tierproof.model.kafka.leader_epoch_lineage import epoch_for_offset
from tierproof.model.kafka.remote_metadata_cache import lookup
from tierproof.model.kafka.scope import Offset
from tierproof.model.language import NONE, Budget, Edit, bound, guard, invariant


class ReadTopic(TieredTopic):
    """Bounds of KIP-950, and how many remote fetches a consumer sends."""

    fetches: int = bound(0, 4, default=1)


class Read(Topic):
    """A topic of KIP-950, and the fetch that is in flight."""

    fetch: RemoteFetch
    fetches: Annotated[int, Budget(ReadTopic.fetches)]


def serving_segment(state: Read, broker: int, offset: int) -> int:
    """The id that the broker's cache has for the offset, by its lineage; or NONE."""
    serving = state.broker[broker]
    epoch = epoch_for_offset(serving.lineage, offset)
    return NONE if epoch == NONE else lookup(serving.cache, state.segment, epoch, offset)


def begin_without_fetch(state: Read) -> None:
    """No fetch is in flight."""
    state.fetch.broker = NONE
    state.fetch.segment = NONE


@guard
def has_no_fetch(state: Read) -> bool:
    """No fetch is in flight."""
    return state.fetch.broker == NONE


@guard
def has_fetch(state: Read) -> bool:
    """A fetch is in flight."""
    return state.fetch.broker != NONE


@guard
def is_routed_to_remote(state: Read, leader: Broker, offset: Offset) -> bool:
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
def consumer_fetches(state: Read, leader: Broker, offset: Offset) -> None:
    """Fetch from the remote tier; the fetch waits until the segment is read."""
    state.fetch.broker = leader
    state.fetch.offset = offset
    state.fetch.segment = serving_segment(state, leader, offset)
    state.fetch.answer = FetchAnswer.NOTHING


@FETCHER.action(guards=[has_fetch], to="remote_store")
def fetcher_reads_segment(state: Read) -> None:
    """Read the object, if it is there, and answer the consumer."""
    is_there = state.segment[state.fetch.segment].object_exists
    state.fetch.answer = FetchAnswer.RECORDS if is_there else FetchAnswer.STORE_ERROR
    state.fetch.broker = NONE


@invariant()
def no_fetch_fails_in_the_store(state: Read) -> bool:
    """What a broker has routed to the remote tier is there when it is read."""
    return state.fetch.answer != FetchAnswer.STORE_ERROR


@invariant()
def failed_fetch_is_below_the_log_start(state: Read) -> bool:
    """A fetch that fails in the store is answered with OFFSET_OUT_OF_RANGE when it is repeated."""
    has_failed = state.fetch.answer == FetchAnswer.STORE_ERROR
    return not has_failed or (
        state.fetch.offset < state.broker[state.elected_leader].log_start_offset
    )


@invariant()
def no_fetch_outlives_the_disable(state: Read) -> bool:
    """Once every broker has applied a disable, no remote fetch is in flight."""
    return state.fetch.broker == NONE or any(
        replica.settings.remote_storage_enable or replica.publisher != PublisherStep.IDLE
        for replica in state.broker
    )


def with_a_fetch(name: str) -> ReadTopic:
    """A scope of KIP-950, and one fetch."""
    scope = ACCEPTED.scope(name)
    return ReadTopic(**{bound: getattr(scope, bound) for bound in type(scope).bounds}, fetches=1)


DESIGN = ACCEPTED.derive(
    name="kip950_reading",
    title="KIP-950: a remote fetch in flight",
    state=Read,
    change=Edit(
        add_system=(fetcher_reads_segment,),
        add_environment=(consumer_fetches,),
        also={tiered_partition: begin_without_fetch},
        add_properties=(
            no_fetch_fails_in_the_store,
            failed_fetch_is_below_the_log_start,
            no_fetch_outlives_the_disable,
        ),
    ),
    variants=REPAIRS,
    scopes={"alone_again": with_a_fetch("alone_again")},
)
