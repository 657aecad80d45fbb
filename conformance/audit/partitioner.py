"""In which partition of the metadata topic the records of a topic-partition lie.

RemoteLogMetadataTopicPartitioner: murmur2 of the hash of the topic id's two halves and the
partition, made positive, modulo the number of partitions.
"""

from __future__ import annotations

import base64

_MASK = 0xFFFFFFFF


def metadata_partition(topic_id: str, partition: int, count: int) -> int:
    """The partition of `count`; `topic_id` as Kafka prints a Uuid. Raises ValueError."""
    uuid = base64.urlsafe_b64decode(topic_id + "==")
    if len(uuid) != 16:
        raise ValueError(f"{topic_id!r} is no Uuid")
    least, most = int.from_bytes(uuid[8:]), int.from_bytes(uuid[:8])
    hashed = 1
    for value in (_hash_of_long(least), _hash_of_long(most), partition):
        hashed = (31 * hashed + value) & _MASK
    return (murmur2(hashed.to_bytes(4)) & 0x7FFFFFFF) % count


def _hash_of_long(value: int) -> int:
    """Long#hashCode, as an unsigned number of 32 bits."""
    return (value ^ (value >> 32)) & _MASK


def murmur2(data: bytes) -> int:
    """Utils#murmur2 of Kafka's clients, as an unsigned number of 32 bits."""
    multiplier, length = 0x5BD1E995, len(data)
    found = (0x9747B28C ^ length) & _MASK
    whole = length - length % 4
    for at in range(0, whole, 4):
        word = int.from_bytes(data[at : at + 4], "little") * multiplier & _MASK
        word = (word ^ (word >> 24)) * multiplier & _MASK
        found = (found * multiplier & _MASK) ^ word
    for shift, byte in enumerate(data[whole:]):
        found ^= byte << (8 * shift)
    if length > whole:
        found = found * multiplier & _MASK
    found = (found ^ (found >> 13)) * multiplier & _MASK
    return found ^ (found >> 15)
