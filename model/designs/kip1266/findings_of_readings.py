"""What KIP-1266 permits in one reading of a passage, or as published code has it."""

from tierproof.model.language import Finding, Passage, Severity, Story

OF_READINGS = (
    Finding(
        name="tombstone_kills_the_consumer",
        title="The first tombstone ends every consumer that is unchanged",
        severity=Severity.STALL,
        needs="Two brokers and one deletion. If the consumer is as it ships, as the text says.",
        tracker="KAFKA-20033; raised in the KIP's discussion thread",
        claims=("consumers_survive", "topic_is_as_big_as_the_remote_tier"),
        passages=(
            Passage(
                "KIP-1266",
                "Broker Read Path",
                "There is no change in how the ConsumerTask read the messages and build the state "
                "in TopicBasedRemoteLogMetadataManager since there is not much meaningful value "
                "format change.",
            ),
        ),
        permitted_by="RemoteLogMetadataSerde#deserialize, ConsumerTask#run",
        assumptions=("C6",),
        story=Story(
            "5be8df",
            (
                (
                    "start",
                    "Broker 0 leads, broker 1 follows. The segment of offset 0 is closed and not "
                    "copied.",
                ),
                ("1", "The segment of offset 0 passes its retention."),
                ("2-3", "The leader publishes COPY_SEGMENT_STARTED of UUID-A."),
                ("4-5", "It stores the object and publishes COPY_SEGMENT_FINISHED."),
                (
                    "6-9",
                    "The leader deletes the segment: DELETE_SEGMENT_STARTED, the object, "
                    "DELETE_SEGMENT_FINISHED.",
                ),
                ("10", "It tombstones the key, as the text asks."),
                (
                    "11",
                    "The leader's consumer reads the tombstone. A null value cannot be "
                    "deserialized; the exception is not retriable and ends the consumer's thread.",
                ),
                (
                    "end",
                    "Every later publication of this broker waits for a consumer that is gone: it "
                    "copies and expires nothing until it restarts and meets the next tombstone.",
                ),
            ),
        ),
        turning=10,
        fix=(
            "Say in Broker Read Path that the consumer takes a null value for a tombstone, and "
            "ship that consumer in a version before the first one that writes tombstones."
        ),
        costs="None; in a rolling upgrade, a version or a feature level.",
        repair="repair_consumer_reads_null",
        shows="segment_is_forgotten",
        scope="lagging",
        beside=("text_consumer_unchanged",),
    ),
    Finding(
        name="partition_marker_takes_a_segments_key",
        title="The marker of the partition's deletion has the key of the last segment",
        severity=Severity.LEAK,
        needs="The deletion of a topic whose log ends where its last segment does.",
        claims=(
            "partition_keys_are_their_own",
            "latest_values_are_self_contained",
            "tombstoned_key_stays_dead",
        ),
        passages=(
            Passage(
                "KIP-1266",
                "Message Key and Value",
                "For partition-level delete metadata, the same key structure is used, with an "
                "endOffset that represents the partition end offset at deletion time.",
            ),
        ),
        permitted_by="the text; scenario 5 has another key",
        assumptions=("C2",),
        story=Story(
            "bd7f48",
            (
                ("start", "One broker leads; the segment of offset 0 is closed, the log ends."),
                (
                    "1-2",
                    "The leader publishes COPY_SEGMENT_STARTED of UUID-A, the last segment.",
                ),
                ("3", "A user deletes the topic."),
                (
                    "4",
                    "The leader publishes DELETE_PARTITION_STARTED, whose key has the end offset "
                    "of the partition: it is the key of UUID-A.",
                ),
                (
                    "end",
                    "The marker supersedes COPY_SEGMENT_STARTED of UUID-A, which the deletion of "
                    "the partition still needs to find the object.",
                ),
            ),
        ),
        turning=4,
        fix="Give the partition's records a key of their own, as scenario 5 does.",
        costs="None.",
        repair="repair_kind_in_key",
        scope="deletion",
        beside=("text_partition_key_with_end_offset",),
    ),
    Finding(
        name="tombstones_of_states_need_an_order",
        title="With the state in the key, a tombstone for the deletion brings the segment back",
        severity=Severity.COST,
        needs="Pull request 22774; one deletion, and a scan that tombstones in any order.",
        tracker="pull request 22774 of apache/kafka",
        claims=(
            "deleted_segments_stay_dead",
            "compaction_changes_no_cache",
        ),
        permitted_by=(
            "pull request 22774, where each state of a segment has a key and a deleted segment "
            "has four; DELETE_SEGMENT_FINISHED is legal after DELETE_SEGMENT_STARTED only "
            "(RemoteLogSegmentState#isValidTransition)"
        ),
        story=Story(
            "aefff9",
            (
                (
                    "start",
                    "One broker leads; the segment of offset 0 is closed and not copied. A key "
                    "has a UUID and a state.",
                ),
                ("1", "The segment of offset 0 passes its retention."),
                ("2-5", "The leader copies it as UUID-A: two records with two keys."),
                (
                    "6-9",
                    "The leader deletes it: DELETE_SEGMENT_STARTED, the object, "
                    "DELETE_SEGMENT_FINISHED, with two more keys.",
                ),
                ("10", "The scan tombstones the key of DELETE_SEGMENT_STARTED first."),
                ("11", "It tombstones the key of COPY_SEGMENT_STARTED next."),
                ("12", "The log cleaner removes DELETE_SEGMENT_STARTED."),
                (
                    "end",
                    "Whoever reads the topic now reads COPY_SEGMENT_FINISHED, and then "
                    "DELETE_SEGMENT_FINISHED, which is no legal transition and is dropped: it "
                    "lists a copied segment whose object is gone, until all keys are tombstoned.",
                ),
            ),
        ),
        turning=12,
        fix="Tombstone the states of a segment from the oldest to the deletion.",
        costs="A scan that groups the records of a segment.",
        repair="repair_tombstones_in_order",
        apart=("repair_tombstones_forget",),
        shows="segment_is_forgotten",
        scope="alone",
        beside=("pull_request_uuid_and_state_in_key",),
    ),
    Finding(
        name="object_goes_before_it_is_told",
        title="Scenario 4 deletes the object before it says so",
        severity=Severity.TEXT,
        needs="A deletion. A leader that dies between the two steps leaves a copied segment "
        "without its object to its successor.",
        claims=("deletion_is_told_first",),
        passages=(
            Passage(
                "KIP-1266",
                "Scenario 4: Segment Deletion",
                "T2\nDelete from S3\n-\n(physical deletion)\nT3\nMark deletion",
            ),
        ),
        permitted_by=(
            "the text; Kafka as shipped has the other order (RLMTask#deleteRemoteLogSegment)"
        ),
        assumptions=("C5",),
        story=Story(
            "291b1b",
            (
                ("start", "Broker 0 leads; the segment of offset 0 is closed and not copied."),
                ("1", "The segment of offset 0 passes its retention."),
                ("2-5", "The leader copies it as UUID-A, up to COPY_SEGMENT_FINISHED."),
                ("6", "Its expiration task chooses UUID-A and moves the log start past it."),
                ("7", "It deletes the object."),
                (
                    "end",
                    "The topic says COPY_SEGMENT_FINISHED of UUID-A, whose object is gone. The "
                    "log start lies above it, so that no reader asks for it.",
                ),
            ),
        ),
        turning=7,
        fix="Swap T2 and T3 in the table of scenario 4.",
        costs="None.",
        repair="repair_tell_deletion_first",
        shows="segment_is_forgotten",
        scope="lagging",
        beside=("text_object_deleted_first",),
    ),
)
