"""What the stories of KIP-1266's findings have in common: the fixes of the other findings."""

WITH_FIXES = (
    "The fixes of the other findings are applied: the key of a segment's records is the id of the "
    "segment, and a record of the highest copied offset follows each COPY_SEGMENT_FINISHED."
)
WITH_HIGHEST_OFFSETS = (
    "As another finding asks, a record of the highest copied offset follows each "
    "COPY_SEGMENT_FINISHED."
)
WITH_IDS = "The fixes of the other findings are applied: a key is the id of a segment."
