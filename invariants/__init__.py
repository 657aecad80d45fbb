"""What must never happen, one module a family, and what must be possible; one registry of all.

Properties know no design: they read the fields of `tierproof.invariants.fields`, in the words of
`tierproof.invariants.vocabulary`, and a design names those that it claims. Those of `tiering` and
`disablement` read the settings of KIP-950, those of `metadata_compaction` and `metadata_growth`
the topic of KIP-1266, those of `log_compaction` a partition and its cleaner, those of
`tiered_compaction` and `compaction_witnesses` the topic of KIP-1272, those of `producer_log` a
replica with its producers, and those of the other `producer_*` a topic with producers
(`tierproof.invariants.producer_fields`).
"""

from __future__ import annotations

from tierproof.invariants import (
    compaction_witnesses,
    disablement,
    durability,
    fencing,
    informed_leader,
    liveness,
    local_tier,
    log_compaction,
    metadata_compaction,
    metadata_growth,
    offset_continuity,
    producer_idempotence,
    producer_log,
    producer_snapshots,
    producer_witnesses,
    reads,
    remote_metadata,
    replica_lag,
    shared_copiers,
    tiered_cleaning,
    tiered_compaction,
    tiering,
    witnesses,
)
from tierproof.model.language import Property

FAMILIES = (
    offset_continuity,
    durability,
    reads,
    fencing,
    remote_metadata,
    tiering,
    disablement,
    liveness,
    informed_leader,
    local_tier,
    shared_copiers,
    replica_lag,
    metadata_compaction,
    metadata_growth,
    tiered_compaction,
    tiered_cleaning,
    compaction_witnesses,
    log_compaction,
    producer_idempotence,
    producer_log,
    producer_snapshots,
    producer_witnesses,
    witnesses,
)

PROPERTIES: dict[str, Property] = {
    name: entry
    for family in FAMILIES
    for name, entry in vars(family).items()
    if isinstance(entry, Property)
}
"""Every property by name."""
