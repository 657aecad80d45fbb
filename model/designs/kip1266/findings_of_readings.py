"""What KIP-1266 permits in one reading of a passage, or as published code has it."""

from tierproof.model.designs.kip1266.findings_setting import (
    WITH_FIXES,
    WITH_HIGHEST_OFFSETS,
)
from tierproof.model.language import Finding, Passage, Severity, Story

OF_READINGS = (
    Finding(
        name="tombstone_kills_the_consumer",
        title="The first tombstone ends the metadata consumer of every broker, if the consumer "
        "stays as it is",
        severity=Severity.STALL,
        symptom=(
            "Each broker that reads the first tombstone copies and expires nothing any more, for "
            "all topics: the thread that reads the metadata topic ends with a "
            "NullPointerException in the broker's log, and each publication waits for it and "
            "times out. Local disks fill, as local retention removes only what is copied. If such "
            "a broker is elected for another partition, it does not know what was copied since, "
            "and fetches of that fail with OFFSET_OUT_OF_RANGE. A restart does not help: the "
            "broker reads the tombstone again, and in a cluster that deletes segments every day "
            "the topic always has one."
        ),
        needs=(
            "One deletion of a remote segment, and its tombstone; the consumer as Kafka ships it, "
            "which is what the text says. No fault, and no race."
        ),
        tracker=(
            "raised in the KIP's discussion thread, January 2026, where the author answered that "
            "tombstones wait for the metadata version; pull request 22459 (open), in a version "
            'that we have read and not run, skips null values. The text still says "no change"'
        ),
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
        permitted_by=(
            "RemoteLogMetadataSerde#deserialize, which takes no null value; "
            "ConsumerTask#ingestRecords, which ends the thread at an exception that is not "
            "retriable"
        ),
        assumptions=("C6",),
        story=Story(
            "5be8df",
            (
                (
                    "start",
                    "Broker 0 leads, broker 1 follows. The segment of offset 0 is rolled and "
                    f"not yet copied; the metadata topic is empty. {WITH_FIXES}",
                ),
                (
                    "1-5",
                    "The segment of offset 0 passes its retention, and the leader copies it as "
                    "the remote segment id 0 (a UUID in Kafka): COPY_SEGMENT_STARTED, the "
                    "object, COPY_SEGMENT_FINISHED.",
                ),
                (
                    "6-8",
                    "The leader publishes DELETE_SEGMENT_STARTED of id 0 and deletes the object.",
                ),
                ("9", "The leader publishes DELETE_SEGMENT_FINISHED of id 0."),
                ("10", "The leader writes a tombstone for the key of id 0, as the text asks."),
                (
                    "11",
                    "The leader's consumer reads the tombstone. A null value cannot be "
                    "deserialized, and the exception ends the consumer's thread.",
                ),
                ("end", "The leader's consumer is dead. Broker 1 has the tombstone before it."),
                (
                    "beyond",
                    "If this broker is elected for a partition of which it knows no remote "
                    "segment at all, as every one was copied since, its copy task moves the log "
                    "start to the local log start, and the records below are lost "
                    "(RLMCopyTask#maybeUpdateLogStartOffsetOnBecomingLeader).",
                ),
            ),
        ),
        turning=10,
        fix=(
            "Say in Broker Read Path that ConsumerTask#processConsumerRecord takes a null "
            "value for a tombstone: it does not deserialize it, and notes its offset as read. "
            "Tie the writing of tombstones to the feature level, which needs every broker "
            "upgraded; Step 2 of the migration plan writes them before."
        ),
        costs=(
            "The tombstones begin later: one feature level, or one version, after the new "
            "consumer. A broker cannot go back to a version without the new consumer once the "
            "topic has a tombstone."
        ),
        repair="repair_consumer_reads_null",
        shows="segment_is_forgotten",
        scope="lagging",
        beside=("text_consumer_unchanged",),
    ),
    Finding(
        name="partition_marker_takes_a_segments_key",
        title=(
            "The records of a partition's deletion can have the key of its last segment, "
            "and compaction then removes the only record that names a remote object"
        ),
        severity=Severity.LEAK,
        symptom=(
            "The KIP has two keys for the records of a partition's deletion. By one "
            "reading of the first, they have the key of the partition's last segment, and "
            "compaction removes what that key said before. If the leader then crashes "
            "before it has deleted the segment's object, no record of the metadata topic "
            "names the object, which stays in the store. By scenario 5 the records have a "
            "key of their own, and nothing is lost. Without this KIP the object stays "
            "after such a crash, too, as no broker takes the deletion up; but then its id "
            "stays in the topic."
        ),
        needs=(
            'The key of Message Key and Value, and a "partition end offset" that is the '
            "last offset, as the endOffset of a segment is. (If it is the log end offset, "
            "the keys differ by one, and there is no defect.) One replica is enough; a "
            "broker that publishes the two DELETE_PARTITION records (no released Kafka "
            "does); a topic deleted while its active segment is empty, in the leader "
            "epoch in which its last segment was or is being copied; a roll and a run of "
            "the log cleaner in the metadata topic. For the leak, a crash of the leader "
            "after that, and before DELETE_SEGMENT_STARTED of the last segment."
        ),
        assumptions=("C14",),
        claims=(
            "compaction_loses_no_object",
            "live_segments_stay_known",
            "compaction_changes_no_cache",
            "partition_keys_are_their_own",
            "latest_values_are_self_contained",
            "tombstoned_key_stays_dead",
        ),
        passages=(
            Passage(
                "KIP-1266",
                "Message Key and Value",
                (
                    "For partition-level delete metadata, the same key structure is used, with an "
                    "endOffset that represents the partition end offset at deletion time."
                ),
            ),
            Passage(
                "KIP-1266",
                "Scenario 5: Partition Deletion",
                (
                    "Compacted topic: All segment keys for abc123:0:*:* get tombstones, partition "
                    "delete marker remains"
                ),
            ),
        ),
        permitted_by=(
            "RemoteLogManager#stopPartitions, which interrupts the copy task before it "
            "deletes (an upload may outlive that), deletes what its cache lists, and "
            "publishes no record of the partition: that is new with the KIP"
        ),
        story=Story(
            "fdf3b6",
            (
                (
                    "start",
                    "One broker leads in epoch 0. The segments of offsets 0 and 1 are rolled "
                    "and not yet copied, and the active segment is empty. "
                    f"{WITH_HIGHEST_OFFSETS}",
                ),
                (
                    "1-5",
                    "The leader copies the segment of offset 0 as the remote segment id 0 (a "
                    "UUID in Kafka). It begins to copy the segment of offset 1 as id 1: "
                    "COPY_SEGMENT_STARTED of id 1 has the key of end offset 1 and epoch 0.",
                ),
                (
                    "6",
                    "A user deletes the topic. The upload of id 1 still runs.",
                ),
                (
                    "7",
                    "The leader publishes DELETE_PARTITION_STARTED under the key of the "
                    "partition's last offset, 1, and epoch 0: this is the key of id 1.",
                ),
                (
                    "8-9",
                    "The leader begins to delete id 0 with DELETE_SEGMENT_STARTED. (The log "
                    "start that moves in the table plays no part.)",
                ),
                (
                    "10",
                    "The log cleaner removes COPY_SEGMENT_STARTED of id 0, and that of id 1, "
                    "which DELETE_PARTITION_STARTED supersedes. The record of step 9 is in "
                    "the active segment, which is not cleaned, and supersedes nothing yet.",
                ),
                (
                    "11",
                    "The leader's upload stores the object of id 1.",
                ),
                (
                    "end",
                    "The object of id 1 is in the store, and no record of the topic names id "
                    "1. Only the leader's cache does.",
                ),
                (
                    "beyond",
                    "If the leader crashes now, nobody learns of id 1 from the topic. No copy "
                    "need be under way: if id 1 was copied before in this epoch, "
                    "DELETE_PARTITION_STARTED supersedes its COPY_SEGMENT_FINISHED in the "
                    "same way.",
                ),
                (
                    "beyond",
                    "The other direction needs no crash. DELETE_SEGMENT_STARTED of the last "
                    "segment supersedes DELETE_PARTITION_STARTED, and a late tombstone of the "
                    "segment removes the marker that scenario 5 keeps.",
                ),
            ),
        ),
        turning=10,
        fix=(
            "Give the records of a partition's deletion the key of scenario 5, and strike "
            "the last paragraph of Message Key and Value. "
            "RemotePartitionDeleteMetadataRecord then needs neither EndOffset nor "
            "BrokerLeaderEpoch: the first sentence of Public Interfaces and the key "
            "format in Step 2 of the migration plan must except it. This keeps the id in "
            "the topic. That a broker takes the deletion up after a crash is a change of "
            "its own. The model was tried with a key of the partition and the epoch."
        ),
        costs="One key more for each deleted partition, which scenario 5 has already.",
        repair="repair_kind_in_key",
        # The id of a segment in the key, instead of its end offset, is never the marker's key.
        apart=("repair_uuid_in_key",),
        shows="segment_is_forgotten",
        scope="deletion_of_two",
        beside=("text_partition_key_with_end_offset",),
    ),
    Finding(
        name="tombstones_of_states_need_an_order",
        title=(
            "If the state is in the key, the tombstones of a deleted segment must be written in "
            "the order of its states"
        ),
        severity=Severity.COST,
        symptom=(
            "In these steps no client notices: a broker that builds its cache between two "
            "tombstones lists a deleted segment as copied, until it restarts or a leader deletes "
            "the segment again. But with retention.bytes such a broker, once it is elected, may "
            "delete a live segment too early. It happens if the tombstone of "
            "DELETE_SEGMENT_STARTED comes before that of COPY_SEGMENT_FINISHED. Neither the KIP, "
            "whose keys have no state, nor pull request 22774, whose order is right, does this: "
            "the KIP must ask for the order if it takes keys with a state."
        ),
        needs=(
            "Keys with the state, as in pull request 22774, and the KIP's clean-up scan, if it "
            "takes the states in any order; one replica; one deletion; a segment of the metadata "
            "topic that rolls between two tombstones, and a run of the log cleaner there; a "
            "broker that builds its cache before the last tombstone is cleaned. No fault."
        ),
        tracker=(
            "pull request 22774 of apache/kafka (a draft, closed) has these keys, and writes the "
            "tombstones in the order of the states when it publishes DELETE_SEGMENT_FINISHED "
            "(ProducerManager#maybePublishTombstoneRecords); it has no scan in the files that we "
            "have read"
        ),
        claims=(
            "deleted_segments_stay_dead",
            "compaction_changes_no_cache",
        ),
        passages=(
            Passage(
                "KIP-1266",
                "Scenario 4: Segment Deletion",
                "Cache result: Empty (segment no longer exists)",
            ),
        ),
        permitted_by=(
            "pull request 22774, where each state of a segment has a key, so that a deleted "
            "segment has four; RemoteLogSegmentState#isValidTransition, which allows "
            "DELETE_SEGMENT_FINISHED after DELETE_SEGMENT_STARTED only"
        ),
        story=Story(
            "aefff9",
            (
                (
                    "start",
                    "One broker leads. The segment of offset 0 is rolled and not yet copied; "
                    "the metadata topic is empty. A key has the id of a segment and a state, "
                    "as in pull request 22774, and the KIP's scan writes the tombstones. "
                    f"{WITH_HIGHEST_OFFSETS}",
                ),
                (
                    "1-5",
                    "The segment of offset 0 passes its retention. The leader copies it as the "
                    "remote segment id 0 (a UUID in Kafka): COPY_SEGMENT_STARTED and "
                    "COPY_SEGMENT_FINISHED have two keys, and the highest copied offset has a "
                    "third.",
                ),
                (
                    "6-9",
                    "The leader deletes id 0: DELETE_SEGMENT_STARTED, the object, "
                    "DELETE_SEGMENT_FINISHED. The two records have two more keys.",
                ),
                (
                    "10",
                    "The clean-up scan writes its first tombstone for the key of "
                    "DELETE_SEGMENT_STARTED.",
                ),
                ("11", "The scan writes the next tombstone for the key of COPY_SEGMENT_STARTED."),
                (
                    "12",
                    "The log cleaner removes DELETE_SEGMENT_STARTED, which has a tombstone. "
                    "COPY_SEGMENT_STARTED is still there, as the run does not reach its "
                    "tombstone.",
                ),
                (
                    "end",
                    "The topic has COPY_SEGMENT_STARTED, COPY_SEGMENT_FINISHED and then "
                    "DELETE_SEGMENT_FINISHED of id 0. The last transition is not legal, so "
                    "that a broker that reads the topic drops it and lists id 0 as copied; its "
                    "object is gone.",
                ),
                (
                    "beyond",
                    "The scan goes on until every key of id 0 has a tombstone. A broker that "
                    "built its cache in between and is elected deletes id 0 once more; with "
                    "retention.bytes this run counts the size of id 0 as well, as long as id "
                    "0 is of the log's earliest leader epoch, and so may delete the oldest "
                    "live segment too early (RLMExpirationTask#buildRetentionSizeData).",
                ),
            ),
        ),
        turning=12,
        fix=(
            "Say in the KIP, for keys with a state: the tombstones of a segment are written from "
            "the oldest state to the deletion, by the scan as well. The model was tried with this "
            "order. Pull request 22774 sends its four tombstones without waiting, and only logs a "
            "failure: if the first two fail and the others do not, new caches list the segment as "
            "copied until such a broker leads and deletes it again, so that each tombstone should "
            "wait for the one before it. If RemoteLogMetadataCache forgets a segment at "
            "DELETE_SEGMENT_FINISHED in any state, as we propose elsewhere, only the tombstone of "
            "DELETE_SEGMENT_FINISHED must be last."
        ),
        costs=(
            "One wait for each tombstone; none in memory, as the four keys follow from the "
            "segment's id. A scan that a crash interrupts has to begin with the oldest state "
            "again."
        ),
        repair="repair_tombstones_in_order",
        apart=("repair_tombstones_forget",),
        shows="segment_is_forgotten",
        scope="alone",
        beside=("pull_request_uuid_and_state_in_key",),
    ),
    Finding(
        name="object_goes_before_it_is_told",
        title="Scenario 4 deletes the object before the metadata topic says so",
        severity=Severity.TEXT,
        symptom=(
            "While the leader lives nobody notices: its log start is above the segment. A "
            "leader that dies between the two steps leaves to the next one a copied segment "
            "without an object, which the next one deletes at its next run."
        ),
        needs="One deletion, in the order of scenario 4. No fault, and no race.",
        claims=("deletion_is_told_first",),
        passages=(
            Passage(
                "KIP-1266",
                "Scenario 4: Segment Deletion",
                "T2\nDelete from S3\n-\n(physical deletion)\nT3\nMark deletion",
            ),
        ),
        permitted_by=(
            "The table of scenario 4, which no released Kafka has; "
            "RemoteLogManager#deleteRemoteLogSegment of Kafka as shipped has the other order, "
            "DELETE_SEGMENT_STARTED first"
        ),
        assumptions=("C5",),
        story=Story(
            "291b1b",
            (
                (
                    "start",
                    "Broker 0 leads. The segment of offset 0 is rolled and not yet copied; the "
                    f"metadata topic is empty. {WITH_FIXES}",
                ),
                ("1", "The segment of offset 0 passes its retention."),
                (
                    "2-5",
                    "The leader copies the segment as the remote segment id 0 (a UUID in "
                    "Kafka), up to COPY_SEGMENT_FINISHED.",
                ),
                (
                    "6",
                    "The leader's expiration task chooses id 0 for deletion, and moves the log "
                    "start past it.",
                ),
                ("7", "The leader deletes the object of id 0."),
                (
                    "end",
                    "The topic has COPY_SEGMENT_FINISHED of id 0, whose object is gone. The "
                    "log start lies above id 0, so that no reader asks for it.",
                ),
                (
                    "beyond",
                    "If the leader dies now and the new leader has not taken the log start "
                    "over, a fetch of these records, which are past their retention, fails in "
                    "the store until that run, instead of with OFFSET_OUT_OF_RANGE.",
                ),
            ),
        ),
        turning=7,
        fix="Swap T2 and T3 in the table of scenario 4.",
        costs="None: Kafka publishes DELETE_SEGMENT_STARTED first today.",
        repair="repair_tell_deletion_first",
        shows="segment_is_forgotten",
        scope="lagging",
        beside=("text_object_deleted_first",),
    ),
)
