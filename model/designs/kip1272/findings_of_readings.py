"""What KIP-1272 permits in one reading of a passage on deletions: the register, continued."""

from tierproof.model.language import Finding, Passage, Severity, Story

OFFSETS = "Persisting cleaner-offset-checkpoint to remote storage and Fencing off zombie broker"

OF_READINGS = (
    Finding(
        name="neither_version_is_there",
        title="If the old file is deleted first, neither version can be read in between",
        severity=Severity.UNAVAILABLE,
        symptom=(
            "Three sentences of the text delete the old object before the new one is uploaded; "
            "the section on the swap has the other order, which is safe. In between no segment "
            "serves these offsets: RemoteLogManager#read raises OffsetOutOfRangeException, and "
            "consumers there are reset by auto.offset.reset (latest by default), past all that "
            "follows. It happens with each segment that compaction rewrites. Records can be lost, "
            "too: until the upload ends, the cleaned file of one broker is their only copy."
        ),
        needs=(
            "One replica is enough; any compaction of a remote segment that is no longer local by "
            "then. No crash. For the loss, the cleaned file is lost before the upload ends."
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
            Passage(
                "KIP-1272",
                "High-Level Design",
                "For the remote log segments which are being changed, a remote file delete "
                "followed by a remote file create/upload will occur, those will be detailed in a "
                "later section.",
            ),
            Passage(
                "KIP-1272",
                "Errors/Crashes during log compaction and later file swapping",
                "In the tiered storage setup, we will do cascade deletion and creation in remote "
                "tiered storage if the file also exists in remote tiered storage.",
            ),
        ),
        permitted_by=(
            "The text, which contradicts itself; no method of Kafka replaces a remote segment"
        ),
        story=Story(
            "e7f8d5",
            (
                (
                    "start",
                    "Broker 0 leads; there is no other replica. Offsets 0 and 1 are copied, as id "
                    "0 and id 1, and still local.",
                ),
                ("1-2", "The cleaner cleans the segment of offset 0 into a temporary file."),
                (
                    "3",
                    "The cleaner begins to delete the old object: it publishes "
                    "DELETE_SEGMENT_STARTED of id 0.",
                ),
                (
                    "4",
                    "Local retention advances the local log start offset to 2, as offsets 0 and "
                    "1 are copied.",
                ),
                ("5", "Broker 0 reads its record: no segment serves offset 0 any more."),
                (
                    "end",
                    "Offset 0 cannot be read: id 0 is being deleted, and the new version is not "
                    "copied.",
                ),
                (
                    "beyond",
                    "The cleaner deletes the object of id 0 before it copies the new version. If "
                    "the broker loses its disk in between, or crashes while the cleaned file still "
                    "ends in .cleaned, which LogLoader deletes, the records are lost. A .swap file "
                    "survives a restart; a new leader has neither.",
                ),
            ),
        ),
        turning=4,
        fix=(
            "Give the three sentences the order of the swap sequence: upload under a new "
            "RemoteLogSegmentId, publish COPY_SEGMENT_FINISHED, and leave the deletion of the old "
            "id to the retention thread."
        ),
        costs=(
            "Both versions are in the store until the retention thread deletes the old one. Today "
            "it would not find most of them: see KAFKA-20932."
        ),
        repair="repair_copy_before_deleting",
        stands_alone=True,
        shows="cleaned_version_is_read_from_remote",
        scope="smoke",
        beside=("text_deletes_before_it_copies",),
    ),
    Finding(
        name="compacted_topic_expires",
        title="The retention task that ships expires a topic that is only compacted",
        severity=Severity.LOSS,
        symptom=(
            "If RLMExpirationTask stays as it is, keys that nobody writes for retention.ms are "
            "lost without an error: the log start offset of a topic with cleanup.policy=compact "
            "moves past their records, and their objects are deleted. The text means the opposite, "
            "and does not list this change."
        ),
        needs=(
            "One replica is enough; a key that is not written for retention.ms (seven days by "
            "default, also on a compacted topic). No crash, no fault."
        ),
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
            Passage(
                "KIP-1272",
                "cleanup.policy=compact",
                "Remote storage accumulates all segment history",
            ),
        ),
        permitted_by=(
            "RLMExpirationTask#cleanupExpiredRemoteLogSegments, which applies retention.ms and "
            "retention.bytes and does not look at cleanup.policy"
        ),
        story=Story(
            "35c095",
            (
                (
                    "start",
                    "Broker 0 leads; there is no other replica. cleanup.policy is compact. Offsets "
                    "0 and 1 have the same key; they are copied, as id 0 and id 1, and only "
                    "remote.",
                ),
                ("1", "retention.ms passes for offset 0, which is older."),
                ("2", "The expiration task plans to delete id 0."),
                ("3", "The expiration task moves the log start offset to 1."),
                (
                    "end",
                    "The log start offset is 1: a record of a topic that is only compacted has "
                    "expired by its age.",
                ),
                (
                    "beyond",
                    "The task then deletes the object of id 0. The latest value of every key that "
                    "is not written for retention.ms expires in the same way. The local log is "
                    "safe from this: UnifiedLog#deleteOldSegments applies retention.ms only if "
                    "cleanup.policy contains delete.",
                ),
            ),
        ),
        turning=3,
        fix=(
            "List the change: RLMExpirationTask applies retention.ms and retention.bytes only "
            "where cleanup.policy contains delete, as UnifiedLog#deleteOldSegments does. It still "
            "deletes what is below the log start offset, and what is unreferenced."
        ),
        costs=(
            "One condition in the expiration task. Only compaction bounds the remote log of such a "
            "topic."
        ),
        repair="repair_expire_by_policy",
        stands_alone=True,
        shows="cleaned_version_is_read_from_remote",
        scope="expiry",
        beside=("kafka_expires_whatever_the_policy",),
    ),
    Finding(
        name="validation_cannot_tell_versions_apart",
        title="isRemoteSegmentWithinLeaderEpochs cannot tell which version is to be deleted",
        severity=Severity.LEAK,
        symptom=(
            "The check gives one answer for the version that serves reads and for those that it "
            'has replaced. If "within the leader epochs" means that a segment stays, as the second '
            "quote says, no replaced object is ever deleted. If it means that the deletion goes "
            "on, as in RLMExpirationTask today, it passes for the version that serves reads, too, "
            "also on a zombie. In both readings it comes too late: DELETE_SEGMENT_STARTED has made "
            "the segment unreadable, and no state leads back."
        ),
        needs=(
            "One replica is enough; one compaction cycle. These steps take the first reading, and "
            "assume that KAFKA-20932 is fixed, so that the task lists old versions, and that it "
            "deletes them whatever retention says, as the KIP wants. No crash, no fault."
        ),
        claims=("replaced_objects_are_deleted",),
        passages=(
            Passage(
                "KIP-1272",
                OFFSETS,
                "So the metadata manager will mark the remote log segment as to be deleted "
                "(RemoteLogState.DELETE_SEGMENT_STARTED), then validates them using "
                "isRemoteSegmentWithinLeaderEpochs() before actual deletion.",
            ),
            Passage(
                "KIP-1272",
                OFFSETS,
                "This prevents zombie brokers from deleting segments still valid under the current "
                "leader.",
            ),
        ),
        permitted_by=(
            "RemoteLogManager#isRemoteSegmentWithinLeaderEpochs, which compares the offsets and "
            "leader epochs of a segment with the leader's: every version of a segment lies within"
        ),
        story=Story(
            "632753",
            (
                (
                    "start",
                    "Broker 0 leads; there is no other replica. Offsets 0 and 1 are copied, as id "
                    "0 and id 1, and still local.",
                ),
                ("1-2", "Local retention removes both segments."),
                (
                    "3-11",
                    "A compaction cycle cleans the segment of offset 0 and copies it as id 2.",
                ),
                ("12-13", "The expiration task plans to delete id 0, which is unreferenced."),
                ("14-15", "The expiration task publishes DELETE_SEGMENT_STARTED of id 0."),
                (
                    "16-27",
                    "The expiration task validates id 0 before it deletes: id 0 is within the "
                    "leader epochs, as id 2 is, and stays. Meanwhile a next cycle cleans the "
                    "segment of offset 0 again and copies it as id 3.",
                ),
                (
                    "28-37",
                    "The cycle cleans the segment of offset 1 and copies it as id 4. Nothing is "
                    "deleted.",
                ),
                (
                    "end",
                    "The object of id 0 is in the store, in DELETE_SEGMENT_STARTED, and so it goes "
                    "with ids 1 and 2.",
                ),
                (
                    "beyond",
                    "Of segments in DELETE_SEGMENT_STARTED the expiration task as it ships asks "
                    "nothing (KAFKA-17428). If the text leaves that as it is, the next run deletes "
                    "id 0, and the check has prevented nothing. A zombie compares with its own "
                    "leader epochs, in which the version that serves reads is valid, too.",
                ),
            ),
        ),
        turning=15,
        fix=(
            "Drop this check for replaced segments; for retention it stays. Before it publishes "
            "DELETE_SEGMENT_STARTED, the task asks whether the segment is the one that serves "
            "reads in any of its leader epochs; if so, it stays. Against a zombie compare the "
            "leader epoch of the broker that publishes: RemoteLogSegmentMetadataUpdate carries it, "
            "the metadata manager fails an update of an earlier epoch than the current one, and "
            "the broker deletes the object only once its update has succeeded."
        ),
        costs=(
            "One more field in each metadata record, and a new duty in the contract of "
            "RemoteLogMetadataManager: TopicBasedRemoteLogMetadataManager refuses no update today, "
            "and a cache that drops the record would not keep the zombie from the object."
        ),
        repair="repair_delete_what_is_replaced",
        shows="old_version_is_deleted",
        scope="smoke",
        beside=("text_only_invalid_segments_are_deleted",),
    ),
)
