"""What skipped segments permit in KIP-1272, in one reading of a passage: the register."""

from tierproof.model.language import Finding, Passage, Severity, Story

FILTER = "Bloom Filter Index on Skip Optimization"
SWAP = "Swap Old/New Log Segment Files"

OF_SKIPPING = (
    Finding(
        name="forwarded_metadata_shares_the_object",
        title=(
            "If a skipped segment gets a new RemoteLogSegmentId, deleting the old id deletes its "
            "object"
        ),
        severity=Severity.LOSS,
        symptom=(
            "All records of a segment that the bloom filter skips are lost, and consumers are "
            "stuck there: each fetch gets UNKNOWN_SERVER_ERROR and is tried again. That is so if "
            '"copy segment metadata forward" means a new RemoteLogSegmentId, as in the swap: '
            "nothing is uploaded for it, so both ids share one object, and the retention thread "
            "deletes this object with the old id. If the old id is meant, no event can carry the "
            "new cleaner offsets: RemoteLogSegmentMetadataUpdate has no such field. Which id is "
            "meant, and what is published?"
        ),
        needs=(
            "One replica is enough. A clean segment is only remote, and none of its keys is in the "
            "offset map. The remote store finds the object for the new id, for instance by custom "
            "metadata. (A plugin that derives the key from the id finds nothing: fetches fail as "
            "soon as the new id serves.) The retention thread deletes the old id as the KIP says; "
            "today the task does not see most of these ids (KAFKA-20932). No crash, no fault."
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
            "latest_values_are_read",
        ),
        passages=(
            Passage(
                "KIP-1272",
                FILTER,
                "If no keys match, skip download and copy segment metadata forward",
            ),
            Passage(
                "KIP-1272",
                SWAP,
                "Upload the newly compacted segment to remote storage with a new "
                "RemoteLogSegmentId",
            ),
            Passage(
                "KIP-1272",
                SWAP,
                "Unreferenced segments are asynchronously deleted by the retention thread after "
                "validation (similar to local storage as well)",
            ),
        ),
        permitted_by=(
            "RemoteStorageManager#deleteLogSegmentData, which deletes the object of an id and "
            "knows of no other id that has the same object; "
            "RemoteLogMetadataCache#addCopyInProgressSegment, which takes full metadata only in "
            "COPY_SEGMENT_STARTED, a state to which a finished segment cannot return"
        ),
        story=Story(
            "b1ab78",
            (
                (
                    "start",
                    "Broker 0 leads; there is no other replica. Offset 0 has one key, offsets 1 "
                    "and 2 have another. All are copied, as ids 0 to 2, and only remote. The log "
                    "is clean up to offset 2, and ids 0 and 1 have their filters.",
                ),
                ("1", "The cleaner takes the chunk with id 2, and maps the key of offset 2."),
                (
                    "2",
                    "The filter of id 0 does not have that key. The cleaner skips id 0, and "
                    "copies its metadata forward to a new id, 3, with the same object.",
                ),
                (
                    "3-7",
                    "COPY_SEGMENT_STARTED and COPY_SEGMENT_FINISHED of id 3 are published, with "
                    "the new cleaner offset; no object is uploaded. The cache replaces id 0 by id "
                    "3 for reads of offset 0.",
                ),
                (
                    "8-9",
                    "The expiration task plans to delete id 0, which is unreferenced. The "
                    "validation permits it: id 0 is within the leader epochs, as id 3 is.",
                ),
                ("10-11", "The expiration task publishes DELETE_SEGMENT_STARTED of id 0."),
                ("12", "The expiration task deletes the object of id 0, which id 3 shares."),
                (
                    "end",
                    "The cache routes reads of offset 0 to id 3, which has no object. No other "
                    "record has the key of offset 0.",
                ),
            ),
        ),
        turning=12,
        fix=(
            'Replace "skip download and copy segment metadata forward" by "skip download; the '
            'segment keeps its RemoteLogSegmentId, and nothing is published". Then no object has '
            "two ids. New leaders need no more: by the KIP they resolve the cleaner offset from "
            "the latest segment that was uploaded, and each cycle uploads at least the segments "
            "of its chunk."
        ),
        costs=(
            "If the filter is asked for the segments of the chunk, too, a cycle whose chunk has no "
            "committed key can upload nothing: its cleaner offset is then on the leader's disk "
            "alone, and a new leader cleans that chunk again."
        ),
        apart=("repair_retention_and_cleaning_take_turns",),
        repair="repair_leave_the_metadata_of_what_is_skipped",
        stands_alone=True,
        shows="filter_skips_a_segment",
        scope="skipped",
        beside=("text_metadata_is_copied_forward",),
    ),
    Finding(
        name="filter_of_another_version",
        title=(
            "If bloom filters are kept by base offset, an old one skips a merged segment, and a "
            "deleted key comes back"
        ),
        severity=Severity.WRONG,
        symptom=(
            "A deleted key can come back. A broker that leads again asks a filter of its earlier "
            "leadership about a segment that another leader has compacted since. The filter "
            "wrongly says no, and the cleaner skips the segment: the old value of a key and its "
            "tombstone are then both clean. No later cycle maps the tombstone; once it is removed, "
            "consumers that read from the beginning get the old value. That is so if filters are "
            'kept by base offset. "Per remote log segment" speaks for the id; "invalidated and '
            'rebuilt" speaks for a filter that outlives an id, as each compaction draws a new one. '
            "Which is it, and does a filter outlive an election?"
        ),
        needs=(
            "Two replicas. A broker has a filter, no longer leads, and is elected again "
            "without a restart, as in a preferred leader election; a filter on disk (the KIP "
            "speaks of its storage overhead) outlives a restart, too. In between the other "
            "leader merges segments, so that the segment with the same base offset has more "
            "keys. No crash, no fault."
        ),
        claims=("cleaned_keys_are_unique", "filters_never_say_a_wrong_no"),
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
            "Cleaner#groupSegmentsBySize, by which a merged segment has the base offset of its "
            "first one"
        ),
        story=Story(
            "129624",
            (
                (
                    "start",
                    "Broker 0 leads, broker 1 follows. Offset 0 has one key; offset 1 has a value "
                    "of another key, and offset 2 its tombstone. All are copied, as ids 0 to 2, "
                    "and only remote; nothing is clean. Broker 1 led before: in a cycle that it "
                    "did not finish it downloaded id 0, and built a filter, which has the key of "
                    "offset 0 alone.",
                ),
                (
                    "1-2",
                    "The cleaner of broker 0 maps the keys of offsets 0 and 1, and merges their "
                    "segments.",
                ),
                (
                    "3-7",
                    "The result is copied as id 3. It begins at offset 0, and has both keys. Its "
                    "COPY_SEGMENT_FINISHED is published, with cleaner offset 2.",
                ),
                (
                    "8-12",
                    "Broker 1 is elected, reads the metadata topic, and resolves cleaner offset 2.",
                ),
                ("13", "The cleaner of broker 1 maps the key of the tombstone at offset 2."),
                (
                    "14",
                    "The cleaner asks the filter of base offset 0 about id 3. That filter is of "
                    "id 0 and says no: the cleaner skips id 3, which has the key.",
                ),
                (
                    "15",
                    "The cleaner cleans the segment of offset 2: the tombstone gets its delete "
                    "horizon.",
                ),
                ("16-22", "The cleaner copies the result as id 4, which then serves reads."),
                ("23-24", "The cleaner writes its checkpoint: the log is clean up to offset 3."),
                (
                    "end",
                    "Offset 1 still has the value, and offset 2 the tombstone. Both are clean.",
                ),
                (
                    "beyond",
                    "Once another key in the segment of the tombstone is dirty, and "
                    "delete.retention.ms has passed, a cycle rewrites that segment without the "
                    "tombstone. A consumer that reads from the beginning then gets the value of "
                    "the deleted key.",
                ),
            ),
        ),
        turning=14,
        fix=(
            "Keep a filter by RemoteLogSegmentId, as RemoteIndexCache keeps its indexes. A "
            "segment that is compacted again has a new id, so an old filter is never asked; a "
            "segment without a filter of its id is downloaded."
        ),
        costs=(
            "A filter has to be removed when the broker reads that its id is deleted, or filters "
            "pile up. A new leader has no filter of what others compacted, and downloads each such "
            "segment once."
        ),
        repair="repair_filter_is_kept_by_segment_id",
        together_with=("repair_newest_version_serves",),
        shows="filter_skips_a_segment",
        scope="filters",
        beside=("text_filter_is_kept_by_base_offset",),
    ),
)
