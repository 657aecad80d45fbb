"""What KIP-1272 permits in one reading of a passage: the register, continued."""

from tierproof.model.language import Finding, Passage, Severity, Story

FILTER = "Bloom Filter Index on Skip Optimization"

OF_READINGS = (
    Finding(
        name="neither_version_is_there",
        title="If the old file is deleted first, neither version can be read in between",
        severity=Severity.LOSS,
        needs=(
            "One replica, and a crash between the two: the only copy is a temporary file then. "
            "Without a crash the records are unavailable until the copy is finished."
        ),
        claims=(
            "no_committed_record_lost",
            "committed_records_stay_readable",
            "object_deleted_only_when_not_needed",
            "new_leader_knows_the_log_start",
            "remote_and_local_parts_are_contiguous",
            "local_segment_removed_only_once_copied",
            "highest_remote_offset_is_sound",
            "copied_offset_is_sound",
            "metadata_records_are_legal_transitions",
            "latest_values_are_read",
            "cleaner_offset_is_remote",
        ),
        passages=(
            Passage(
                "KIP-1272",
                "Performance overhead of working with remote files in tiered storage",
                "During the swap stage, the old log segment file in remote tiered storage will be "
                "removed and the new log segment file will be uploaded onto remote tiered storage.",
            ),
        ),
        permitted_by="the text; Swap Old/New Log Segment Files copies first",
        assumptions=("F4",),
        story=Story(
            "e7f8d5",
            (
                ("start", "One broker. Offsets 0 and 1 have the same key, and are copied."),
                ("1-2", "The cleaner cleans the segment of offset 0 into a temporary file."),
                ("3", "It publishes DELETE_SEGMENT_STARTED of the segment that is copied."),
                ("4", "Local retention advances the local log start, as both are copied."),
                ("5", "The broker reads its record: no segment serves offset 0 any more."),
                (
                    "end",
                    "Offset 0 cannot be read: the old version is being deleted, and the new one "
                    "is not copied. A crash here loses it.",
                ),
            ),
        ),
        turning=4,
        fix=(
            "Strike the two sentences that delete first; the swap sequence, which copies first "
            "and leaves the deletion to the retention thread, is right."
        ),
        costs="Both versions are in the store for a while.",
        repair="repair_copy_before_deleting",
        shows="cleaned_version_is_read_from_remote",
        scope="smoke",
        beside=("text_deletes_before_it_copies",),
    ),
    Finding(
        name="compacted_topic_expires",
        title="The retention task that ships expires a topic that is only compacted",
        severity=Severity.LOSS,
        needs="One replica; a key that is not written for retention.ms, seven days by default.",
        claims=(
            "no_committed_record_lost",
            "log_start_passes_only_what_may_go",
            "object_deleted_only_when_not_needed",
        ),
        passages=(
            Passage(
                "KIP-1272",
                "Deletion of remote log segment file and indexes on total retention.ms trigger",
                "If the cleanup policy of the topic is compact,delete, the remote log segment "
                "file can also be removed when the condition is met.",
            ),
        ),
        permitted_by=(
            "RLMExpirationTask#cleanupExpiredRemoteLogSegments, which asks for retention.ms and "
            "for no cleanup.policy"
        ),
        story=Story(
            "35c095",
            (
                (
                    "start",
                    "One broker; cleanup.policy is compact. Offsets 0 and 1 have the same key, "
                    "are copied, and are only remote.",
                ),
                ("1", "retention.ms passes."),
                ("2", "The expiration task plans the segment of offset 0, which is older."),
                ("3", "It moves the log start past offset 0, and will delete the object."),
                (
                    "end",
                    "A record of a topic that is only compacted is gone by age; the local log "
                    "ignores retention.ms for such a topic. The same awaits the latest value of "
                    "every key.",
                ),
            ),
        ),
        turning=3,
        fix=(
            "Say that the expiration task leaves out retention.ms and retention.bytes unless "
            "cleanup.policy contains delete."
        ),
        costs="None.",
        repair="repair_expire_by_policy",
        shows="cleaned_version_is_read_from_remote",
        scope="expiry",
        beside=("kafka_expires_whatever_the_policy",),
    ),
    Finding(
        name="forwarded_metadata_shares_the_object",
        title="Metadata that is copied forward shares an object, which is then deleted",
        severity=Severity.LOSS,
        needs="One replica; a segment that the bloom filter lets the cleaner skip. No fault.",
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
        ),
        permitted_by="RemoteStorageManager#deleteLogSegmentData, which deletes the object of an id",
        story=Story(
            "3fbd1f",
            (
                (
                    "start",
                    "One broker. Offset 0 has a key in a transaction, offset 1 the COMMIT marker, "
                    "offsets 2 and 3 another key. All are copied and only remote.",
                ),
                ("1-10", "The cleaner cleans and copies the segment of offset 0."),
                (
                    "11-12",
                    "The filter lets it skip the segment of offset 1. Its metadata are published "
                    "under a new id, with new cleaner offsets and the same object.",
                ),
                (
                    "13-16",
                    "The object that is there counts as stored for the new id, too. The new id is "
                    "finished, and replaces the old one in the cache.",
                ),
                ("17-18", "The expiration task plans both segments that are replaced."),
                ("19-23", "It deletes the old version of offset 0."),
                ("24-26", "It deletes the old id of offset 1, and with it the object."),
                (
                    "end",
                    "The new id of offset 1 serves reads and has no object: it was that of the "
                    "old id, too.",
                ),
            ),
        ),
        turning=26,
        fix=(
            "Say that the metadata of a segment that is skipped stay as they are, under their id."
        ),
        costs="Its cleaner offsets stay older, which a vector permits.",
        repair="repair_leave_the_metadata_of_what_is_skipped",
        shows="filter_skips_a_segment",
        scope="transactions",
        beside=("text_metadata_is_copied_forward",),
    ),
    Finding(
        name="validation_cannot_tell_versions_apart",
        title="isRemoteSegmentWithinLeaderEpochs cannot tell which version is to be deleted",
        severity=Severity.LEAK,
        needs=(
            "One replica and one pass. Both versions have the same leader epochs, so that the "
            "check passes for every version or for none."
        ),
        claims=("replaced_objects_are_deleted",),
        passages=(
            Passage(
                "KIP-1272",
                "Persisting cleaner-offset-checkpoint to remote storage and Fencing off zombie "
                "broker",
                "This prevents zombie brokers from deleting segments still valid under the "
                "current leader.",
            ),
        ),
        permitted_by="RemoteLogManager#isRemoteSegmentWithinLeaderEpochs, which compares epochs",
        story=Story(
            "632753",
            (
                ("start", "One broker. Offsets 0 and 1 have the same key, and are copied."),
                ("1-2", "Local retention removes both segments."),
                ("3-11", "A pass cleans and copies the segment of offset 0 under a new id."),
                (
                    "12-13",
                    "The expiration task plans the old version, which is unreferenced.",
                ),
                ("14-15", "It publishes DELETE_SEGMENT_STARTED of it."),
                (
                    "16-27",
                    "A next pass cleans and copies offset 0 again. The expiration task validates "
                    "the old version before it deletes: it is valid under the current leader, "
                    "as the new one is.",
                ),
                ("28-37", "The pass cleans and copies the segment of offset 1, too."),
                ("end", "No version that was replaced is ever deleted."),
            ),
        ),
        turning=15,
        fix=(
            "Fence the deletion by the epoch of the broker that publishes it, not by the epochs "
            "of the segment."
        ),
        costs="Each record carries the epoch of its writer.",
        repair="repair_delete_what_is_replaced",
        shows="old_version_is_deleted",
        scope="smoke",
        beside=("text_only_invalid_segments_are_deleted",),
    ),
    Finding(
        name="aborted_record_supersedes_a_value",
        title="An aborted record removes the committed value of its key",
        claims=("latest_values_are_read", "offset_maps_have_no_aborted_record"),
        permitted_by=(
            '"Select next N segments (local or remote) fitting within chunk size", "Build offset '
            'map from these segments"'
        ),
        explanation=(
            "A chunk ends between a transaction's records and its ABORT marker. If the cleaner "
            "knows the transaction indexes of the chunk alone, the aborted record is taken for a "
            "committed one: it enters the offset map, and the committed value of the key is "
            "removed. The local cleaner reads the indexes of all segments up to the last stable "
            "offset; where remote ones are read is not said."
        ),
        repair="repair_aborted_is_known_from_the_log",
        prevented_by="a first pass that reads the transaction indexes beyond its chunk",
        scope="aborted",
        beside=("text_aborted_is_known_from_the_chunk",),
    ),
    Finding(
        name="filter_of_another_version",
        title="A filter that is kept by base offset answers for a segment that it never saw",
        claims=("filters_never_say_a_wrong_no",),
        permitted_by=(
            '"a bloom filter index per remote log segment", "Invalidated and rebuilt when segment '
            'is re-compacted"'
        ),
        explanation=(
            "A broker that led has a filter of the segment at a base offset. The new leader "
            "merges two segments into one with that base. The old filter lacks the keys of the "
            "second, and says no to them: the segment is skipped although it has a key of the "
            "offset map. The old value stays, and comes back if the new record is a tombstone."
        ),
        repair="repair_filter_is_kept_by_segment_id",
        prevented_by="a filter that belongs to one RemoteLogSegmentId",
        scope="filters",
        beside=("text_filter_is_kept_by_base_offset",),
    ),
)
