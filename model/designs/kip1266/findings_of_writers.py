"""What brokers may write to KIP-1266's compacted topic that should not: the register, continued."""

from tierproof.model.designs.kip1266.findings_setting import (
    WITH_FIXES,
    WITH_IDS,
)
from tierproof.model.language import Finding, Passage, Severity, Story

KEYS = "Message Key and Value"
WRITES = "Broker Write Path"
CONCURRENT = Passage(
    "KIP-1266",
    KEYS,
    "For the same segment under different leader epochs, records use different keys, allowing the "
    "system to distinguish concurrent or overlapping uploads across different brokers.",
)
"""What the text says of two brokers that both take themselves for the leader."""

OF_WRITERS = (
    Finding(
        name="object_comes_behind_its_tombstone",
        title="The old leader stores its object after the new leader has deleted the segment, and "
        "compaction removes the last record that names the object",
        severity=Severity.LEAK,
        symptom=(
            "An object can stay in the store for good after its segment has expired: the "
            "old leader stores it after the new leader has deleted the segment. Once the "
            "log cleaner has removed the tombstone, the compacted topic has no record of "
            "it, unless the old leader still publishes COPY_SEGMENT_FINISHED. No client "
            "notices; the object costs storage. Without this KIP it stays, too, but the "
            "metadata topic keeps its id, by which an operator can find it. (An audit "
            "topic would as well; the KIP speaks of one in some places, and of one topic "
            "in others.)"
        ),
        needs=(
            "Two replicas; an election while the old leader copies a segment; the segment "
            "expires before the copy ends, as with a short retention or a slow store; an "
            "upload that outlives the interrupt which ends the old leader's copy task, "
            "such as a request that is with the store already. No crash and no fault. "
            "Fencing the old leader's metadata records would not help: the object is not "
            "one."
        ),
        claims=("expired_objects_go", "tombstone_only_after_deletion"),
        passages=(
            CONCURRENT,
            Passage(
                "KIP-1266",
                "Why tombstone all 4 keys?",
                'Ensures compacted topic completely "forgets" this segment',
            ),
        ),
        permitted_by=(
            "RLMCopyTask#copyLogSegment, which does not ask who leads before it stores the "
            "object; RemoteStorageManager#copyLogSegmentData, which may end after "
            "RemoteStorageManager#deleteLogSegmentData of the same id, and deleteLogSegmentData, "
            "which succeeds if there is no object"
        ),
        story=Story(
            "eb9bf5",
            (
                (
                    "start",
                    "Broker 0 leads in epoch 0, broker 1 follows. The segment of offset 0 is "
                    f"rolled and not yet copied. {WITH_IDS} With the KIP's keys the record of "
                    "step 2 has the key of epoch 0, and the scan tombstones that, too.",
                ),
                (
                    "1-3",
                    "The leader publishes COPY_SEGMENT_STARTED of the remote segment id 0 (a "
                    "UUID in Kafka), and broker 1 reads it.",
                ),
                (
                    "4-7",
                    "Broker 1 is elected in epoch 1. Both brokers learn of the election, and "
                    "broker 1's copy task begins.",
                ),
                (
                    "8-11",
                    "The segment passes its retention. Broker 1, the new leader, publishes "
                    "DELETE_SEGMENT_STARTED of id 0 and deletes its object, which is not "
                    "there yet.",
                ),
                (
                    "12",
                    "Broker 0, the old leader, still copies the segment, and stores the "
                    "object of id 0.",
                ),
                (
                    "13-16",
                    "The new leader publishes DELETE_SEGMENT_FINISHED of id 0, writes the "
                    "tombstone for its key and reads it; the log cleaner removes what these "
                    "records supersede.",
                ),
                (
                    "17-19",
                    "The old leader reads the rest of the topic. Its task was interrupted "
                    "before it published COPY_SEGMENT_FINISHED, and is not run again.",
                ),
                (
                    "end",
                    "The object of id 0 is in the store. The topic has "
                    "DELETE_SEGMENT_FINISHED and the tombstone of id 0, and no broker has "
                    "anything left to do.",
                ),
                (
                    "beyond",
                    "Later runs of the log cleaner remove these two records as well, the "
                    "tombstone after delete.retention.ms.",
                ),
                (
                    "beyond",
                    "A COPY_SEGMENT_FINISHED that the old leader still publishes would stay "
                    "as the last record of its key. As it is today, every cache drops it. If "
                    "it describes the segment in full, as we propose in another report, the "
                    "new leader lists the segment again and deletes it.",
                ),
            ),
        ),
        turning=13,
        fix=(
            "Have RLMCopyTask#copyLogSegment delete the object that it may have stored if "
            "its segment was deleted meanwhile. After copyLogSegmentData returns or "
            "throws, the task waits until its broker has read the metadata topic to the "
            "end that the topic has then. It looks the segment up, and calls "
            "RemoteStorageManager#deleteLogSegmentData unless it is listed in "
            "COPY_SEGMENT_STARTED or COPY_SEGMENT_FINISHED. A cancelled task must do so, "
            "too (today it cleans nothing up), and a failed look-up must delete nothing. "
            "A crash in between, and a request that the store completes after this "
            "deletion, would still leave the object; only a store that remembers, or a "
            "listing of the store against the metadata, closes that. The look-up was not "
            "tried. The model was tried with a store that remembers the ids that it was "
            "asked to delete, and refuses an object of such an id."
        ),
        costs=(
            "One wait and one look-up for each copy, and one request for each copy that "
            "is given up; RemoteLogMetadataManager needs a call that waits for the end. "
            "The store that remembers changes what RemoteStorageManager promises, for "
            "every plugin."
        ),
        repair="repair_store_remembers_deletions",
        searched="the store that remembers ids",
        stands_alone=True,
        shows="segment_is_forgotten",
        scope="zombie",
    ),
    Finding(
        name="anyone_writes_tombstones",
        title="An old leader deletes what the new leader still copies, and the compacted topic "
        "lists the deleted segment as copied",
        severity=Severity.COST,
        symptom=(
            "In these steps no client notices: the segment's records are past their "
            "retention. The old leader's DELETE_SEGMENT_FINISHED follows the new leader's "
            "COPY_SEGMENT_FINISHED, and the log cleaner has removed the "
            "DELETE_SEGMENT_STARTED between them. A broker that builds its cache from the "
            "topic then lists a remote segment as copied whose object is deleted, and "
            "logs an ERROR about a state transition that is not allowed. It does so until "
            "it restarts after the segment's tombstone, or leads and deletes the segment "
            "again; with retention.bytes such a leader may delete a live segment too "
            "early."
        ),
        needs=(
            "Two replicas; an election that the old leader has not heard of for the time of one "
            "deletion; a segment that passes its retention while the new leader copies it; one "
            "run of the log cleaner between the old leader's records and the tombstone, and a "
            "broker that builds its cache then. Records that describe their segment in full, as "
            "we propose (of today's, such a broker drops both). No crash and no fault."
        ),
        searched="a topic that fences old leaders",
        claims=(
            "deleted_segments_stay_dead",
            "compaction_changes_no_cache",
            "compaction_keeps_highest_offsets",
            "brokers_that_have_read_all_know_the_truth",
            "tombstone_only_after_deletion",
            "tombstoned_key_stays_dead",
            "only_the_leader_writes_tombstones",
        ),
        passages=(CONCURRENT,),
        permitted_by=(
            "TopicBasedRemoteLogMetadataManager#updateRemoteLogSegmentMetadata, which "
            "publishes whatever a broker gives it (the KIP adds its leader epoch, which "
            "nobody compares); RLMExpirationTask#cleanupExpiredRemoteLogSegments, which "
            "asks only whether it is cancelled. Both are there without this KIP; but in "
            "an uncompacted topic a reader sees all four records, in order"
        ),
        story=Story(
            "b2a6db",
            (
                (
                    "start",
                    "Broker 0 leads in epoch 0, broker 1 follows. The segment of offset 0 is "
                    f"rolled and not yet copied. {WITH_FIXES} Each record describes its "
                    "segment in full, as a third report proposes.",
                ),
                (
                    "1-5",
                    "The segment of offset 0 passes its retention. Broker 1 is elected in "
                    "epoch 1 and learns it, and its copy task begins. Broker 0, the old "
                    "leader, has not heard of the election.",
                ),
                (
                    "6",
                    "Broker 1, the new leader, publishes COPY_SEGMENT_STARTED of the remote "
                    "segment id 0 (a UUID in Kafka).",
                ),
                (
                    "7-9",
                    "The old leader reads the record. Its expiration task, which is not "
                    "cancelled yet, finds id 0 past its retention and publishes "
                    "DELETE_SEGMENT_STARTED of id 0. (It skips only what its own broker "
                    "copies.)",
                ),
                (
                    "10-11",
                    "The new leader stores the object of id 0, and the old leader deletes it.",
                ),
                (
                    "12-13",
                    "The new leader reads DELETE_SEGMENT_STARTED of id 0, and ends its copy "
                    "with COPY_SEGMENT_FINISHED of id 0 all the same.",
                ),
                (
                    "14",
                    "The old leader publishes DELETE_SEGMENT_FINISHED of id 0.",
                ),
                (
                    "15",
                    "The log cleaner removes COPY_SEGMENT_STARTED and DELETE_SEGMENT_STARTED "
                    "of id 0, which COPY_SEGMENT_FINISHED supersedes. DELETE_SEGMENT_FINISHED "
                    "is in the active segment, which is not cleaned.",
                ),
                (
                    "end",
                    "The topic has COPY_SEGMENT_FINISHED and then DELETE_SEGMENT_FINISHED of "
                    "id 0, which is no legal transition. A broker that reads the topic now "
                    "drops the second record, and lists id 0 as copied; its object is gone.",
                ),
                (
                    "beyond",
                    "A tombstone for the key of id 0 comes later, and the log cleaner then "
                    "removes the records. A broker that built its cache before and is elected "
                    "deletes id 0 once more; with retention.bytes this run may delete the "
                    "oldest live segment too early, as it counts the size of id 0 "
                    "(RLMExpirationTask#buildRetentionSizeData).",
                ),
                (
                    "beyond",
                    "By the KIP's own keys it lasts longer (we replayed these steps with "
                    "them): COPY_SEGMENT_FINISHED is under epoch 1, the old leader's records "
                    "and tombstone are under epoch 0, and by the KIP's words no scan takes "
                    "the former for expired.",
                ),
            ),
        ),
        turning=13,
        fix=(
            "Put the segment's UUID into the key, and have RemoteLogMetadataCache forget "
            "a segment at DELETE_SEGMENT_FINISHED in any state. We propose both in other "
            "reports. Tried with these two alone, all brokers list what they should, and "
            "every key gets its tombstone. The search that is told below had another fix, "
            "a topic that takes the records of a partition from the leader of its latest "
            "epoch only. We do not ask for it: Kafka fences producers by "
            "transactional.id, not by the leader epoch of another partition."
        ),
        costs=(
            "A cache that forgets in any state hides an illegal transition, which is an "
            "ERROR in the log today: keep the message."
        ),
        repair="repair_fence_writers",
        # The first rests on this fix: it would delete what the old leader is copying. The second
        # heals what the old leader's records do to caches.
        apart=("repair_delete_copies_given_up", "repair_tombstones_forget"),
        shows="segment_is_forgotten",
        scope="zombie",
    ),
    Finding(
        name="new_leader_deletes_again",
        title="A new leader deletes a segment again that the old leader has deleted, and writes "
        "behind its tombstone",
        severity=Severity.COST,
        symptom=(
            "No client notices, and it heals. The new leader publishes the deletion of a "
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
                    f"empty when the partition was assigned. {WITH_FIXES} With "
                    "the KIP's key the records of the second deletion "
                    "are under epoch 1, which the "
                    "scan's tombstones reach, too.",
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
                    "tombstone for the key while the second deletion runs.",
                ),
                (
                    "end",
                    "The new leader is deleting a segment that is deleted, and the key of id "
                    "0 has a tombstone already.",
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
            "As it heals, a sentence in the text may be enough: a record can follow the "
            "tombstone of its key, and the scan then writes another. To make it rare, the "
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
