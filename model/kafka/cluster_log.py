"""The cluster's metadata log, as brokers read it: in batches, each applied as its net change.

`log` is the part that some broker has not applied yet; `reader` is a broker that has applied
the records below its `position`, and has the `batch` records from there on in hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import Protocol

from tierproof.model.language import NONE


class ClusterRecordKind(IntEnum):
    """What a record of the cluster log says; NOTHING fills unused places."""

    NOTHING = 0
    CONFIG = 1
    LEADERSHIP = 2
    REMOVAL = 3


class KindOfRecord(Protocol):
    """A record of the cluster log."""

    kind: ClusterRecordKind


class Reader(Protocol):
    """A broker that reads the cluster log."""

    position: int
    batch: int


def last_in_batch(log: Sequence[KindOfRecord], reader: Reader, kind: ClusterRecordKind) -> int:
    """Where the newest record of a kind is in the batch in hand, or NONE: a delta is net."""
    found = NONE
    for place in range(reader.position, reader.position + reader.batch):
        if log[place].kind == kind:
            found = place
    return found
