"""What the released log cleaner permits that it should not: the register's written half."""

from tierproof.model.language import Finding

CLAIMS = ("deleted_keys_stay_deleted", "cleaned_keys_have_one_record")
PERMITTED_BY = (
    "Cleaner#buildOffsetMap, which collects the aborted transactions of the whole segment that "
    "holds the first dirty offset; Cleaner#buildOffsetMapForSegment, which begins to read at "
    "OffsetIndex#lookup(startOffset), be it behind the ABORT marker of such a transaction; "
    "CleanedTransactionMetadata, which holds the producer to be aborting until its next ABORT "
    "marker"
)
PREVENTED_BY = "reading that begins with the segment whose transaction index it takes"

FINDINGS = (
    Finding(
        name="deleted_key_comes_back",
        title="A deleted key comes back after a partial pass over transactions",
        claims=CLAIMS,
        permitted_by=PERMITTED_BY,
        explanation=(
            "The offset map is full inside a segment, behind the ABORT marker of a transaction: "
            "the checkpoint lies there. The next first pass begins to read at the checkpoint, and "
            "still loads the aborted transaction, whose marker it never meets. It takes the same "
            "producer's committed batches for aborted ones and leaves their keys out of the map. "
            "An older value of such a key stays below the new checkpoint beside the tombstone "
            "that deletes it. When the tombstone's delete horizon is over, the tombstone goes, "
            "and the value is read again. Replicas are cleaned each for itself, so that they "
            "differ. Recorded on released Kafka (`revives` in cleaner.jsonl.gz)."
        ),
        repair="repair_read_whole_segment",
        prevented_by=PREVENTED_BY,
        scope="smoke",
    ),
    Finding(
        name="crash_brings_a_deleted_key_back",
        title="A deleted key comes back after a crash before the checkpoint, with an ample map",
        claims=CLAIMS,
        permitted_by=f"{PERMITTED_BY}; Cleaner#doClean, which swaps segments before the "
        "checkpoint is written",
        explanation=(
            "No pass is partial, and every checkpoint is written at the base of a segment. A pass "
            "then merges that segment into the one before, and the broker crashes before the "
            "new checkpoint is written. The old checkpoint now lies inside a segment, behind an "
            "ABORT marker, and the next pass goes wrong as after a partial one "
            "(`deleted_key_comes_back`). Found by exploration; no recording has a crash."
        ),
        repair="repair_read_whole_segment",
        prevented_by=PREVENTED_BY,
        scope="crash",
    ),
    Finding(
        name="aborted_pass_does_the_same",
        title="A pass that is aborted between two groups does the same, without a crash",
        claims=("cleaned_keys_have_one_record",),
        permitted_by=f"{PERMITTED_BY}; LogCleaner#cleanLog, which keeps the first dirty offset as "
        "the checkpoint where LogCleaningAbortedException or ThreadShutdownException ends a pass",
        explanation=(
            "A pass has merged the segment of its first dirty offset into the one before, and is "
            "aborted before the next group: the replica is truncated or moved, or the broker "
            "shuts down in order. The checkpoint is the old one, and lies inside a segment: the "
            "rest is as in `crash_brings_a_deleted_key_back`."
        ),
        repair="repair_read_whole_segment",
        prevented_by=PREVENTED_BY,
        scope="aborts",
        beside=("only_aborted_passes",),
    ),
)
