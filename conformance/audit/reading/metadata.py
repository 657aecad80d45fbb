"""Sources of a reading: what each of them is, and who reads it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tierproof.conformance.audit.reading import dumped, setting_aside
from tierproof.conformance.audit.reading.kept import (
    OF_METADATA,
    RECORDS_FOLDER,
    SET_ASIDE_FOLDER,
    Reading,
)
from tierproof.conformance.audit.reading.partitions import Runner, read_partitions
from tierproof.conformance.audit.reading.runners import Spark, Threads
from tierproof.conformance.audit.reading.splits import (
    METADATA_TOPIC,
    SPLIT_BYTES,
    NotReadable,
    PartitionFolder,
    partition_folders,
)


def read_metadata(
    sources: Sequence[Path],
    into: Path,
    *,
    topic: str = METADATA_TOPIC,
    threads: int = 2,
    spark: Any = None,
    split_bytes: int = SPLIT_BYTES,
) -> Reading:
    """Read the metadata topic from `sources` into Parquet below `into`, which is made.

    A source is a log directory of a broker (with folders `topic-N`), one such folder, or a file
    with the output of kafka-dump-log.sh --remote-log-metadata-decoder. Log directories of several
    brokers may be given: of each partition the copy that reaches furthest is read. With a
    SparkSession the splits of log files are its tasks, else `threads` of this process read them,
    each of which holds `split_bytes` of a file, and about three times that in decoded rows.

    Nothing in a source stops a reading: see `Reading.set_aside`. Raises NotReadable if a source is
    none of these, or `into` holds a reading already.
    """
    refuse_another(into)
    folders: list[PartitionFolder] = []
    dumps: list[Path] = []
    for source in sources:
        found = _folders(source, topic)
        folders += found
        if not found:
            dumped.check(source)
            dumps.append(source)
    begin(into)
    run: Runner = Threads(threads) if spark is None else Spark(spark)
    asides, count = read_partitions(folders, into, run, split_bytes=split_bytes)
    for number, path in enumerate(dumps, start=count):
        asides += dumped.read_dump(path, into / RECORDS_FOLDER, number)
    setting_aside.keep(asides, into / SET_ASIDE_FOLDER, OF_METADATA)
    return Reading(into)


def refuse_another(into: Path) -> None:
    """Raise NotReadable if a reading is in a folder."""
    if (into / RECORDS_FOLDER).exists():
        raise NotReadable(f"{into} holds a reading already: give another folder, or remove it")


def begin(into: Path) -> None:
    """Make the folder of a reading. Raises NotReadable if one is in it."""
    refuse_another(into)
    (into / RECORDS_FOLDER).mkdir(parents=True)


def _folders(source: Path, topic: str) -> list[PartitionFolder]:
    """Partition folders in a source; none of a file, which is the output of a tool."""
    if source.is_dir():
        found = partition_folders(source, topic)
        if not found:
            raise NotReadable(
                f"{source} has no folder {topic}-N: give a log directory of a broker "
                "(log.dirs), or one such folder"
            )
        return found
    if not source.is_file():
        raise NotReadable(f"there is no file or folder {source}")
    if source.suffix == ".log":
        raise NotReadable(f"{source} is one file of a partition: give the folder that it is in")
    return []
