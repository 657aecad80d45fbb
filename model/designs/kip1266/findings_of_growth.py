"""What KIP-1266's compacted topic keeps for longer than it needs: the register, continued."""

from tierproof.model.designs.kip1266.findings_setting import WITH_FIXES
from tierproof.model.language import Finding, Passage, Severity, Story

OF_GROWTH = (
    Finding(
        name="failed_attempt_keeps_its_key",
        title=(
            "With the UUID in the key, a copy that fails with RetriableRemoteStorageException "
            "leaves its record behind"
        ),
        severity=Severity.COST,
        symptom=(
            "This concerns a change of the key that we propose in another report, and no "
            "key of the KIP. If keys name the attempt, the compacted metadata topic keeps "
            "one record for each attempt that the store deferred, though the segment is "
            "copied by then. The record goes when the segment passes its retention, and "
            "never if that is unlimited. No client notices. With the KIP's key the retry "
            "supersedes the record; an object that the failed attempt may have stored is "
            "then forgotten instead."
        ),
        needs=(
            "Keys that name the attempt; one replica is enough; a copy that fails with "
            "RetriableRemoteStorageException, which leaves the attempt as it is since "
            "Kafka 4.3. Each failure adds a record. No crash."
        ),
        searched="the deletion of such attempts",
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
                    "One broker leads. The segment of offset 0 is rolled and not yet copied. "
                    f"{WITH_FIXES}",
                ),
                (
                    "1-3",
                    "The leader publishes COPY_SEGMENT_STARTED of the remote segment id 0 (a "
                    "UUID in Kafka). The store asks to retry later, and has stored nothing. "
                    "The leader publishes nothing more of id 0.",
                ),
                (
                    "4-6",
                    "The retry copies the segment as id 1: COPY_SEGMENT_STARTED, the object, "
                    "COPY_SEGMENT_FINISHED.",
                ),
                (
                    "7-8",
                    "Local retention removes offset 0 from the leader's disk, and the log "
                    "cleaner removes COPY_SEGMENT_STARTED of id 1.",
                ),
                (
                    "end",
                    "COPY_SEGMENT_STARTED of id 0 is still in the topic, and no object "
                    "belongs to it. Nobody has anything to do until the records expire.",
                ),
                (
                    "note",
                    "The retry under the KIP's key: [its page](retry_takes_the_key_over.md).",
                ),
            ),
        ),
        turning=3,
        fix=(
            "Once a retry has succeeded, have the leader delete the attempts that it began "
            "itself in this leader epoch, and that none of its threads copies. Attempts of "
            "earlier leaders stay until the segment expires: an old leader may still finish its "
            "copy. The model was tried with this; and with a leader that deletes every attempt "
            "that its cache has in COPY_SEGMENT_STARTED and that none of its threads copies, "
            "which is safe only beside two rules that Kafka does not have: only the leader of "
            "the latest epoch can write to the topic, and a new leader reads to the end before "
            "it begins."
        ),
        costs=(
            "Two records, a tombstone and one delete request for each failed attempt. If the store "
            "completes one after its deletion, the object stays."
        ),
        repair="repair_delete_copies_given_up",
        proposal="proposal_leader_deletes_its_own_failed_attempts",
        shows="segment_is_forgotten",
        scope="retried",
    ),
    Finding(
        name="partition_markers_add_up",
        title=(
            "Scenario 5 keeps the marker of a deleted partition for good, Step 2 writes a "
            "tombstone for it"
        ),
        severity=Severity.COST,
        symptom=(
            'The KIP contradicts itself. Scenario 5 keeps the "partition delete marker", '
            "the record DELETE_PARTITION_FINISHED; the migration plan writes a tombstone "
            "for it. If it stays, the compacted metadata topic keeps one record for each "
            "tiered partition that was ever deleted, some 150 bytes with its batch: "
            "100,000 deleted partitions make 15 MB. No client notices, and brokers read "
            "it at each start. This is against the first goal of the KIP."
        ),
        needs=(
            "The deletion of a topic; brokers that publish the marker, as the KIP has it "
            "(no released Kafka does), and no tombstone for it, as in scenario 5. No "
            "fault, and no race."
        ),
        claims=("topic_is_as_big_as_the_remote_tier",),
        passages=(
            Passage(
                "KIP-1266",
                "Scenario 5: Partition Deletion",
                (
                    "Compacted topic: All segment keys for abc123:0:*:* get tombstones, partition "
                    "delete marker remains"
                ),
            ),
            Passage(
                "KIP-1266",
                "New clusters",
                "Emit tombstones for segments and partitions when they are deleted.",
            ),
            Passage(
                "KIP-1266",
                "New clusters",
                "Tombstone records eventually remove fully deleted segments and partitions.",
            ),
            Passage(
                "KIP-1266",
                "Goals",
                (
                    "Enable bounded metadata storage to support faster bootstrap for the broker "
                    "restart/leadership changes: the number of messages in the remote metadata "
                    "topic is proportional to active remote segments, not the total history."
                ),
            ),
        ),
        permitted_by=(
            "RemoteLogManager#stopPartitions, by which the last leader of a deleted "
            "partition deletes its remote segments, and which publishes no record of the "
            "partition; only tests call "
            "RemoteLogMetadataManager#putRemotePartitionDeleteMetadata"
        ),
        assumptions=("C2", "C13", "C15"),
        story=Story(
            "af502f",
            (
                (
                    "start",
                    "One broker leads a partition of which nothing is copied. (Remote "
                    "segments would change nothing: their keys get tombstones.)",
                ),
                (
                    "1-2",
                    "The leader's copy task begins, which plays no part. A user deletes the topic.",
                ),
                (
                    "3-4",
                    "The broker, which led the partition last, publishes "
                    "DELETE_PARTITION_STARTED and DELETE_PARTITION_FINISHED under the key of "
                    "the partition, as in scenario 5. (The table names the leader that it "
                    "was.)",
                ),
                (
                    "end",
                    "The topic keeps DELETE_PARTITION_FINISHED. By scenario 5 nobody writes a "
                    "tombstone for its key.",
                ),
            ),
        ),
        turning=4,
        fix=(
            "Mend scenario 5 after the migration plan, whose Step 2 has a tombstone, too, "
            'once "A partition reaches DELETE_PARTITION_FINISHED": "partition delete '
            'marker remains" becomes a third row of the table, a tombstone for abc123:0. '
            "The text should name the writer: the broker that published "
            "DELETE_PARTITION_FINISHED, and another one if that broker has crashed. "
            "The tombstone comes once every other key of the partition has one: until "
            "then the marker makes new readers forget what is left. The model was tried "
            "with a scan of the last leader that keeps this order. If scenario 5 is meant "
            "as it stands, the first goal should name the exception."
        ),
        costs=(
            "One tombstone for each deleted partition. As nobody leads a deleted "
            "partition, the text has to say who writes it after a crash. A broker that first "
            "reads after delete.retention.ms sees neither the marker nor the segments, which "
            "is right."
        ),
        repair="repair_forget_partitions",
        together_with=("repair_self_contained_values",),
        shows="segment_is_forgotten",
        scope="deletion",
    ),
)
