"""What the stories of KIP-1266's findings have in common: what other findings ask for is done."""

PULL_REQUEST = (
    "KAFKA-20033; pull request 22459 (open; read in part, not run) has the KIP's key for "
    "COPY_SEGMENT_STARTED, and the same key with a suffix for the updates of a segment"
)
WITH_FIXES = (
    "In the listing a segment's key is its id, and there is a record of the highest copied "
    "offset, as two of our other reports propose. That record plays no part here."
)
WITH_HIGHEST_OFFSETS = (
    "The record of the highest copied offset in the listing belongs to a fix that is named above, "
    "and plays no part here."
)
WITH_IDS = "In the listing a segment's key is its id, as another of our reports proposes."
