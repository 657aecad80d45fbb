"""The deletion of a topic."""

from tierproof.model.designs.kip405.findings.copies import ALONE, LEGAL
from tierproof.model.language import Finding, Severity, Story

DELETIONS = (
    Finding(
        name="deleted_topic_leaks",
        title="Remote segments leak if one deletion fails during topic deletion",
        severity=Severity.LEAK,
        symptom=(
            "Objects of a deleted topic stay in the remote store for ever and cost their size: "
            "the one whose deletion fails and all that come after it, so all of the partition "
            "where the store is down. An operator has to find them in __remote_log_metadata, "
            "where they end in DELETE_SEGMENT_STARTED. Clients see nothing. The leader tries to "
            "delete the remote log once, and forgets the partition after the first error."
        ),
        needs=(
            "One replica is enough; a store that refuses one deletion. Or a topic that is deleted "
            "before its leader has loaded the metadata: the listing fails with "
            "ReplicaNotAvailableException, and every object stays. Or a copy that still runs: its "
            "object stays. Seen also with a crash during "
            "the deletion, and with the only replica down while the topic is deleted (4.4.0). "
            "Kafka 3.6 to trunk, by the code."
        ),
        tracker=(
            "no issue that notes it is known to us; KAFKA-15313, named in a comment of "
            "RemoteLogManager#deleteRemoteLogPartition, wants the deletion asynchronous, and "
            "would be the place for a retry"
        ),
        claims=(
            "expired_objects_are_deleted",
            "quiet_store_holds_finished_segments_only",
            "metadata_records_are_legal_transitions",
        ),
        permitted_by=(
            "RemoteLogManager#deleteRemoteLogPartition: one attempt of one broker, over what its "
            "cache lists at that moment; #stopPartitions, which logs the error, and then forgets "
            "the topic id and calls RemoteLogMetadataManager#onStopPartitions all the same. "
            "RemoteLogMetadataManager#putRemotePartitionDeleteMetadata, which could record the "
            "deletion, has no caller"
        ),
        story=Story(
            "ef47a0",
            (
                ("start", ALONE),
                (
                    "1-6",
                    "The leader begins to copy offsets 0 to 1, and stores the object.",
                ),
                (
                    "7-8",
                    "A user deletes the topic. The leader cancels the copy, lists the one "
                    "segment that it knows, and deletes its local log.",
                ),
                (
                    "9-11",
                    "The leader publishes DELETE_SEGMENT_STARTED of id 0, reads it, and goes "
                    "on to delete the objects.",
                ),
                (
                    "12",
                    "The cancelled copy ends without COPY_SEGMENT_FINISHED. (It plays no part: a "
                    "segment that was finished long ago stays in the same way.)",
                ),
                (
                    "13",
                    "The store refuses to delete the object. RemoteLogManager#stopPartitions "
                    "logs the error and forgets the metadata of the partition.",
                ),
                (
                    "end",
                    "The object of id 0 stays. No broker has a replica of the topic, and no "
                    "task or record makes a broker try again.",
                ),
                ("note", LEGAL),
            ),
        ),
        turning=13,
        fix=(
            "For these steps, and tried in the model: RemoteLogManager#stopPartitions hands the "
            "deletion to a task (KAFKA-15313). It waits until the cancelled copy and expiration "
            "tasks of the partition have ended and the metadata is loaded, and only then lists the "
            "segments: what these still publish is in no earlier list, and with an earlier one it "
            "deletes once more what an expiration has just deleted. It tries again until the store "
            "has deleted every object, and calls RemoteLogMetadataManager#onStopPartitions only "
            "then, as it has to list and update the segments. The task keeps the TopicIdPartition "
            "itself: topicIdByPartitionMap goes by the name, and a topic of the same name may "
            "come. A task ends with its broker; what a restart leaves would stay, and so would "
            "what a former leader still uploads. For that the deletion has to be recorded: "
            "DELETE_PARTITION_MARKED before the local log is deleted, DELETE_PARTITION_FINISHED "
            "after the last object (#putRemotePartitionDeleteMetadata). The javadoc has the "
            "controller mark the partition; a KRaft controller has no RemoteLogMetadataManager, so "
            "that the leader has to. And a broker has to look for marks when it starts, as no "
            "broker is assigned the partition then. The model was also tried with a controller "
            "that knows what is to be deleted, and a last leader that reads the metadata topic to "
            "its end, deletes, and tries again. Until then an operator can empty the topic first, "
            "by DeleteRecords up to the log end: the expiration task deletes the objects, and "
            "tries again. The topic is deleted once RemoteLogMetadataCount is 0."
        ),
        costs=(
            "The first: a task and the metadata of the partition in the memory of one broker "
            "until the store has accepted every deletion. The second: two records for each "
            "deleted partition, a read of the metadata topic for marks at each start of a "
            "broker, and work for plugins that leave the method empty."
        ),
        repair="repair_delete_topic_to_the_end",
        stands_alone=True,
        searched="a controller that knows what is to be deleted",
        proposal="proposal_task_deletes_remote_log",
        shows="segment_is_expired",
        scope="alone_deleted",
    ),
    Finding(
        name="dangling_deletion_is_done_twice",
        title="Retry of a failed remote deletion runs once per leader epoch of the segment",
        severity=Severity.COST,
        symptom=(
            "No client notices. When the store has failed to delete a segment that spans "
            "several leader epochs, one run of the expiration task deletes it once for each of "
            "these epochs: it publishes DELETE_SEGMENT_STARTED of a segment whose "
            "DELETE_SEGMENT_FINISHED the metadata topic has already, and asks the store for an "
            "object that is gone. A plugin whose deletion is idempotent, as "
            "RemoteStorageManager asks, accepts that."
        ),
        needs=(
            "One replica is enough; a segment that was active during an election, so that it "
            "has records of two leader epochs; a store that fails one deletion, of a failed "
            "copy or of an expired segment. No crash. Kafka 4.0 (KAFKA-17428) to trunk, by the "
            "code."
        ),
        tracker=(
            "no issue is known to us; KAFKA-17428 (PR 17335) brought the retry, KAFKA-15479 the "
            "test that the retry stands before"
        ),
        claims=("metadata_records_are_legal_transitions",),
        permitted_by=(
            "RLMExpirationTask#cleanupExpiredRemoteLogSegments, which lists segments epoch by "
            "epoch, and adds one in DELETE_SEGMENT_STARTED to segmentsToDelete before it asks "
            "whether it is there"
        ),
        story=Story(
            "6af385",
            (
                (
                    "start",
                    "The topic has one replica, with offset 0 of leader epoch 0 in the active "
                    "segment. Nothing is copied.",
                ),
                (
                    "1-4",
                    "The leader is elected again. Offset 1, of leader epoch 1, is written to "
                    "the same segment; with offset 2 a new segment begins.",
                ),
                (
                    "5-9",
                    "The leader begins to copy offsets 0 to 1 as id 0: its cache lists id 0 "
                    "under epoch 0 and under epoch 1.",
                ),
                (
                    "10-13",
                    "The upload fails. The copying thread publishes DELETE_SEGMENT_STARTED of "
                    "id 0, and the store fails to delete what there is.",
                ),
                (
                    "14-15",
                    "The expiration task plans to delete id 0 twice: epoch 0 lists it, and "
                    "epoch 1 does.",
                ),
                (
                    "16-20",
                    "The expiration task deletes id 0 and publishes DELETE_SEGMENT_FINISHED. "
                    "The cache of the leader has no id 0 any more.",
                ),
                (
                    "21",
                    "The expiration task begins the second deletion: it publishes "
                    "DELETE_SEGMENT_STARTED of id 0.",
                ),
                (
                    "end",
                    "The metadata topic has a DELETE_SEGMENT_STARTED of id 0 behind its "
                    "DELETE_SEGMENT_FINISHED.",
                ),
                (
                    "beyond",
                    "Every metadata cache drops the record with a warning of "
                    'RemotePartitionMetadataStore ("Error occurred while updating the remote log '
                    'segment."). RemoteDeleteLagSegments counts the segment twice, and '
                    "RemoteDeleteLagBytes falls below zero: a retried deletion subtracts a size "
                    "that was never added. With a plugin that fails for an object that is gone, "
                    "the run ends there, and the segments behind it wait for the next.",
                ),
                ("note", LEGAL),
            ),
        ),
        turning=14,
        fix=(
            "In RLMExpirationTask#cleanupExpiredRemoteLogSegments the question whether "
            "segmentsToDelete contains the segment comes first, before the one for "
            "DELETE_SEGMENT_STARTED. The last part of the method asks the same of "
            "listOfSegmentsToBeCleaned: there a segment of two epochs that precede the earliest "
            "one is listed twice, also without a failed deletion."
        ),
        costs="None that we know of: the same questions in another order.",
        repair="repair_plan_a_deletion_once",
        stands_alone=True,
        shows="segment_is_expired",
        scope="alone_two_epochs",
    ),
)
