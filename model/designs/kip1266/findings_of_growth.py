"""What KIP-1266's compacted topic keeps for longer than it needs: the register, continued."""

from tierproof.model.designs.kip1266.findings_setting import WITH_FIXES
from tierproof.model.language import Finding, Passage, Severity, Story

OF_GROWTH = (
    Finding(
        name="failed_attempt_keeps_its_key",
        title="An attempt that the store deferred keeps its key until the segment's records expire",
        severity=Severity.COST,
        symptom=(
            "If keys name the attempt, as we propose elsewhere, the compacted metadata topic "
            "keeps one record for each attempt that the store deferred, though the segment is "
            "copied by then. The record goes when the segment passes its retention, and never if "
            "that is unlimited. No client notices. With the KIP's own key the retry supersedes "
            "the record, and an object that the failed attempt may have stored is forgotten "
            "instead."
        ),
        needs=(
            "One replica is enough; a copy that fails with RetriableRemoteStorageException, "
            "which leaves the attempt as it is since Kafka 4.3; keys that name the attempt. "
            "Each failure adds a record. No crash."
        ),
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
                    "One broker leads. The segment of offset 0 is rolled and not yet copied; "
                    f"the metadata topic is empty. {WITH_FIXES}",
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
                    "COPY_SEGMENT_STARTED of id 0 is still in the topic, and no object belongs "
                    "to it. Nobody has anything to do until the records expire.",
                ),
                ("note", "The retry under the KIP's key: [its page](retry_takes_the_key_over.md)."),
            ),
        ),
        turning=3,
        fix=(
            "Have the leader delete the attempts that nobody will finish: those that its cache "
            "has in COPY_SEGMENT_STARTED and that none of its threads copies, as it deletes an "
            "attempt that failed. This is safe only if nobody else may finish the attempt, and if "
            "the leader has read the topic to its end. In the model only the leader of the latest "
            "epoch can write to the topic, and a new leader reads to the end before it begins; "
            "Kafka has neither rule. Without them the leader may delete a copy that an old leader "
            "finishes: then the record is the lesser evil, and a sentence in the text enough."
        ),
        costs=("Two records, a tombstone and one delete request for each such attempt."),
        repair="repair_delete_copies_given_up",
        shows="segment_is_forgotten",
        scope="retried",
    ),
    Finding(
        name="partition_markers_add_up",
        title="The marker of a deleted partition is never removed, and the topic grows with every "
        "partition that was ever deleted",
        severity=Severity.COST,
        symptom=(
            "The compacted metadata topic keeps one small record for each tiered partition that "
            "was ever deleted. Nothing removes it, and the records add up for as long as the "
            "cluster lives; no client notices. Scenario 5 keeps it on purpose, against the first "
            "goal of the text."
        ),
        needs=(
            "The deletion of a topic, and a broker that publishes the marker, as the KIP has it "
            "(no released Kafka does). No fault, and no race."
        ),
        claims=("topic_is_as_big_as_the_remote_tier",),
        passages=(
            Passage(
                "KIP-1266",
                "Cleanup Process",
                "Compacted topic: All segment keys for abc123:0:*:* get tombstones, partition "
                "delete marker remains",
            ),
            Passage(
                "KIP-1266",
                "Goals",
                "Enable bounded metadata storage to support faster bootstrap for the broker "
                "restart/leadership changes: the number of messages in the remote metadata topic "
                "is proportional to active remote segments, not the total history.",
            ),
        ),
        permitted_by=(
            "Scenario 5 of the KIP; in Kafka as shipped nothing calls "
            "RemoteLogMetadataManager#putRemotePartitionDeleteMetadata"
        ),
        assumptions=("C2", "C13"),
        story=Story(
            "af502f",
            (
                ("start", "One broker leads a partition of which nothing is copied."),
                ("1-2", "The leader's copy task begins. A user deletes the topic."),
                (
                    "3-4",
                    "The leader publishes DELETE_PARTITION_STARTED and "
                    "DELETE_PARTITION_FINISHED under the key of the partition, as scenario 5 "
                    "has it.",
                ),
                (
                    "end",
                    "Nothing of the partition is left but DELETE_PARTITION_FINISHED. Nobody "
                    "writes a tombstone for its key: scenario 5 keeps it on purpose.",
                ),
            ),
        ),
        turning=4,
        fix=(
            "Write a tombstone for the marker, too, as the last one of its partition: the "
            "marker has done its work once no other key of the partition is left. Or say in "
            "the goals that it stays."
        ),
        costs=(
            "One tombstone for each deleted partition. Nobody leads the partition any more: "
            "the text has to name a broker that writes it, also after a crash. A broker that "
            "reads for the first time after delete.retention.ms sees neither the marker nor "
            "the segments, which is what it should see."
        ),
        repair="repair_forget_partitions",
        shows="segment_is_forgotten",
        scope="deletion",
    ),
)
