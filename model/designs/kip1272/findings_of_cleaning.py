"""What the cleaner of KIP-1272 cleans, and when: the register, continued."""

from tierproof.model.language import Finding, Passage, Severity, Story

OF_CLEANING = (
    Finding(
        name="interrupted_copy_is_left",
        title="A crash amid the copy of a compacted segment leaves its object",
        severity=Severity.LEAK,
        symptom=(
            "An object that serves no reads stays in the remote store: one for each crash or "
            "election amid the upload of a compacted segment. With cleanup.policy=compact it stays "
            "as long as the topic, as no retention reaches it; with compact,delete until retention "
            "passes its offsets. An append-only log has the same gap, but copies each segment "
            "once; compaction copies segments again and again."
        ),
        needs=(
            "One replica is enough; a crash, or an election, between COPY_SEGMENT_STARTED and "
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
            "COPY_SEGMENT_STARTED only once retention or the log start offset passes it"
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
            "The expiration task of a leader deletes segments in COPY_SEGMENT_STARTED that no "
            "thread of its broker copies, once the leader has read the metadata topic up to its "
            "own election. Records of earlier leader epochs have to be refused then, the fix of "
            '"An old leader replaces and deletes what the new one serves: the vector fences no '
            'writer": else COPY_SEGMENT_FINISHED of the older leader may still come. An '
            "older leader that still uploads would store its object after the deletion, so the "
            "model was tried with a remote store that also refuses uploads of an earlier leader "
            "epoch."
        ),
        costs=(
            "The expiration task of a new leader waits until it has read the metadata topic so "
            "far. The refusal of a late upload changes RemoteStorageManager, a public interface, "
            "and every plugin; without it a late upload still leaves its object."
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
            "Fetches from a remote segment may fail, as its log file is of one version and its "
            "index files of another; here a consumer gets a record that compaction has removed. "
            "The files fit again once a later cycle copies the segment; the record stays until its "
            "key is written again. The cleaner swaps the local files while the copy task uploads "
            "them."
        ),
        needs=(
            "One replica is enough; the cleaner swaps a local segment during its upload: seconds "
            "for a large segment, whenever the copy task lags behind the cleaner. No crash, "
            "no fault."
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
                    "log file, and may lie within a batch of the old one. "
                    "RemoteLogManager#read then takes the middle of a batch for its header: "
                    "the fetch fails or finds nothing.",
                ),
            ),
        ),
        turning=13,
        fix=(
            "Clean nothing that is not copied yet: LogCleanerManager#cleanableOffsets also ends at "
            "UnifiedLog#highestOffsetInRemoteStorage + 1. Another report of ours asks for that, "
            "too: a new leader removes local segments that were never copied. The model was also "
            "tried with a swap that waits while the copy task uploads files of the segment; we "
            "advise against that."
        ),
        costs=(
            "A segment is compacted only after it was copied. The swap that waits would hold the "
            "cleaner thread during a remote call, seconds or more, and it would clean no other log "
            "meanwhile."
        ),
        repair="repair_swap_waits_for_the_copy",
        apart=("repair_clean_only_what_is_copied",),
        shows="segment_is_read_from_remote",
        scope="uncopied",
    ),
    Finding(
        name="half_of_the_log_is_never_dirty",
        title=(
            "A log that is still local in full is not compacted, as both tiers count in the dirty "
            "ratio"
        ),
        severity=Severity.STALL,
        symptom=(
            "With default settings a tiered log that is still local in full is not compacted, "
            "however dirty it is, and nothing is reported. Its n dirty bytes are in both tiers, so "
            "the ratio is n / (n + n) = 0.5, and min.cleanable.dirty.ratio, 0.5 by default, has to "
            "be exceeded. This ends when local retention removes a segment, or while a rolled "
            "segment is not copied yet."
        ),
        needs=(
            "One replica is enough; min.cleanable.dirty.ratio of 0.5 or more (0.5 is the default), "
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
                    "beyond",
                    "The text also says that with cleanup.policy=compact local retention "
                    "removes only what is cleaned. By that sentence local retention waits for "
                    "the cleaner here, and the cleaner for local retention, until a segment "
                    "rolls that is not copied yet.",
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
            "Count each offset once: cleanableBytes / (remoteBytes + the bytes of local segments "
            "above the highest remote offset), as retention.bytes is counted. In the example that "
            "is 2 / (2 + 0) = 1. remoteBytes has to leave out versions that are replaced and not "
            "deleted yet."
        ),
        costs=(
            "A sum over local segments in memory; the KIP keeps remoteBytes in LogCleanerManager "
            "already."
        ),
        repair="repair_ratio_counts_each_offset_once",
        stands_alone=True,
        scope="ratio",
    ),
    Finding(
        name="nothing_fits_into_a_chunk",
        title=(
            "Where a segment is larger than the chunk size no chunk can be formed, and cleaning "
            "stops"
        ),
        severity=Severity.STALL,
        symptom=(
            "A dirty log is not cleaned while its next segment is larger than the chunk size, here "
            "a third of the free disk: no segment fits into a chunk, and no error says so. It goes "
            "on when disk is freed."
        ),
        needs=(
            "One replica is enough; a segment that is larger than a third of the free disk: with "
            "the default segment.bytes of 1 GiB, less than 3 GiB free."
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
                (
                    "beyond",
                    "The other term of the minimum does the same without a full disk: where "
                    "the topic's segment.bytes is above log.segment.bytes, or where a limit "
                    "was lowered and older segments are larger, such a segment never fits, and "
                    "this does not end by itself.",
                ),
            ),
        ),
        turning=2,
        fix=(
            "Say that a chunk has at least one segment, as a group of Cleaner#groupSegmentsBySize "
            "does. The model was tried with that alone. Where the disk has no room even for one "
            "segment, the cleaner should log a warning and try again in its next run."
        ),
        costs=(
            "A pass over such a chunk takes up to three times the size of its segment on disk, "
            "more than the chunk size allows."
        ),
        repair="repair_one_segment_is_a_chunk",
        stands_alone=True,
        scope="disk",
    ),
)
