"""What KIP-1266 permits that it should not: the register's written half, the worst first.

The traces beside these texts in docs/findings/kip1266 are generated: `tierproof findings kip1266`.
"""

from tierproof.model.designs.kip1266.findings_of_consumers import OF_CONSUMERS
from tierproof.model.designs.kip1266.findings_of_growth import OF_GROWTH
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
            "Once the metadata topic is compacted and a broker that has restarted leads, records "
            "that are only in the remote tier can never be read again. Fetches of them fail with "
            "OFFSET_OUT_OF_RANGE, and a consumer goes on at the log end "
            "(auto.offset.reset=latest, the default) or at the first local record (earliest). "
            "This does not heal: the leader moves its log start past these records. Under one key "
            "compaction keeps COPY_SEGMENT_FINISHED and removes COPY_SEGMENT_STARTED, the only "
            "record with the start offset, leader epochs, largest timestamp and size (the end "
            "offset that the KIP adds to the update is not enough); a cache that is built anew "
            "drops an update of a segment that it does not know."
        ),
        needs=(
            "One replica is enough, and then any restart does it; of several replicas one that "
            "has restarted must be elected, as by a preferred election after a rolling restart. "
            "One run of the log cleaner over the records of the segment (with segment.ms of an "
            "hour, soon after the copy). No fault and no race. An audit topic beside the "
            "compacted one changes nothing, as brokers build their caches from the compacted one."
        ),
        tracker=(
            f"{THREAD}, March and April 2026. Pull request 22459 (open), in a version that we have "
            "read, gives updates a key of their own, which keeps the description; the text has one "
            "key still"
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
            "RemoteLogMetadataCache#updateRemoteLogSegmentMetadata, which drops the update of "
            "a segment that the cache does not know; RemoteLogSegmentMetadataUpdateRecord, "
            "which has no start offset, leader epochs or size; "
            "RLMCopyTask#maybeUpdateLogStartOffsetOnBecomingLeader, which moves the log start "
            "to the local log start if the cache lists no segment"
        ),
        story=Story(
            "bc4910",
            (
                (
                    "start",
                    "One broker leads in epoch 0. The segment of offset 0 is rolled and not "
                    f"yet copied; the metadata topic is compacted and empty. {WITH_FIXES}",
                ),
                (
                    "1-4",
                    "The leader copies the segment as the remote segment id 0 (a UUID in "
                    "Kafka). COPY_SEGMENT_STARTED has the segment's offsets, leader epochs "
                    "and size; COPY_SEGMENT_FINISHED has the same key, and of the description "
                    "only the id and, with the KIP, the end offset. (By the KIP's key they "
                    "share it as well: both are of one leader epoch.)",
                ),
                ("5", "Local retention removes offset 0 from the leader's disk, as it is copied."),
                ("6", "The broker restarts and leads in epoch 1; its cache is empty."),
                (
                    "7",
                    "The log cleaner removes COPY_SEGMENT_STARTED of id 0, as "
                    "COPY_SEGMENT_FINISHED has the same key. (It may as well run before the "
                    "restart.)",
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
                    "A leader whose cache does not list id 0 does not delete the object, "
                    "either, not even with the topic. A deletion that a crash interrupts has "
                    "the same fate: DELETE_SEGMENT_STARTED supersedes the description, too.",
                ),
            ),
        ),
        turning=9,
        fix=(
            "Put the full metadata into every value of a segment: beside the KIP's end offset, "
            "COPY_SEGMENT_FINISHED, DELETE_SEGMENT_STARTED and DELETE_SEGMENT_FINISHED get the "
            "start offset, the leader epochs, the size, the largest timestamp and whether the "
            "transaction index is empty. TopicBasedRemoteLogMetadataManager takes them from its "
            "own cache when it publishes an update, and "
            "RemoteLogMetadataCache#updateRemoteLogSegmentMetadata adds a segment that it does "
            "not know in the state of the record, unless that is DELETE_SEGMENT_FINISHED. The new "
            "fields should be tagged fields of version 0, or be written only once the feature "
            "level is raised: a broker that knows only version 0 fails to deserialize version 1, "
            "and its consumer ends. Broker Read Path must say that the cache changes. Several "
            "keys for each segment, as in pull requests 22459 and 22774, keep the description, "
            "too, but a deleted segment then has two or four keys to tombstone, in an order that "
            "matters."
        ),
        costs=(
            "About forty bytes more in each update, thirteen for each leader epoch of the "
            "segment, and a look-up by id in the cache. A COPY_SEGMENT_FINISHED that an old "
            "leader publishes late lists a deleted segment again, until the leader deletes it "
            "once more. Segments whose description is already compacted do not come back: the "
            "values have to be full before the topic is compacted."
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
            "After a copy that failed and was retried, records that only the retry's object has "
            "cannot be read: fetches fail with OFFSET_OUT_OF_RANGE, and a consumer at earliest "
            "fails again and again, as the log start stays below them. It does not heal: the "
            "object stays in the store, and once the log cleaner has run, no metadata name it. If "
            "no older remote segment is left, the next leader moves its log start past these "
            "records; otherwise they are a hole in the log. The retry has the key of the failed "
            "attempt, whose tombstone removes the metadata of both."
        ),
        needs=(
            "One replica is enough; one copy that fails with RemoteStorageException and is "
            "retried in the same leader epoch; a tombstone for the failed attempt that is written "
            "once the retry has published, as by the periodic scan; one run of the log cleaner, "
            "and a broker that builds its cache after it (a cache that forgets at a tombstone, as "
            "in these steps, needs neither). No crash. Kafka 4.0 and later, which publishes the "
            "deletion of the failed attempt."
        ),
        tracker=(
            "KAFKA-20033; pull request 22459 (open), which we have read in several versions and "
            "not run, has the KIP's keys and, for updates, a second one. In one version the scan "
            "writes tombstones only below the log start. In another the deletion of a failed "
            "attempt tombstones all keys of the same or an earlier epoch up to its end offset, "
            "those of live segments included "
            "(RemoteLogMetadataCache#listRemoteLogSegmentKeysByEndOffset)"
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
        assumptions=("C4",),
        story=Story(
            "6b520e",
            (
                (
                    "start",
                    "One broker leads in epoch 0. The segment of offset 0 is rolled and not "
                    "yet copied; the metadata topic is empty. A key has the end offset and the "
                    f"leader epoch, as the KIP says. {WITH_HIGHEST_OFFSETS}",
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
                    "id 0, as Kafka 4.0 does. It has not yet written the tombstone.",
                ),
                (
                    "7-9",
                    "The retry succeeds: the leader publishes COPY_SEGMENT_STARTED of id 1, "
                    "stores the object of id 1, and publishes COPY_SEGMENT_FINISHED of id 1, "
                    "all under the key of end offset 0 and epoch 0.",
                ),
                (
                    "10",
                    "The clean-up scan finds DELETE_SEGMENT_FINISHED of id 0 with this end "
                    "offset, and writes a tombstone for the key.",
                ),
                ("11", "Local retention removes offset 0 from the leader's disk, as id 1 has it."),
                (
                    "12",
                    "The leader reads the tombstone and forgets id 1, by a change that we propose "
                    "elsewhere. (Kafka's ConsumerTask of today ends at the first null value. One "
                    "that skips it forgets id 1 when its broker restarts after a run of the log "
                    "cleaner.)",
                ),
                (
                    "end",
                    "Offset 0 is within its retention, and only the object of id 1 has it. The "
                    "leader's cache does not know id 1, and cannot serve offset 0.",
                ),
                (
                    "beyond",
                    "A scan that looks at the latest record of a key only narrows the window, as "
                    "no append to a topic is conditional. A lock for the partition would close it "
                    "if the leader scans; the KIP does not say who does. If the failed attempt is "
                    "not deleted, as in scenario 3, the retry's first record supersedes it, and "
                    "an object that was stored in spite of a timeout is forgotten. In scenario 4 "
                    "the deletion of one copy tombstones the keys of the other copies of the "
                    "range, whose objects nobody has deleted.",
                ),
            ),
        ),
        turning=10,
        fix=(
            "Name the attempt in the key, TopicIdPartition:RemoteLogSegmentId.id: the UUID "
            "instead of end offset and epoch. Then one tombstone removes one attempt, and no "
            "other. Both records that the KIP keys by segment have the UUID already; the record "
            "of a partition's deletion names no segment, and needs a key of its own. Message Key "
            "and Value, the sentence on tombstones (one key instead of a prefix), the scenarios "
            "and the migration plan change; the key needs none of the new fields of Public "
            "Interfaces."
        ),
        costs=(
            "A retry no longer supersedes the attempt before it: one more key, and one more "
            "tombstone, for each attempt that failed. Each copy of a range has to be deleted by "
            "itself before its key gets a tombstone."
        ),
        repair="repair_uuid_in_key",
        shows="segment_is_forgotten",
        scope="retried",
    ),
)

OF_EVERY_READING = (*OF_THE_TEXT, *OF_GROWTH, *OF_CONSUMERS, *OF_WRITERS)
FINDINGS = (*OF_EVERY_READING, *OF_READINGS)
