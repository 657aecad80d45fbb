"""Keys and values of the metadata topic in words: what their numbers stand for.

A variant that has other keys redefines `segment_key`; its words stand beside it here.
"""

from collections.abc import Callable, Mapping
from typing import Any

from tierproof.model.designs.kip1266.keys import (
    WIDTH,
    kind_of,
    partition_key,
    segment_key,
    segment_of,
)
from tierproof.model.designs.kip1266.repairs.keys import key_of_id, partition_key_with_kind
from tierproof.model.designs.kip1266.state import Kind, Kip1266
from tierproof.model.designs.kip1266.state_in_key import key_of_id_and_state
from tierproof.model.language import NONE, Design


def value_in_words(design: Design, scope: Kip1266, value: int) -> str:
    """What a record says, as in `id 0 COPY_SEGMENT_FINISHED`."""
    kind = Kind(kind_of(value))
    if kind == Kind.TOMBSTONE:
        return "tombstone"
    if kind in (Kind.DELETE_PARTITION_STARTED, Kind.DELETE_PARTITION_FINISHED):
        return kind.name
    if kind == Kind.HIGHEST_OFFSET:
        return f"highest offset {segment_of(value)}"
    return f"id {segment_of(value)} {kind.name}"


def key_in_words(design: Design, scope: Kip1266, key: int) -> str:
    """What a key names in a design with its variants, as in `end 0, epoch 1`.

    What the keys of one partition have in common (topic and partition) is left out.
    """
    if key == NONE:
        return "no key"
    first = max(scope.offsets, scope.segment_ids) * WIDTH
    if key >= first + WIDTH:
        return f"highest offset of epoch {key - first - WIDTH}"
    if key >= first:
        return _partition_in_words(design, key - first)
    return SCHEMES[_chosen(design, segment_key)](key)


def _chosen(design: Design, function: Callable[..., Any]) -> Callable[..., Any]:
    """What the variants of the design have put in the place of the function."""
    return design.defined.get(function, function)


def _partition_in_words(design: Design, epoch: int) -> str:
    has_epoch = _chosen(design, partition_key) is partition_key_with_kind
    return f"partition, epoch {epoch}" if has_epoch else "partition"


def _end_and_epoch(key: int) -> str:
    return f"end {key // WIDTH}, epoch {key % WIDTH}"


def _id(key: int) -> str:
    return f"id {key // WIDTH}"


def _id_and_state(key: int) -> str:
    return f"id {key // WIDTH}, {Kind(key % WIDTH).name}"


SCHEMES: Mapping[Callable[..., Any], Callable[[int], str]] = {
    segment_key: _end_and_epoch,
    key_of_id: _id,
    key_of_id_and_state: _id_and_state,
}
"""What gives a segment's record its key -> the words of such a key."""
