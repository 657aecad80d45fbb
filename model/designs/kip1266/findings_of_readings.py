"""What KIP-1266 permits in one reading of a passage, or as published code has it."""

from tierproof.model.designs.kip1266.findings_of_partitions import OF_PARTITIONS
from tierproof.model.designs.kip1266.findings_setting import (
    WITH_HIGHEST_OFFSETS,
)
from tierproof.model.language import Finding, Passage, Severity, Story

OF_READINGS = (
    Finding(
        name="tombstone_kills_the_consumer",
        title=(
            "If ConsumerTask stays as it is, the first tombstone ends its thread on each broker "
            "that reads it"
        ),
        severity=Severity.STALL,
        symptom=(
            "The KIP contradicts itself: consumers are to consume tombstones, and ConsumerTask "
            "does not change. If it stays as it is, each broker that reads the first tombstone "
            "copies and expires nothing any more, for all topics: the thread that reads the "
            "metadata topic ends with a NullPointerException in the broker's log, and each "
            "publication waits for it and times out. Local disks fill, as local retention removes "
            "only what the broker knows to be copied. (So it has all other records on its disk, "
            "and an election loses none.) A restart makes it worse: the broker reads the tombstone "
            "again, and in a cluster that deletes segments every day the topic always has one. "
            "A partition whose metadata is not yet loaded then is not loaded as long as the topic "
            "has the tombstone, and fetches of its remote records get REPLICA_NOT_AVAILABLE."
        ),
        needs=(
            "One deletion of a remote segment, and its tombstone; the consumer as Kafka "
            "ships it, which is what Broker Read Path says. No fault, and no race."
        ),
        tracker=(
            "KAFKA-20033; raised in the KIP's discussion thread, January 2026, where the "
            "author answered that tombstones wait for the metadata version; pull request "
            "22459 (open; read in part, not run) skips null values. The text still says "
            '"no change"'
        ),
        claims=("consumers_survive", "topic_is_as_big_as_the_remote_tier"),
        passages=(
            Passage(
                "KIP-1266",
                "Broker Read Path",
                (
                    "There is no change in how the ConsumerTask read the messages and build the "
                    "state in TopicBasedRemoteLogMetadataManager since there is not much "
                    "meaningful value format change."
                ),
            ),
            Passage(
                "KIP-1266",
                "Broker Write Path",
                (
                    "While the original storeRemoteLogMetadata() method will wait for the "
                    "consumer of __remote_log_metadata to finish the consumption of the latest "
                    "DELETE_SEGMENT_FINISHED message, in order to minimize the impact for the "
                    "performance, for the tombstone messages, the consumers will finish the "
                    "consumption asynchronously."
                ),
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
                    "Broker 0 leads, broker 1 follows; both have Kafka's consumer of today "
                    "(the table calls it an older version). The segment of offset 0 is rolled "
                    "and not yet copied.",
                ),
                (
                    "1-5",
                    "The segment of offset 0 passes its retention, and the leader copies it "
                    "as the remote segment id 0 (a UUID in Kafka): COPY_SEGMENT_STARTED, the "
                    "object, COPY_SEGMENT_FINISHED.",
                ),
                (
                    "6-8",
                    "The leader publishes DELETE_SEGMENT_STARTED of id 0 and deletes the object.",
                ),
                (
                    "9",
                    "The leader publishes DELETE_SEGMENT_FINISHED of id 0.",
                ),
                (
                    "10",
                    "The leader writes a tombstone for the key of id 0, as in scenario 4.",
                ),
                (
                    "11",
                    "The leader's consumer reads the tombstone. A null value cannot be "
                    "deserialized, and the exception ends the consumer's thread.",
                ),
                (
                    "end",
                    "The leader's consumer is dead. Broker 1 has the tombstone before it.",
                ),
                (
                    "beyond",
                    "If this broker is elected for another partition, no record is lost: it "
                    "has deleted nothing locally that it does not know to be copied "
                    "(UnifiedLog#isSegmentEligibleForDeletion).",
                ),
            ),
        ),
        turning=10,
        fix=(
            "Say in Broker Read Path that ConsumerTask#processConsumerRecord takes a null "
            "value for a tombstone: it does not deserialize the value, and notes the offset as "
            "read. (Whether the cache then removes the segment of this key is another report's.) "
            "Tie the writing of tombstones to the feature level, which needs every broker "
            "upgraded; Step 2 of the migration plan writes them before."
        ),
        costs=(
            "The tombstones begin later: one feature level, or one version, after the new "
            "consumer. A broker cannot go back to a version without the new consumer once the "
            "topic has a tombstone."
        ),
        repair="repair_consumer_reads_null",
        stands_alone=True,
        shows="segment_is_forgotten",
        scope="lagging",
        beside=("text_consumer_unchanged",),
    ),
    *OF_PARTITIONS,
    Finding(
        name="tombstones_of_states_need_an_order",
        title=(
            "With the state in the key, tombstones in the wrong order make new caches list a "
            "deleted segment"
        ),
        severity=Severity.COST,
        symptom=(
            "This concerns keys with a state, as in pull request 22774, and no key of the "
            "KIP. In these steps no client notices: a broker that builds its cache "
            "between two tombstones lists a deleted segment as copied, until it restarts "
            "or a leader deletes the segment again. With retention.bytes such a broker "
            "may delete a live segment too early once it is elected. It happens if the "
            "tombstone of DELETE_SEGMENT_STARTED comes before that of "
            "COPY_SEGMENT_FINISHED. Pull request 22774 has the right order; the KIP must "
            "ask for it if it takes such keys, as its scan has no order."
        ),
        needs=(
            "Keys with the state, and the KIP's clean-up scan, if it takes the states in "
            "any order; one replica; one deletion; a segment of the metadata topic that "
            "rolls between two tombstones, and a run of the log cleaner there; a broker "
            "that builds its cache before the last tombstone is cleaned. No fault."
        ),
        tracker=(
            "pull request 22774 of apache/kafka (a draft, closed) has these keys, and "
            "writes the tombstones in the order of the states "
            "(ProducerManager#maybePublishTombstoneRecords); it has no scan in the files "
            "that we have read"
        ),
        claims=(
            "deleted_segments_stay_dead",
            "compaction_changes_no_cache",
        ),
        passages=(
            Passage(
                "KIP-1266",
                "Broker Write Path",
                (
                    "And also, to guarantee the expired messages are tomb-stoned, a background "
                    "cleanup thread executed by RemoteMetadataCleanupManager will scan the "
                    "__remote_log_metadata periodically to check whether there are orphaned "
                    "messages that can be deleted."
                ),
            ),
            Passage(
                "KIP-1266",
                "Scenario 4: Segment Deletion",
                "Cache result: Empty (segment no longer exists)",
            ),
        ),
        permitted_by=(
            "RemoteLogSegmentState#isValidTransition, which allows "
            "DELETE_SEGMENT_FINISHED after DELETE_SEGMENT_STARTED only"
        ),
        story=Story(
            "aefff9",
            (
                (
                    "start",
                    "One broker leads. The segment of offset 0 is rolled and not yet copied. "
                    "A key has the id of a segment and a state, as in pull request 22774, and "
                    f"the KIP's scan writes the tombstones. {WITH_HIGHEST_OFFSETS}",
                ),
                (
                    "1-5",
                    "The segment of offset 0 passes its retention. The leader copies it as "
                    "the remote segment id 0 (a UUID in Kafka): COPY_SEGMENT_STARTED and "
                    "COPY_SEGMENT_FINISHED have two keys.",
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
                (
                    "11",
                    "The scan writes the next tombstone for the key of COPY_SEGMENT_STARTED.",
                ),
                (
                    "12",
                    "The log cleaner removes DELETE_SEGMENT_STARTED, which has a tombstone. "
                    "The tombstone of step 11 is in the active segment, which is not cleaned, "
                    "so that COPY_SEGMENT_STARTED is still there.",
                ),
                (
                    "end",
                    "The topic has COPY_SEGMENT_STARTED, COPY_SEGMENT_FINISHED and then "
                    "DELETE_SEGMENT_FINISHED of id 0. The last transition is not legal: a "
                    "broker that reads the topic drops it and lists id 0 as copied. Its "
                    "object is gone.",
                ),
                (
                    "beyond",
                    "The scan goes on until every key of id 0 has a tombstone. A broker that "
                    "built its cache in between and is elected deletes id 0 once more. With "
                    "retention.bytes this run counts the size of id 0 as well, as long as id "
                    "0 is of the log's earliest leader epoch, and may delete the oldest live "
                    "segment too early (RLMExpirationTask#buildRetentionSizeData).",
                ),
            ),
        ),
        turning=12,
        fix=(
            "Say in the KIP, for keys with a state: the tombstones of a segment are "
            "written from the oldest state to the deletion, by the scan as well, and each "
            "waits for the one before it. The model was tried with this order. (Pull "
            "request 22774 sends its four tombstones without waiting, and only logs a "
            "failure: if the first two fail and the others do not, it ends as in these "
            "steps.) If RemoteLogMetadataCache forgets a segment at "
            "DELETE_SEGMENT_FINISHED in any state, as we propose elsewhere, only the "
            "tombstone of DELETE_SEGMENT_FINISHED must be last."
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
        title="Scenario 4 deletes the object before DELETE_SEGMENT_STARTED is published",
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
            Passage(
                "KIP-1266",
                "Broker Write Path",
                (
                    "The broker continues to write lifecycle events for remote log segments and "
                    "partitions, but now with:"
                ),
            ),
        ),
        permitted_by=(
            "RemoteLogManager#deleteRemoteLogSegment, which publishes "
            "DELETE_SEGMENT_STARTED before it deletes the object. By Broker Write Path "
            "nothing but keys and tombstones changes; the table of scenario 4 has the two "
            "the other way round, perhaps by mistake"
        ),
        assumptions=("C5",),
        story=Story(
            "291b1b",
            (
                (
                    "start",
                    "Broker 0 leads. The segment of offset 0 is rolled and not yet copied. "
                    "Deletions have the order of scenario 4.",
                ),
                (
                    "1",
                    "The segment of offset 0 passes its retention.",
                ),
                (
                    "2-5",
                    "The leader copies the segment as the remote segment id 0 (a UUID in "
                    "Kafka), up to COPY_SEGMENT_FINISHED.",
                ),
                (
                    "6",
                    "The leader's expiration task chooses id 0 for deletion, and moves the "
                    "log start past it.",
                ),
                (
                    "7",
                    "The leader deletes the object of id 0 (T2).",
                ),
                (
                    "end",
                    "The topic has COPY_SEGMENT_FINISHED of id 0, whose object is gone. The "
                    "log start lies above id 0, so that no reader asks for it.",
                ),
                (
                    "beyond",
                    "If the leader dies now and the new leader has not taken the log start "
                    "over, a fetch of these records, which are past their retention, fails in "
                    "the store until the new leader's expiration task runs, instead of with "
                    "OFFSET_OUT_OF_RANGE.",
                ),
            ),
        ),
        turning=7,
        fix="Swap T2 and T3 in the table of scenario 4.",
        costs="None: Kafka publishes DELETE_SEGMENT_STARTED first today.",
        repair="repair_tell_deletion_first",
        stands_alone=True,
        shows="segment_is_forgotten",
        scope="lagging",
        beside=("text_object_deleted_first",),
    ),
)
