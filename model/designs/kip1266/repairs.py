"""Repairs: what would have to be otherwise, alone and together; the findings say what each does.

`repair_uuid_and_state_in_key` is the alternative pull request (22774); the others are ours.
"""

from typing import Any

from tierproof.model.designs.kip1266.copying import is_cache_complete
from tierproof.model.designs.kip1266.deleting import is_segment_due_or_given_up
from tierproof.model.designs.kip1266.leadership import refused_task_gives_up
from tierproof.model.designs.kip1266.partition import leader_tombstones_partition
from tierproof.model.designs.kip1266.start import new_cluster
from tierproof.model.designs.kip1266.state import KeyScheme, OnTombstone, Topic
from tierproof.model.language import Variant, initial


@initial
def new_cluster_self_contained(state: Topic) -> None:
    """Update records say everything that the first record of the segment says."""
    new_cluster.effect(state)
    state.choices.is_self_contained = True


@initial
def new_cluster_uuid_in_key(state: Topic) -> None:
    """The key is the segment's UUID; values are as today."""
    new_cluster.effect(state)
    state.choices.key = KeyScheme.SEGMENT_ID


@initial
def new_cluster_uuid_and_state_in_key(state: Topic) -> None:
    """The key is UUID and state: a segment's records do not supersede each other."""
    new_cluster.effect(state)
    state.choices.key = KeyScheme.SEGMENT_ID_AND_STATE


@initial
def new_cluster_fenced(state: Topic) -> None:
    """The metadata topic takes records from the leader of the latest epoch only."""
    new_cluster.effect(state)
    state.choices.is_fenced = True


@initial
def new_cluster_conditional(state: Topic) -> None:
    """A tombstone takes effect only on a key whose last value is of the deleted segment."""
    new_cluster.effect(state)
    state.choices.is_conditional = True


@initial
def new_cluster_forgetting(state: Topic) -> None:
    """A tombstone makes consumers forget what they learned under its key."""
    new_cluster.effect(state)
    state.choices.on_tombstone = OnTombstone.FORGETS


@initial
def new_cluster_with_highest_offsets(state: Topic) -> None:
    """COPY_SEGMENT_FINISHED comes in one batch with a record of the highest offset."""
    new_cluster.effect(state)
    state.choices.keeps_highest_offsets = True


@initial
def new_cluster_self_contained_uuid(state: Topic) -> None:
    """The key is the UUID, and update records say everything."""
    new_cluster_uuid_in_key.effect(state)
    state.choices.is_self_contained = True


@initial
def new_cluster_unfenced_whole(state: Topic) -> None:
    """UUID keys, values that say everything, highest offsets told, consumers that forget."""
    new_cluster_self_contained_uuid.effect(state)
    state.choices.on_tombstone = OnTombstone.FORGETS
    state.choices.keeps_highest_offsets = True


@initial
def new_cluster_whole(state: Topic) -> None:
    """The same, fenced writers, and a store that remembers what it deleted."""
    new_cluster_unfenced_whole.effect(state)
    state.choices.is_fenced = True
    state.choices.does_store_remember = True


@initial
def new_cluster_uuid_and_state_whole(state: Topic) -> None:
    """UUID and state in the key, and otherwise the same."""
    new_cluster_uuid_and_state_in_key.effect(state)
    state.choices.on_tombstone = OnTombstone.FORGETS
    state.choices.keeps_highest_offsets = True
    state.choices.is_fenced = True
    state.choices.does_store_remember = True


def _begins(name: str, because: str, with_what: Any, *system: Any) -> Variant:
    return Variant(
        name=name, because=because, replace={"new_cluster": with_what}, add_system=system
    )


WHOLE = {"is_cache_ready": is_cache_complete, "is_segment_due": is_segment_due_or_given_up}
"""Guards that all repairs together replace."""


def _whole(name: str, because: str, with_what: Any) -> Variant:
    """Everything together: also copies given up are deleted, and partitions are forgotten."""
    return Variant(
        name=name,
        because=because,
        replace={"new_cluster": with_what, **WHOLE},
        add_system=(refused_task_gives_up, leader_tombstones_partition),
    )


REPAIRS = (
    _begins(
        "repair_self_contained_values",
        "an update record does not describe its segment",
        new_cluster_self_contained,
    ),
    _begins(
        "repair_uuid_in_key",
        "a retry has the key of the attempt before",
        new_cluster_uuid_in_key,
    ),
    _begins(
        "repair_uuid_and_state_in_key",
        "records of a segment supersede each other (pull request 22774)",
        new_cluster_uuid_and_state_in_key,
    ),
    _begins(
        "repair_fence_writers",
        "a broker that was voted out still publishes",
        new_cluster_fenced,
        refused_task_gives_up,
    ),
    _begins(
        "repair_conditional_tombstones",
        "a tombstone hits whatever has the key by then",
        new_cluster_conditional,
    ),
    _begins(
        "repair_tombstones_forget",
        "a consumer that lags never hears of a deletion",
        new_cluster_forgetting,
    ),
    _begins(
        "repair_tell_highest_offsets",
        "compaction forgets how far an epoch was copied",
        new_cluster_with_highest_offsets,
    ),
    Variant(
        name="repair_forget_partitions",
        because="the marker of a deleted partition stays for ever",
        add_system=(leader_tombstones_partition,),
    ),
    _begins(
        "repair_self_contained_values_and_uuid_in_key",
        "each of the two alone loses a segment",
        new_cluster_self_contained_uuid,
    ),
    _begins(
        "repair_all_but_fences",
        "what is left if writers are not fenced",
        new_cluster_unfenced_whole,
    ),
    _whole("repair_all", "the repairs belong together", new_cluster_whole),
    _whole(
        "repair_all_with_state_in_key",
        "the alternative pull request with what it lacks",
        new_cluster_uuid_and_state_whole,
    ),
)
