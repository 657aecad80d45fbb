"""What KIP-1272 permits in one reading of a passage: the register's written half, continued."""

from tierproof.model.language import Finding

OF_READINGS = (
    Finding(
        name="neither_version_is_there",
        title="If the old file is deleted first, neither version can be read in between",
        claims=(
            "committed_records_stay_readable",
            "no_committed_record_lost",
            "object_deleted_only_when_not_needed",
        ),
        permitted_by=(
            '"a remote file delete followed by a remote file create/upload will occur", "During '
            "the swap stage, the old log segment file in remote tiered storage will be removed "
            'and the new log segment file will be uploaded"'
        ),
        explanation=(
            "The cleaner deletes the old version and then copies the new one. In between readers "
            "get nothing, and if the broker crashes there, the only copy was on its disk, in a "
            "temporary file. Another passage of the text copies first."
        ),
        repair="repair_copy_before_deleting",
        prevented_by="the copy of the new version before any deletion",
        scope="smoke",
        beside=("text_deletes_before_it_copies",),
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
        name="forwarded_metadata_shares_the_object",
        title="Metadata that is copied forward shares an object, which is then deleted",
        claims=(
            "no_committed_record_lost",
            "served_segment_has_its_object",
            "latest_values_are_read",
        ),
        permitted_by='"If no keys match, skip download and copy segment metadata forward"',
        explanation=(
            "A segment that the filter skips is published again under a new id with new cleaner "
            "offsets, and its object stays where it is. The old id is then unreferenced, so the "
            "retention task deletes its object, which is the new id's as well."
        ),
        repair="repair_leave_the_metadata_of_what_is_skipped",
        prevented_by="metadata that stays as it is where nothing is rewritten",
        scope="transactions",
        beside=("text_metadata_is_copied_forward", "repair_newest_version_serves"),
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
    Finding(
        name="compacted_topic_expires",
        title="The retention task that ships expires a topic that is only compacted",
        claims=("no_committed_record_lost", "log_start_passes_only_what_may_go"),
        permitted_by=(
            "RemoteLogManager.RLMExpirationTask#cleanupExpiredRemoteLogSegments, which asks for "
            'retention.ms and no cleanup.policy; "Remote storage accumulates all segment history"'
        ),
        explanation=(
            "retention.ms is seven days unless it is set, also for a topic that is only "
            "compacted, where the local log ignores it. The remote retention task does not ask "
            "for the policy: it deletes every segment whose latest record is older, with the "
            "latest values of all keys that were not written since."
        ),
        repair="repair_expire_by_policy",
        prevented_by="a retention task that asks whether the policy contains delete",
        scope="expiry",
        beside=("kafka_expires_whatever_the_policy",),
    ),
    Finding(
        name="validation_cannot_tell_versions_apart",
        title="isRemoteSegmentWithinLeaderEpochs cannot tell which version is to be deleted",
        claims=("replaced_objects_are_deleted",),
        permitted_by=(
            '"then validates them using isRemoteSegmentWithinLeaderEpochs() before actual '
            "deletion. This prevents zombie brokers from deleting segments still valid under the "
            'current leader"'
        ),
        explanation=(
            "Both versions of a segment have the same leader epochs. If only segments that are "
            "not within the leader's epochs may be deleted, no old version ever is, as shown "
            "here. If only those within them may be, as retention has it, the check passes for "
            "every version, also for a zombie that deletes what the new leader serves "
            "(`only_the_leader_deletes` in the scope `default`). Either way it protects nothing."
        ),
        repair="repair_delete_what_is_replaced",
        prevented_by="a deletion that only the current leader's epoch can publish",
        scope="smoke",
        beside=("text_only_invalid_segments_are_deleted", "repair_newest_version_serves"),
    ),
)
