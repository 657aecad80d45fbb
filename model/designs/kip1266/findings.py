"""What KIP-1266 permits that it should not: the register's written half, the worst first.

The traces beside these texts in docs/findings/kip1266 are generated: `tierproof findings kip1266`.
"""

from tierproof.model.designs.kip1266.findings_of_consumers import OF_CONSUMERS
from tierproof.model.designs.kip1266.findings_of_readings import OF_READINGS
from tierproof.model.designs.kip1266.findings_of_writers import OF_WRITERS
from tierproof.model.designs.kip1266.findings_setting import WITH_FIXES, WITH_HIGHEST_OFFSETS
from tierproof.model.language import Finding, Passage, Severity, Story

KEYS = "Message Key and Value"
WRITES = "Broker Write Path"
THREAD = "KAFKA-20033; raised in the KIP's discussion thread"

OF_THE_TEXT = (
    Finding(
        name="compaction_removes_the_description",
        title="Compaction removes the only record that describes a remote segment, and a restart "
        "loses its records",
        severity=Severity.LOSS,
        symptom=(
            "After a restart of the leader committed records cannot be read: fetches of offset 0 "
            "fail with OFFSET_OUT_OF_RANGE, though the record is within its retention. This does "
            "not heal: no broker learns of the segment again, and its object stays in the store. "
            "Compaction leaves COPY_SEGMENT_FINISHED alone, and the cache drops the update of a "
            "segment that it does not know."
        ),
        needs=(
            "One replica is enough; one restart of the leader; one run of the log cleaner since "
            "the segment was copied. No fault, and no race: every segment whose records are "
            "compacted is concerned."
        ),
        tracker=f"{THREAD}, March and April 2026",
        claims=(
            "leader_serves_what_is_within_retention",
            "compaction_changes_no_cache",
            "brokers_that_have_read_all_know_the_truth",
            "latest_values_are_self_contained",
            "compaction_loses_no_object",
            "live_segments_stay_known",
            "deleted_segments_leave_no_record",
            "topic_is_as_big_as_the_remote_tier",
        ),
        passages=(
            Passage(
                "KIP-1266",
                KEYS,
                "For the same segment under the same leader epoch, retries or updates share the "
                "same key (compaction keeps the latest state).",
            ),
            Passage(
                "KIP-1266",
                "Scenario 1: Normal Segment Upload",
                "Cache result: 1 segment with uuid=UUID-A, endOffset=1000, state=FINISHED",
            ),
        ),
        permitted_by=(
            "RemoteLogMetadataCache#updateRemoteLogSegmentMetadata, which drops the update of a "
            "segment that the cache does not know; RemoteLogSegmentMetadataUpdateRecord, which has "
            "no start offset, leader epochs or size; "
            "RLMCopyTask#maybeUpdateLogStartOffsetOnBecomingLeader, which moves the log start to "
            "the local log if the cache has no segment"
        ),
        assumptions=("C1", "C8"),
        story=Story(
            "bc4910",
            (
                (
                    "start",
                    "One broker leads in epoch 0. The segment of offset 0 is rolled and not yet "
                    f"copied; the metadata topic is compacted and empty. {WITH_FIXES}",
                ),
                (
                    "1-3",
                    "The leader publishes COPY_SEGMENT_STARTED of the remote segment id 0 (a UUID "
                    "in Kafka), which has the segment's offsets, leader epochs and size, and "
                    "stores the object of id 0.",
                ),
                (
                    "4",
                    "The leader publishes COPY_SEGMENT_FINISHED of id 0 under the same key, and "
                    "the highest copied offset.",
                ),
                (
                    "5",
                    "Local retention removes offset 0 from the leader's disk, as it is copied.",
                ),
                ("6", "The broker restarts and leads in epoch 1; its cache is empty."),
                (
                    "7",
                    "The log cleaner removes COPY_SEGMENT_STARTED of id 0, as "
                    "COPY_SEGMENT_FINISHED has the same key.",
                ),
                (
                    "8-9",
                    "The leader reads the metadata topic to its end. COPY_SEGMENT_FINISHED is an "
                    "update of a segment that the cache does not know, and the cache drops it.",
                ),
                (
                    "10",
                    "The leader's copy task begins. It finds no remote segment, and moves the log "
                    "start to where the local log starts, offset 1.",
                ),
                (
                    "end",
                    "Offset 0 is within its retention and its object exists, but the leader's log "
                    "start is 1: nobody can read offset 0.",
                ),
                (
                    "beyond",
                    "Nobody deletes the object either, since no cache knows id 0. The same "
                    "happens to a deletion that a crash interrupts: DELETE_SEGMENT_STARTED "
                    "supersedes the description, too, and the next leader does not find the "
                    "object that is to be deleted.",
                ),
            ),
        ),
        turning=7,
        fix=(
            "Put the full metadata into every value: COPY_SEGMENT_FINISHED, DELETE_SEGMENT_STARTED "
            "and DELETE_SEGMENT_FINISHED also have the start offset, the leader epochs, the size "
            "and the largest timestamp, and RemoteLogMetadataCache adds a segment unknown to it."
        ),
        costs=(
            "About a hundred bytes more in each update, and eight to twelve for each leader epoch: "
            "tagged fields, which older brokers skip, from the cache of the publishing broker."
        ),
        repair="repair_self_contained_values",
        shows="topic_is_compacted",
        scope="deletion",
    ),
    Finding(
        name="retry_takes_the_key_over",
        title="The retry of a copy has the key of the failed attempt, whose tombstone removes the "
        "metadata of the retry",
        severity=Severity.LOSS,
        symptom=(
            "After a copy that failed and was retried committed records cannot be read: fetches of "
            "offset 0 fail with OFFSET_OUT_OF_RANGE, though the record is within its retention. "
            "This does not heal, and the object stays in the store. The retry has the key of the "
            "failed attempt, whose tombstone removes the metadata of both."
        ),
        needs=(
            "One replica is enough; one copy that fails with RemoteStorageException and is "
            "retried, in the same leader epoch. No crash and no race. Kafka 4.0 and later, which "
            "publishes the deletion of the failed attempt."
        ),
        claims=(
            "leader_serves_what_is_within_retention",
            "key_names_one_live_segment",
            "tombstone_only_after_deletion",
            "tombstoned_key_stays_dead",
            "compaction_changes_no_cache",
            "latest_values_are_self_contained",
            "compaction_loses_no_object",
            "live_segments_stay_known",
            "expired_objects_go",
        ),
        passages=(
            Passage(
                "KIP-1266",
                WRITES,
                "A series of tombstone messages will be published for all the keys that share the "
                "same prefix topicIdPartition:endOffset and keys that have no bigger "
                "brokerLeaderEpoch than the current one.",
            ),
            Passage(
                "KIP-1266",
                "Scenario 3: Failed Upload Under the Same Leader Epoch",
                "Key insight: Same epoch = same key, but new UUID for each attempt",
            ),
        ),
        permitted_by=(
            "RLMCopyTask#copyLogSegment, which deletes an attempt that failed up to "
            "DELETE_SEGMENT_FINISHED, and whose next run copies the same segment with a new id"
        ),
        assumptions=("C4", "C7"),
        story=Story(
            "6b520e",
            (
                (
                    "start",
                    "One broker leads in epoch 0. The segment of offset 0 is rolled and not yet "
                    "copied; the metadata topic is empty. A key has the end offset and the "
                    f"leader epoch, as the KIP says. {WITH_HIGHEST_OFFSETS}",
                ),
                (
                    "1-2",
                    "The leader publishes COPY_SEGMENT_STARTED of the remote segment id 0 (a UUID "
                    "in Kafka) under the key of end offset 0 and epoch 0.",
                ),
                ("3", "The copy fails before anything is stored."),
                (
                    "4-6",
                    "The leader deletes the failed attempt, up to DELETE_SEGMENT_FINISHED of id 0.",
                ),
                (
                    "7-9",
                    "The retry succeeds: the leader publishes COPY_SEGMENT_STARTED of id 1, stores "
                    "the object of id 1, and publishes COPY_SEGMENT_FINISHED of id 1, all under "
                    "the key of end offset 0 and epoch 0.",
                ),
                (
                    "10",
                    "The clean-up scan finds DELETE_SEGMENT_FINISHED of id 0 with this end offset, "
                    "and writes a tombstone for the key.",
                ),
                (
                    "11",
                    "Local retention removes offset 0 from the leader's disk, as id 1 has it.",
                ),
                (
                    "12",
                    "The leader reads the tombstone and forgets id 1. (A cache that forgets at a "
                    "tombstone is another change that we propose. Without it the leader forgets id "
                    "1 when it restarts.)",
                ),
                (
                    "end",
                    "Offset 0 is within its retention, and only the object of id 1 has it. The "
                    "leader's cache does not know id 1, and cannot serve offset 0.",
                ),
                (
                    "beyond",
                    "An attempt that the store defers (RetriableRemoteStorageException) is not "
                    "deleted. Its object, if there is one, is forgotten as soon as the retry "
                    "publishes COPY_SEGMENT_STARTED under the same key. In scenario 4, too, one "
                    "tombstone removes what several copies of one range have said.",
                ),
            ),
        ),
        turning=10,
        fix=(
            "Name the attempt in the key: the UUID of the RemoteLogSegmentId instead of end offset "
            "and epoch. Then one tombstone removes one attempt, and no other."
        ),
        costs=(
            "A retry no longer supersedes the attempt before it: one more key, and one more "
            "tombstone, for each attempt that failed."
        ),
        repair="repair_uuid_in_key",
        shows="segment_is_forgotten",
        scope="retried",
    ),
    Finding(
        name="failed_attempt_keeps_its_key",
        title="An attempt that the store deferred keeps its key until the segment's records expire",
        severity=Severity.COST,
        symptom=(
            "The compacted metadata topic keeps one record for each attempt that the store "
            "deferred, though the segment is copied by then and the attempt has no object. The "
            "record goes when the segment passes its retention."
        ),
        needs=(
            "One replica is enough; a copy that fails with RetriableRemoteStorageException, which "
            "leaves the attempt as it is since Kafka 4.3. Each failure adds a record. No crash."
        ),
        claims=("topic_is_as_big_as_the_remote_tier",),
        passages=(
            Passage(
                "KIP-1266",
                "Problem 2: No Cleanup Mechanism",
                "Orphaned records from failed/retried uploads accumulate indefinitely",
            ),
        ),
        permitted_by=(
            "RLMCopyTask#copyLogSegment, which publishes nothing after "
            "RetriableRemoteStorageException; "
            "RLMExpirationTask#cleanupExpiredRemoteLogSegments, which deletes an unfinished copy "
            "only once it is past its retention"
        ),
        assumptions=("C13",),
        story=Story(
            "45cd43",
            (
                (
                    "start",
                    "One broker leads. The segment of offset 0 is rolled and not yet copied; the "
                    f"metadata topic is empty. {WITH_FIXES}",
                ),
                (
                    "1-2",
                    "The leader publishes COPY_SEGMENT_STARTED of the remote segment id 0 (a UUID "
                    "in Kafka).",
                ),
                (
                    "3",
                    "The store asks to retry later, and has stored nothing. The leader publishes "
                    "nothing more of id 0.",
                ),
                (
                    "4-6",
                    "The retry copies the segment as id 1: COPY_SEGMENT_STARTED, the object, "
                    "COPY_SEGMENT_FINISHED.",
                ),
                (
                    "7-8",
                    "Local retention removes offset 0 from the leader's disk, and the log cleaner "
                    "removes COPY_SEGMENT_STARTED of id 1.",
                ),
                (
                    "end",
                    "COPY_SEGMENT_STARTED of id 0 is still in the topic, and no object belongs to "
                    "it. Nobody has anything to do until the records expire.",
                ),
                (
                    "beyond",
                    "With the KIP's own key the retry supersedes id 0; then the failed attempt "
                    "leaves no key, but an object that it may have stored is forgotten.",
                ),
                (
                    "note",
                    "The retry under the KIP's key: [its page](retry_takes_the_key_over.md).",
                ),
            ),
        ),
        turning=3,
        fix=(
            "Have the leader delete the attempts that nobody will finish: those that its cache has "
            "in COPY_SEGMENT_STARTED and that none of its threads copies, as it deletes an attempt "
            "that failed."
        ),
        costs=(
            "Two records, a tombstone and one delete request for each such attempt. It is safe "
            "only beside two other changes that we propose: only the leader of the latest epoch "
            "writes to the topic, so that nobody else finishes the attempt, and a new leader reads "
            "the topic to its end before it begins."
        ),
        repair="repair_delete_copies_given_up",
        shows="segment_is_forgotten",
        scope="retried",
    ),
    Finding(
        name="partition_markers_add_up",
        title="The marker of a deleted partition is never removed, and the topic grows with every "
        "partition that was ever deleted",
        severity=Severity.COST,
        symptom=(
            "The compacted metadata topic keeps one small record for each tiered partition that "
            "was ever deleted. Nothing removes it."
        ),
        needs="The deletion of a topic. No fault, and no race.",
        claims=("topic_is_as_big_as_the_remote_tier",),
        passages=(
            Passage(
                "KIP-1266",
                "Cleanup Process",
                "Compacted topic: All segment keys for abc123:0:*:* get tombstones, partition "
                "delete marker remains",
            ),
            Passage(
                "KIP-1266",
                "Goals",
                "Enable bounded metadata storage to support faster bootstrap for the broker "
                "restart/leadership changes: the number of messages in the remote metadata topic "
                "is proportional to active remote segments, not the total history.",
            ),
        ),
        permitted_by=(
            "Scenario 5 of the KIP, which no released Kafka has; RemoteLogManager of Kafka as "
            "shipped publishes no such marker, as nothing calls "
            "RemoteLogMetadataManager#putRemotePartitionDeleteMetadata"
        ),
        assumptions=("C2", "C13"),
        story=Story(
            "af502f",
            (
                ("start", "One broker leads a partition of which nothing is copied."),
                ("1", "The leader's copy task begins."),
                ("2", "A user deletes the topic."),
                (
                    "3-4",
                    "The leader publishes DELETE_PARTITION_STARTED and DELETE_PARTITION_FINISHED "
                    "under the key of the partition, as scenario 5 has it.",
                ),
                (
                    "end",
                    "Nothing of the partition is left but DELETE_PARTITION_FINISHED. Nobody "
                    "writes a tombstone for its key.",
                ),
            ),
        ),
        turning=4,
        fix=(
            "Write a tombstone for the marker, too, as the last one of its partition: the marker "
            "has done its work once no other key of the partition is left."
        ),
        costs=(
            "One tombstone for each deleted partition. Nobody leads the partition any more: the "
            "text has to name a broker that writes it, also after a crash."
        ),
        repair="repair_forget_partitions",
        shows="segment_is_forgotten",
        scope="deletion",
    ),
)

OF_EVERY_READING = (*OF_THE_TEXT, *OF_CONSUMERS, *OF_WRITERS)
FINDINGS = (*OF_EVERY_READING, *OF_READINGS)
