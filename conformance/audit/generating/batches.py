"""Batches of every magic and codec as bytes, as clients of Kafka and its brokers write them."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa

from tierproof.conformance.audit.generating.messages import varint
from tierproof.conformance.audit.reading.checksums import CRC_32C, checksum
from tierproof.conformance.audit.reading.decompression import XERIAL, xxhash_of_few_bytes

NO_PRODUCER = -1
XERIAL_BLOCK = 32 * 1024


@dataclass(frozen=True)
class Record:
    """A record: value and key, None for null, its time, and pairs of header and value."""

    value: bytes | None
    key: bytes | None = None
    timestamp: int = 0
    headers: Sequence[tuple[bytes, bytes | None]] = ()


@dataclass(frozen=True, kw_only=True)
class Batch:
    """Records from `base` on. `deltas` are their offsets from it, if some were compacted away."""

    base: int
    records: Sequence[Record]
    codec: int = 0
    magic: int = 2
    is_transactional: bool = False
    is_control: bool = False
    producer: int = NO_PRODUCER
    log_append_ms: int | None = None
    deltas: Sequence[int] | None = None
    last_delta: int | None = None
    compress: Callable[[bytes], bytes] | None = field(default=None, repr=False)

    @property
    def content(self) -> bytes:
        """The batch as it stands in a log file."""
        return self._batch() if self.magic == 2 else self._messages()

    def _compressed(self, content: bytes) -> bytes:
        return (self.compress or CODECS[self.codec])(content)

    def _batch(self) -> bytes:
        deltas = self.deltas if self.deltas is not None else range(len(self.records))
        first = self.records[0].timestamp if self.records else 0
        last = self.log_append_ms or max((one.timestamp for one in self.records), default=0)
        packed = b"".join(
            framed(record, first, delta) for record, delta in zip(self.records, deltas, strict=True)
        )
        last_delta = self.last_delta
        if last_delta is None:
            last_delta = max(deltas, default=0)
        attributes = (
            self.codec
            | (0x08 if self.log_append_ms is not None else 0)
            | (0x10 if self.is_transactional else 0)
            | (0x20 if self.is_control else 0)
        )
        body = struct.pack(">hiqq", attributes, last_delta, first, last)
        body += struct.pack(">qhii", self.producer, -1, -1, len(self.records))
        body += self._compressed(packed)
        crc = int(checksum(np.frombuffer(body, np.uint8), 0, len(body), CRC_32C))
        return struct.pack(">qiibI", self.base, len(body) + 9, 0, 2, crc) + body

    def _messages(self) -> bytes:
        """Magic 0 or 1: one message each, or one that holds all of them compressed."""
        if not self.codec:
            pairs = enumerate(self.records, start=self.base)
            return b"".join(message(offset, record, self.magic, 0) for offset, record in pairs)
        inner = b"".join(
            message(at if self.magic == 1 else self.base + at, record, self.magic, 0)
            for at, record in enumerate(self.records)
        )
        last = self.base + len(self.records) - 1
        outer = Record(self._compressed(inner), timestamp=self.records[-1].timestamp)
        return message(last, outer, self.magic, self.codec)


def framed(record: Record, first: int, delta: int) -> bytes:
    """A record of magic 2."""
    body = b"\x00" + varint(record.timestamp - first) + varint(delta)
    for part in (record.key, record.value):
        body += varint(-1) if part is None else varint(len(part)) + part
    body += varint(len(record.headers))
    for name, value in record.headers:
        body += varint(len(name)) + name
        body += varint(-1) if value is None else varint(len(value)) + value
    return varint(len(body)) + body


def message(offset: int, record: Record, magic: int, attributes: int) -> bytes:
    """A message of magic 0 or 1."""
    body = struct.pack(">bb", magic, attributes)
    body += struct.pack(">q", record.timestamp) if magic else b""
    for part in (record.key, record.value):
        body += struct.pack(">i", -1 if part is None else len(part)) + (part or b"")
    return struct.pack(">qiI", offset, len(body) + 4, zlib.crc32(body)) + body


def xerial(content: bytes) -> bytes:
    """Snappy as snappy-java frames it."""
    codec = pa.Codec("snappy")
    blocks = [content[at : at + XERIAL_BLOCK] for at in range(0, len(content), XERIAL_BLOCK)]
    packed = [codec.compress(block, asbytes=True) for block in blocks]
    framed_blocks = b"".join(struct.pack(">i", len(one)) + one for one in packed)
    return XERIAL + struct.pack(">ii", 1, 1) + framed_blocks


def broken_lz4(content: bytes) -> bytes:
    """LZ4 as Kafka wrote it with magic 0: its header's checksum covers the magic number too."""
    frame = pa.Codec("lz4").compress(content, asbytes=True)
    size = 2 + (8 if frame[4] & 0x08 else 0)
    wrong = (xxhash_of_few_bytes(frame[: 4 + size]) >> 8) & 0xFF
    return frame[: 4 + size] + bytes([wrong]) + frame[5 + size :]


def _by(name: str) -> Callable[[bytes], bytes]:
    return lambda content: pa.Codec(name).compress(content, asbytes=True)


CODECS: dict[int, Callable[[bytes], bytes]] = {
    0: lambda content: content,
    1: _by("gzip"),
    2: xerial,
    3: _by("lz4"),
    4: _by("zstd"),
}
"""Number of a codec -> how Kafka's Java client compresses with it."""
