"""Why something was set aside: the closed set of `reason` in SET_ASIDE.

Rows of NOTICES pass over nothing: their records are in RECORDS, or were never in the files.
"""

TRUNCATED = "truncated"  # the file ends within a batch
DAMAGED_BATCH = "damaged_batch"  # its checksum or its structure is wrong
UNREADABLE_BYTES = "unreadable_bytes"  # no batch begins there, up to the next one that does
UNKNOWN_CODEC = "unknown_codec"  # compressed in a way that Kafka does not know
DAMAGED_RECORD = "damaged_record"  # a record whose fields do not fit its batch
UNKNOWN_MESSAGE = "unknown_message"  # an api key that the topic's messages do not have
UNKNOWN_VERSION = "unknown_version"  # a version of a known message that no release writes
FOREIGN_RECORD = "foreign_record"  # a value, or a key, that is no message of this topic
CONTROL_RECORD = "control_record"  # a marker of a transaction: it says nothing of segments
ABORTED_TRANSACTION = "aborted_transaction"  # a record whose transaction was aborted
DUPLICATE_OFFSET = "duplicate_offset"  # a batch of offsets that an earlier batch had
OTHER_REPLICA = "other_replica"  # another broker's copy of a partition that is read elsewhere
UNPRINTED_TOMBSTONE = "unprinted_tombstone"  # whose key the tool does not print
UNREADABLE_LINE = "unreadable_line"  # of the output of a tool, or of a listing
UNREADABLE_FILE = "unreadable_file"  # that cannot be opened or read to its end

OFFSET_GAP = "offset_gap"  # offsets that no batch has: deleted, compacted or lost
OUT_OF_ORDER = "out_of_order"  # a batch that stands behind one with later offsets
INVALID_CHECKSUM = "invalid_checksum"  # the tool printed the records of a batch that is damaged

NOTICES = (OFFSET_GAP, OUT_OF_ORDER, INVALID_CHECKSUM)

REASONS = (
    TRUNCATED,
    DAMAGED_BATCH,
    UNREADABLE_BYTES,
    UNKNOWN_CODEC,
    DAMAGED_RECORD,
    UNKNOWN_MESSAGE,
    UNKNOWN_VERSION,
    FOREIGN_RECORD,
    CONTROL_RECORD,
    ABORTED_TRANSACTION,
    DUPLICATE_OFFSET,
    OTHER_REPLICA,
    UNPRINTED_TOMBSTONE,
    UNREADABLE_LINE,
    UNREADABLE_FILE,
    *NOTICES,
)
