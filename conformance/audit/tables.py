"""The three tables that an audit reads: metadata records, objects, and what was set aside.

They are the seam between reading and judging: whoever decodes a file of a broker, the output of a
tool or a live topic yields RECORDS and SET_ASIDE; whoever lists a bucket yields OBJECTS; and
what judges knows nothing of files.
"""

import pyarrow as pa

# One metadata record of the topic, in the words of Kafka's own message definitions. A field that
# the kind of record does not carry is null. Offsets of a segment are inclusive.
RECORDS = pa.schema(
    [
        pa.field("source", pa.string(), nullable=False),  # file, or host:port of a live read
        pa.field("metadata_partition", pa.int32(), nullable=False),
        pa.field("record_offset", pa.int64(), nullable=False),  # its offset in that partition
        pa.field("appended_ms", pa.int64(), nullable=False),  # timestamp of the record, epoch ms
        pa.field("kind", pa.string(), nullable=False),  # one of KINDS
        pa.field("version", pa.int16()),  # of the message, null for a tombstone
        pa.field("record_bytes", pa.int32(), nullable=False),  # key and value
        pa.field("topic", pa.string()),
        pa.field("topic_id", pa.string()),  # as Kafka prints a Uuid: base64, 22 characters
        pa.field("partition", pa.int32()),
        pa.field("segment_id", pa.string()),  # likewise
        pa.field("start_offset", pa.int64()),
        pa.field("end_offset", pa.int64()),
        pa.field("broker_id", pa.int32()),
        pa.field("event_ms", pa.int64()),  # eventTimestampMs, by the clock of the writer
        pa.field("max_timestamp_ms", pa.int64()),  # of the records in the segment
        pa.field("segment_bytes", pa.int32()),
        pa.field("leader_epochs", pa.list_(pa.int32())),  # segmentLeaderEpochs ...
        pa.field("epoch_starts", pa.list_(pa.int64())),  # ... and the start offset of each
        pa.field("state", pa.string()),  # COPY_SEGMENT_STARTED, ..., DELETE_PARTITION_FINISHED
        pa.field("custom_metadata", pa.binary()),
        pa.field("txn_index_empty", pa.bool_()),
    ]
)

SEGMENT = "segment"  # RemoteLogSegmentMetadataRecord, api key 0
SEGMENT_UPDATE = "segment_update"  # RemoteLogSegmentMetadataUpdateRecord, 1
PARTITION_DELETE = "partition_delete"  # RemotePartitionDeleteMetadataRecord, 2
SNAPSHOT = "snapshot"  # RemoteLogSegmentMetadataSnapshotRecord, 3
TOMBSTONE = "tombstone"  # a key without a value, as KIP-1266 writes
KINDS = (SEGMENT, SEGMENT_UPDATE, PARTITION_DELETE, SNAPSHOT, TOMBSTONE)

# What was read and could not be understood. Nothing is dropped without a row here.
SET_ASIDE = pa.schema(
    [
        pa.field("source", pa.string(), nullable=False),
        pa.field("position", pa.int64()),  # byte in the file, or line of a tool's output
        pa.field("record_offset", pa.int64()),
        pa.field("bytes", pa.int64()),  # how many bytes were passed over, null if not known
        pa.field("records", pa.int64()),  # how many records, null if not known
        pa.field("reason", pa.string(), nullable=False),  # one of a closed set of kinds
        pa.field("detail", pa.string(), nullable=False),  # one sentence
    ]
)

# One object of the bucket. What its key does not say is null.
OBJECTS = pa.schema(
    [
        pa.field("key", pa.string(), nullable=False),
        pa.field("bytes", pa.int64(), nullable=False),
        pa.field("modified_ms", pa.int64()),
        pa.field("file", pa.string()),  # one of FILES, null: the key fits no layout
        pa.field("topic", pa.string()),
        pa.field("topic_id", pa.string()),
        pa.field("partition", pa.int32()),
        pa.field("start_offset", pa.int64()),
        pa.field("segment_id", pa.string()),
        pa.field("unfinished", pa.bool_(), nullable=False),  # a multipart upload never completed
    ]
)

FILES = (
    "log",
    "offset_index",
    "time_index",
    "transaction_index",
    "leader_epoch_checkpoint",
    "producer_snapshot",
    "indexes",  # all of them in one object, as Aiven's plugin stores them
    "manifest",  # likewise
)
