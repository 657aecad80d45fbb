"""What several findings on KIP-1266's migration quote, and how their stories begin."""

from tierproof.model.language import Passage

FUNCTIONAL = Passage(
    "KIP-1266",
    "Step 2: Rolling upgrade brokers",
    "Tiered storage remains fully functional; no freeze or special coordination is required.",
)
EXISTING = (
    "Offset 0 is in the remote tier as the remote segment id 0 (a UUID in Kafka); the metadata "
    "topic has its two records, COPY_SEGMENT_STARTED and COPY_SEGMENT_FINISHED, without keys."
)
RISK = Passage(
    "KIP-1266",
    "Rejected Alternatives",
    "Risk of Irrecoverable Metadata Loss: If the remote storage module experiences downtime, "
    "truncating the __remote_log_metadata topic based on retention policies could lead to "
    "permanent loss of remote log metadata, even when the remote storage still has those remote "
    "log segments, it will cause certain discrepancy between the remote storage and remote "
    "logsegment metadata state broker is preserving.",
)
"""Why the text rejects a retention of the metadata topic that follows the topics' own."""
