"""The bounds and domains that Kafka's mechanisms are sized by; the scope of a design subclasses it.

class Kip405(TieredScope):            brokers, budgets and what else the design bounds
    brokers: int = bound(1, 3, default=2)

A design does not declare these three bounds anew; its named scopes give them values.
"""

from __future__ import annotations

from typing import Annotated

from tierproof.model.language import NONE, Array, Index, Range, Scope, Set, bound


class TieredScope(Scope):
    """How many offsets a partition has, how many leaders in a row, how many attempts to copy.

    `offsets`: the log end is at most this; `leader_epochs`: epochs 0 to this - 1;
    `segment_ids`: RemoteLogSegmentIds that can ever be made.
    """

    offsets: int = bound(1, 1_000_000_000, default=3)
    leader_epochs: int = bound(1, 1_000, default=2)
    segment_ids: int = bound(1, 62, default=3)


Offset = Annotated[int, Index(TieredScope.offsets)]
OptionalOffset = Annotated[int, Index(TieredScope.offsets, optional=True)]
OffsetEnd = Annotated[int, Range(0, TieredScope.offsets)]
OptionalOffsetEnd = Annotated[int, Range(NONE, TieredScope.offsets)]
LeaderEpoch = Annotated[int, Index(TieredScope.leader_epochs)]
OptionalLeaderEpoch = Annotated[int, Index(TieredScope.leader_epochs, optional=True)]
SegmentId = Annotated[int, Index(TieredScope.segment_ids)]
OptionalSegmentId = Annotated[int, Index(TieredScope.segment_ids, optional=True)]
SegmentIds = Annotated[set[int], Set(TieredScope.segment_ids)]
"""A set of segment ids as bits: id i is in it if `ids >> i & 1`."""
Lineage = Annotated[list[OptionalOffsetEnd], Array(TieredScope.leader_epochs)]
"""Field type: `lineage[epoch]` is the epoch's start offset, or NONE."""
