"""What the stories of KIP-1266's findings have in common: what other findings ask for is done."""

PULL_REQUEST = (
    "KAFKA-20033; pull request 22459 (open; read in part, not run) has the KIP's key for "
    "COPY_SEGMENT_STARTED, and the same key with a suffix for the updates of a segment"
)
WITH_FIXES = (
    "Two fixes of our other reports are taken as made: the key of a segment's records is the "
    "segment's id, and the topic has a record of the highest copied offset. The latter plays no "
    "part here."
)
WITH_HIGHEST_OFFSETS = (
    "The topic has a record of the highest copied offset. The KIP has none: it is the fix of "
    "another report, and plays no part here."
)
WITH_IDS = (
    "One fix of our other reports is taken as made: the key of a segment's records is the "
    "segment's id."
)
WITH_FIXES_APART = (
    "Two fixes of our other reports are taken as made, and play no part here: the key of a "
    "segment's records is the segment's id, and the topic has a record of the highest copied "
    "offset."
)
