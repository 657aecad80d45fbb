"""The scopes of KIP-1272: what each is for. `deep` is run by hand."""

from tierproof.model.designs.kip1272.start import DELETED, UPDATED
from tierproof.model.designs.kip1272.state import CompactedPartition

PAIR = CompactedPartition(
    offsets=2,
    topic_keys=1,
    history=UPDATED,
    copied=2,
    segment_ids=4,
    leader_epochs=2,
    metadata_records=8,
    planned_deletions=4,
    retention_bytes=0,
    record_bytes=1,
    segment_bytes=1,
)

SCOPES = {
    # One leader: two segments of one key are cleaned, swapped and deleted.
    "smoke": PAIR.replace(brokers=1, leader_epochs=1),
    # The leader changes while it cleans.
    "election": PAIR.replace(elections=1),
    # A key is deleted, and another record comes later.
    "default": PAIR.replace(
        offsets=3,
        topic_keys=2,
        history=DELETED,
        copied=3,
        segment_ids=6,
        metadata_records=12,
        planned_deletions=6,
        elections=1,
    ),
}
