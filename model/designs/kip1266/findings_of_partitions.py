"""The records of a deleted partition in one reading of KIP-1266: the register, continued."""

from tierproof.model.designs.kip1266.findings_setting import WITH_HIGHEST_OFFSETS
from tierproof.model.language import Finding, Passage, Severity, Story

OF_PARTITIONS = (
    Finding(
        name="partition_marker_takes_a_segments_key",
        title=(
            "The records of a partition's deletion have two keys, one of which can be its last "
            "segment's"
        ),
        severity=Severity.TEXT,
        symptom=(
            "The KIP has two keys for the records of a partition's deletion, and only one can "
            "hold. By one reading of the first, they have the key of the partition's last "
            "segment: compaction then removes what that key said before, and the segment's "
            "tombstone can remove the marker that scenario 5 keeps. If the leader crashes "
            "before it has published DELETE_SEGMENT_STARTED of that segment, its object stays "
            "in the store, and no record of the metadata topic names it. With the key of "
            "scenario 5 no record is lost. The object stays after such a crash in any case, "
            "today, too, as no broker takes the deletion up; but then its id stays in the "
            "topic."
        ),
        needs=(
            'The key of Message Key and Value, and a "partition end offset" that is the '
            "last offset, as the endOffset of a segment is. (With the log end offset "
            "the keys differ by one, and there is no defect.) One replica is enough; a "
            "broker that publishes the two DELETE_PARTITION records (no released Kafka "
            "does); a topic deleted while its active segment is empty, in the leader "
            "epoch in which its last segment was or is being copied; a roll and a run of "
            "the log cleaner in the metadata topic. For the leak, a crash of the leader "
            "between DELETE_PARTITION_STARTED and DELETE_SEGMENT_STARTED of the last segment; "
            "the cleaner may run after it. The window is short if the leader, as today, "
            "publishes DELETE_SEGMENT_STARTED of all segments at once "
            "(RemoteLogManager#deleteRemoteLogPartition)."
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
                "T1 | Start partition delete | abc123:0 | apiKey=2, state=DELETE_PARTITION_STARTED",
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
                    "A user deletes the topic. The upload of id 1 still runs. (It need not: if "
                    "the copy of id 1 has ended, step 7 supersedes its COPY_SEGMENT_FINISHED in "
                    "the same way.)",
                ),
                (
                    "7",
                    "The leader publishes DELETE_PARTITION_STARTED under the key of the "
                    "partition's last offset, 1, and epoch 0: this is the key of id 1.",
                ),
                (
                    "8-9",
                    "The leader begins to delete id 0 with DELETE_SEGMENT_STARTED.",
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
                    "If the leader crashes now, nobody learns of id 1 from the topic.",
                ),
                (
                    "beyond",
                    "The other direction needs neither a crash nor a race. "
                    "DELETE_SEGMENT_STARTED of the last segment supersedes "
                    "DELETE_PARTITION_STARTED. Scenario 5 names the segments' tombstones after "
                    "both records of the partition: the tombstone of the last segment's key then "
                    "removes the marker.",
                ),
            ),
        ),
        turning=10,
        fix=(
            "Give the records of a partition's deletion the key of scenario 5, and strike "
            "the last paragraph of Message Key and Value. "
            "RemotePartitionDeleteMetadataRecord then needs neither EndOffset nor "
            "BrokerLeaderEpoch: the first sentence of Public Interfaces, the schema under New "
            "clusters, and the keys in Step 2 and Step 3 of the migration plan must exclude it. "
            "This keeps the id in the topic. That a broker "
            "takes the deletion up after a crash is a change of its own. The model was tried "
            "with a key of the partition and the epoch; as it has no end offset either, it is "
            "no segment's key."
        ),
        costs=(
            "One more key for each deleted partition, which scenario 5 has already; as its "
            "marker remains, it is there for good."
        ),
        repair="repair_kind_in_key",
        # The id of a segment in the key, instead of its end offset, is never the marker's key.
        apart=("repair_uuid_in_key",),
        shows="segment_is_forgotten",
        scope="deletion_of_two",
        beside=("text_partition_key_with_end_offset",),
    ),
)
