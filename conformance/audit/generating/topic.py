"""A topic of metadata: lives of remote segments, spread over partitions as brokers spread them."""

from __future__ import annotations

import random
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tierproof.conformance.audit.generating.batches import Batch, Record
from tierproof.conformance.audit.generating.messages import (
    SegmentMessage,
    TopicPartition,
    UpdateMessage,
)
from tierproof.conformance.audit.reading.splits import METADATA_TOPIC

START_MS = 1_750_000_000_000
COPY_FINISHED, DELETE_STARTED, DELETE_FINISHED = 1, 2, 3


@dataclass(frozen=True, kw_only=True)
class GeneratedTopic:
    """What is generated: `records` in all, of segments of `tiered` topic-partitions.

    They are spread over `partitions` of the metadata topic; a file rolls at `segment_bytes`, and a
    batch has 1 to `batch_records` records. The same seed gives the same bytes.
    """

    records: int
    partitions: int = 1
    tiered: int = 20
    batch_records: int = 3
    segment_bytes: int = 1 << 27
    codec: int = 0
    epochs: int = 2
    seed: int = 1


def write_topic(folder: Path, topic: GeneratedTopic) -> list[Path]:
    """Write partition folders below `folder`. Returns the log files."""
    written: list[Path] = []
    for partition in range(topic.partitions):
        share = topic.records // topic.partitions
        share += topic.records % topic.partitions if partition == 0 else 0
        place = folder / f"{METADATA_TOPIC}-{partition}"
        place.mkdir(parents=True)
        written += _write_partition(place, topic, partition, share)
    return written


def _write_partition(
    place: Path, topic: GeneratedTopic, partition: int, share: int
) -> Iterator[Path]:
    """Write the log files of a partition, each named by its base offset."""
    held: list[bytes] = []
    base, size = 0, 0
    for batch in batches_of(topic, partition, share):
        content = batch.content
        if size + len(content) > topic.segment_bytes and held:
            yield _write(place, base, held)
            base, size, held = batch.base, 0, []
        held.append(content)
        size += len(content)
    yield _write(place, base, held)


def _write(place: Path, base: int, held: list[bytes]) -> Path:
    path = place / f"{base:020d}.log"
    path.write_bytes(b"".join(held))
    return path


def batches_of(topic: GeneratedTopic, partition: int, share: int) -> Iterator[Batch]:
    """The batches of a metadata partition that has `share` records."""
    chance = random.Random(zlib.crc32(f"{topic.seed}/{partition}".encode()))
    held: list[Record] = []
    base, most = 0, 1
    for record in _records(topic, partition, share, chance):
        held.append(record)
        if len(held) == most:
            yield Batch(base=base, records=held, codec=topic.codec)
            base, held, most = base + len(held), [], chance.randint(1, topic.batch_records)
    if held:
        yield Batch(base=base, records=held, codec=topic.codec)


def _records(
    topic: GeneratedTopic, partition: int, share: int, chance: random.Random
) -> Iterator[Record]:
    """Lives of segments, interleaved: each is copied, and deleted once retention.ms is over."""
    tiered = [_tiered(number, chance) for number in range(topic.tiered)]
    ends = [0] * topic.tiered
    waiting: list[tuple[int, bytes]] = []
    now = START_MS
    written = 0
    while written < share:
        number = min(int(chance.expovariate(3 / topic.tiered)), topic.tiered - 1)
        segment_id = chance.randbytes(16)
        made = [*_copied(topic, tiered[number], segment_id, ends[number], now, chance)]
        ends[number] += 1_000
        waiting.append((number, segment_id))
        if len(waiting) > topic.tiered:
            old, old_id = waiting.pop(0)
            for state in (DELETE_STARTED, DELETE_FINISHED):
                made.append(_update(tiered[old], old_id, state, now + 100))
        now += chance.randint(1, 400)
        yield from made[: share - written]
        written += len(made)


def _tiered(number: int, chance: random.Random) -> TopicPartition:
    return TopicPartition(f"orders.{number // 4}", chance.randbytes(16), number % 4)


def _copied(
    topic: GeneratedTopic,
    of: TopicPartition,
    segment_id: bytes,
    start: int,
    now: int,
    chance: random.Random,
) -> Iterator[Record]:
    epochs = [(epoch, start + 10 * epoch) for epoch in range(chance.randint(1, topic.epochs))]
    started = SegmentMessage(
        of=of,
        segment_id=segment_id,
        start_offset=start,
        end_offset=start + 999,
        broker_id=of.partition % 3,
        max_timestamp_ms=now - 1_000,
        event_ms=now,
        leader_epochs=epochs,
        segment_bytes=chance.randint(1 << 20, 1 << 30),
        txn_index_empty=True,
    )
    yield Record(started.content, timestamp=now + 1)
    yield _update(of, segment_id, COPY_FINISHED, now + 50)


def _update(of: TopicPartition, segment_id: bytes, state: int, now: int) -> Record:
    message = UpdateMessage(
        of=of, segment_id=segment_id, broker_id=of.partition % 3, event_ms=now, state=state
    )
    return Record(message.content, timestamp=now + 1)
