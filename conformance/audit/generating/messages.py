"""Messages of the metadata topic as bytes: what a broker's producer would send."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass

NO_TAGS = b"\x00"
FRAME_VERSION = 1


def unsigned_varint(value: int) -> bytes:
    """An unsigned varint."""
    written = bytearray()
    while value >= 0x80:
        written.append(value & 0x7F | 0x80)
        value >>= 7
    written.append(value)
    return bytes(written)


def varint(value: int) -> bytes:
    """A zigzag varint."""
    return unsigned_varint((value << 1) ^ (value >> 63))


@dataclass(frozen=True)
class TopicPartition:
    """A partition of a tiered topic; the id has 16 bytes."""

    topic: str
    topic_id: bytes
    partition: int

    @property
    def content(self) -> bytes:
        """TopicIdPartitionEntry."""
        name = self.topic.encode()
        head = unsigned_varint(len(name) + 1) + name + self.topic_id
        return head + struct.pack(">i", self.partition) + NO_TAGS


@dataclass(frozen=True, kw_only=True)
class SegmentMessage:
    """RemoteLogSegmentMetadataRecord."""

    of: TopicPartition
    segment_id: bytes
    start_offset: int
    end_offset: int
    broker_id: int
    max_timestamp_ms: int
    event_ms: int
    leader_epochs: Sequence[tuple[int, int]]
    segment_bytes: int
    custom_metadata: bytes | None = None
    state: int = 0
    txn_index_empty: bool = False
    version: int = 0
    tags: Sequence[tuple[int, bytes]] = ()

    @property
    def content(self) -> bytes:
        """The value of the record."""
        tags = [*([(0, b"\x01")] if self.txn_index_empty else []), *self.tags]
        ids = self.of.content + self.segment_id + NO_TAGS
        return bytes([FRAME_VERSION, 0, self.version]) + ids + self.body + tagged(tags)

    @property
    def body(self) -> bytes:
        """Everything between the ids and the tagged fields."""
        epochs = b"".join(
            struct.pack(">iq", epoch, start) + NO_TAGS for epoch, start in self.leader_epochs
        )
        return (
            struct.pack(">qqi", self.start_offset, self.end_offset, self.broker_id)
            + struct.pack(">qq", self.max_timestamp_ms, self.event_ms)
            + unsigned_varint(len(self.leader_epochs) + 1)
            + epochs
            + struct.pack(">i", self.segment_bytes)
            + nullable_bytes(self.custom_metadata)
            + struct.pack(">b", self.state)
        )


@dataclass(frozen=True, kw_only=True)
class UpdateMessage:
    """RemoteLogSegmentMetadataUpdateRecord."""

    of: TopicPartition
    segment_id: bytes
    broker_id: int
    event_ms: int
    state: int
    custom_metadata: bytes | None = None
    version: int = 0
    tags: Sequence[tuple[int, bytes]] = ()

    @property
    def content(self) -> bytes:
        """The value of the record."""
        ids = self.of.content + self.segment_id + NO_TAGS
        body = struct.pack(">iq", self.broker_id, self.event_ms)
        body += nullable_bytes(self.custom_metadata) + struct.pack(">b", self.state)
        return bytes([FRAME_VERSION, 1, self.version]) + ids + body + tagged(self.tags)


@dataclass(frozen=True, kw_only=True)
class PartitionDeleteMessage:
    """RemotePartitionDeleteMetadataRecord."""

    of: TopicPartition
    broker_id: int
    event_ms: int
    state: int
    version: int = 0
    tags: Sequence[tuple[int, bytes]] = ()

    @property
    def content(self) -> bytes:
        """The value of the record."""
        body = struct.pack(">iqb", self.broker_id, self.event_ms, self.state)
        return bytes([FRAME_VERSION, 2, self.version]) + self.of.content + body + tagged(self.tags)


@dataclass(frozen=True, kw_only=True)
class SnapshotMessage:
    """RemoteLogSegmentMetadataSnapshotRecord: a segment without its topic and partition."""

    segment: SegmentMessage

    @property
    def content(self) -> bytes:
        """The value of the record."""
        one = self.segment
        tags = [*([(0, b"\x01")] if one.txn_index_empty else []), *one.tags]
        return bytes([FRAME_VERSION, 3, one.version]) + one.segment_id + one.body + tagged(tags)


Message = SegmentMessage | UpdateMessage | PartitionDeleteMessage | SnapshotMessage


def nullable_bytes(content: bytes | None) -> bytes:
    """Compact nullable bytes."""
    return b"\x00" if content is None else unsigned_varint(len(content) + 1) + content


def tagged(tags: Sequence[tuple[int, bytes]]) -> bytes:
    """A section of tagged fields."""
    fields = (
        unsigned_varint(tag) + unsigned_varint(len(content)) + content for tag, content in tags
    )
    return unsigned_varint(len(tags)) + b"".join(fields)
