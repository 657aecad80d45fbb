"""Log files of a generated topic, and mutants of them: what storms and hands do to files."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from tierproof.conformance.audit.generating import GeneratedTopic
from tierproof.conformance.audit.generating.batches import Batch, Record
from tierproof.conformance.audit.generating.topic import batches_of
from tierproof.conformance.audit.reading.splits import METADATA_TOPIC

RECORDS = 60
FILE_BATCHES = 8


@dataclass
class Files:
    """Log files of one partition: base offset -> batches as bytes. `changes` says what was done."""

    files: dict[int, list[bytes]]
    changes: list[str] = field(default_factory=list)

    def write(self, folder: Path) -> Path:
        """Write them as a partition folder of a broker's log directory, which is returned."""
        place = folder / f"{METADATA_TOPIC}-0"
        place.mkdir(parents=True)
        for base, parts in self.files.items():
            (place / f"{base:020d}.log").write_bytes(b"".join(parts))
        return folder

    def pick(self, chance: random.Random) -> tuple[list[bytes], int]:
        """A batch of a file, but not the last of all: that it is gone leaves no trace."""
        last = max(self.files)
        while True:
            base = chance.choice(list(self.files))
            parts = self.files[base]
            ends = len(parts) - (base == last)
            if ends > 0:
                return parts, chance.randrange(ends)


def files_of(topic: GeneratedTopic) -> Files:
    """The files of partition 0 of a generated topic."""
    found = list(batches_of(topic, 0, topic.records))
    groups = [found[at : at + FILE_BATCHES] for at in range(0, len(found), FILE_BATCHES)]
    return Files({group[0].base: [batch.content for batch in group] for group in groups})


def drop(files: Files, chance: random.Random) -> None:
    """A batch is gone."""
    parts, at = files.pick(chance)
    parts.pop(at)


def double(files: Files, chance: random.Random) -> None:
    """A batch stands twice, one behind the other or later."""
    parts, at = files.pick(chance)
    parts.insert(chance.randint(at + 1, len(parts)), parts[at])


def reorder(files: Files, chance: random.Random) -> None:
    """Two batches of a file change places."""
    parts, at = files.pick(chance)
    other = chance.randrange(len(parts))
    parts[at], parts[other] = parts[other], parts[at]


def truncate(files: Files, chance: random.Random) -> None:
    """A file ends within a batch."""
    parts, at = files.pick(chance)
    if len(parts[at]) > 1:
        parts[at] = parts[at][: chance.randrange(1, len(parts[at]))]
        del parts[at + 1 :]


def corrupt(files: Files, chance: random.Random) -> None:
    """Bytes of a batch are others."""
    parts, at = files.pick(chance)
    content = bytearray(parts[at])
    for _ in range(chance.choice([1, 1, 1, 4, 40])):
        if content:
            content[chance.randrange(len(content))] ^= chance.randrange(1, 256)
    parts[at] = bytes(content)


def zero(files: Files, chance: random.Random) -> None:
    """A stretch of a batch is zero."""
    parts, at = files.pick(chance)
    content = bytearray(parts[at])
    start = chance.randrange(len(content) or 1)
    end = chance.randint(start, len(content))
    content[start:end] = bytes(end - start)
    parts[at] = bytes(content)


def insert(files: Files, chance: random.Random) -> None:
    """Bytes stand between two batches that are none."""
    parts, at = files.pick(chance)
    parts.insert(at, chance.randbytes(chance.choice([1, 16, 17, 200])))


def lengthen(files: Files, chance: random.Random) -> None:
    """The length of a batch is another."""
    parts, at = files.pick(chance)
    size = chance.choice([0, 1, 48, 49, 50, 1000, 2**31 - 1]).to_bytes(4, "big")
    parts[at] = parts[at][:8] + size + parts[at][12:]


def append_foreign(files: Files, chance: random.Random) -> None:
    """Somebody wrote other records to the topic."""
    values = (
        b"",
        b"hello",
        b"\x01\x00\x07" + bytes(40),
        b"\x01\x09\x00",
        None,
        chance.randbytes(60),
    )
    records = [Record(chance.choice(values), timestamp=5) for _ in range(chance.randint(1, 3))]
    files.files[max(files.files)].append(Batch(base=RECORDS, records=records).content)


MUTATIONS: tuple[Callable[[Files, random.Random], None], ...] = (
    drop,
    double,
    reorder,
    truncate,
    corrupt,
    corrupt,
    zero,
    insert,
    lengthen,
    append_foreign,
)


def mutant_of(seed: int) -> Files:
    """A topic with one to three changes. The same seed gives the same bytes."""
    chance = random.Random(seed)
    topic = GeneratedTopic(records=RECORDS, seed=seed, codec=chance.choice([0, 0, 0, 1, 2, 3, 4]))
    files = files_of(topic)
    for _ in range(chance.choice([1, 1, 2, 3])):
        change = chance.choice(MUTATIONS)
        if change is append_foreign and "append_foreign" in files.changes:
            continue
        change(files, chance)
        files.changes.append(change.__name__)
    return files
