"""What KIP-1272 permits in one reading of a passage on deletions: the register, continued."""

from tierproof.model.designs.kip1272.passages import DELETED_BY_RETENTION
from tierproof.model.language import Finding, Passage, Severity, Story

OFFSETS = "Persisting cleaner-offset-checkpoint to remote storage and Fencing off zombie broker"

OF_READINGS = (
    Finding(
        name="neither_version_is_there",
        title=(
            "Three sentences of KIP-1272 name the deletion of a remote segment before the upload "
            "of its replacement"
        ),
        severity=Severity.TEXT,
        symptom=(
            "The text contradicts itself on the order of a swap. The section on the swap uploads "
            "the new object and leaves the old one to retention, which is safe. One sentence "
            "elsewhere deletes the old object first, and two name the deletion first. By these, "
            "no segment serves the offsets in between: RemoteLogManager#read raises "
            "OffsetOutOfRangeException, and consumers there are reset by auto.offset.reset "
            "(latest by default), past all that follows. That happens with each segment that "
            "compaction rewrites. Records can be lost, too: until the upload ends, the cleaned "
            "file of one broker is their only copy."
        ),
        needs=(
            "An implementation that follows the first three quotes. One replica is enough; any "
            "compaction of a remote segment that is no longer local. No crash. For the loss, the "
            "cleaned file is lost before the upload ends."
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
            "latest_values_are_read",
            "cleaner_offset_is_remote",
        ),
        passages=(
            Passage(
                "KIP-1272",
                "High-Level Design",
                "For the remote log segments which are being changed, a remote file delete "
                "followed by a remote file create/upload will occur, those will be detailed in a "
                "later section.",
            ),
            Passage(
                "KIP-1272",
                "Performance overhead of working with remote files in tiered storage",
                "During the swap stage, the old log segment file in remote tiered storage will be "
                "removed and the new log segment file will be uploaded onto remote tiered storage.",
            ),
            Passage(
                "KIP-1272",
                "Errors/Crashes during log compaction and later file swapping",
                "In the tiered storage setup, we will do cascade deletion and creation in remote "
                "tiered storage if the file also exists in remote tiered storage.",
            ),
            Passage(
                "KIP-1272",
                "Swap Old/New Log Segment Files",
                "Although we could delete the old log segment file immediately after uploading the "
                "new segment, we defer deletion to the log retention thread.",
            ),
        ),
        permitted_by=(
            'The first quote says "followed by"; the next two only name the removal first. The '
            "last quote, and the swap sequence before it, have the other order. No method of Kafka "
            "replaces a remote segment"
        ),
        story=Story(
            "e7f8d5",
            (
                (
                    "start",
                    "Broker 0 leads; there is no other replica. Offsets 0 and 1 are copied, as id "
                    "0 and id 1, and still local.",
                ),
                ("1-2", "The cleaner cleans the segment of offset 0 into a .cleaned file."),
                (
                    "3",
                    "The cleaner begins to delete the old object, as the first quote has it: it "
                    "publishes DELETE_SEGMENT_STARTED of id 0.",
                ),
                (
                    "4",
                    "Local retention advances the local log start offset to 2, as offsets 0 and "
                    "1 are copied. (Most segments of a compacted log are only remote long before.)",
                ),
                ("5", "Broker 0 reads the record of step 3: no segment serves offset 0 any more."),
                (
                    "end",
                    "Offset 0 cannot be read: id 0 is being deleted, and the new version is not "
                    "copied.",
                ),
                (
                    "beyond",
                    "The cleaner then deletes the object of id 0, and uploads the new version "
                    "after that. If the broker loses its disk in between, or crashes while the "
                    "file still ends in .cleaned, which LogLoader deletes, the records are lost; "
                    "a .swap file survives a restart.",
                ),
            ),
        ),
        turning=4,
        fix=(
            "Give the first three quotes the order of the swap sequence: upload under a new "
            "RemoteLogSegmentId, publish COPY_SEGMENT_FINISHED, and leave the deletion of the old "
            "id to the retention thread."
        ),
        costs=(
            "Both versions are in the store until the retention thread deletes the old one. As "
            "Kafka is today, it would not find most of them: see KAFKA-20932."
        ),
        repair="repair_copy_before_deleting",
        stands_alone=True,
        shows="cleaned_version_is_read_from_remote",
        scope="smoke",
        beside=("text_deletes_before_it_copies",),
    ),
    Finding(
        name="compacted_topic_expires",
        title="RLMExpirationTask ignores cleanup.policy and expires a topic that is only compacted",
        severity=Severity.LOSS,
        symptom=(
            "If RLMExpirationTask stays as it is, keys that nobody writes for retention.ms are "
            "lost: the log start offset of a topic with cleanup.policy=compact moves past their "
            "records, and their objects are deleted. A consumer that reads from the beginning "
            "gets no error. The text means the opposite (second quote), and lists no change of "
            "this task. Today no topic can be both tiered and compacted, so that the task need "
            "not ask for the policy."
        ),
        needs=(
            "An implementation that leaves RLMExpirationTask's retention as it is. One replica is "
            "enough; a key that is not written for retention.ms (seven days by default, also on "
            "a compacted topic). No crash."
        ),
        claims=(
            "no_committed_record_lost",
            "log_start_passes_only_what_may_go",
            "object_deleted_only_when_not_needed",
            "latest_values_are_read",
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
            "retention.bytes and does not look at cleanup.policy. Of retention the KIP changes "
            "UnifiedLog#deleteOldSegments alone, which is local"
        ),
        story=Story(
            "35c095",
            (
                (
                    "start",
                    "Broker 0 leads; there is no other replica. cleanup.policy is compact. Offset "
                    "0 has the only value of a key, offsets 1 and 2 have another key. All are "
                    "copied, as ids 0, 1 and 2, and only remote.",
                ),
                ("1", "retention.ms passes for offset 0, the oldest record."),
                ("2", "The expiration task plans to delete id 0."),
                ("3", "The expiration task moves the log start offset to 1."),
                (
                    "end",
                    "The log start offset is 1: the latest value of a key has expired by its age, "
                    "on a topic that is only compacted.",
                ),
                (
                    "beyond",
                    "The task then deletes the object of id 0. A segment that is still local is "
                    "deleted, too: UnifiedLog#deleteOldSegments does not apply retention.ms to "
                    "such a topic, but deletes what is below the log start offset.",
                ),
            ),
        ),
        turning=3,
        fix=(
            "List the change: RLMExpirationTask leaves retention.ms and retention.bytes out where "
            "cleanup.policy is compact alone, as UnifiedLog#deleteOldSegments does. What it "
            "deletes today for other reasons, it still deletes and, as the KIP adds, what another "
            "segment has replaced."
        ),
        costs=(
            "One condition in the expiration task, whose loop has to go on past a segment that it "
            "keeps, as replaced ones can lie behind it. Only compaction bounds the remote log of "
            "such a topic: Kafka refuses DeleteRecords there."
        ),
        repair="repair_expire_by_policy",
        stands_alone=True,
        shows="cleaned_version_is_read_from_remote",
        scope="expiry",
        beside=("kafka_expires_whatever_the_policy",),
    ),
    Finding(
        name="validation_cannot_tell_versions_apart",
        title=(
            "isRemoteSegmentWithinLeaderEpochs cannot tell a replaced segment from its replacement"
        ),
        severity=Severity.TEXT,
        symptom=(
            "In one reading no replaced object is deleted; in the other the check protects "
            "nothing. The KIP does not say outright which answer of "
            'isRemoteSegmentWithinLeaderEpochs lets a deletion go on. "Segments still valid" '
            "suggests that true keeps the segment; RLMExpirationTask today asks for retention "
            "only if it is true. Neither answer works: the check is true for the version that "
            "serves reads and for those that it has replaced. A zombie gets the same answer, as "
            "it compares with its own leader epochs. And the check comes too late: "
            "DELETE_SEGMENT_STARTED has made the segment unreadable, and no state leads back. "
            "Which reading is meant?"
        ),
        needs=(
            "One replica is enough; one compaction cycle. These steps take the first reading, in "
            "which true keeps the segment. They assume that the expiration task deletes "
            'unreferenced segments whatever retention says, as "Swap Old/New Log Segment Files" '
            "wants. No crash."
        ),
        claims=("replaced_objects_are_deleted",),
        passages=(
            DELETED_BY_RETENTION,
            Passage(
                "KIP-1272",
                "Swap Old/New Log Segment Files",
                "This ensures deletions are validated against the current leader epoch lineage, "
                "preventing zombie brokers from deleting segments that are still valid for the new "
                "leader.",
            ),
            Passage(
                "KIP-1272",
                OFFSETS,
                "So the metadata manager will mark the remote log segment as to be deleted "
                "(RemoteLogState.DELETE_SEGMENT_STARTED), then validates them using "
                "isRemoteSegmentWithinLeaderEpochs() before actual deletion. This prevents zombie "
                "brokers from deleting segments still valid under the current leader.",
            ),
        ),
        permitted_by=(
            "RemoteLogManager#isRemoteSegmentWithinLeaderEpochs, which compares the offsets and "
            "leader epochs of a segment with the broker's. So it is true for the current version "
            "and for all that it has replaced"
        ),
        story=Story(
            "632753",
            (
                (
                    "start",
                    "Broker 0 leads; there is no other replica. Offsets 0 and 1 are copied, as id "
                    "0 and id 1, and still local.",
                ),
                (
                    "1-2",
                    "Local retention removes both local segments, which plays no part.",
                ),
                (
                    "3-11",
                    "The cleaner cleans the segment of offset 0 and copies the result as id 2, "
                    "which serves reads now.",
                ),
                ("12-13", "The expiration task plans to delete id 0, which is unreferenced."),
                (
                    "14-15",
                    "The expiration task publishes DELETE_SEGMENT_STARTED of id 0. Then it "
                    "validates id 0 before it deletes the object: id 0 is within the leader "
                    "epochs, as id 2 is, and stays.",
                ),
                (
                    "16-37",
                    "The cleaner ends its cycle; a second one copies ids 3 and 4 for "
                    "ids 2 and 1. It plays no part.",
                ),
                (
                    "end",
                    "The object of id 0 is in the store, in DELETE_SEGMENT_STARTED.",
                ),
                (
                    "beyond",
                    "Later runs do not help. RLMExpirationTask takes up segments in "
                    "DELETE_SEGMENT_STARTED without any check (KAFKA-17428), but ends at the "
                    "first segment that retention keeps: here the version that serves offset 0, "
                    "listed before id 0. Where this retry does reach a segment, it undoes the "
                    "validation: what was marked and kept is deleted in the next run, even if it "
                    "served reads until then.",
                ),
            ),
        ),
        turning=15,
        fix=(
            "This check alone is not enough for replaced segments. A segment that neither "
            "retention nor the log start offset deletes is deleted only if it serves reads in "
            "none of its leader epochs. The task asks this before it publishes "
            "DELETE_SEGMENT_STARTED. That is not enough against a zombie, of which this search, "
            'with one broker, says nothing: see our report "A late segment of an old leader '
            "passes the cleaner-offset fence and displaces the new leader's version\"."
        ),
        costs=("A look-up in the cache for each segment that the task would delete in this way."),
        apart=("repair_retention_and_cleaning_take_turns",),
        repair="repair_delete_what_is_replaced",
        searched="the question before DELETE_SEGMENT_STARTED",
        shows="old_version_is_deleted",
        scope="smoke",
        beside=("text_only_invalid_segments_are_deleted",),
    ),
)
