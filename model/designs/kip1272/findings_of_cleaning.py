"""What the cleaner of KIP-1272 cleans, and when: the register, continued."""

from tierproof.model.language import Finding, Passage, Severity, Story

OF_CLEANING = (
    Finding(
        name="interrupted_copy_is_left",
        title="A crash amid the copy of a compacted segment leaves its object",
        severity=Severity.LEAK,
        symptom=(
            "An object stays in the remote store that serves no reads, one for each interruption. "
            "With cleanup.policy=compact no retention reaches it; with compact,delete it stays "
            "until retention passes its offsets."
        ),
        needs=(
            "One replica; a crash, or an election, between COPY_SEGMENT_STARTED and "
            "COPY_SEGMENT_FINISHED of a compacted segment. The window is the upload: seconds for "
            "a large segment, and open during most of a compaction cycle."
        ),
        claims=("quiet_store_holds_finished_segments_only",),
        passages=(
            Passage(
                "KIP-1272",
                "Errors/Crashes during log compaction and later file swapping",
                "When there are errors during log compaction, the operation will be aborted and "
                "retried later, this is the existing behavior;",
            ),
            Passage(
                "KIP-1272",
                "Swap Old/New Log Segment Files",
                "Unreferenced segments are asynchronously deleted by the retention thread after "
                "validation (similar to local storage as well)",
            ),
        ),
        permitted_by=(
            "RLMExpirationTask#cleanupExpiredRemoteLogSegments, which deletes a segment in "
            "COPY_SEGMENT_STARTED only once retention or the log start offset passes it; an "
            "append-only log has the same gap, but each of its segments is copied once"
        ),
        story=Story(
            "174eb7",
            (
                (
                    "start",
                    "Broker 0 leads; there is no other replica. Offsets 0 and 1 have the same "
                    "key, and are copied, as id 0 and id 1.",
                ),
                ("1-2", "The cleaner cleans the segment of offset 0."),
                ("3-5", "The cleaner begins to copy the result as id 2: COPY_SEGMENT_STARTED."),
                ("6", "The cleaner stores the object of id 2."),
                ("7", "Broker 0 crashes, starts again and leads again."),
                ("8-12", "Broker 0 reads the metadata topic to its end."),
                ("13-14", "The copy task of broker 0 begins; no thread works on id 2."),
                (
                    "end",
                    "The object of id 2 is in the store, and id 2 is in COPY_SEGMENT_STARTED.",
                ),
                (
                    "beyond",
                    "The next compaction cycle copies the segment of offset 0 as another id, and "
                    "leaves id 2 as it is.",
                ),
            ),
        ),
        turning=7,
        fix=(
            "Have the leader's expiration task delete segments in COPY_SEGMENT_STARTED that no "
            "thread of this broker copies, once records of former leaders are refused."
        ),
        costs=(
            "Each metadata record and each upload carries the leader epoch of its writer, and the "
            "remote store has to refuse an older one: a change of the public interface "
            "RemoteStorageManager, which every plugin has to implement."
        ),
        repair="repair_delete_unfinished_copies",
        shows="cleaned_version_is_read_from_remote",
        scope="restart",
    ),
    Finding(
        name="copy_meets_the_cleaner",
        title="An object gets the log file of one version and the indexes of another",
        severity=Severity.UNAVAILABLE,
        symptom=(
            "A consumer gets a record that compaction has removed, from a remote segment whose log "
            "file and index files do not belong together. The files fit again once a later cycle "
            "copies the segment; the record stays until its key is written again."
        ),
        needs=(
            "One replica; the cleaner swaps a local segment while the copy task uploads it. The "
            "window is the upload, seconds for a large segment, whenever the copy task lags "
            "behind the cleaner. No crash, no fault."
        ),
        claims=("cleaned_keys_are_unique", "object_is_of_one_version", "cleaner_offset_is_remote"),
        passages=(
            Passage(
                "KIP-1272",
                "cleanup.policy=compact",
                "Compaction happens opportunistically when segments are still available locally",
            ),
            Passage(
                "KIP-1272",
                "Performance overhead of working with remote files in tiered storage",
                "The log segment file will need to be uploaded to remote tiered storage first "
                "before the segment file is cleaned.",
            ),
        ),
        permitted_by=(
            "RLMCopyTask#copyLogSegment, which hands paths to "
            "RemoteStorageManager#copyLogSegmentData; UnifiedLog#replaceSegments renames other "
            "files to these paths meanwhile"
        ),
        story=Story(
            "ae78e2",
            (
                (
                    "start",
                    "Broker 0 leads; there is no other replica. Offsets 0 and 1 have the same "
                    "key, a segment each; nothing is copied.",
                ),
                (
                    "1-5",
                    "The copy task begins to copy the segment of offset 0 as id 0.",
                ),
                ("6", "The copy task sends the log file of the segment, which has offset 0."),
                (
                    "7-10",
                    "A first compaction cycle maps offset 0 alone, and swaps its local segment for "
                    "an equal one.",
                ),
                (
                    "11-13",
                    "The next cycle maps offset 1, cleans the segment of offset 0 and swaps the "
                    "local files: the files at the same paths have no record now.",
                ),
                (
                    "14-16",
                    "The cleaner cleans the segment of offset 1, and writes its checkpoint: the "
                    "log is clean up to offset 2.",
                ),
                ("17", "The copy task sends the index files, which are those of the new version."),
                (
                    "18-20",
                    "The copy task publishes COPY_SEGMENT_FINISHED of id 0, and broker 0 reads "
                    "the record.",
                ),
                ("21", "Local retention raises the local log start offset to 1."),
                (
                    "end",
                    "Id 0 serves offset 0 with the record that compaction has removed. Its log "
                    "file has offset 0, its index files are of a version without it, and both "
                    "records of the key are below the cleaner offset.",
                ),
                (
                    "beyond",
                    "In a larger segment an entry of the offset index is a position in the new "
                    "log file, and lies within a batch of the old one: "
                    "RemoteLogManager#read starts there and finds no batch.",
                ),
            ),
        ),
        turning=13,
        fix=(
            "Have the swap wait while the copy task uploads files of the segment, or clean no "
            "segment that is not copied yet."
        ),
        costs=(
            "The cleaner thread waits for one upload, seconds for a large segment; it cleans no "
            "other log meanwhile."
        ),
        repair="repair_swap_waits_for_the_copy",
        apart=("repair_clean_only_what_is_copied",),
        shows="segment_is_read_from_remote",
        scope="uncopied",
    ),
    Finding(
        name="half_of_the_log_is_never_dirty",
        title="What is in both tiers counts twice in the dirty ratio: a dirty log is not cleaned",
        severity=Severity.STALL,
        symptom=(
            "The ratio that a log has to exceed is up to twice the configured one. At the extreme, "
            "a log of n bytes that both tiers have in full, and of which nothing is clean, has the "
            "dirty ratio n / (n + n) = 0.5. The default threshold is 0.5 and has to be exceeded, "
            "so that the cleaner does nothing, and reports nothing, until local retention has "
            "removed a segment or one has rolled that is not copied yet."
        ),
        needs=(
            "One replica; min.cleanable.dirty.ratio of 0.5 or more (0.5 is the default), "
            "max.compaction.lag.ms unset (the default), and a local log as long as the remote one."
        ),
        claims=("dirty_tiered_log_is_cleaned",),
        passages=(
            Passage(
                "KIP-1272",
                "Find the Dirty Logs to Clean",
                "Calculate dirty ratio as cleanableBytes / (localBytes + remoteBytes) for tiered "
                "topics",
            ),
            Passage(
                "KIP-1272",
                "Find the Dirty Logs to Clean",
                "Find logs whose dirty ratio exceeds min.cleanable.dirty.ratio",
            ),
        ),
        permitted_by=(
            "LogCleanerManager#grabFilthiestCompactedLog, which cleans a log only if its ratio "
            "exceeds min.cleanable.dirty.ratio"
        ),
        assumptions=("F15",),
        story=Story(
            "120ace",
            (
                (
                    "start",
                    "Broker 0 leads; there is no other replica. Offsets 0 and 1 have the same key, "
                    "a byte each. Both are copied and still local, and nothing is clean; "
                    "min.cleanable.dirty.ratio is 0.5.",
                ),
                (
                    "1-3",
                    "The expiration task runs, again and again, and finds nothing to do. The "
                    "cleaner never begins: 2 bytes are cleanable, there are 2 local and 2 remote "
                    "bytes, and 2 / (2 + 2) = 0.5 does not exceed 0.5.",
                ),
                (
                    "end",
                    "All of the log is dirty, and it is not cleaned, though all of it is local and "
                    "a compaction would need no download.",
                ),
                (
                    "beyond",
                    "Where local retention keeps a part of the log, the same sum raises the "
                    "threshold: with 100 GiB remote, of which 20 GiB are local, too, more than "
                    "0.5 * (100 + 20) = 60 GiB have to be dirty, and not 50.",
                ),
                (
                    "note",
                    "The property counts each offset once. By that count the ratio is 1, the log "
                    "is dirty in every state of the trace, and it is never cleaned.",
                ),
            ),
        ),
        turning=1,
        fix=(
            "Count each offset once: cleanableBytes / (localBytes + the bytes of remote segments "
            "below the local log start). In the example that is 2 / (2 + 0) = 1. If remoteBytes is "
            "meant to leave out what is local as well, the text has to say so."
        ),
        costs=(
            "A sum over the remote segments below the local log start: with the topic-based "
            "metadata manager no request and no disk."
        ),
        repair="repair_ratio_counts_each_offset_once",
        scope="ratio",
    ),
    Finding(
        name="nothing_fits_into_a_chunk",
        title="Where the disk is nearly full no chunk can be formed, and cleaning stops",
        severity=Severity.STALL,
        symptom=(
            "A dirty log is not cleaned while a segment is larger than a third of the free disk; "
            "no error says so. It goes on when disk is freed."
        ),
        needs=(
            "One replica; a segment that is larger than a third of the free disk: with the default "
            "segment.bytes of 1 GiB, less than 3 GiB free."
        ),
        claims=("dirty_tiered_log_is_cleaned",),
        passages=(
            Passage(
                "KIP-1272",
                "Chunked Two Pass Compaction",
                "Chunk size is defined as min(log.segment.bytes, available_disk_space / 3).",
            ),
            Passage(
                "KIP-1272",
                "Chunked Two Pass Compaction",
                "Select next N segments (local or remote) fitting within chunk size",
            ),
        ),
        permitted_by=(
            "The text, which has N = 0 here; Cleaner#groupSegmentsBySize, which it refers to "
            "for groups, always takes at least one segment"
        ),
        assumptions=("F16",),
        story=Story(
            "d3a2e9",
            (
                (
                    "start",
                    "Broker 0 leads; there is no other replica. Offsets 0 and 1 have the same key "
                    "and are copied. A third of the free disk is smaller than a segment.",
                ),
                ("1-2", "Local retention removes both segments."),
                (
                    "3-5",
                    "The expiration task runs, again and again. The cleaner selects as many "
                    "segments as fit into a chunk, which is none.",
                ),
                ("end", "All of the log is dirty, and it is not cleaned."),
            ),
        ),
        turning=2,
        fix="Say that a chunk has at least one segment, whatever its size.",
        costs="Compaction may take three times the largest segment of a disk that is nearly full.",
        repair="repair_one_segment_is_a_chunk",
        scope="disk",
    ),
    Finding(
        name="skipped_transaction_loses_its_marker",
        title="The bloom filter skips a transaction's data, and its marker is removed",
        severity=Severity.TEXT,
        symptom=(
            "The remote log has a record of a committed transaction without its COMMIT marker. A "
            "consumer still gets the record, as it needs no COMMIT marker; a tool that reads the "
            "segments sees a transaction that never ends."
        ),
        needs=(
            "One replica; a committed transaction in a clean segment whose keys are not dirty, its "
            "marker in a later segment, and two compaction cycles that are delete.retention.ms (a "
            "day by default) apart."
        ),
        claims=("markers_outlive_their_records",),
        passages=(
            Passage(
                "KIP-1272",
                "Bloom Filter Index on Skip Optimization",
                "If no keys match, skip download and copy segment metadata forward",
            ),
            Passage(
                "KIP-1272",
                "Handling transactional messages and idempotent producer",
                "Transaction markers are retained until all record batches from the same "
                "transaction have been removed and a sufficient amount of time has passed.",
            ),
        ),
        permitted_by=(
            "CleanedTransactionMetadata#onControlBatchRead, which lets a COMMIT marker be "
            "discarded unless the same run has read a batch of its transaction"
        ),
        story=Story(
            "3480b9",
            (
                (
                    "start",
                    "Broker 0 leads; there is no other replica. Offset 0 has a key in a "
                    "transaction, offset 1 the COMMIT marker, offsets 2 and 3 another key. All are "
                    "copied, as ids 0 to 3, and only remote; ids 0 and 1 are clean.",
                ),
                ("1", "A compaction cycle maps the key of offset 2."),
                (
                    "2",
                    "The filter of id 0 does not have that key: the cleaner skips id 0 and reads "
                    "none of its batches.",
                ),
                (
                    "3-11",
                    "The segment of the marker is cleaned and copied as id 4. The cycle has read "
                    "no batch of the transaction, takes it for removed and gives the marker a "
                    "delete horizon.",
                ),
                ("12-20", "The segment of offset 2 is cleaned and copied as id 5."),
                ("21", "The cleaner writes its checkpoint."),
                (
                    "22-23",
                    "delete.retention.ms later the next compaction cycle begins, maps offset 3, "
                    "and skips id 0 again.",
                ),
                (
                    "24-30",
                    "The cleaner removes the marker, as its delete horizon is over, and copies "
                    "the segment of offset 1 without the marker as id 6.",
                ),
                (
                    "end",
                    "Offset 0 has a record of a transaction, and no marker of that transaction is "
                    "in the log.",
                ),
            ),
        ),
        turning=24,
        fix="Never skip a segment that has records of a transaction.",
        costs=(
            "Each compaction cycle downloads all segments that have records of a transaction: on "
            "a topic with transactions only, the whole remote log."
        ),
        repair="repair_filter_never_skips_transactions",
        shows="filter_skips_a_segment",
        scope="transactions",
    ),
)
