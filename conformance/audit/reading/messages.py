"""The messages of the topic, decoded by Numba: every version of the four records, and their keys.

The definitions are Kafka's: RemoteLogSegmentMetadataRecord (api key 0), its UpdateRecord (1),
RemotePartitionDeleteMetadataRecord (2) and RemoteLogSegmentMetadataSnapshotRecord (3), which are
flexible in all versions. Version 1 adds tagged fields (KIP-1266, not yet released).
"""

from __future__ import annotations

import numpy as np

from tierproof.conformance.audit.reading.compiling import njit
from tierproof.conformance.audit.reading.fields import (
    ENDED,
    fixed,
    integer,
    skip,
    skip_tagged,
    unsigned_varint,
)
from tierproof.conformance.audit.reading.records import KEY, KEY_BYTES, VALUE, VALUE_BYTES

# Kinds of row. The first four are the api keys; what follows TOMBSTONE is set aside.
SEGMENT, UPDATE, DELETE, SNAPSHOT, TOMBSTONE, UNKNOWN_MESSAGE, UNKNOWN_VERSION, FOREIGN = range(8)

# Columns of the table of decoded messages, int64 each. The first hold values, those with _AT
# positions in the data, those with _BYTES lengths.
KIND, VERSION, PARTITION, START, END, BROKER, EVENT, MAX_TIMESTAMP, BYTES, STATE, TXN_EMPTY = range(
    11
)
TOPIC_AT, TOPIC_BYTES, TOPIC_ID_AT, SEGMENT_ID_AT, EPOCHS_AT, EPOCHS, CUSTOM_AT, CUSTOM_BYTES = (
    range(11, 19)
)
PRESENT, API_KEY = 19, 20
COLUMNS = 21

# Bits of PRESENT: which fields the message carries.
HAS_TOPIC, HAS_TOPIC_ID, HAS_PARTITION, HAS_SEGMENT_ID, HAS_START, HAS_END = 1, 2, 4, 8, 16, 32
HAS_BROKER, HAS_EVENT, HAS_MAX_TIMESTAMP, HAS_BYTES, HAS_EPOCHS = 64, 128, 256, 512, 1024
HAS_STATE, HAS_CUSTOM, HAS_TXN_EMPTY, TOPIC_ID_IS_TEXT = 2048, 4096, 8192, 16384

FRAME_VERSION = 1
"""Of what stands around a message: frame version, api key and version, a varint each."""

NEWEST_VERSION = 1
SEGMENT_STATES = 4
PARTITION_STATES = 3
LONGEST_TOPIC = 249
BINARY_KEY = 37
UUID_TEXT = 22


@njit
def decode(data, records, rows):
    """Write a row for each located record."""
    for number in range(len(records)):
        record, row = records[number], rows[number]
        row[:] = 0
        row[VERSION] = -1
        row[CUSTOM_BYTES] = -1
        if record[VALUE_BYTES] >= 0:
            start = record[VALUE]
            row[KIND] = _decode_value(data, start, start + record[VALUE_BYTES], row)
        elif record[KEY_BYTES] >= 0:
            start = record[KEY]
            row[KIND] = _decode_key(data, start, start + record[KEY_BYTES], row)
        else:
            row[KIND] = FOREIGN


@njit
def _decode_value(data, at, end, row):
    frame, at = unsigned_varint(data, at, end)
    kind, at = unsigned_varint(data, at, end)
    version, at = unsigned_varint(data, at, end)
    if at == ENDED or frame != FRAME_VERSION:
        return FOREIGN
    row[API_KEY] = kind
    row[VERSION] = version
    if kind < SEGMENT or kind > SNAPSHOT:
        return UNKNOWN_MESSAGE
    if version < 0 or version > NEWEST_VERSION:
        return UNKNOWN_VERSION
    if kind in (SEGMENT, UPDATE):
        at = _topic_partition(data, at, end, row)
        at = _segment_id(data, at, end, row)
        at = skip_tagged(data, at, end)
    elif kind == DELETE:
        at = _topic_partition(data, at, end, row)
    else:
        at = _segment_id(data, at, end, row)
    at = _body(data, at, end, row, kind)
    at = _tagged(data, at, end, row, kind, version)
    return kind if at == end and _is_legal(data, row, kind) else FOREIGN


@njit
def _topic_partition(data, at, end, row):
    size, at = unsigned_varint(data, at, end)
    row[TOPIC_AT] = at
    row[TOPIC_BYTES] = size - 1
    at = skip(at, end, size - 1)
    row[TOPIC_ID_AT] = at
    at = skip(at, end, 16)
    row[PARTITION], at = fixed(data, at, end, 4)
    row[PRESENT] |= HAS_TOPIC | HAS_TOPIC_ID | HAS_PARTITION
    return skip_tagged(data, at, end)


@njit
def _segment_id(data, at, end, row):
    row[SEGMENT_ID_AT] = at
    row[PRESENT] |= HAS_SEGMENT_ID
    return skip(at, end, 16)


@njit
def _body(data, at, end, row, kind):
    """Everything between the ids and the tagged fields."""
    describes_segment = kind in (SEGMENT, SNAPSHOT)
    if describes_segment:
        row[START], at = fixed(data, at, end, 8)
        row[END], at = fixed(data, at, end, 8)
    row[BROKER], at = fixed(data, at, end, 4)
    if describes_segment:
        row[MAX_TIMESTAMP], at = fixed(data, at, end, 8)
    row[EVENT], at = fixed(data, at, end, 8)
    if describes_segment:
        at = _leader_epochs(data, at, end, row)
        row[BYTES], at = fixed(data, at, end, 4)
        row[PRESENT] |= HAS_START | HAS_END | HAS_MAX_TIMESTAMP | HAS_EPOCHS | HAS_BYTES
    if kind != DELETE:
        at = _custom_metadata(data, at, end, row)
    row[STATE], at = fixed(data, at, end, 1)
    row[PRESENT] |= HAS_BROKER | HAS_EVENT | HAS_STATE
    return at


@njit
def _leader_epochs(data, at, end, row):
    count, at = unsigned_varint(data, at, end)
    row[EPOCHS_AT] = at
    row[EPOCHS] = count - 1
    while count > 1 and at != ENDED:
        at = skip_tagged(data, skip(at, end, 12), end)
        count -= 1
    return at if count == 1 else np.int64(ENDED)


@njit
def _custom_metadata(data, at, end, row):
    size, at = unsigned_varint(data, at, end)
    row[CUSTOM_AT] = at
    row[CUSTOM_BYTES] = size - 1
    if size > 0:
        row[PRESENT] |= HAS_CUSTOM
        at = skip(at, end, size - 1)
    return at


@njit
def _tagged(data, at, end, row, kind, version):
    """The tagged fields of a message: whether a segment has no transactions, an end offset."""
    count, at = unsigned_varint(data, at, end)
    if kind in (SEGMENT, SNAPSHOT):
        row[PRESENT] |= HAS_TXN_EMPTY
    while count > 0 and at != ENDED:
        tag, at = unsigned_varint(data, at, end)
        size, at = unsigned_varint(data, at, end)
        start = at
        at = skip(at, end, size)
        if at != ENDED and tag == 0 and size == 1 and row[PRESENT] & HAS_TXN_EMPTY:
            row[TXN_EMPTY] = data[start] != 0
        has_end = version == 1 and kind in (UPDATE, DELETE)
        if at != ENDED and tag == 1 and size == 8 and has_end:
            row[END] = integer(data, start, 8)
            row[PRESENT] |= HAS_END
        count -= 1
    return at


@njit
def _is_legal(data, row, kind):
    """Whether name and state are such as Kafka accepts."""
    states = PARTITION_STATES if kind == DELETE else SEGMENT_STATES
    if row[STATE] < 0 or row[STATE] >= states:
        return False
    if row[PRESENT] & HAS_TOPIC:
        return _is_topic(data, row[TOPIC_AT], row[TOPIC_BYTES])
    return True


@njit
def _is_topic(data, at, size):
    """Whether these are 1 to 249 letters, digits, dots, underscores and hyphens."""
    if size < 1 or size > LONGEST_TOPIC:
        return False
    for position in range(at, at + size):
        byte = data[position]
        is_letter = 97 <= (byte | 32) <= 122
        if not (is_letter or 48 <= byte <= 57 or byte == 45 or byte == 46 or byte == 95):
            return False
    return True


@njit
def _decode_key(data, at, end, row):
    """A key without value, of either form that was proposed for KIP-1266."""
    if end - at == BINARY_KEY and 0 <= data[end - 1] < SEGMENT_STATES:
        row[TOPIC_ID_AT] = at
        row[PARTITION] = integer(data, at + 16, 4)
        row[SEGMENT_ID_AT] = at + 20
        row[STATE] = data[end - 1]
        row[PRESENT] = HAS_TOPIC_ID | HAS_PARTITION | HAS_SEGMENT_ID | HAS_STATE
        return TOMBSTONE
    return _decode_text_key(data, at, end, row)


@njit
def _decode_text_key(data, at, end, row):
    """`topicId:topicName:partition:endOffset:brokerLeaderEpoch`, as PR 22459 of Kafka has it."""
    name_at = at + UUID_TEXT + 1
    if name_at > end or data[name_at - 1] != 58 or not _is_topic(data, at, UUID_TEXT):
        return FOREIGN
    colon = _next_colon(data, name_at, end)
    if not _is_topic(data, name_at, colon - name_at):
        return FOREIGN
    partition, at = _decimal(data, colon + 1, end)
    last, at = _decimal(data, at + 1, end)
    _, at = _decimal(data, at + 1, end)
    if at != end:
        return FOREIGN
    row[TOPIC_ID_AT] = name_at - UUID_TEXT - 1
    row[TOPIC_AT] = name_at
    row[TOPIC_BYTES] = colon - name_at
    row[PARTITION] = partition
    row[END] = last
    row[PRESENT] = HAS_TOPIC | HAS_TOPIC_ID | TOPIC_ID_IS_TEXT | HAS_PARTITION | HAS_END
    return TOMBSTONE


@njit
def _next_colon(data, at, end):
    while at < end and data[at] != 58:
        at += 1
    return at


@njit
def _decimal(data, at, end):
    """A decimal number, and the position of the colon behind it or the end; -2 without digits."""
    value = np.int64(0)
    start = at
    is_negative = 0 <= at < end and data[at] == 45
    if is_negative:
        at += 1
        start = at
    while 0 <= at < end and 48 <= data[at] <= 57:
        value = value * 10 + np.int64(data[at] - 48)
        at += 1
    if at <= start or (at < end and data[at] != 58):
        return np.int64(0), np.int64(-2)
    return -value if is_negative else value, np.int64(at)
