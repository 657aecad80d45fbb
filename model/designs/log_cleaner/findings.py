"""What the released log cleaner permits that it should not: the register's written half."""

from tierproof.model.language import Finding, Severity, Story

FINDINGS = (
    Finding(
        name="deleted_key_comes_back",
        title="A deleted key comes back where a cleaning begins behind an ABORT marker",
        severity=Severity.WRONG,
        needs=(
            "One replica; a producer that aborts a transaction and commits the next one in the "
            "same segment; a checkpoint inside that segment. A full offset map puts it there, and "
            "so does, with an ample map, a crash or an aborted pass after the segment was merged "
            "into the one before. Kafka up to 4.4.0; recorded on released Kafka."
        ),
        claims=("deleted_keys_stay_deleted", "cleaned_keys_have_one_record"),
        permitted_by=(
            "Cleaner#buildOffsetMap, which collects the aborted transactions of the whole segment; "
            "Cleaner#buildOffsetMapForSegment, which begins to read at the first dirty offset; "
            "CleanedTransactionMetadata, which takes a producer for aborting until its next "
            "ABORT marker"
        ),
        assumptions=("E1", "E3", "E4"),
        story=Story(
            "ad9c2e",
            (
                ("start", "The log is empty. The offset map has room for one key."),
                ("1", "A client writes a value of the key at offset 0."),
                (
                    "2-3",
                    "A producer writes the key at offset 1 in a transaction and aborts it: the "
                    "ABORT marker is at offset 2.",
                ),
                (
                    "4-5",
                    "The same producer deletes the key: a tombstone at offset 3 and a COMMIT "
                    "marker at offset 4.",
                ),
                (
                    "6-7",
                    "The segment rolls. The first pass reads offset 0 into the offset map, which "
                    "is full then, and ends behind the ABORT marker.",
                ),
                (
                    "8-10",
                    "The segment is cleaned: the aborted record goes, the tombstone gets its "
                    "delete horizon. The checkpoint is offset 3.",
                ),
                (
                    "11",
                    "The next pass begins at offset 3. It still has the aborted transaction of "
                    "the segment, never meets its ABORT marker, and takes the committed tombstone "
                    "for an aborted record: the key does not enter the offset map.",
                ),
                (
                    "12",
                    "The second half of this pass removes the tombstone, whose delete horizon is "
                    "over, and keeps the value at offset 0.",
                ),
                (
                    "end",
                    "A reader gets the value at offset 0 of a key that was deleted. Nothing "
                    "removes it until the key is written again; other replicas are cleaned each "
                    "for itself and may differ.",
                ),
            ),
        ),
        turning=11,
        fix=(
            "Begin the first pass's reading at the base of the segment that has the first dirty "
            "offset, or drop aborted transactions whose ABORT marker lies before the first batch "
            "that is read."
        ),
        costs="Up to one segment more to read in each pass.",
        repair="repair_read_whole_segment",
        shows="tombstone_is_removed",
        scope="smoke",
    ),
)
