"""KIP-950 as accepted with one remote fetch in flight: a design for tests.

The fetch is as in the early texts' designs: routed to the remote tier, queued, answered by the
store. Nothing drains it when the topic is disabled: of that the KRaft part of the KIP is silent.
"""

from typing import Annotated

from tierproof.model.designs.kip405.start import tiered_partition
from tierproof.model.designs.kip950 import DESIGN as ACCEPTED
from tierproof.model.designs.kip950.repairs import REPAIRS
from tierproof.model.designs.kip950.state import PublisherStep, TieredTopic, Topic
from tierproof.model.designs.kip950_early.actors import FETCHER
from tierproof.model.designs.kip950_early.fetching import consumer_fetches, has_fetch
from tierproof.model.designs.kip950_early.state import FetchAnswer, RemoteFetch
from tierproof.model.language import NONE, Budget, Edit, bound, invariant


class ReadTopic(TieredTopic):
    """Bounds of KIP-950, and how many remote fetches a consumer sends."""

    fetches: int = bound(0, 4, default=1)


class Read(Topic):
    """A topic of KIP-950, and the fetch that is in flight."""

    fetch: RemoteFetch
    fetches: Annotated[int, Budget(ReadTopic.fetches)]


def begin_without_fetch(state: Read) -> None:
    """No fetch is in flight."""
    state.fetch.broker = NONE
    state.fetch.segment = NONE


@FETCHER.action(guards=[has_fetch], to="remote_store")
def fetcher_reads_segment(state: Read) -> None:
    """Read the object, if it is there, and answer the consumer.

    The offset stays, unlike in the early texts: a property asks which one has failed.
    """
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
