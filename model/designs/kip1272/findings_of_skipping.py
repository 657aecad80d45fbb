"""What skipped segments permit in KIP-1272, in one reading of a passage: the register."""

from tierproof.model.language import Finding, Passage, Severity, Story

FILTER = "Bloom Filter Index on Skip Optimization"

OF_SKIPPING = (
    Finding(
        name="forwarded_metadata_shares_the_object",
        title=(
            "If a skipped segment gets a new id, its object is deleted with the old one while it "
            "serves reads"
        ),
        severity=Severity.LOSS,
        symptom=(
            "All records of a segment that the bloom filter skips are lost, and consumers are "
            "stuck there: each fetch gets UNKNOWN_SERVER_ERROR and is tried again. That is so if "
            '"copy segment metadata forward" means a new RemoteLogSegmentId: nothing is uploaded '
            "for it, so both ids share one object, and the retention thread deletes it with the "
            "old id. If it means the old id, it cannot be done: no event of a finished segment "
            "can carry new cleaner offsets, as RemoteLogSegmentMetadataUpdate has no such field."
        ),
        needs=(
            "One replica is enough; a segment that the filter lets the cleaner skip, and a remote "
            "store that finds the object of the new id, for instance by custom metadata. (A plugin "
            "that derives the key from the id finds nothing: fetches fail at once.) The old id is "
            "deleted as the KIP says; today KAFKA-20932 hides most of these ids from the task, so "
            "that the loss begins with its fix. No crash, no fault."
        ),
        claims=(
            "no_committed_record_lost",
            "committed_records_stay_readable",
            "served_segment_has_its_object",
            "new_leader_knows_the_log_start",
            "object_deleted_only_when_not_needed",
            "highest_remote_offset_is_sound",
            "copied_offset_is_sound",
            "metadata_comes_before_objects",
            "markers_outlive_their_records",
        ),
        passages=(
            Passage(
                "KIP-1272",
                FILTER,
                "If no keys match, skip download and copy segment metadata forward",
            ),
            Passage(
                "KIP-1272",
                "Swap Old/New Log Segment Files",
                "Unreferenced segments are asynchronously deleted by the retention thread after "
                "validation (similar to local storage as well)",
            ),
        ),
        permitted_by=(
            "RemoteStorageManager#deleteLogSegmentData, which deletes the object of an id and "
            "knows of no other id that has the same object; "
            "RemoteLogMetadataCache#addCopyInProgressSegment, which takes full metadata only in "
            "COPY_SEGMENT_STARTED"
        ),
        story=Story(
            "3fbd1f",
            (
                (
                    "start",
                    "Broker 0 leads; there is no other replica. Offset 0 has a key in a "
                    "transaction, offset 1 the COMMIT marker, offsets 2 and 3 another key. All are "
                    "copied, as ids 0 to 3, and only remote.",
                ),
                ("1-10", "The cleaner cleans the segment of offset 0 and copies it as id 4."),
                (
                    "11-12",
                    "The filter lets the cleaner skip id 1. The metadata of id 1 are published as "
                    "id 5, with new cleaner offsets and the same object.",
                ),
                (
                    "13-16",
                    "COPY_SEGMENT_FINISHED of id 5 is published without an upload, and the cache "
                    "replaces id 1 by id 5.",
                ),
                (
                    "17-23",
                    "The expiration task lists ids 0 and 1, as if KAFKA-20932 were fixed, and "
                    "plans to delete them, as the KIP has it. It deletes id 0.",
                ),
                (
                    "24-26",
                    "The expiration task deletes id 1, and with id 1 the object that id 5 shares.",
                ),
                ("end", "The cache routes reads of offset 1 to id 5, which has no object."),
                (
                    "beyond",
                    "Offset 1 has a marker here; the segment of a key that is seldom written is "
                    "skipped in the same way, and its value is lost.",
                ),
            ),
        ),
        turning=26,
        fix=(
            'Replace "skip download and copy segment metadata forward" by "skip download; the '
            'segment keeps its RemoteLogSegmentId, and nothing is published". Then no object has '
            "two ids. New leaders need no more: they resolve the cleaner offset from the latest "
            "segment that was uploaded, as the KIP says."
        ),
        costs=(
            "A cycle that uploads nothing, as over a chunk of markers only, leaves its cleaner "
            "offset on the leader's disk, and a new leader cleans that chunk again. (Publishing it "
            "takes a field cleanerOffsets in RemoteLogSegmentMetadataUpdate and in the records.)"
        ),
        repair="repair_leave_the_metadata_of_what_is_skipped",
        shows="filter_skips_a_segment",
        scope="transactions",
        beside=("text_metadata_is_copied_forward",),
    ),
    Finding(
        name="filter_of_another_version",
        title="A filter that is kept by base offset answers for a segment that it never saw",
        severity=Severity.TEXT,
        symptom=(
            "In these steps no client notices: the cleaner of a broker that no longer leads skips "
            "a segment that has a key of its offset map. If that broker is elected again, deleted "
            "keys can come back. It kept the filter of an earlier version with the same base "
            "offset: the text does not say that what another broker compacts invalidates it."
        ),
        needs=(
            "Two replicas; one election amid a compaction cycle, and a new leader that merges "
            "segments; for harm, a second election back. No crash, no fault."
        ),
        claims=("filters_never_say_a_wrong_no",),
        passages=(
            Passage(
                "KIP-1272",
                FILTER,
                "To avoid downloading remote segments that contain no keys in the current offset "
                "map, we will build a bloom filter index per remote log segment.",
            ),
            Passage("KIP-1272", FILTER, "Invalidated and rebuilt when segment is re-compacted"),
        ),
        permitted_by=(
            "The text, which does not say by what a filter is kept; RemoteIndexCache#getIndexEntry "
            "keeps the other indexes by RemoteLogSegmentId"
        ),
        story=Story(
            "e9c6e7",
            (
                (
                    "start",
                    "Broker 0 leads, broker 1 follows. Offset 0 has one key, offsets 1 and 2 have "
                    "another. All are copied, as ids 0, 1 and 2, and only remote; the log is clean "
                    "up to offset 1.",
                ),
                (
                    "1-3",
                    "The cleaner of broker 0 maps offset 2, merges the segments of offsets 0 and "
                    "1, without offset 1, and begins to copy the result as id 3.",
                ),
                (
                    "4-12",
                    "Id 3 is stored, and COPY_SEGMENT_FINISHED is published. Broker 1 is elected, "
                    "reads the metadata topic and resolves the cleaner offset.",
                ),
                (
                    "13-15",
                    "Broker 0, the old leader, reads it. The filter that it keeps for base offset "
                    "0 has the key of offset 0 alone.",
                ),
                (
                    "16-24",
                    "The new leader merges ids 3 and 2, and copies the result as id 4, which "
                    "begins at offset 0 and has offset 2. The old leader reads that it finished.",
                ),
                (
                    "25",
                    "The cleaner of the old leader asks the filter of base offset 0 about id 4. "
                    "The filter says no, and the cleaner skips id 4.",
                ),
                (
                    "end",
                    "The offset map of the old leader has the key of offset 2, and id 4, which has "
                    "that key, is skipped.",
                ),
                (
                    "beyond",
                    "If the old leader is elected again with such a filter, it leaves the old "
                    "record of a key in the remote log. If the newer record is a tombstone, the "
                    "deleted key is back once the tombstone is removed.",
                ),
            ),
        ),
        turning=25,
        fix=(
            "Keep a filter by RemoteLogSegmentId, as RemoteIndexCache keeps the other indexes; a "
            "version without a filter of its own is downloaded."
        ),
        costs=(
            "Filters of replaced ids have to be removed when the broker reads that they are "
            "deleted, or they pile up. A new leader has no filter of what others compacted, and "
            "downloads each such segment once."
        ),
        repair="repair_filter_is_kept_by_segment_id",
        stands_alone=True,
        shows="filter_skips_a_segment",
        scope="filters",
        beside=("text_filter_is_kept_by_base_offset",),
    ),
)
