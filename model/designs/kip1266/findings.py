"""What KIP-1266 permits that it should not: the register's written half, the worst first.

The traces beside these texts in docs/findings/kip1266 are generated: `tierproof findings kip1266`.
"""

from tierproof.model.designs.kip1266.findings_of_consumers import OF_CONSUMERS
from tierproof.model.designs.kip1266.findings_of_readings import OF_READINGS
from tierproof.model.designs.kip1266.findings_of_writers import OF_WRITERS
from tierproof.model.language import Finding, Passage, Severity, Story

KEYS = "Message Key and Value"
WRITES = "Broker Write Path"
THREAD = "KAFKA-20033; raised in the KIP's discussion thread"

OF_THE_TEXT = (
    Finding(
        name="compaction_removes_the_description",
        title="Compaction removes the only record that describes a copied segment",
        severity=Severity.LOSS,
        needs=(
            "One broker that leads and restarts, or a new leader; no fault and no race. Also a "
            "leader that stays the same: DELETE_SEGMENT_STARTED supersedes the description, too, "
            "and an object whose deletion was interrupted is never deleted."
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
            "RemoteLogSegmentMetadataUpdateRecord, which has no start offset, epochs or size; "
            "RemoteLogMetadataCache#updateRemoteLogSegmentMetadata, which updates what it knows"
        ),
        assumptions=("C1", "C8"),
        story=Story(
            "bc4910",
            (
                (
                    "start",
                    "One broker leads in epoch 0. The segment of offset 0 is closed and not "
                    "copied; the metadata topic is compacted and empty.",
                ),
                (
                    "1-3",
                    "The leader publishes COPY_SEGMENT_STARTED of UUID-A, which has its offsets, "
                    "epochs and size, and stores the object.",
                ),
                (
                    "4",
                    "It publishes COPY_SEGMENT_FINISHED of UUID-A under the same key, and the "
                    "highest copied offset (the repair of another finding).",
                ),
                (
                    "5",
                    "Local retention removes offset 0, since the remote tier is known to reach to "
                    "it.",
                ),
                ("6", "The broker restarts and leads in epoch 1; its cache is empty."),
                (
                    "7",
                    "The log cleaner removes COPY_SEGMENT_STARTED, which COPY_SEGMENT_FINISHED "
                    "supersedes.",
                ),
                (
                    "8-9",
                    "The leader reads the topic to its end. COPY_SEGMENT_FINISHED updates a "
                    "segment that the cache does not know, and is dropped.",
                ),
                (
                    "10",
                    "The leader's copy task begins. It finds no remote segment, and moves the log "
                    "start to the local log start, 1.",
                ),
                (
                    "end",
                    "Offset 0 is within its retention and its object exists, but no broker finds "
                    "it: reads of offset 0 fail, and nobody ever deletes the object.",
                ),
            ),
        ),
        turning=7,
        fix=(
            "Put the full metadata into every value: COPY_SEGMENT_FINISHED and the two deletion "
            "records carry start offset, epochs and size as well, and a consumer that does not "
            "know the segment adds it."
        ),
        costs="Larger values: each update is as large as the first record of its segment.",
        repair="repair_self_contained_values",
        shows="topic_is_compacted",
        scope="deletion",
    ),
    Finding(
        name="retry_takes_the_key_over",
        title="A retry has the key of the attempt before: its tombstone removes the live copy",
        severity=Severity.LOSS,
        needs=(
            "One replica; a copy that fails once. With an attempt that is not cleaned up "
            "(RetriableRemoteStorageException) the object of the first attempt is forgotten as "
            "soon as the retry begins. Several copies of one range, as in scenario 4, hit each "
            "other in the same way."
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
            "DELETE_SEGMENT_FINISHED and retries with a new id"
        ),
        assumptions=("C4", "C7"),
        story=Story(
            "6b520e",
            (
                (
                    "start",
                    "One broker leads in epoch 0. The segment of offset 0 is closed and not "
                    "copied; the metadata topic is empty.",
                ),
                (
                    "1-2",
                    "The leader publishes COPY_SEGMENT_STARTED of UUID-A; the key has end offset "
                    "0 and epoch 0.",
                ),
                ("3", "The copy fails before anything is stored."),
                (
                    "4-6",
                    "The leader deletes the attempt, up to DELETE_SEGMENT_FINISHED of UUID-A.",
                ),
                (
                    "7-9",
                    "The retry succeeds: COPY_SEGMENT_STARTED, the object and "
                    "COPY_SEGMENT_FINISHED of UUID-B, under the same key.",
                ),
                (
                    "10",
                    "The clean-up scan finds DELETE_SEGMENT_FINISHED of the same end offset, and "
                    "tombstones the key.",
                ),
                ("11", "Local retention removes offset 0, since UUID-B has it."),
                (
                    "12",
                    "The leader reads the tombstone and forgets UUID-B. (That a tombstone makes a "
                    "cache forget is the repair of another finding; without it the leader "
                    "forgets UUID-B when it restarts.)",
                ),
                (
                    "end",
                    "Offset 0 is within its retention. Only the object of UUID-B has it, which no "
                    "record names any more.",
                ),
            ),
        ),
        turning=10,
        fix=(
            "Name the attempt in the key: the UUID of the RemoteLogSegmentId instead of end "
            "offset and epoch; a deleted segment then has one tombstone, for itself."
        ),
        costs=(
            "Retries no longer supersede each other, so that the key of an attempt that failed "
            "must be tombstoned (see failed_attempt_keeps_its_key)."
        ),
        repair="repair_uuid_in_key",
        shows="segment_is_forgotten",
        scope="retried",
    ),
    Finding(
        name="failed_attempt_keeps_its_key",
        title="An attempt that is given up keeps its key until its range expires",
        severity=Severity.LEAK,
        needs="One replica; a copy that the store asks to retry. Each such retry adds a key.",
        claims=("topic_is_as_big_as_the_remote_tier",),
        passages=(
            Passage(
                "KIP-1266",
                "Problem 2: No Cleanup Mechanism",
                "Orphaned records from failed/retried uploads accumulate indefinitely",
            ),
        ),
        permitted_by=(
            "RLMCopyTask#copyLogSegment, which leaves the attempt as it is after "
            "RetriableRemoteStorageException; RLMExpirationTask, which deletes what is past its "
            "retention"
        ),
        assumptions=("C13",),
        story=Story(
            "45cd43",
            (
                (
                    "start",
                    "One broker leads; the segment of offset 0 is closed and not copied. Each "
                    "attempt has a key of its own (the repair of another finding).",
                ),
                ("1-2", "The leader publishes COPY_SEGMENT_STARTED of UUID-A."),
                (
                    "3",
                    "The store asks to retry later, and has stored nothing. The attempt is left "
                    "as it is.",
                ),
                (
                    "4-6",
                    "The retry copies the segment as UUID-B: COPY_SEGMENT_STARTED, the object, "
                    "COPY_SEGMENT_FINISHED.",
                ),
                ("7-8", "The local segment and superseded records are removed."),
                (
                    "end",
                    "COPY_SEGMENT_STARTED of UUID-A stays in the compacted topic for as long as "
                    "the records are within their retention, though no object belongs to it.",
                ),
            ),
        ),
        turning=3,
        fix=(
            "Have the leader delete attempts that nobody will finish: those that its cache has in "
            "COPY_SEGMENT_STARTED and that none of its threads copies, as it deletes an attempt "
            "that failed."
        ),
        costs=(
            "It is safe only if no other broker can finish such an attempt, and if the leader "
            "has read the topic to its end: it rests on two other repairs."
        ),
        repair="repair_delete_copies_given_up",
        shows="segment_is_forgotten",
        scope="retried",
    ),
    Finding(
        name="partition_markers_add_up",
        title="The marker of a deleted partition is never removed",
        severity=Severity.LEAK,
        needs="The deletion of a topic. Each deleted partition leaves one record.",
        claims=("topic_is_as_big_as_the_remote_tier",),
        passages=(
            Passage(
                "KIP-1266",
                "Cleanup Process",
                "Compacted topic: All segment keys for abc123:0:*:* get tombstones, partition "
                "delete marker remains",
            ),
        ),
        permitted_by="the text; Kafka as shipped publishes no such marker",
        assumptions=("C2", "C13"),
        story=Story(
            "af502f",
            (
                ("start", "One broker leads a partition of which nothing is copied."),
                ("1", "The leader's tasks begin."),
                ("2", "A user deletes the topic."),
                (
                    "3-4",
                    "The leader publishes DELETE_PARTITION_STARTED and DELETE_PARTITION_FINISHED "
                    "under the key of the partition.",
                ),
                (
                    "end",
                    "Nothing of the partition is left, and its key stays: the topic grows with "
                    "the number of partitions that were ever deleted.",
                ),
            ),
        ),
        turning=4,
        fix=(
            "Tombstone the marker, too, as the last key of its partition: it hides whatever lies "
            "before it, so that it may be removed once nothing else of the partition is left."
        ),
        costs="Some broker must do so for a partition that nobody leads any more.",
        repair="repair_forget_partitions",
        shows="segment_is_forgotten",
        scope="deletion",
    ),
)

OF_EVERY_READING = (*OF_THE_TEXT, *OF_CONSUMERS, *OF_WRITERS)
FINDINGS = (*OF_EVERY_READING, *OF_READINGS)
