"""The folders of partitions that brokers keep, read in splits by threads or by Spark."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from tierproof.conformance.audit.reading import reasons, transactions
from tierproof.conformance.audit.reading.kept import RECORDS_FOLDER
from tierproof.conformance.audit.reading.setting_aside import Aside
from tierproof.conformance.audit.reading.split_reading import Summary, read_split
from tierproof.conformance.audit.reading.splits import (
    SPLIT_BYTES,
    PartitionFolder,
    Split,
    one_replica_each,
    splits_of,
    whole_partition,
)

Runner = Callable[[Callable[[Split], Summary], Sequence[Split]], Iterator[Summary]]
"""Runs a function on each split, in any order, and yields what it returns."""


def read_partitions(
    folders: Sequence[PartitionFolder],
    into: Path,
    run: Runner,
    *,
    first_number: int = 0,
    split_bytes: int = SPLIT_BYTES,
) -> tuple[list[Aside], int]:
    """Read partition folders into files below `into`. Returns what was set aside, and the splits.

    Of a partition that several brokers keep, the copy that reaches furthest is read. A partition
    whose splits have offsets in common, or batches out of place, is read again as one, so that no
    record counts twice and none is misjudged.
    """
    chosen, left_out = one_replica_each(folders)
    asides = [_other_replica(folder) for folder in left_out]
    splits = splits_of(chosen, split_bytes, first_number)
    records = into / RECORDS_FOLDER
    read = partial(read_split, folder=records)
    summaries = {summary.number: summary for summary in run(read, splits)}
    for same in _by_partition(splits):
        found = [summaries[split.number] for split in same]
        if _overlap(found) or any(one.is_out_of_place for one in found):
            for split in same:
                (records / f"{split.number:06d}.parquet").unlink(missing_ok=True)
            found = [read(whole_partition(same))]
        for summary in found:
            asides += summary.asides
        asides += _without_aborted(records, found)
    return asides, len(splits)


def _by_partition(splits: Sequence[Split]) -> Iterator[list[Split]]:
    same: dict[int, list[Split]] = defaultdict(list)
    for split in splits:
        same[split.metadata_partition].append(split)
    yield from same.values()


def _overlap(summaries: Sequence[Summary]) -> bool:
    """Whether offsets of a split are not all behind those of the split before it."""
    reached = -1
    for summary in summaries:
        if summary.intervals:
            if summary.intervals[0][0] <= reached:
                return True
            reached = summary.intervals[-1][1]
    return False


def _without_aborted(records: Path, summaries: Sequence[Summary]) -> list[Aside]:
    """Leave records of aborted transactions out of a partition's files."""
    offsets = transactions.aborted(summaries)
    if not offsets:
        return []
    files = [records / f"{summary.number:06d}.parquet" for summary in summaries if summary.records]
    return [row for file in files for row in transactions.leave_out(file, offsets)]


def _other_replica(folder: PartitionFolder) -> Aside:
    return Aside(
        source=str(folder.path),
        bytes=folder.bytes,
        reason=reasons.OTHER_REPLICA,
        detail="Another broker's copy of this partition reaches as far or further, and was read.",
    )
