"""Decompression of a batch's records: each codec of Kafka, as its clients frame it."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator

import pyarrow as pa

MOST_BYTES = 1 << 28
"""What one batch may decompress to: far above what a broker accepts, far below this machine."""

XERIAL = b"\x82SNAPPY\x00"
XERIAL_HEADER = 16
LZ4_MAGIC = b"\x04\x22\x4d\x18"
HAS_CONTENT_SIZE = 0x08
HAS_DICTIONARY = 0x01


class CannotDecompress(Exception):
    """Why records of a batch cannot be decompressed, in words."""


class UnknownCodec(CannotDecompress):
    """A number of a codec that Kafka does not have."""


def decompress(content: bytes, codec: int, magic: int) -> bytes:
    """The records of a batch. Raises CannotDecompress; `content` is damaged, or no such codec."""
    if codec not in CODECS:
        raise UnknownCodec(f"codec {codec} is none of Kafka's")
    name, function = CODECS[codec]
    try:
        return function(content, magic)
    except CannotDecompress:
        raise
    except (pa.ArrowException, OSError, ValueError, struct.error, IndexError) as error:
        said = str(error).splitlines()
        raise CannotDecompress(f"its {name} is damaged: {said[0] if said else error!r}") from error


def _stream(content: bytes, name: str) -> bytes:
    with pa.CompressedInputStream(pa.BufferReader(content), name) as stream:
        read: bytes = stream.read(MOST_BYTES + 1)
    if len(read) > MOST_BYTES:
        raise CannotDecompress(f"it decompresses to more than {MOST_BYTES} bytes")
    return read


def _snappy(content: bytes, magic: int) -> bytes:
    """Blocks of snappy-java, or one block as librdkafka writes it."""
    if not content.startswith(XERIAL):
        return _snappy_block(content)
    return b"".join(map(_snappy_block, _xerial_blocks(content)))


def _xerial_blocks(content: bytes) -> Iterator[bytes]:
    at = XERIAL_HEADER
    while at < len(content):
        (size,) = struct.unpack_from(">i", content, at)
        if size < 0 or at + 4 + size > len(content):
            raise CannotDecompress("its snappy ends within a block")
        yield content[at + 4 : at + 4 + size]
        at += 4 + size


def _snappy_block(block: bytes) -> bytes:
    size = _leading_varint(block)
    if size > MOST_BYTES:
        raise CannotDecompress(f"it decompresses to more than {MOST_BYTES} bytes")
    return pa.Codec("snappy").decompress(block, decompressed_size=size, asbytes=True)


def _leading_varint(block: bytes) -> int:
    value = 0
    for turn, byte in enumerate(block[:5]):
        value |= (byte & 0x7F) << (7 * turn)
        if byte < 0x80:
            return value
    raise CannotDecompress("its snappy has no length")


def _lz4(content: bytes, magic: int) -> bytes:
    return _stream(content if magic == 2 else with_right_checksum(content), "lz4")


def with_right_checksum(frame: bytes) -> bytes:
    """An LZ4 frame of magic 0 or 1, whose header Kafka checked together with the magic number."""
    if not frame.startswith(LZ4_MAGIC):
        return frame
    flags = frame[4]
    size = 2 + (8 if flags & HAS_CONTENT_SIZE else 0) + (4 if flags & HAS_DICTIONARY else 0)
    descriptor = frame[4 : 4 + size]
    right = bytes([(xxhash_of_few_bytes(descriptor) >> 8) & 0xFF])
    return frame[: 4 + size] + right + frame[5 + size :]


def xxhash_of_few_bytes(content: bytes) -> int:
    """XXH32 with seed 0 of fewer than 16 bytes, which a frame's descriptor always is."""
    mask = 0xFFFFFFFF
    value = (374761393 + len(content)) & mask
    words = len(content) // 4
    for (word,) in struct.iter_unpack("<I", content[: 4 * words]):
        value = (value + word * 3266489917) & mask
        value = (((value << 17) | (value >> 15)) & mask) * 668265263 & mask
    for byte in content[4 * words :]:
        value = (value + byte * 374761393) & mask
        value = (((value << 11) | (value >> 21)) & mask) * 2654435761 & mask
    value = (value ^ (value >> 15)) * 2246822519 & mask
    value = (value ^ (value >> 13)) * 3266489917 & mask
    return value ^ (value >> 16)


CODECS: dict[int, tuple[str, Callable[[bytes, int], bytes]]] = {
    1: ("gzip", lambda content, _: _stream(content, "gzip")),
    2: ("snappy", _snappy),
    3: ("lz4", _lz4),
    4: ("zstd", lambda content, _: _stream(content, "zstd")),
}
"""Number of a codec in a batch's attributes -> its name and how it is decompressed."""
