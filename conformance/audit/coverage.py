"""Which partitions of the metadata topic were read, and how many it has.

An object may only be accused if the partition that would have its records was read. The count is
not in the records: it is the one by which every topic-partition that was read lies where it does.
"""

from __future__ import annotations

from collections.abc import Iterable

import pyarrow as pa
import pyarrow.compute as pc

from tierproof.conformance.audit.partitioner import metadata_partition

USUAL = 50
"""remote.log.metadata.topic.num.partitions, unless it is set."""
MOST = 2_000
CHECKED = 500
"""So many topic-partitions are compared."""

Known = dict[tuple[str, int], int]
"""(topic id, partition) -> the partition of the metadata topic that has its records."""


def known_places(batches: Iterable[pa.RecordBatch]) -> tuple[Known, set[int]]:
    """Where topic-partitions lie, at most CHECKED of them, and the partitions that have records."""
    known: Known = {}
    partitions: set[int] = set()
    for batch in batches:
        partitions.update(pc.unique(batch["metadata_partition"]).to_pylist())
        if len(known) >= CHECKED:
            continue
        names = ["topic_id", "partition", "metadata_partition"]
        rows = pa.table([batch[name] for name in names], names=names)
        for row in rows.group_by(names).aggregate([]).slice(0, CHECKED).to_pylist():
            if row["topic_id"] is not None and row["partition"] is not None:
                known[row["topic_id"], row["partition"]] = row["metadata_partition"]
    return known, partitions


def partitions_of_topic(known: Known, read: set[int]) -> int | None:
    """How many partitions the metadata topic has; None if no number explains what is known.

    If what was read is 0 to n without a hole, n + 1 is tried first, and then Kafka's default.
    """
    least = max(read, default=-1) + 1
    is_whole = len(read) == least
    first = [least, USUAL] if is_whole else [USUAL, least]
    for count in [*first, *range(max(least, 1), MOST)]:
        if count >= max(least, 1) and _explains(count, known):
            return count
    return None


def _explains(count: int, known: Known) -> bool:
    try:
        return all(metadata_partition(*place, count) == at for place, at in known.items())
    except ValueError:
        return False
