"""What the cleaner of KIP-1272 cleans, and when: the register, continued."""

from tierproof.model.language import Finding, Passage, Severity, Story

OF_CLEANING = (
    Finding(
        name="skipped_transaction_loses_its_marker",
        title="The bloom filter skips a transaction's data, and its marker is removed",
        severity=Severity.WRONG,
        needs="One replica; a committed transaction in a segment whose keys are not dirty.",
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
            "CleanedTransactionMetadata, which keeps a marker if the same pass has read a batch "
            "of its transaction"
        ),
        story=Story(
            "3480b9",
            (
                (
                    "start",
                    "One broker. Offset 0 has a key in a transaction, offset 1 the COMMIT marker, "
                    "offsets 2 and 3 another key. All are copied and only remote; the first two "
                    "segments are clean.",
                ),
                ("1", "A pass maps the key of offset 2."),
                (
                    "2",
                    "The filter of the segment of offset 0 does not have that key: it is skipped, "
                    "and none of its batches is read.",
                ),
                (
                    "3-11",
                    "The segment of the marker is cleaned. The pass has read no batch of the "
                    "transaction, takes it for gone and gives the marker a delete horizon; this "
                    "version is copied.",
                ),
                ("12-20", "The segment of offset 2 is cleaned and copied."),
                ("21", "The cleaner writes its checkpoint."),
                ("22-23", "The next pass skips the segment of offset 0 again."),
                (
                    "24-30",
                    "The delete horizon is over: the marker is removed, and the version without "
                    "it is copied.",
                ),
                (
                    "end",
                    "Offset 0 has a record of a transaction without a marker. A reader of the log "
                    "cannot tell that it was committed.",
                ),
            ),
        ),
        turning=24,
        fix="Never skip a segment that has records of a transaction.",
        costs="Downloads of all segments with transactions, in each pass.",
        repair="repair_filter_never_skips_transactions",
        shows="filter_skips_a_segment",
        scope="transactions",
    ),
    Finding(
        name="interrupted_copy_is_left",
        title="A crash amid the copy of a cleaned segment leaves its object",
        severity=Severity.LEAK,
        needs=(
            "One replica; a crash (or an election) amid a copy. Where the policy is compact alone "
            "no retention ever reaches the object."
        ),
        claims=("quiet_store_holds_finished_segments_only",),
        passages=(
            Passage(
                "KIP-1272",
                "Errors/Crashes during log compaction and later file swapping",
                "When there are errors during log compaction, the operation will be aborted and "
                "retried later, this is the existing behavior;",
            ),
        ),
        permitted_by=(
            "RLMExpirationTask, which leaves copies in COPY_SEGMENT_STARTED to their retention; "
            "Kafka has this gap for every copy, and compaction copies again and again"
        ),
        story=Story(
            "174eb7",
            (
                ("start", "One broker. Offsets 0 and 1 have the same key, and are copied."),
                ("1-2", "The cleaner cleans the segment of offset 0."),
                ("3-5", "It begins to copy the result under a new id: COPY_SEGMENT_STARTED."),
                ("6", "It stores the object."),
                ("7", "The broker crashes and leads again."),
                ("8-12", "It reads the metadata topic to its end."),
                ("13-14", "Its copy task begins; no thread works on the new id."),
                (
                    "end",
                    "The object of the new id is in the store. The retry draws another id, and "
                    "no task deletes this one.",
                ),
            ),
        ),
        turning=7,
        fix=(
            "Have the leader's expiration task delete copies in COPY_SEGMENT_STARTED that no "
            "thread of it works on, where records of former leaders are refused."
        ),
        costs="It needs the fence against former leaders, at the metadata and at the store.",
        repair="repair_delete_unfinished_copies",
        shows="cleaned_version_is_read_from_remote",
        scope="restart",
    ),
    Finding(
        name="half_of_the_log_is_never_dirty",
        title="With the default ratio a log that is in both tiers is never cleaned",
        severity=Severity.STALL,
        needs="One replica; min.cleanable.dirty.ratio of 0.5, the default; local copies of all.",
        claims=("dirty_tiered_log_is_cleaned",),
        passages=(
            Passage(
                "KIP-1272",
                "Find the Dirty Logs to Clean",
                "Calculate dirty ratio as cleanableBytes / (localBytes + remoteBytes) for tiered "
                "topics",
            ),
        ),
        permitted_by="LogCleanerManager, which cleans a log whose ratio exceeds the setting",
        story=Story(
            "120ace",
            (
                (
                    "start",
                    "One broker. Offsets 0 and 1 have the same key; both are copied and still "
                    "local, and nothing is clean.",
                ),
                (
                    "1-3",
                    "The expiration task runs, again and again, and finds nothing to do. The "
                    "cleaner finds no dirty log: two bytes are cleanable, and four count as the "
                    "size of the log, so that the ratio is 0.5 and does not exceed 0.5.",
                ),
                (
                    "end",
                    "All of the log is dirty, and it is not cleaned while it is local: just when "
                    "no download would be needed.",
                ),
            ),
        ),
        turning=1,
        fix="Count each offset once: local bytes plus the bytes that are only remote.",
        costs="None.",
        repair="repair_ratio_counts_each_offset_once",
        scope="ratio",
    ),
    Finding(
        name="nothing_fits_into_a_chunk",
        title="Where the disk is nearly full no chunk can be formed, and cleaning stops",
        severity=Severity.STALL,
        needs="One replica; a segment that is larger than a third of the free disk.",
        claims=("dirty_tiered_log_is_cleaned",),
        passages=(
            Passage(
                "KIP-1272",
                "Chunked Two Pass Compaction",
                "Chunk size is defined as min(log.segment.bytes, available_disk_space / 3).",
            ),
        ),
        permitted_by="the text: what happens if no segment fits is not said",
        story=Story(
            "d3a2e9",
            (
                (
                    "start",
                    "One broker. Offsets 0 and 1 have the same key and are copied. A third of the "
                    "free disk is smaller than a segment.",
                ),
                ("1-2", "Local retention removes both segments."),
                (
                    "3-5",
                    "The expiration task runs, again and again. The cleaner selects as many "
                    "segments as fit into a chunk, which is none.",
                ),
                ("end", "The log is dirty and is never cleaned, on a disk that is nearly full."),
            ),
        ),
        turning=2,
        fix="A chunk has at least one segment.",
        costs="For the largest segment the disk must have three times its size.",
        repair="repair_one_segment_is_a_chunk",
        scope="disk",
    ),
    Finding(
        name="copy_meets_the_cleaner",
        title="An object gets the log file of one version and the indexes of another",
        severity=Severity.UNAVAILABLE,
        needs="One replica; a pass of the cleaner amid the copy of a segment. No fault.",
        claims=("object_is_of_one_version", "cleaned_keys_are_unique", "cleaner_offset_is_remote"),
        passages=(
            Passage(
                "KIP-1272",
                "cleanup.policy=compact",
                "Compaction happens opportunistically when segments are still available locally",
            ),
        ),
        permitted_by=(
            "LogSegmentData, which names files by their path; UnifiedLog#replaceSegments, which "
            "renames others to it"
        ),
        story=Story(
            "b1a4ba",
            (
                ("start", "One broker. Offsets 0 and 1 have the same key; nothing is copied."),
                (
                    "1-4",
                    "A first pass maps offset 0 alone, and swaps its local segment for an equal "
                    "one.",
                ),
                ("5-9", "The copy task begins to copy the segment of offset 0."),
                ("10", "It sends the log file of the segment, which has offset 0."),
                ("11-12", "The next pass maps offset 1, and cleans the segment of offset 0."),
                ("13", "It swaps the local files: those of the same names have no record now."),
                ("14", "The copy task sends the index files, which are those of the new version."),
                (
                    "end",
                    "The object has the log file with offset 0 and indexes without it: positions "
                    "do not fit.",
                ),
            ),
        ),
        turning=13,
        fix=(
            "Have the swap wait while the copy task sends files of the segment; or leave alone "
            "what is not copied yet."
        ),
        costs="A pass that waits for the remote store.",
        repair="repair_swap_waits_for_the_copy",
        apart=("repair_clean_only_what_is_copied",),
        shows="segment_is_read_from_remote",
        scope="uncopied",
    ),
)
