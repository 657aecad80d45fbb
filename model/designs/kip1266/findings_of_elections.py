"""What a new leader of KIP-1266 does before it has read the topic: the register, continued."""

from tierproof.model.designs.kip1266.findings_setting import WITH_HIGHEST_OFFSETS
from tierproof.model.language import Finding, Passage, Severity, Story

OF_ELECTIONS = (
    Finding(
        name="new_leader_deletes_again",
        title=(
            "Broker Write Path does not say which messages are orphaned, or where the cleanup "
            "thread runs"
        ),
        severity=Severity.COST,
        symptom=(
            'The text does not define "orphaned". By Scenario 4 a copy gets a tombstone though no '
            "record reports its object deleted, and the object can stay in the store. In these "
            "steps a record follows the tombstone of its key, which the scan has to find. No "
            "client notices, and it heals. The new leader publishes the deletion of a "
            "remote segment for a second time, behind its tombstone, and sends the store a "
            "request for an object that is gone (RemoteStorageManager#deleteLogSegmentData is "
            "idempotent); another tombstone then removes the new records."
        ),
        needs=(
            "Two replicas; an election; a new leader that has not read the last records "
            "of the old one; for these steps one run of the log cleaner before it has. No "
            "crash and no fault. The window is the lag of the new leader's consumer, "
            "mostly well below a second."
        ),
        claims=("tombstone_only_after_deletion", "tombstoned_key_stays_dead"),
        passages=(
            Passage(
                "KIP-1266",
                "Broker Read Path",
                "There is no change in how the ConsumerTask read the messages and build the state "
                "in TopicBasedRemoteLogMetadataManager since there is not much meaningful value "
                "format change.",
            ),
            Passage(
                "KIP-1266",
                "Durability and Recovery Tests",
                "Test leader changes during metadata operations to verify correct handling of "
                "concurrent operations",
            ),
        ),
        permitted_by=(
            "ConsumerTask#maybeMarkUserPartitionsAsReady, which compares with the end that the "
            "topic had when the partition was assigned, and not with the end at the election; "
            "RLMExpirationTask#cleanupExpiredRemoteLogSegments, which deletes what the cache lists"
        ),
        story=Story(
            "117898",
            (
                (
                    "start",
                    "Broker 0 leads, broker 1 follows. The segment of offset 0 is rolled and "
                    "not yet copied. Both caches are ready, since the metadata topic was "
                    f"empty when the partition was assigned. {WITH_HIGHEST_OFFSETS}",
                ),
                (
                    "1-5",
                    "The segment of offset 0 passes its retention. The leader copies it as "
                    "the remote segment id 0 (a UUID in Kafka).",
                ),
                (
                    "6-9",
                    "The leader deletes id 0: DELETE_SEGMENT_STARTED, the object, "
                    "DELETE_SEGMENT_FINISHED.",
                ),
                (
                    "10-12",
                    "Broker 1 is elected in epoch 1, and learns it. Broker 1, the new leader, "
                    "has read one record so far, COPY_SEGMENT_STARTED of id 0.",
                ),
                (
                    "13",
                    "The log cleaner removes COPY_SEGMENT_STARTED and COPY_SEGMENT_FINISHED "
                    "of id 0, which DELETE_SEGMENT_STARTED supersedes.",
                ),
                (
                    "14-16",
                    "The new leader's copy task begins. Its expiration task finds id 0 past "
                    "its retention, and publishes DELETE_SEGMENT_STARTED of id 0 once more.",
                ),
                (
                    "17",
                    "The clean-up scan finds DELETE_SEGMENT_FINISHED of id 0, and writes a "
                    "tombstone for the key of the second deletion, that of epoch 1, while this "
                    "deletion runs.",
                ),
                (
                    "end",
                    "The new leader is deleting a segment that is deleted, and the key "
                    "of this deletion has a tombstone already.",
                ),
                (
                    "beyond",
                    "DELETE_SEGMENT_FINISHED of the second deletion comes behind the "
                    "tombstone; a second tombstone then removes it. If the new leader crashes "
                    "before, its records stay until a clean-up scan.",
                ),
            ),
        ),
        turning=14,
        fix=(
            "As it heals, a sentence in the text may be enough: a key is orphaned if its last "
            "record is DELETE_SEGMENT_FINISHED, and the scan writes a tombstone for it, even if "
            "it has had one. To make it rare, the "
            "tasks of a new leader begin once its consumer has read the metadata topic to "
            "the end that the topic has after the election; "
            "RemoteLogMetadataManager#isReady, which the tasks ask already, can answer no "
            "until then. The old leader may still publish after that end. The model was "
            "tried with this wait, and with a topic that refuses the old leader's records "
            "from the election on, for which Kafka has no rule."
        ),
        costs=(
            "One request for the end offset of the metadata partition at each election. The "
            "first copy and the first deletion wait until the consumer has read so far. Remote "
            "reads go on meanwhile."
        ),
        repair="repair_read_to_the_end",
        # It rests on this fix: it would delete copies whose end the new leader has not read.
        apart=("repair_delete_copies_given_up",),
        shows="segment_is_forgotten",
        scope="zombie",
    ),
)
