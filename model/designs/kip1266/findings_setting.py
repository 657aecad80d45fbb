"""What the stories of KIP-1266's findings have in common: what other findings ask for is done."""

WITH_FIXES = (
    "Other changes that we propose to the KIP are taken as made: the key of a segment's records is "
    "the id of the segment, and a record of the highest copied offset follows each "
    "COPY_SEGMENT_FINISHED."
)
WITH_HIGHEST_OFFSETS = (
    'The fix of "The highest offset that was ever copied is forgotten with the segment that had '
    'it" is taken as made: a record of that offset follows each COPY_SEGMENT_FINISHED.'
)
WITH_IDS = (
    "Another change that we propose to the KIP is taken as made: a key is the id of a segment."
)
