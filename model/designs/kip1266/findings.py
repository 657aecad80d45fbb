"""What KIP-1266 permits that it should not: the register's written half, the worst first.

The traces beside these texts in docs/findings/kip1266 are generated: `tierproof findings kip1266`.
"""

from tierproof.model.designs.kip1266.findings_of_consumers import OF_CONSUMERS
from tierproof.model.designs.kip1266.findings_of_elections import OF_ELECTIONS
from tierproof.model.designs.kip1266.findings_of_growth import OF_GROWTH
from tierproof.model.designs.kip1266.findings_of_readings import OF_READINGS
from tierproof.model.designs.kip1266.findings_of_writers import OF_WRITERS
from tierproof.model.designs.kip1266.findings_setting import WITH_HIGHEST_OFFSETS
from tierproof.model.language import Finding, Passage, Severity, Story

KEYS = "Message Key and Value"
WRITES = "Broker Write Path"
THREAD = "KAFKA-20033; raised in the KIP's discussion thread"

OF_THE_TEXT = (
    Finding(
        name="compaction_removes_the_description",
        title=(
            "Compaction drops COPY_SEGMENT_STARTED, and a restarted leader moves logStartOffset "
            "past remote records"
        ),
        severity=Severity.LOSS,
        symptom=(
            "Once the metadata topic is compacted and a broker that has restarted leads, "
            "records that are only in the remote tier can never be read again. Fetches "
            "fail with OFFSET_OUT_OF_RANGE, and a consumer goes on at the log end "
            "(auto.offset.reset=latest, the default) or at the first local record "
            "(earliest). This does not heal: the leader moves its log start past these "
            "records. Compaction keeps COPY_SEGMENT_FINISHED and removes "
            "COPY_SEGMENT_STARTED, which has the same key and alone has the start offset, "
            "leader epochs, largest timestamp and size. A new cache drops an update of a "
            "segment that it does not know."
        ),
        needs=(
            "One replica is enough, and then any restart does it; of several replicas one "
            "that has restarted must be elected, as by a preferred election after a "
            "rolling restart. One run of the log cleaner over the records of the segment "
            "(with segment.ms of an hour, soon after the copy). No fault and no race. An "
            "audit topic changes nothing, as brokers build their caches from the "
            "compacted one."
        ),
        tracker=(
            f"{THREAD}, March and April 2026. Pull request 22459 (open; read in part, "
            "not run) gives updates a key of their own, which keeps the description; "
            "the text has one key still"
        ),
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
                "Scenario 1: Normal Segment Upload",
                (
                    "Compacted topic: Retains only latest → abc123:0:1000:3 = FINISHED (T1 "
                    "compacted away)"
                ),
            ),
            Passage(
                "KIP-1266",
                "Scenario 1: Normal Segment Upload",
                "Cache result: 1 segment with uuid=UUID-A, endOffset=1000, state=FINISHED",
            ),
            Passage(
                "KIP-1266",
                "Broker Read Path",
                (
                    "There is no change in how the ConsumerTask read the messages and build the "
                    "state in TopicBasedRemoteLogMetadataManager since there is not much "
                    "meaningful value format change."
                ),
            ),
        ),
        permitted_by=(
            "RemoteLogMetadataCache#updateRemoteLogSegmentMetadata, which drops the "
            "update of a segment that the cache does not know; "
            "RemoteLogSegmentMetadataUpdateRecord (apiKey=1 in scenario 1), which has no "
            "start offset, leader epochs or size, to which the KIP adds the end offset "
            "only; RLMCopyTask#maybeUpdateLogStartOffsetOnBecomingLeader, which moves the "
            "log start to the local log start if the cache lists no segment"
        ),
        story=Story(
            "bc4910",
            (
                (
                    "start",
                    "One broker leads in epoch 0. The segment of offset 0 is rolled and not "
                    "yet copied; the metadata topic is compacted and empty. "
                    f"{WITH_HIGHEST_OFFSETS}",
                ),
                (
                    "1-4",
                    "The leader copies the segment as the remote segment id 0 (a UUID in "
                    "Kafka). COPY_SEGMENT_STARTED has the segment's offsets, leader epochs "
                    "and size; COPY_SEGMENT_FINISHED has the same key, and of the description "
                    "only the id and, with the KIP, the end offset.",
                ),
                (
                    "5",
                    "Local retention removes offset 0 from the leader's disk, as it is copied.",
                ),
                (
                    "6",
                    "The broker restarts and leads in epoch 1; its cache is empty.",
                ),
                (
                    "7",
                    "The log cleaner removes COPY_SEGMENT_STARTED of id 0. (It may as well "
                    "run before the restart.)",
                ),
                (
                    "8-9",
                    "The leader reads the metadata topic to its end. COPY_SEGMENT_FINISHED is "
                    "an update of a segment that the cache does not know, and the cache drops "
                    "it.",
                ),
                (
                    "10",
                    "The leader's copy task begins. It finds no remote segment, and moves the "
                    "log start to where the local log starts, offset 1.",
                ),
                (
                    "end",
                    "Offset 0 is within its retention and its object exists, but the leader's "
                    "log start is 1: nobody can read offset 0.",
                ),
                (
                    "beyond",
                    "A leader whose cache does not list id 0 does not delete the object "
                    "either, not even with the topic.",
                ),
            ),
        ),
        turning=9,
        fix=(
            "Put the full metadata into every value of a segment: publish COPY_SEGMENT_FINISHED, "
            "DELETE_SEGMENT_STARTED and DELETE_SEGMENT_FINISHED as RemoteLogSegmentMetadataRecord, "
            "too, which has a state and the custom metadata already. "
            "TopicBasedRemoteLogMetadataManager takes the description from its own cache when it "
            "publishes an update. If the segment is no longer there, COPY_SEGMENT_FINISHED fails, "
            "and a deletion publishes nothing. RemoteLogMetadataCache adds a segment that it does "
            "not know in the state of the record, unless that is DELETE_SEGMENT_FINISHED; Broker "
            "Read Path must say so. These records wait for the feature level: in an older version "
            "RemoteLogMetadataCache#addCopyInProgressSegment throws an IllegalArgumentException "
            "for every state but COPY_SEGMENT_STARTED, and the consumer ends. (The other way is to "
            "add the missing fields to RemoteLogSegmentMetadataUpdateRecord.)"
        ),
        costs=(
            "About thirty bytes more in each update, thirteen for each leader epoch of the "
            "segment, and a look-up by id in the cache. A COPY_SEGMENT_FINISHED that an old "
            "leader publishes late lists a deleted segment again, until the leader deletes it "
            "once more, with an object that was stored late. Until then it counts for "
            "retention.bytes. Segments whose description is already compacted do not come "
            "back: the values have to be full before the topic is compacted."
        ),
        repair="repair_self_contained_values",
        together_with=(
            "repair_uuid_in_key",
            "repair_forget_partitions",
            "repair_tombstones_forget",
        ),
        shows="topic_is_compacted",
        scope="deletion",
    ),
    Finding(
        name="retry_takes_the_key_over",
        title=(
            "A tombstone for a failed copy attempt also deletes the metadata of its retry, which "
            "has the same key"
        ),
        severity=Severity.LOSS,
        symptom=(
            "After a copy that failed and was retried, the tombstone of the failed "
            "attempt also removes the metadata of the retry: both have one key. A broker "
            "that builds its cache after that does not know the retry's remote segment. "
            "Once it leads, records that only this segment has cannot be read: fetches "
            "fail with OFFSET_OUT_OF_RANGE. If its cache lists no older segment, it moves "
            "the log start past these records. If it does, they are a hole in the log: a "
            "consumer with auto.offset.reset=earliest goes back to the log start and "
            "meets the hole again. Neither heals, and the retry's object stays in the store. "
            "By the text the tombstones also go to the keys of earlier leader epochs. There they "
            "remove the metadata of a copy that an old leader has finished late, even if they are "
            "written right after the failure. If the store refuses the first deletion, "
            "RLMExpirationTask repeats it, and can publish DELETE_SEGMENT_FINISHED after the retry "
            "has succeeded: compaction then removes the retry's record without any tombstone. "
            "(The model has no store that refuses; this is from the code.)"
        ),
        needs=(
            "One replica is enough; one copy that fails with RemoteStorageException and "
            "is retried in the same leader epoch; a tombstone for the failed attempt that "
            "is written once the retry has published, as by the periodic scan; a run of "
            "the log cleaner, and a broker that builds its cache after it. No crash. "
            "Kafka 4.0 and later, which publishes the deletion of a failed attempt."
        ),
        tracker=(
            "KAFKA-20033; pull request 22459 (open; two versions read in part, not run) "
            "has the KIP's key. In one version the scan writes tombstones only below the "
            "log start. In the other DELETE_SEGMENT_FINISHED of a failed attempt brings "
            "tombstones for all keys up to its end offset, those of live segments "
            "included (RemoteLogMetadataCache#listRemoteLogSegmentKeysByEndOffset)"
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
                "Scenario 3: Failed Upload Under the Same Leader Epoch",
                "Key insight: Same epoch = same key, but new UUID for each attempt",
            ),
            Passage(
                "KIP-1266",
                WRITES,
                (
                    "It will also receive the tombstone messages for those expired metadata "
                    "messages, expired metadata messages are defined as the messages that belong "
                    "to the log segments that are already in the DELETE_SEGMENT_FINISHED states."
                ),
            ),
            Passage(
                "KIP-1266",
                WRITES,
                (
                    "And also, to guarantee the expired messages are tomb-stoned, a background "
                    "cleanup thread executed by RemoteMetadataCleanupManager will scan the "
                    "__remote_log_metadata periodically to check whether there are orphaned "
                    "messages that can be deleted."
                ),
            ),
        ),
        permitted_by=(
            "RLMCopyTask#copyLogSegment, which deletes a failed attempt up to "
            "DELETE_SEGMENT_FINISHED, and whose next run copies the same segment with a "
            "new id"
        ),
        assumptions=("C4",),
        story=Story(
            "6b520e",
            (
                (
                    "start",
                    "One broker leads in epoch 0. The segment of offset 0 is rolled and not "
                    "yet copied.",
                ),
                (
                    "1-3",
                    "The leader publishes COPY_SEGMENT_STARTED of the remote segment id 0 (a "
                    "UUID in Kafka) under the key of end offset 0 and epoch 0. The copy fails "
                    "before anything is stored.",
                ),
                (
                    "4-6",
                    "The leader deletes the failed attempt, up to DELETE_SEGMENT_FINISHED of "
                    "id 0. Its tombstone is not written yet: the KIP does not make the retry "
                    "wait for it. (A tombstone in time changes nothing: until the log cleaner "
                    "runs, the scan finds DELETE_SEGMENT_FINISHED.)",
                ),
                (
                    "7-9",
                    "The retry succeeds: the leader publishes COPY_SEGMENT_STARTED of id 1, "
                    "stores the object of id 1, and publishes COPY_SEGMENT_FINISHED of id 1, "
                    "all under the same key.",
                ),
                (
                    "10",
                    "The clean-up scan finds DELETE_SEGMENT_FINISHED of id 0, and writes a "
                    "tombstone for the key with its end offset.",
                ),
                (
                    "11",
                    "Local retention removes offset 0 from the leader's disk, as id 1 has it.",
                ),
                (
                    "12",
                    "The leader reads the tombstone and forgets id 1, by the fix named above. "
                    "Without it a restart takes the place of this step: once the log "
                    "cleaner has run, no record of id 1 is left, and the new cache does not "
                    "list it. (A search without that fix ends so.)",
                ),
                (
                    "end",
                    "Offset 0 is within its retention, and only the object of id 1 has it. "
                    "The leader's cache does not know id 1, and cannot serve offset 0.",
                ),
            ),
        ),
        turning=10,
        fix=(
            "Name the attempt in the key: TopicIdPartition:RemoteLogSegmentId.id, the "
            "UUID instead of end offset and epoch. Then one tombstone removes one "
            "attempt. All records of an attempt still share a key, and have the UUID "
            "already, so that the key needs none of the new fields. That a retry shares "
            'it ("Deterministic keys") is given up. The record of a partition\'s deletion '
            "needs a key of its own. Message Key and Value, the sentence on tombstones "
            "(one key instead of a prefix), the scenarios and the migration plan change. "
            "It is not enough that the scan looks at the last value of a key: the retry "
            "may publish between this look and the tombstone."
        ),
        costs=(
            "A retry no longer supersedes the attempt before it: one more key, and one "
            "more tombstone, for each attempt that failed. One that the store deferred has to be "
            "deleted for that (another report). Each copy of a range has to be "
            "deleted by itself before its key gets a tombstone."
        ),
        repair="repair_uuid_in_key",
        together_with=("repair_self_contained_values",),
        shows="segment_is_forgotten",
        scope="retried",
    ),
)

OF_EVERY_READING = (*OF_THE_TEXT, *OF_GROWTH, *OF_CONSUMERS, *OF_WRITERS, *OF_ELECTIONS)
FINDINGS = (*OF_EVERY_READING, *OF_READINGS)
