"""What brokers may write to KIP-1266's compacted topic that should not: the register, continued."""

from tierproof.model.designs.kip1266.findings_setting import WITH_IDS
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
        title=(
            "Goal 3's audit topic is not in the Migration Plan, and compaction removes the id of "
            "an object stored after its segment's deletion"
        ),
        severity=Severity.TEXT,
        symptom=(
            "An object can stay in the store for good after its segment has expired: the old "
            "leader stores it after the new leader has deleted the segment. Once the log cleaner "
            "has removed the tombstone, the compacted topic has no record of it, unless the old "
            "leader still publishes COPY_SEGMENT_FINISHED. No client notices; the object costs "
            "storage. Without this KIP it stays, too, but the metadata topic keeps its id, by "
            "which an operator can find it without a listing of the store. (An audit topic would "
            "as well; the KIP speaks of one in some places, and of one topic in others.)"
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
        title=(
            "An old leader's tombstones leave out the new leader's key, and a deleted segment "
            "stays listed"
        ),
        severity=Severity.COST,
        symptom=(
            "In these steps no client notices: the segment's records are past their "
            "retention. The old leader's DELETE_SEGMENT_FINISHED follows the new leader's "
            "COPY_SEGMENT_FINISHED, and the log cleaner has removed the "
            "DELETE_SEGMENT_STARTED between them. A broker that builds its cache from the "
            "topic then drops DELETE_SEGMENT_FINISHED with an ERROR, reads on, and lists a "
            "segment as copied whose object is deleted, until it restarts after the segment's "
            "tombstone, or leads and deletes the segment again. With retention.bytes that is "
            "more than a cost: such a leader may delete a live segment too early. It takes "
            "records that describe their segment in full, which the KIP needs for another "
            "reason; of its records as they are, such a broker drops both."
        ),
        needs=(
            "Two replicas; an election that the old leader has not heard of for the time of "
            "one deletion; a segment that passes its retention before it is copied, or "
            "meanwhile; records that describe their segment in full; a roll of the metadata "
            "topic between COPY_SEGMENT_FINISHED and DELETE_SEGMENT_FINISHED, a run of the log "
            "cleaner, and a broker that builds its cache before a later run removes "
            "COPY_SEGMENT_FINISHED. (With the KIP's keys no roll just there is needed, and a "
            "run at any time will do.) No crash."
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
        passages=(
            Passage(
                "KIP-1266",
                KEYS,
                "Since a single broker attempts to upload a given segment only once at a time, "
                "only one writer will try to write the value anytime.",
            ),
            Passage(
                "KIP-1266",
                WRITES,
                "A series of tombstone messages will be published for all the keys that share "
                "the same prefix topicIdPartition:endOffset and keys that have no bigger "
                "brokerLeaderEpoch than the current one.",
            ),
        ),
        permitted_by=(
            "TopicBasedRemoteLogMetadataManager#updateRemoteLogSegmentMetadata, which "
            "publishes whatever a broker gives it (nobody compares the leader epoch that the "
            "KIP adds); RLMExpirationTask#cleanupExpiredRemoteLogSegments, which asks only "
            "whether it is cancelled; RemoteLogMetadataCache, which drops an invalid "
            "transition and throws nothing. In an uncompacted topic this does no harm: a "
            "reader sees all four records, in order"
        ),
        story=Story(
            "b2a6db",
            (
                (
                    "start",
                    "Broker 0 leads in epoch 0, broker 1 follows. The segment of offset 0 is "
                    "rolled and not yet copied. In the listing a segment's key is its id, and "
                    "each record describes its segment in full, as these two reports propose.",
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
                    "The new leader reads DELETE_SEGMENT_STARTED of id 0, and publishes "
                    "COPY_SEGMENT_FINISHED of id 0 all the same. Caches drop that record with "
                    "an ERROR, and keep id 0 in DELETE_SEGMENT_STARTED.",
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
                    "id 0, which is no valid transition. A broker that builds its cache now "
                    "drops the second record, and lists id 0 as copied; its object is gone. "
                    "(The two brokers of the table have read DELETE_SEGMENT_STARTED, and do "
                    "not.)",
                ),
                (
                    "beyond",
                    "A tombstone for the key of id 0 comes later. A broker that built its "
                    "cache before it still lists id 0, as the KIP changes no cache at a "
                    "tombstone. If it is elected, it deletes id 0 once more. With "
                    "retention.bytes that run counts the size of id 0, too, if id 0 is of the "
                    "log's earliest leader epoch (RLMExpirationTask#buildRetentionSizeData).",
                ),
                (
                    "beyond",
                    "With the KIP's keys (we replayed these steps with them) "
                    "COPY_SEGMENT_FINISHED is under epoch 1, and the old leader's records and "
                    "tombstone are under epoch 0. The background scan may find the former as "
                    "long as DELETE_SEGMENT_FINISHED is in the topic. After that it stays "
                    "until a leader that lists id 0 deletes it again.",
                ),
                (
                    "beyond",
                    "If the old leader deletes the object before the new leader has stored it "
                    "(11 before 10), the object stays in the store, today, too. The fix of our "
                    "report \"Goal 3's audit topic is not in the Migration Plan, and compaction "
                    "removes the id of an object stored after its segment's deletion\" covers "
                    "that; the one below does not.",
                ),
            ),
        ),
        turning=13,
        fix=(
            "Put the segment's UUID into the key, and take the fix of our report \"A consumer "
            "that reads behind the log cleaner misses a deletion, and its cache keeps the "
            'deleted segment": RemoteLogMetadataCache forgets a segment at '
            "DELETE_SEGMENT_FINISHED in any state, and at its tombstone. We searched all "
            "orders with these two and the records in full: a broker that has read to the end "
            "lists what a reader of every record lists. A COPY_SEGMENT_FINISHED that comes "
            "after DELETE_SEGMENT_FINISHED still lists id 0, until the leader deletes it once "
            "more. The search below had a topic that refuses an old leader's records instead. "
            "We do not ask for that, as Kafka fences producers by transactional.id only."
        ),
        costs=(
            "A cache that forgets in any state hides an invalid transition, which is an "
            "ERROR in the log today: keep the message. For the UUID see its report."
        ),
        repair="repair_fence_writers",
        # The first rests on this fix: it would delete what the old leader is copying. The second
        # heals what the old leader's records do to caches.
        apart=("repair_delete_copies_given_up", "repair_tombstones_forget"),
        shows="segment_is_forgotten",
        scope="zombie",
    ),
)
