"""What the stories of KIP-1266's findings have in common: what other findings ask for is done."""

PULL_REQUEST = (
    "KAFKA-20033; pull request 22459 (open), in a version that we have read and not run, has the "
    "KIP's keys and, for updates, a second one"
)
WITH_FIXES = (
    "Other changes that we propose to the KIP are taken as made: the key of a segment's records is "
    "the id of the segment, and a record of the highest copied offset follows each "
    "COPY_SEGMENT_FINISHED (it plays no part here)."
)
WITH_HIGHEST_OFFSETS = (
    "A record of the highest copied offset follows each COPY_SEGMENT_FINISHED: the fix of another "
    "report, which plays no part here."
)
WITH_IDS = (
    "Another change that we propose to the KIP is taken as made: a key is the id of a segment."
)
