"""The deletion of a topic."""

from tierproof.model.designs.kip405.findings.copies import ALONE, LEGAL
from tierproof.model.language import Finding, Severity, Story

DELETIONS = (
    Finding(
        name="deleted_topic_leaks",
        title=(
            "After the deletion of a topic its remote objects may stay, and no broker knows of them"
        ),
        severity=Severity.LEAK,
        symptom=(
            "Objects of a deleted topic stay in the remote store for ever and cost their size: "
            "the one whose deletion fails and all that come after it, so all of the partition "
            "where the store is down. An operator has to find them by comparing the store with "
            "the topics that exist. Clients see nothing. The leader tries to delete the remote "
            "log once, and forgets the partition after the first error."
        ),
        needs=(
            "One replica is enough; a store that refuses one deletion. Seen also with a crash "
            "during the deletion, and with the only replica down while the topic is deleted "
            "(4.4.0). Kafka 3.6 to trunk, by the code."
        ),
        tracker=(
            "no issue that notes it is known to us; KAFKA-15313, named in a comment of "
            "RemoteLogManager#stopPartitions, wants the deletion asynchronous, and would be the "
            "place for a retry"
        ),
        claims=(
            "expired_objects_are_deleted",
            "quiet_store_holds_finished_segments_only",
            "metadata_records_are_legal_transitions",
        ),
        permitted_by=(
            "RemoteLogManager#stopPartitions and #deleteRemoteLogPartition: one attempt of one "
            "broker, over what its cache lists at that moment; "
            "RemoteLogMetadataManager#putRemotePartitionDeleteMetadata, which has no caller"
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
                    "The cancelled copy ends without COPY_SEGMENT_FINISHED.",
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
                (
                    "beyond",
                    "It needs no copy that is under way: a segment that was finished long ago "
                    "stays in the same way.",
                ),
                ("note", LEGAL),
            ),
        ),
        turning=13,
        fix=(
            "For these steps, and not modelled: RemoteLogManager#stopPartitions hands the "
            "deletion to a task (KAFKA-15313) that tries again until the store has deleted "
            "every object, and that calls RemoteLogMetadataManager#onStopPartitions only then, "
            "as it has to list and update the segments. It keeps the TopicIdPartition itself: "
            "topicIdByPartitionMap goes by the name, and a topic of the same name may come. A "
            "task ends with its broker; what a crash leaves would stay. For that the deletion "
            "has to be recorded: DELETE_PARTITION_MARKED before the local log is deleted, "
            "DELETE_PARTITION_FINISHED after the last object. "
            "RemoteLogMetadataManager#putRemotePartitionDeleteMetadata and "
            "RemotePartitionDeleteState are there for that, and nothing calls them. The javadoc "
            "has the controller mark the partition; a KRaft controller has no "
            "RemoteLogMetadataManager, so that the leader has to. And a broker has to look for "
            "marks when it starts: no broker is assigned the partition then, and one that comes "
            "back with its log deletes that as stray (LogManager#isStrayKraftReplica). The "
            "model was tried with a controller that knows what is to be deleted, and a last "
            "leader that reads the metadata topic to its end, deletes, and tries again. Until "
            "then an operator can empty the topic first: DeleteRecords up to the log end, which "
            "the expiration task carries out in the store and tries again; the topic is deleted "
            "once RemoteLogMetadataCount is 0."
        ),
        costs=(
            "The first: a task and the metadata of the partition in the memory of one broker "
            "until the store has accepted every deletion. The second: two records for each "
            "deleted partition, a read of the metadata topic for marks at each start of a "
            "broker, and work for plugins that leave the method empty."
        ),
        repair="repair_delete_topic_to_the_end",
        shows="segment_is_expired",
        scope="alone_deleted",
    ),
)
