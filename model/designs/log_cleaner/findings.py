"""What the released log cleaner permits that it should not: the register's written half."""

from tierproof.model.language import Finding, Severity, Story

FINDINGS = (
    Finding(
        name="deleted_key_comes_back",
        title=(
            "A deleted key comes back when a cleaning starts after an ABORT marker in the same "
            "segment"
        ),
        severity=Severity.WRONG,
        symptom=(
            "A consumer that reads the compacted topic from its start gets a value of a key that "
            "was deleted, and no later pass of the cleaner mends it: the value stays until the "
            "key is written again. Each replica cleans for itself, so that another one may not "
            "have the value. A cleaner pass that begins behind an ABORT marker takes the "
            "committed tombstone of the same producer for aborted, and keeps the older value; the "
            "tombstone goes once delete.retention.ms is over."
        ),
        needs=(
            "One replica is enough; a producer that aborts a transaction, and later commits one "
            "that deletes a key; a cleaner checkpoint between ABORT marker and tombstone, in the "
            "segment of the marker, and an entry of the offset index between marker and checkpoint "
            "(one for each index.interval.bytes, 4096 by default; the model has one for each "
            "offset). A full offset map puts the checkpoint there (with the default "
            "log.cleaner.dedupe.buffer.size, some 5 million keys in one pass). By the code so does "
            "a crash or an aborted pass after the segment was merged into the one before. No "
            "fault. Kafka 0.11 to 4.4; before 3.9 by the code, which has the same three methods."
        ),
        claims=("deleted_keys_stay_deleted", "cleaned_keys_have_one_record"),
        permitted_by=(
            "Cleaner#buildOffsetMap, which collects the aborted transactions of the segment from "
            "UnifiedLog#collectAbortedTransactions: LocalLog#collectAbortedTransactions compares "
            "their ABORT markers with the log start, and not with the first dirty offset; "
            "Cleaner#buildOffsetMapForSegment, which begins to read at the last offset of the "
            "index at or before the first dirty one; CleanedTransactionMetadata, which takes each "
            "batch of a producer for aborted until it meets the producer's next ABORT marker"
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
                    "is full then. It passes the aborted record and the ABORT marker, and stops at "
                    "offset 3: Cleaner#buildOffsetMapForSegment tests the room before it looks "
                    "whether the map has the key.",
                ),
                (
                    "8-10",
                    "The first pass cleans the segment: it removes the aborted record and writes "
                    "a delete horizon into the tombstone. The delete horizon passes. The first "
                    "pass writes offset 3 as its checkpoint.",
                ),
                (
                    "11",
                    "The second pass begins to read at offset 3. It has the aborted transaction "
                    "of the segment in its list, never meets the ABORT marker at offset 2, and "
                    "takes the committed tombstone for an aborted record: the key does not enter "
                    "the offset map. The COMMIT marker at offset 4 comes too late, and does not "
                    "take the transaction off the list.",
                ),
                (
                    "12",
                    "The second pass cleans the segment: it removes the tombstone, whose delete "
                    "horizon is over, and keeps the value at offset 0.",
                ),
                (
                    "end",
                    "The log has the value at offset 0 of a key that was deleted, and no "
                    "tombstone.",
                ),
                (
                    "beyond",
                    "The delete horizon need not be over at step 12. The second pass then keeps "
                    "the value and the tombstone, and its checkpoint passes both; a later pass "
                    "removes the tombstone alone. We replayed that in the model, and saw it on "
                    "a broker of 4.4.0 with delete.retention.ms of 100 seconds.",
                ),
            ),
        ),
        turning=11,
        fix=(
            "Cleaner#buildOffsetMapForSegment begins to read at the base of the segment that has "
            "the first dirty offset; or, which needs no further read, Cleaner#buildOffsetMap "
            "drops aborted transactions whose ABORT marker lies before the first batch that is "
            "read. The model was tried with each alone, and each stands alone. For the second, "
            "LocalLog#collectAbortedTransactions can pass its base offset to the index in place "
            "of the log start: the map takes no record below the first dirty offset, and "
            "Cleaner#cleanSegments, the other caller, asks from the base of a segment, whose "
            "index has no earlier marker. Neither changes a file or a setting."
        ),
        costs=(
            "The first: up to one segment more to read in each pass, segment.bytes at most. The "
            "second: none."
        ),
        repair="repair_read_whole_segment",
        proposal="proposal_collect_aborted_from_the_base_offset",
        stands_alone=True,
        shows="tombstone_is_removed",
        scope="smoke",
    ),
)
