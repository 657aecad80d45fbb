"""What is read, in parts that are read apart from each other: files of partitions, by bytes."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

METADATA_TOPIC = "__remote_log_metadata"
SPLIT_BYTES = 1 << 26
"""Of a file that one task holds in memory: 64 MiB, about 250,000 records."""

SEGMENT_FILE = re.compile(r"(\d{20})\.log")


class NotReadable(Exception):
    """Why a source cannot be read, in one sentence for whoever gave it."""


@dataclass(frozen=True)
class Piece:
    """The batches of a file that begin at bytes [first, last).

    `base` is the offset that the file's name says, `next_base` that of the next file of the
    partition; None behind the last one, and `base` where no split before this one is checked.
    """

    path: str
    first: int
    last: int
    base: int
    next_base: int | None


@dataclass(frozen=True)
class Split:
    """Pieces of one metadata partition that one task reads, in order. `number` orders splits."""

    number: int
    metadata_partition: int
    pieces: tuple[Piece, ...]


@dataclass(frozen=True)
class PartitionFolder:
    """A folder `topic-N` of a broker, with its log files by base offset."""

    path: Path
    partition: int
    files: tuple[Path, ...]

    @property
    def bytes(self) -> int:
        """Of all its log files."""
        return sum(path.stat().st_size for path in self.files)

    @property
    def extent(self) -> tuple[int, int]:
        """By which replicas of a partition are compared: the last file, and all bytes."""
        return base_of(self.files[-1]) if self.files else -1, self.bytes


def base_of(path: Path) -> int:
    """The base offset that the name of a log file says."""
    return int(path.name.partition(".")[0])


def partition_folders(source: Path, topic: str) -> list[PartitionFolder]:
    """The partition folders of `topic` in a log directory, or the one that `source` is."""
    of_topic = re.compile(re.escape(topic) + r"-(\d+)")
    found = [
        PartitionFolder(path, int(match[1]), _log_files(path))
        for path in [source, *sorted(source.iterdir())]
        if (match := of_topic.fullmatch(path.name)) and path.is_dir()
    ]
    return sorted(found, key=lambda folder: folder.partition)


def _log_files(folder: Path) -> tuple[Path, ...]:
    files = [path for path in folder.iterdir() if SEGMENT_FILE.fullmatch(path.name)]
    return tuple(sorted(files, key=base_of))


def one_replica_each(
    folders: Iterable[PartitionFolder],
) -> tuple[list[PartitionFolder], list[PartitionFolder]]:
    """Of each partition the folder that reaches furthest, and those that are left out."""
    replicas: dict[int, list[PartitionFolder]] = defaultdict(list)
    for folder in folders:
        replicas[folder.partition].append(folder)
    chosen, left_out = [], []
    for _, same in sorted(replicas.items()):
        first, *others = sorted(same, key=lambda folder: folder.extent, reverse=True)
        chosen.append(first)
        left_out += others
    return chosen, left_out


def splits_of(
    folders: Iterable[PartitionFolder], split_bytes: int = SPLIT_BYTES, first_number: int = 0
) -> list[Split]:
    """The splits of partitions, numbered in order of partition, base offset and byte."""
    pieces = [(folder, piece) for folder in folders for piece in _pieces(folder, split_bytes)]
    return [
        Split(number, folder.partition, (piece,))
        for number, (folder, piece) in enumerate(pieces, first_number)
    ]


def _pieces(folder: PartitionFolder, split_bytes: int) -> Iterator[Piece]:
    following = [*map(base_of, folder.files[1:]), None]
    for path, next_base in zip(folder.files, following, strict=True):
        size = path.stat().st_size
        for first in range(0, max(size, 1), split_bytes):
            yield Piece(str(path), first, min(first + split_bytes, size), base_of(path), next_base)


def whole_partition(splits: list[Split]) -> Split:
    """All splits of a partition as one, with the number of the first.

    Pieces of a file that follow each other are one as far as they fit into SPLIT_BYTES: what is
    out of place is judged among its neighbours.
    """
    pieces: list[Piece] = []
    for piece in (piece for split in splits for piece in split.pieces):
        last = pieces[-1] if pieces else None
        if last and last.path == piece.path and piece.last - last.first <= SPLIT_BYTES:
            pieces[-1] = replace(last, last=piece.last)
        else:
            pieces.append(piece)
    return Split(splits[0].number, splits[0].metadata_partition, tuple(pieces))
