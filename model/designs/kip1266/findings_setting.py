"""What the stories of KIP-1266's findings have in common: what other findings ask for is done."""

PULL_REQUEST = "KAFKA-20033; pull request 22459 (open) has the KIP's keys, and we have not run it"
WITH_FIXES = (
    "Other changes that we propose to the KIP are taken as made: the key of a segment's records is "
    "the id of the segment, and a record of the highest copied offset follows each "
    "COPY_SEGMENT_FINISHED."
)
WITH_HIGHEST_OFFSETS = (
    "A record of the highest copied offset follows each COPY_SEGMENT_FINISHED: the dearer of the "
    'two fixes of "The highest offset that was ever copied is forgotten with the segment that had '
    'it".'
)
WITH_IDS = (
    "Another change that we propose to the KIP is taken as made: a key is the id of a segment."
)
